"""NumPy's version, as its modules name it."""

from numpy import __version__

version = full_version = short_version = __version__
release = True
