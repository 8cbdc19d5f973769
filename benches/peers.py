"""Runs the same programs under PyTorch and here, interleaved on one machine, and prints ours, peer and ratio.

    python3 benches/peers.py [--rounds 5] [--json OUT]

Needs PyTorch (pip install torch) for the peer, and release builds: cargo build --release, and
cargo bench --no-run --bench train_step for the same step without Python.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import datetime

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def values(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines() if len(line.split()) == 2}


def binary():
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    path = os.path.join(target, "release", "tensoryard")
    if not os.path.exists(path):
        sys.exit(f"{path} is missing: cargo build --release")
    return path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json")
    args = parser.parse_args()
    ours = binary()
    sides = {
        "torch_cpu": lambda file: values([sys.executable, file]),
        "ours_cpu": lambda file: values([ours, "run", "--machine", "cpu", file]),
        "ours_cpu_events": lambda file: values([ours, "run", "--machine", "cpu", "--trace", os.devnull, file]),
        "ours_webgpu": lambda file: values([ours, "run", "--machine", "cuda:1", "--executor", "webgpu", file]),
    }
    gathered = {}
    for file in ("benches/train_program.py", "benches/micro.py"):
        for _ in range(args.rounds):
            for side, run in sides.items():
                if side == "ours_cpu_events" and "micro" in file:
                    continue
                for name, value in run(file).items():
                    gathered.setdefault(name, {}).setdefault(side, []).append(value)
    rust = values(["cargo", "bench", "--quiet", "--bench", "train_step"])
    import torch

    result = {
        "date": datetime.date.today().isoformat(),
        "machine": f"{os.cpu_count()} cores, {platform.machine()}",
        "torch": torch.__version__,
        "rounds": args.rounds,
        "unit": "microseconds, unless the name says otherwise; medians of rounds",
        "figures": {n: {s: round(statistics.median(v), 2) for s, v in sides.items()} for n, sides in gathered.items()},
    }
    print(f"{'figure':24}{'torch cpu':>12}{'ours cpu':>12}{'ratio':>8}{'+events':>12}{'ours webgpu':>14}")
    for name, row in result["figures"].items():
        peer, mine = row["torch_cpu"], row["ours_cpu"]
        faster = mine / peer if name.endswith("_s") else peer / mine
        events = row.get("ours_cpu_events")
        more = f"{(events / mine - 1) * 100:+.1f} %" if events else ""
        print(f"{name:24}{peer:12.1f}{mine:12.1f}{faster:7.2f}x{more:>12}{row['ours_webgpu']:14.1f}")
    plain = result["figures"]["plain"]["torch_cpu"]
    result["rust"] = rust | {"ratio_to_torch_plain": round(plain / rust["step_us"], 2)}
    print(f"the step without Python: {rust['step_us']} µs, {plain / rust['step_us']:.2f}x; events {rust['events_percent']:+} %")
    if args.json:
        with open(args.json, "w") as out:
            json.dump(result, out, indent=1)
            out.write("\n")


main()
