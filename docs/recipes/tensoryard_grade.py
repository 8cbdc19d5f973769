"""Grades programs with `tensoryard lesson grade`. The recipes for Gradescope, GitHub Classroom and nbgrader use it.

`TENSORYARD` in the environment names the command if it isn't on the PATH.
"""

import json
import os
import subprocess
import time


def grade(lesson, program, step=None, timeout=60):
    """What `tensoryard lesson grade --json` says about a program, as a dictionary."""
    command = [os.environ.get("TENSORYARD", "tensoryard"), "lesson", "grade", lesson, program]
    command += ["--json", "--timeout", str(timeout)] + (["--step", step] if step else [])
    # The command ends the program itself; the limit here is for a command that hangs.
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout + 60)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or f"tensoryard ended with {done.returncode}")
    return json.loads(done.stdout)


def feedback(graded):
    """The checks that failed and why, as text for the learner."""
    lines = []
    for check in graded["checks"]:
        sign = "ok    " if check["passed"] else "FAILED"
        lines.append(f"{sign} {check['label']}")
        if check["why"] and not check["passed"]:
            lines.append(f"       {check['why']}")
    if graded["error"]:
        lines.append(f"The program ended with: {graded['error']}")
    if graded["timed_out"]:
        lines.append("The program was stopped, because it took too long.")
    return "\n".join(lines)


def points(lesson, program, step=None, of=10, timeout=60):
    """Prints the feedback and returns the points, for the last line of an nbgrader test cell."""
    graded = grade(lesson, program, step, timeout)
    print(feedback(graded))
    return of * graded["score"] / 100


def grade_all(exercises, lessons, programs):
    """Grades every exercise of a list, as in `exercises.json`.

    `lessons` and `programs` are the folders of the lesson files and of what was handed in. Each result has `name`, `points`,
    `of`, `passed`, `text` and `seconds`. A program that wasn't handed in gets 0 points.
    """
    results = []
    for exercise in exercises:
        program = os.path.join(programs, exercise["program"])
        began, earned, passed = time.monotonic(), 0, False
        if os.path.islink(program) or not os.path.isfile(program):
            text = f"{exercise['program']} wasn't handed in."
        else:
            lesson = os.path.join(lessons, exercise["lesson"])
            try:
                graded = grade(lesson, program, exercise.get("step"), exercise.get("timeout", 60))
                earned, passed, text = exercise["points"] * graded["score"] / 100, graded["passed"], feedback(graded)
            except (RuntimeError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                text = f"This program couldn't be graded: {error}"
        seconds = time.monotonic() - began
        results.append(
            {"name": exercise["name"], "points": earned, "of": exercise["points"], "passed": passed, "text": text, "seconds": seconds}
        )
    return results
