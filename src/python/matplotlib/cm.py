"""Maps from numbers to colors."""

from matplotlib.colors import colormap as get_cmap


class _Maps:
    """The color maps by name; called, their names."""

    def __getitem__(self, name):
        try:
            return get_cmap(name)
        except ValueError:
            raise KeyError(f"{name!r} is not a known colormap name") from None

    def __iter__(self):
        import _torch

        return iter(sorted(name + end for name in _torch._color_maps() for end in ("", "_r")))

    def __len__(self):
        return len(list(iter(self)))

    def __contains__(self, name):
        return name in list(self)

    def __call__(self):
        return list(self)


colormaps = _Maps()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return get_cmap(name)
    except ValueError:
        raise AttributeError(f"module 'matplotlib.cm' has no attribute '{name}' here") from None


class ScalarMappable:
    """A map from numbers to colors that nothing is drawn with; a color scale can show it."""

    def __init__(self, norm=None, cmap=None, *, colorizer=None, **others):
        from matplotlib.colors import Normalize

        if colorizer is not None:
            raise NotImplementedError("matplotlib: ScalarMappable(colorizer=)")
        if norm is not None and not callable(norm):
            raise NotImplementedError(f"matplotlib: ScalarMappable(norm={norm!r})")
        self.norm, self.cmap, self._array, self.colorbar = norm or Normalize(), get_cmap(cmap), None, None

    def set_array(self, A):
        import numpy

        self._array = None if A is None else numpy.ma.asarray(A)
        if A is not None and numpy.size(A) and not self.norm.scaled():
            self.norm(A)

    def get_array(self):
        return self._array

    def get_cmap(self):
        return self.cmap

    def set_cmap(self, cmap):
        self.cmap = get_cmap(cmap)

    def get_clim(self):
        return self.norm.vmin, self.norm.vmax

    def set_clim(self, vmin=None, vmax=None):
        low, high = vmin if vmax is None and isinstance(vmin, (tuple, list)) else (vmin, vmax)
        self.norm.vmin = self.norm.vmin if low is None else low
        self.norm.vmax = self.norm.vmax if high is None else high

    def set_norm(self, norm):
        self.norm = norm

    def autoscale(self):
        if self._array is None:
            raise TypeError("You must first set_array for mappable")
        self.norm.autoscale(self._array)

    def to_rgba(self, x, alpha=None, bytes=False, norm=True):
        import numpy

        if bytes or numpy.ndim(x) == 3:
            raise NotImplementedError("matplotlib: to_rgba of images, or with bytes=True")
        made = self.cmap(self.norm(x) if norm else x)
        if alpha is not None:
            made = numpy.array(made)
            made[..., 3] = alpha
        return made if numpy.ndim(x) or alpha is None else tuple(made)

    def _on(self, axes):
        """Something on axes that isn't seen, which a color scale of these numbers belongs to."""
        import math

        from matplotlib._artists import Points, mapping

        while axes is not None and not hasattr(axes, "artists"):
            axes = list(axes)[-1]
        if type(self.norm).__name__ != "Normalize":
            raise NotImplementedError(f"matplotlib: a color scale with norm={type(self.norm).__name__}() of a ScalarMappable")
        low, high = self.get_clim()
        low, high = 0.0 if low is None else low, 1.0 if high is None else high
        made = Points([math.nan], [math.nan], [0.0], ["none"], "o", None, None, None, None)
        found = mapping(self.cmap, low, high, [float(low)])
        made.mapping, made.hidden = found if isinstance(found, dict) else None, True
        if axes is not None:
            axes.artists.append(made)
        return made
