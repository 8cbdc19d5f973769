#!/usr/bin/env bash
# Makes autograder.zip, which is uploaded to Gradescope: make_zip.sh TENSORYARD LESSONS EXERCISES.json
# TENSORYARD is the command line, built on Linux; LESSONS is the folder of lesson files.
set -euo pipefail
[ $# = 3 ] || { echo "usage: make_zip.sh TENSORYARD LESSONS EXERCISES.json" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "$here/grade.py" "$here/../tensoryard_grade.py" "$work"
cp "$1" "$work/tensoryard"
cp "$3" "$work/exercises.json"
mkdir "$work/lessons"
# The lessons that the exercises are from. Some are in folders of their own, such as debug/34-sprint.md.
python3 - "$3" <<'PYTHON' >"$work/named"
import json, sys
for lesson in sorted({exercise["lesson"] for exercise in json.load(open(sys.argv[1], encoding="utf-8"))}):
    print(lesson)
PYTHON
while IFS= read -r lesson; do
    mkdir -p "$(dirname "$work/lessons/$lesson")"
    cp "$2/$lesson" "$work/lessons/$lesson"
done <"$work/named"
rm "$work/named"
[ ! -d "$2/files" ] || cp -R "$2/files" "$work/lessons/files"
chmod +x "$work/setup.sh" "$work/run_autograder" "$work/tensoryard"
rm -f autograder.zip
python3 - "$work" <<'PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
with zipfile.ZipFile("autograder.zip", "w", zipfile.ZIP_DEFLATED) as zip:
    for path in sorted(folder.rglob("*")):
        zip.write(path, path.relative_to(folder))
PYTHON
echo "autograder.zip"
