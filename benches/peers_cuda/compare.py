"""Runs one file under PyTorch and under Tensoryard on the same card.

    compare.py same FILE       prints where their outputs differ
    compare.py figures FILE    prints ours, peer, ratio and share of the card's limit; writes results/figures.{txt,json}
"""

import datetime
import json
import statistics
import subprocess
import sys

OURS = ["./tensoryard", "run", "--executor", "cuda"]
SIDES = {
    "ours": OURS,
    "peer": [sys.executable],
    # Training steps that become graphs by themselves, beside those that PyTorch captures by name.
    "steps": OURS + ["--capture-steps"],
    # The kernels of the page, on the same card through Vulkan.
    "wgsl": ["./tensoryard", "run", "--executor", "webgpu"],
}


def output(side, file, *args):
    done = subprocess.run(SIDES[side] + [file, *args], capture_output=True, text=True)
    if done.returncode:
        print(f"{side}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout.splitlines(), done.returncode


def same(file):
    (ours, a), (peer, b) = output("ours", file), output("peer", file)
    differ = [(x, y) for x, y in zip(ours, peer) if x != y]
    for x, y in differ[:40]:
        print(f"ours {x}\npeer {y}")
    agree = len(peer) - len(differ) if len(ours) == len(peer) else 0
    print(f"{agree} of {len(peer)} lines agree")
    return 1 if a or b or differ or len(ours) != len(peer) else 0


def limit_of(card, name, unit):
    with open("limits.json") as f:
        limits = json.load(f)
    known = next((v for k, v in limits.items() if k.replace(" ", "_") in card), None)
    if known is None or "h2d" in name or "d2h" in name:
        return None
    if unit == "TFLOP/s":
        return known[name.split("_")[1]]
    return known["gb_per_s"] if unit == "GB/s" else None


def figures(file):
    values, units, missing, card = {}, {}, {}, ""
    wgsl = ["wgsl", "products", "elementwise", "training"]
    for further in ([wgsl], []):
        for side, *parts in (["ours"], ["peer"], ["steps", "training", "network"], *further):
            for line in output(side, file, *parts)[0]:
                name, value, *rest = line.split()
                if side in ("steps", "wgsl") and (name == "card" or name.endswith("_captured")):
                    continue
                if name == "card":
                    card = value
                elif value == "missing":
                    missing[name, side] = " ".join(rest)
                else:
                    values.setdefault((name, side), []).append(float(value))
                    units[name] = rest[0]
    for name in ("seed_step", "cnn_epoch"):
        by_itself = values.pop((name, "steps"), None)
        if by_itself:
            row = name + "_by_itself"
            values[row, "ours"], units[row] = by_itself, units[name]
            if (name + "_captured", "peer") in values:
                values[row, "peer"] = values[name + "_captured", "peer"]
    for name, side in [key for key in values if key[1] == "wgsl"]:
        row = name + "_wgsl"
        values[row, "ours"], units[row] = values.pop((name, side)), units[name]
        if (name, "peer") in values:
            values[row, "peer"] = values[name, "peer"]
    lines = [f"{card}, {datetime.date.today().isoformat()}", f"{'':24}{'ours':>10}{'peer':>10}{'ratio':>8}{'limit':>8}"]
    table = {}
    for name, side in [key for key in missing if key[1] == "wgsl"]:
        missing[name + "_wgsl", "ours"] = missing.pop((name, side))
    for name in dict.fromkeys(n for n, _ in list(values) + list(missing)):
        ours, peer = (statistics.median(values[name, s]) if (name, s) in values else None for s in ("ours", "peer"))
        limit = limit_of(card, name, units.get(name))
        share = ours / limit if ours and limit else None
        table[name] = {"ours": ours, "peer": peer, "unit": units.get(name), "share_of_limit": share}
        cell = lambda v, f: format(v, f) if v is not None else "-"
        ratio = ours / peer if ours and peer else None
        lines.append(
            f"{name:24}{cell(ours, '>10.4g'):>10}{cell(peer, '>10.4g'):>10}{cell(ratio, '>8.2f'):>8}"
            f"{cell(share, '>8.1%'):>8}  {units.get(name, '')} {missing.get((name, 'ours'), '')}"
        )
    text = "\n".join(lines) + "\n"
    print(text)
    with open("results/figures.txt", "w") as f:
        f.write(text)
    with open("results/figures.json", "w") as f:
        json.dump({"card": card, "figures": table}, f, indent=1)
    return 0


sys.exit({"same": same, "figures": figures}[sys.argv[1]](sys.argv[2]))
