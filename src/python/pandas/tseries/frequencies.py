"""Names of steps in time."""

from .._offsets import infer_freq, to_offset
