"""Windows: their numbers in each form, and what they refuse. PyTorch 2.15 recorded `windows.txt` from this file."""

import torch

for name in ("hann_window", "hamming_window", "bartlett_window", "blackman_window", "kaiser_window"):
    make = getattr(torch, name)
    for call in (
        lambda: make(0),
        lambda: make(1),
        lambda: make(6),
        lambda: make(7, periodic=False),
        lambda: make(5, False, dtype=torch.float64),
        lambda: make(window_length=3),
        lambda: make(3, requires_grad=True),
        lambda: make(3, device="meta"),
        lambda: make(-1),
        lambda: make(4, dtype=torch.long),
        lambda: make(4, dtype=torch.bool),
    ):
        try:
            print(name, call())
        except Exception as e:
            print(name, type(e).__name__, e)
print(torch.hamming_window(6, True, 0.5, 0.5), torch.kaiser_window(6, True, 3.0), sep="\n")
