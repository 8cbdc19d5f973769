from . import frequencies, offsets
