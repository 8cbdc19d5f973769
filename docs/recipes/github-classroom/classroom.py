"""Grades for GitHub Classroom's reporter: `classroom.py FOLDER SUBMISSION`.

Each exercise becomes one result with its points. The reporter adds them up, so a learner who passes some of an exercise's checks gets
some of its points.
"""

import base64
import json
import os
import sys

from tensoryard_grade import grade_all

folder, submission = sys.argv[1:]
with open(os.path.join(folder, "exercises.json"), encoding="utf-8") as file:
    exercises = json.load(file)
graded = grade_all(exercises, os.path.join(folder, "lessons"), submission)
for one in graded:
    print(f"{one['name']}: {one['points']:g} of {one['of']}\n{one['text']}\n")
tests = [
    {
        "name": one["name"],
        "status": "pass" if one["passed"] else "fail",
        "score": round(one["points"], 2),
        "message": one["text"],
        "test_code": "",
        "filename": "",
        "line_no": 0,
        "execution_time": round(one["seconds"], 2),
    }
    for one in graded
]
result = {
    "version": 1,
    "status": "pass" if all(one["passed"] for one in graded) else "fail",
    "max_score": sum(one["of"] for one in graded),
    "tests": tests,
}
encoded = base64.b64encode(json.dumps(result).encode()).decode()
with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
    file.write(f"result={encoded}\n")
