"""PyTorch's version, which compares as a version does, not as text: "2.15" is newer than "2.2"."""

import _torch

__all__ = ["TorchVersion"]

_PATTERN = (
    r"\s*v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?(\d*))?"
    r"(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*"
)


def _key(text):
    """What a version is ordered by (PEP 440), or None if the text isn't one."""
    import re

    found = re.fullmatch(_PATTERN, text.lower())
    if found is None:
        return None
    epoch, release, pre, number, dash, post, count, dev, day, local = found.groups()
    release = [int(n) for n in release.split(".")]
    while release and release[-1] == 0:
        release.pop()
    first, last = (-1,), (2,)
    if pre is not None:
        kind = {"a": "a", "b": "b"}.get(pre[0], "rc")
        before = (0, kind, int(number or 0))
    else:
        before = first if dev and not post and dash is None else last
    after = (0, int(dash or count or 0)) if post or dash is not None else first
    daily = (0, int(day or 0)) if dev else last
    part = first if local is None else (0, tuple((1, int(n), "") if n.isdigit() else (0, 0, n) for n in re.split("[-_.]", local)))
    return int(epoch or 0), tuple(release), before, after, daily, part


def _comparison(name):
    as_text, as_key = getattr(str, name), getattr(tuple, name)

    def compare(self, other):
        text = other if isinstance(other, str) else ".".join(map(str, other)) if hasattr(other, "__iter__") else None
        keys = None if text is None else (_key(self), _key(text))
        return as_text(self, other) if keys is None or None in keys else as_key(*keys)

    compare.__name__ = name
    return compare


class TorchVersion(str):
    __slots__ = ()

    __gt__, __lt__, __eq__, __ge__, __le__ = map(_comparison, ("__gt__", "__lt__", "__eq__", "__ge__", "__le__"))
    __hash__ = str.__hash__


__version__ = TorchVersion(_torch.VERSION)
