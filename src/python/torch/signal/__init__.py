"""Signal processing, as torch.signal."""

from . import windows
