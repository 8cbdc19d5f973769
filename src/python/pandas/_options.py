"""`pd.set_option` and its like."""

import contextlib

from ._format import DEFAULTS, OPTIONS


def _name(pattern):
    found = [n for n in OPTIONS if n == pattern] or [n for n in OPTIONS if pattern.lower() in n]
    if not found:
        raise KeyError(f"No such keys(s): {pattern!r}")
    if len(found) > 1:
        raise KeyError("Pattern matched multiple keys")
    return found[0]


def set_option(*pairs):
    if len(pairs) == 1 and isinstance(pairs[0], dict):
        pairs = [x for pair in pairs[0].items() for x in pair]
    if not pairs or len(pairs) % 2:
        raise ValueError("Must provide an even number of non-keyword arguments")
    for pattern, value in zip(pairs[::2], pairs[1::2]):
        OPTIONS[_name(pattern)] = value


def get_option(pattern):
    return OPTIONS[_name(pattern)]


def reset_option(pattern):
    for name in OPTIONS:
        if pattern == "all" or pattern in name:
            OPTIONS[name] = DEFAULTS[name]


def describe_option(pattern="", _print_desc=True):
    raise NotImplementedError("pandas.describe_option isn't here")


@contextlib.contextmanager
def option_context(*pairs):
    before = dict(OPTIONS)
    set_option(*pairs)
    try:
        yield
    finally:
        OPTIONS.update(before)


class _Options:
    """`pd.options.display.max_rows`."""

    def __init__(self, prefix):
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name):
        full = f"{self._prefix}{name}"
        if full in OPTIONS:
            return OPTIONS[full]
        if any(n.startswith(full + ".") for n in OPTIONS):
            return _Options(full + ".")
        raise AttributeError(f"No such option: {full!r}")

    def __setattr__(self, name, value):
        if f"{self._prefix}{name}" not in OPTIONS:
            raise AttributeError("You can only set the value of existing options")
        OPTIONS[f"{self._prefix}{name}"] = value


options = _Options("")
