"""Figures, as matplotlib draws them: what a lesson or a training script plots, drawn as SVG.

Here data, styles and texts are gathered; `_torch._draw_figure` draws them.
"""

__version__ = "3.11.2"

_DEFAULTS = {"figure.figsize": [6.4, 4.8], "figure.dpi": 100.0, "lines.linewidth": 1.5, "lines.markersize": 6.0,
             "font.size": 10.0, "axes.grid": False, "image.cmap": "viridis", "image.origin": "upper",
             "axes.titlesize": 12.0, "savefig.format": "svg", "figure.facecolor": "white"}


class RcParams(dict):
    """Settings by name. The colors that follow one another can be read."""

    def __missing__(self, name):
        if name == "axes.prop_cycle":
            from matplotlib._late import Cycle

            return Cycle()
        raise KeyError(name)


rcParams = RcParams(_DEFAULTS)


def use(backend, *, force=True):
    """Accepted and ignored: there is only one way to draw here."""


def get_backend():
    return "svg"


def rc(group, **settings):
    for name, value in settings.items():
        rcParams[f"{group}.{name}"] = value


def rcdefaults():
    rcParams.clear()
    rcParams.update(_DEFAULTS)


def __getattr__(name):
    import importlib

    if name == "colormaps":
        return importlib.import_module("matplotlib.cm").colormaps
    if name in ("animation", "axes", "cm", "colors", "figure", "gridspec", "lines", "patches", "pyplot", "style", "ticker"):
        return importlib.import_module(f"matplotlib.{name}")
    raise AttributeError(f"module 'matplotlib' has no attribute {name!r}")
