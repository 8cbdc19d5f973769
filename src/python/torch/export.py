"""There are no exported programs here. The names can be imported, and calling one says so."""

from torch._utils import _refusing

export = _refusing("torch.export", "export", "exported programs can't be had here")
save = _refusing("torch.export", "save", "exported programs can't be had here")
load = _refusing("torch.export", "load", "exported programs can't be had here")
