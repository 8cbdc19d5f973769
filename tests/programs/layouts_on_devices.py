"""The functions of recorded/layouts_of_results.py give the same numbers on an accelerator as on the CPU, whatever the layout.

Prints what differs, what the accelerator refuses, and how much was compared.
"""

import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).parent / "recorded"))
from layouts_of_results import FUNCTIONS, LAYOUTS

# Singular vectors and eigenvectors may have either sign, and this view reads what lies between the elements.
OPEN = {"svd", "svd r", "eigh", "as_strided"}


def computed(f, x, seed):
    torch.manual_seed(seed)
    with torch.device(x.device):
        return flat(f(x))


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result.detach().cpu()]
    return [t for part in result for t in flat(part)] if isinstance(result, (tuple, list)) else [torch.tensor(result, device="cpu")]


def alike(ours, theirs):
    return len(ours) == len(theirs) and all(
        a.shape == b.shape and torch.allclose(a, b, rtol=1e-3, atol=1e-4, equal_nan=True) for a, b in zip(ours, theirs)
    )


compared = 0
refused = {}
for layout in ("reversed", "channels last", "with gaps", "three, reversed"):
    torch.manual_seed(0)
    x = LAYOUTS[layout]()
    # A copy of the whole storage keeps the strides.
    moved = torch.as_strided(x.as_strided((x.untyped_storage().nbytes() // 4,), (1,)).cuda(), x.size(), x.stride())
    for name, f in FUNCTIONS.items():
        try:
            expected = computed(f, x, 1)
        except (RuntimeError, TypeError, ValueError, IndexError):
            continue
        if name in OPEN or not alike(computed(f, x, 2), expected):
            # The second: it draws random numbers.
            continue
        try:
            found = computed(f, moved, 1)
        except NotImplementedError as error:
            refused.setdefault(str(error).partition(" (")[0], []).append(name)
            continue
        compared += 1
        if not alike(found, expected):
            print(f"{name} of {layout}: {found} on the accelerator, {expected} on the CPU")
for reason, names in refused.items():
    print(reason, "for", *dict.fromkeys(names))
print(compared, "compared")
