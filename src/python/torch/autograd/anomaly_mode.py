"""Anomaly detection: an error of a backward pass tells which call of the forward pass it belongs to, and NaN is an error.
"""

import warnings

import _torch

__all__ = ["detect_anomaly", "set_detect_anomaly"]

_enabled, _check_nan = False, True


def is_anomaly_enabled():
    return _enabled


def is_anomaly_check_nan_enabled():
    return _check_nan


def set_anomaly_enabled(mode, check_nan=True):
    global _enabled, _check_nan
    for place, name, value in ((1, "enabled", mode), (2, "check_nan", check_nan)):
        if not isinstance(value, bool):
            raise TypeError(f"set_anomaly_enabled(): argument '{name}' (position {place}) must be bool, not {type(value).__name__}")
    _enabled, _check_nan = mode, check_nan
    _torch._set_anomaly_enabled(_enabled, _check_nan)


class set_detect_anomaly:
    """Switches the check on or off, at once or for a `with` block."""

    def __init__(self, mode, check_nan=True):
        self.prev, self.prev_check_nan = _enabled, _check_nan
        set_anomaly_enabled(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *_):
        set_anomaly_enabled(self.prev, self.prev_check_nan)


class detect_anomaly:
    """A block with the check on."""

    def __init__(self, check_nan=True):
        self.prev, self.prev_check_nan, self.check_nan = _enabled, _check_nan, check_nan
        warnings.warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
                      stacklevel=2)

    def __enter__(self):
        set_anomaly_enabled(True, self.check_nan)

    def __exit__(self, *_):
        set_anomaly_enabled(self.prev, self.prev_check_nan)
