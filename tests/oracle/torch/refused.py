"""Makes the calls of `refused.txt`, and prints them with what is said, as that file has them."""

import os
import warnings

import torch
import torch.nn.functional as F

warnings.simplefilter("ignore")
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "refused.txt")) as file:
    calls = [line for line in file.read().splitlines() if not line.startswith("    ")]
for call in calls:
    x, i = torch.ones(2, 3), torch.zeros(2, 3, dtype=torch.int64)
    print(call)
    try:
        eval(call)
        print("    is taken")
    except Exception as error:
        print("".join(f"    {line}\n" for line in f"{type(error).__name__}: {error}".splitlines()), end="")
