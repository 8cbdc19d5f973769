"""Times the ten programs of benches/loops here and under CPython, in turn on one machine, and prints the ratios.

    python3 benches/loops.py [--rounds 5] [--json OUT]

Needs a release build (cargo build --release). CPython is the one that runs this file. Only the program itself is timed,
not the start of the interpreter.
"""

import argparse
import datetime
import glob
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def binary():
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    path = os.path.join(target, "release", "tensoryard")
    if not os.path.exists(path):
        sys.exit(f"{path} is missing: cargo build --release")
    return path


def timed(source):
    return f"import time as _t\n_b = _t.perf_counter()\n{source}\nprint((_t.perf_counter() - _b) * 1e3)\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    args = parser.parse_args()
    sides = {
        "cpython": [sys.executable],
        "ours": [binary(), "run", "--machine", "cpu"],
        "ours_hosted": [binary(), "run", "--machine", "cpu", "--hosted"],
    }
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(glob.glob(os.path.join(ROOT, "benches/loops/*.py"))):
            name = os.path.basename(path).removesuffix(".py")
            file = os.path.join(folder, f"{name}.py")
            with open(path) as source, open(file, "w") as out:
                out.write(timed(source.read()))
            times = {side: [] for side in sides}
            for _ in range(args.rounds):
                for side, command in sides.items():
                    done = subprocess.run([*command, file], capture_output=True, text=True)
                    if done.returncode:
                        sys.exit(f"{side} {name}\n{done.stderr}")
                    times[side].append(float(done.stdout.split()[-1]))
            figures[name] = {side: round(statistics.median(values), 1) for side, values in times.items()}
    print(f"{'milliseconds':16}{'CPython':>10}{'ours':>10}{'ratio':>8}{'hosted':>10}{'ratio':>8}")
    for name, row in figures.items():
        peer, mine, hosted = row.values()
        print(f"{name:16}{peer:10.1f}{mine:10.1f}{mine / peer:7.2f}x{hosted:10.1f}{hosted / peer:7.2f}x")
    if args.json:
        result = {
            "date": datetime.date.today().isoformat(),
            "machine": f"{os.cpu_count()} cores, {platform.machine()}",
            "cpython": platform.python_version(),
            "rounds": args.rounds,
            "unit": "milliseconds, medians of rounds",
            "figures": figures,
        }
        with open(args.json, "w") as out:
            json.dump(result, out, indent=1)
            out.write("\n")


main()
