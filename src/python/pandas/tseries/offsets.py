"""`pandas.offsets` by its other name."""

from ..offsets import *
from ..offsets import __all__, __getattr__
