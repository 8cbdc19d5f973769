"""Filters, for `Image.filter`."""

import numpy as np

from PIL import _kernels


class Filter:
    def filter(self, image):
        """The image through this filter."""
        return image.filter(self)


class MultibandFilter(Filter):
    pass


class _ByBand(Filter):
    def _filtered(self, a):
        """`a`: (H, W, C), uint8."""
        return np.stack([self._band(a[:, :, i]) for i in range(a.shape[2])], -1)


class Kernel(_ByBand):
    """Weights of 3 times 3 or 5 times 5 neighbors, divided by `scale` (by default their sum), and `offset` added."""

    name = "Kernel"

    def __init__(self, size, kernel, scale=None, offset=0):
        if scale is None:
            scale = sum(kernel)
        if size[0] * size[1] != len(kernel):
            raise ValueError("not enough coefficients in kernel")
        self.filterargs = size, scale, offset, kernel

    def _band(self, a):
        size, scale, offset, kernel = self.filterargs
        if tuple(size) not in ((3, 3), (5, 5)):
            raise ValueError("bad kernel size")
        # Weights and the scale are numbers of single precision in Pillow.
        weights = [float(np.float32(w) / np.float32(scale)) for w in kernel]
        return _kernels.convolved(a, weights, size[0], offset)


def _named(title, size, scale, offset, kernel):
    """A class of kernels with these weights."""

    def __init__(self):
        Kernel.__init__(self, (size, size), kernel, scale, offset)

    return type(title.upper().replace(" ", "_").replace("-", "_"), (Kernel,), {"name": title, "__init__": __init__})


_RING = (1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1)
_CENTERED = (1, 1, 1, 1, 1, 1, 5, 5, 5, 1, 1, 5, 44, 5, 1, 1, 5, 5, 5, 1, 1, 1, 1, 1, 1)


def _around(middle, other):
    return (other,) * 4 + (middle,) + (other,) * 4


BLUR = _named("Blur", 5, 16, 0, _RING)
CONTOUR = _named("Contour", 3, 1, 255, _around(8, -1))
DETAIL = _named("Detail", 3, 6, 0, (0, -1, 0, -1, 10, -1, 0, -1, 0))
EDGE_ENHANCE = _named("Edge-enhance", 3, 2, 0, _around(10, -1))
EDGE_ENHANCE_MORE = _named("Edge-enhance More", 3, 1, 0, _around(9, -1))
EMBOSS = _named("Emboss", 3, 1, 128, (-1, 0, 0, 0, 1, 0, 0, 0, 0))
FIND_EDGES = _named("Find Edges", 3, 1, 0, _around(8, -1))
SHARPEN = _named("Sharpen", 3, 16, 0, _around(32, -2))
SMOOTH = _named("Smooth", 3, 13, 0, _around(5, 1))
SMOOTH_MORE = _named("Smooth More", 5, 100, 0, _CENTERED)


class RankFilter(_ByBand):
    """The value of this `rank` among `size` times `size` neighbors; 0 is the smallest."""

    name = "Rank"

    def __init__(self, size, rank):
        if size % 2 == 0:
            raise ValueError("bad filter size")
        if rank < 0 or rank >= size * size:
            raise ValueError("bad rank value")
        self.size = size
        self.rank = rank

    def _band(self, a):
        return _kernels.ranked(a, self.size, self.rank)


class MedianFilter(RankFilter):
    name = "Median"

    def __init__(self, size=3):
        super().__init__(size, size * size // 2)


class MinFilter(RankFilter):
    name = "Min"

    def __init__(self, size=3):
        super().__init__(size, 0)


class MaxFilter(RankFilter):
    name = "Max"

    def __init__(self, size=3):
        super().__init__(size, size * size - 1)


def _pair(radius):
    return tuple(radius) if isinstance(radius, (tuple, list)) else (radius, radius)


class BoxBlur(MultibandFilter):
    """The mean of a box that reaches `radius` pixels (a number, or across and down) to each side."""

    name = "BoxBlur"

    def __init__(self, radius):
        if min(_pair(radius)) < 0:
            raise ValueError("radius must be >= 0")
        self.radius = radius

    def _filtered(self, a):
        return _kernels.box_blur(a, *_pair(self.radius), 1)


class GaussianBlur(MultibandFilter):
    """Nearly a Gaussian with the deviation `radius`: three blurs with a box, as Pillow does it."""

    name = "GaussianBlur"

    def __init__(self, radius=2):
        self.radius = radius

    def _filtered(self, a):
        return _blurred(a, self.radius)


def _blurred(a, radius):
    pair = _pair(radius)
    if min(pair) < 0:
        raise ValueError("Radius must be >= 0")
    return _kernels.box_blur(a, *(_kernels.gaussian_radius(r) if r else 0 for r in pair), 3)


class UnsharpMask(MultibandFilter):
    """Adds `percent` of the difference from a blurred image, where it's more than `threshold`."""

    name = "UnsharpMask"

    def __init__(self, radius=2, percent=150, threshold=3):
        self.radius = radius
        self.percent = percent
        self.threshold = threshold

    def _filtered(self, a):
        wide = a.astype("int64")
        difference = wide - _blurred(a, self.radius).astype("int64")
        size = np.abs(difference)
        # Division cuts off towards 0.
        added = np.sign(difference) * (size * abs(self.percent) // 100) * (1 if self.percent >= 0 else -1)
        return np.where(size > self.threshold, np.clip(wide + added, 0, 255), wide).astype("uint8")


def __getattr__(name):
    if name in ("Color3DLUT", "ModeFilter"):
        raise NotImplementedError(f"PIL.ImageFilter.{name} isn't here")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
