"""Replays a recording under Tensoryard and counts what agrees with PyTorch.

    python measure.py FOLDER [--binary PATH | --python PATH] [--only REGEX] [--jobs N] [--json OUT] [-- OPTIONS OF run]

FOLDER is what `record.py` wrote. By default the command line of a release build is used; `--python` runs another Python, whose
`torch` must agree with its own recording. Options after `--` go to `tensoryard run`: `-- --machine cuda:1 --executor webgpu`. With an
accelerator, `--device cuda` puts the tensors on it.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SILENCE = 90  # seconds that one sample may take


def one_process(command):
    """Runs one process to its end, or until a sample takes too long. Returns its answers, and the sample that it was at."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    answers, at, ended, hung = [], None, False, []

    def stop():
        hung.append(True)
        process.kill()

    timer = threading.Timer(SILENCE, stop)
    timer.start()
    for line in process.stdout:
        try:
            said = json.loads(line)
        except ValueError:
            continue  # A sample printed something.
        if not isinstance(said, dict):
            continue
        timer.cancel()
        timer = threading.Timer(SILENCE, stop)
        timer.start()
        if "at" in said:
            at = said
        elif "found" in said:
            answers.append(said)
            at = None
        elif "end" in said:
            ended = True
    process.wait()
    timer.cancel()
    return answers, None if ended else at or {"at": None}, "hang" if hung else "crash"


def one_file(start, file):
    """The answers to all samples of a file. A sample that ends the process costs only itself."""
    answers, first = [], 0
    while True:
        found, at, how = one_process([*start, "--from", str(first), file])
        answers += found
        if at is None:
            return answers
        if at["at"] is None:
            raise SystemExit(f"the process doesn't start: {' '.join(start)} {file}")
        answers.append({"sample": at["sample"], "group": how, "found": {"result": how}, "notes": []})
        first = at["at"]


def summary(answers):
    counts = collections.defaultdict(collections.Counter)
    entries = collections.defaultdict(lambda: True)
    for answer in answers:
        entry = answer["sample"].rsplit(" ", 1)[0]
        for what, difference in answer["found"].items():
            label = answer["group"] if what in ("result", "error") else f"{answer['group'].split()[0]} {what}"
            label = "gradient" if what == "gradient" else label
            how = "agrees" if difference is None else difference.split(":")[0] if ":" in difference else "differs"
            how = how if how in ("agrees", "missing", "refused", "raised", "silent", "type", "text", "crash", "hang") else "differs"
            counts[label][how] += 1
            if answer["group"] not in ("error", "refused dtype", "module error", "optimizer error"):
                entries[entry] = entries[entry] and difference is None
        for note in answer["notes"]:
            counts["notes"][note.split()[0]] += 1
    kinds = collections.defaultdict(lambda: [0, 0])
    for entry, agrees in entries.items():
        first = entry.split()[0]
        kind = first if first in ("module", "optimizer") else "operator"
        kinds[kind][0] += agrees
        kinds[kind][1] += 1
    return {"entries that agree in everything": dict(kinds), "counts": {label: dict(c) for label, c in sorted(counts.items())}}


def main():
    arguments = sys.argv[1:]
    at = arguments.index("--") if "--" in arguments else len(arguments)
    arguments, run_options = arguments[:at], arguments[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--binary", default=os.path.expanduser("~/.cache/tensoryard/target/release/tensoryard"))
    parser.add_argument("--python")
    parser.add_argument("--device", default="cpu", help="where the tensors are put")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--json")
    options = parser.parse_args(arguments)
    program = os.path.join(HERE, "replay.py")
    run_options = run_options or ["--machine", "cpu"]
    start = [options.python, program] if options.python else [options.binary, "run", *run_options, program]
    start += ["--device", options.device]
    files = sorted(name for name in os.listdir(options.folder) if name.endswith(".jsonl") and re.search(options.only, name))
    began, answers = time.time(), []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        paths = [os.path.join(options.folder, name) for name in files]
        for found in pool.map(lambda path: one_file(start, path), paths):
            answers += found
    result = {"date": time.strftime("%Y-%m-%d"), "command": start, "seconds": round(time.time() - began), **summary(answers)}
    for kind, (good, all_of) in result["entries that agree in everything"].items():
        print(f"{kind + 's':20} {good} of {all_of}")
    for label, counts in result["counts"].items():
        if label == "notes":
            print("notes:", ", ".join(f"{note} {count}" for note, count in counts.items()))
            continue
        good, total = counts.get("agrees", 0), sum(counts.values())
        rest = ", ".join(f"{how} {count}" for how, count in sorted(counts.items()) if how != "agrees")
        print(f"{label:20} {good:5} of {total:5}  {100 * good / total:5.1f} %  {rest}")
    if options.json:
        result["differences"] = [a for a in answers if a["notes"] or any(a["found"].values())]
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)


if __name__ == "__main__":
    main()
