"""Chooses from a recording the samples that `./test` replays.

    python choose.py FOLDER tests/oracle/opdb

FOLDER is what `record.py` wrote. Every entry is represented: by a few small samples of each group.
"""

import json
import os
import re
import sys

# How many samples of each group the subset has of an entry.
CHOSEN = {"function": 2, "in place": 1, "method": 1, "operator": 1, "out=": 1, "alias": 1, "other dtype": 1, "error": 2,
          "refused dtype": 1, "module": 1, "module error": 1, "optimizer": 2, "optimizer error": 1}
LINE = 1500  # bytes of a sample, unless all of an entry's are larger


def spread(items, count):
    """That many of them, from the first to the last at equal distances."""
    return items if len(items) <= count else [items[round(at * (len(items) - 1) / max(1, count - 1))] for at in range(count)]


def place_of(entry):
    """Which file of the subset an entry is in: that of its module, or of its first letter."""
    kind = re.match(r"(module|optimizer) |([a-z]+)\.", entry)
    return kind.group(0).strip(" .") if kind else entry.strip("_")[0].lower()


def choose(folder, chosen):
    """Of each entry a few samples of each group: small ones, and not all from its beginning."""
    with open(os.path.join(folder, "entries.json"), encoding="utf-8") as about:
        entries = json.load(about)["entries"]
    groups = {}
    for number, (entry, about) in enumerate(entries.items()):
        if about["file"] is None:
            continue
        with open(os.path.join(folder, about["file"]), encoding="utf-8") as lines:
            samples = [(line, json.loads(line)) for line in lines]
        chosen_here = []
        for group, count in CHOSEN.items():
            small = [line for line, sample in samples if sample["group"] == group and len(line) <= LINE]
            if count == 1 and small:
                # Another one of each entry's, so that together they reach every kind.
                picked = [small[number % len(small)]]
            else:
                picked = spread(small, count)
            chosen_here += picked
        if not any("raises" not in json.loads(line) for line in chosen_here):
            # All samples of this entry are large.
            fitting = [line for line, sample in samples if "raises" not in sample and len(line) <= 40 * LINE]
            chosen_here += sorted(fitting, key=len)[:1]
        groups.setdefault(place_of(entry), []).extend(chosen_here)
    os.makedirs(chosen, exist_ok=True)
    for place, lines in sorted(groups.items()):
        with open(os.path.join(chosen, place + ".jsonl"), "w", encoding="utf-8") as out:
            out.writelines(lines)
    print(f"{sum(map(len, groups.values()))} samples in {len(groups)} files")


if __name__ == "__main__":
    choose(*sys.argv[1:])
