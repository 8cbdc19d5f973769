"""Autocast, under the name of its file in PyTorch."""

from torch.amp import autocast, custom_bwd, custom_fwd, is_autocast_available
