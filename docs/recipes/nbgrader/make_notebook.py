"""Makes the source notebook of an nbgrader assignment: make_notebook.py EXERCISES.json LESSONS NOTEBOOK.ipynb

For each exercise: a cell with the program that the learner begins with, which writes it to a file when it's run, and a locked test
cell whose value is the points. nbgrader gives a part of the points for such a value.
"""

import json
import os
import re
import sys

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

exercises, lessons, notebook = sys.argv[1:]
with open(exercises, encoding="utf-8") as file:
    exercises = json.load(file)


def starter(exercise):
    """The program that the learner begins with, from the lesson's file."""
    with open(os.path.join(lessons, exercise["lesson"]), encoding="utf-8") as file:
        text = file.read()
    for step in re.split(r"^## ", text, flags=re.M)[1:]:
        title = step.splitlines()[0].split(" {")[0]
        name = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("`", "")).strip("-")
        found = re.search(r"^```python starter[^\n]*\n(.*?)^```$", step, re.M | re.S)
        if found and exercise.get("step") in (None, name):
            return found[1].rstrip("\n")
    raise SystemExit(f"{exercise['lesson']} has no exercise '{exercise.get('step')}'")


def metadata(name, **kind):
    return {"nbgrader": {"schema_version": 3, "grade_id": name, "grade": False, "solution": False, "locked": False, "task": False} | kind}


cells = []
for number, exercise in enumerate(exercises, 1):
    cells.append(new_markdown_cell(f"## {exercise['name']}\n\nChange the program, run its cell, and then run the cell below it."))
    cells.append(new_code_cell(f"%%writefile {exercise['program']}\n{starter(exercise)}"))
    test = (
        "import os\nfrom tensoryard_grade import points\n"
        f"lesson = os.path.join(os.environ['TENSORYARD_LESSONS'], {exercise['lesson']!r})\n"
        f"points(lesson, {exercise['program']!r}, step={exercise.get('step')!r}, of={exercise['points']})"
    )
    kind = metadata(f"exercise-{number}", grade=True, locked=True)
    kind["nbgrader"]["points"] = exercise["points"]
    cells.append(new_code_cell(test, metadata=kind))
kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
os.makedirs(os.path.dirname(notebook) or ".", exist_ok=True)
nbformat.write(new_notebook(cells=cells, metadata=kernel), notebook)
