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
