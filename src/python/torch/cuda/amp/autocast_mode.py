"""Autocast, under the name of its file in PyTorch."""

from torch.cuda.amp import autocast, custom_bwd, custom_fwd
