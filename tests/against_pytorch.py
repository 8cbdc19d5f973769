"""Runs the playground's examples and the programs of the lessons under PyTorch and here, and compares what they print.

    python3 tests/against_pytorch.py [FILTER…]

Needs PyTorch without a GPU (pip install torch) and a release build (cargo build --release). Here the programs run on the
machine `cpu`: a CUDA build of PyTorch without a driver, which is what they meet there. What must agree is standard output
(its numbers to one part in a hundred thousand: sums go another way), the exit code, and the last line of standard error if a
program fails. It is no part of ./test, which installs no PyTorch.
"""

import glob
import itertools
import math
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def programs():
    """Names and sources: each example, each Python block of each lesson."""
    for path in sorted(glob.glob(os.path.join(ROOT, "src/app/examples/*.py"))):
        with open(path) as file:
            yield "example " + os.path.basename(path)[:-3], file.read()
    for path in sorted(glob.glob(os.path.join(ROOT, "lessons/*.md"))):
        with open(path) as file:
            text = file.read()
        for i, block in enumerate(re.finditer(r"^```python([^\n]*)\n(.*?)^```", text, re.M | re.S)):
            yield f"lesson {os.path.basename(path)[:2]}, block {i} ({block[1].strip()})", block[2]


def outcome(command, path):
    env = os.environ | {"MPLBACKEND": "Agg"}
    done = subprocess.run([*command, path], capture_output=True, text=True, cwd=os.path.dirname(path), env=env, timeout=300)
    last = (done.stderr.strip().splitlines() or [""])[-1] if done.returncode else ""
    return done.stdout, done.returncode, last


def compare(program):
    name, source = program
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    ours = [os.path.join(target, "release", "tensoryard"), "run", "--machine", "cpu"]
    sides = []
    for command in ([sys.executable], ours):
        # A folder each, since some of them write files.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "main.py")
            with open(path, "w") as file:
                file.write(source)
            output, code, last = outcome(command, path)
            sides.append((output.replace(folder, ""), code, last.replace(folder, "")))
    return name, *sides


NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]\d+)?")


def agree_on(theirs, ours):
    numbers = [list(map(float, NUMBER.findall(side[0]))) for side in (theirs, ours)]
    words = [(NUMBER.sub("#", side[0]), *side[1:]) for side in (theirs, ours)]
    return words[0] == words[1] and all(map(lambda a, b: math.isclose(a, b, rel_tol=1e-5), *numbers))


def main():
    wanted = [p for p in programs() if not sys.argv[1:] or any(word in p[0] for word in sys.argv[1:])]
    # Process groups of different programs would meet at the same port.
    together = [p for p in wanted if "init_process_group" not in p[1]]
    alone = [p for p in wanted if p not in together]
    agree = 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, theirs, ours in itertools.chain(pool.map(compare, together), map(compare, alone)):
            if agree_on(theirs, ours):
                agree += 1
            else:
                print(f"{name}\n  PyTorch: {theirs}\n  here:    {ours}")
    print(f"{agree} of {len(wanted)} programs do as under PyTorch")
    sys.exit(agree != len(wanted))


main()
