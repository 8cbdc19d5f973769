"""Maps from numbers to colors."""

from matplotlib.colors import colormap as get_cmap


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    try:
        return get_cmap(name)
    except ValueError:
        raise AttributeError(f"module 'matplotlib.cm' has no attribute '{name}' here") from None
