"""Writes Gradescope's results.json: `grade.py SOURCE SUBMISSION RESULTS`."""

import json
import os
import sys

from tensoryard_grade import grade_all

source, submission, results = sys.argv[1:]
with open(os.path.join(source, "exercises.json"), encoding="utf-8") as file:
    exercises = json.load(file)
graded = grade_all(exercises, os.path.join(source, "lessons"), submission)
tests = [
    {
        "name": one["name"],
        "score": round(one["points"], 2),
        "max_score": one["of"],
        "status": "passed" if one["passed"] else "failed",
        "output": one["text"],
    }
    for one in graded
]
os.makedirs(os.path.dirname(results), exist_ok=True)
with open(results, "w", encoding="utf-8") as file:
    json.dump({"execution_time": round(sum(one["seconds"] for one in graded), 2), "tests": tests}, file, indent=1)
