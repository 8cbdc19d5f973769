"""Figures, as matplotlib draws them: what a lesson or a training script plots, drawn as SVG.

Here data, styles and texts are gathered; `_torch._draw_figure` draws them.
"""

__version__ = "3.11.2"

_DEFAULTS = {"figure.figsize": [6.4, 4.8], "figure.dpi": 100.0, "lines.linewidth": 1.5, "lines.markersize": 6.0,
             "font.size": 10.0, "axes.grid": False, "image.cmap": "viridis", "image.origin": "upper",
             "axes.titlesize": 12.0, "savefig.format": "svg", "figure.facecolor": "white"}


# Settings that can't be seen in a figure of letters and lines, or that say what is so here anyway.
_WITHOUT_TRACE = ("axes.unicode_minus", "animation.", "backend", "date.", "docstring.", "figure.dpi", "figure.max_open_warning", "font.",
                  "interactive", "mathtext.", "path.", "pdf.", "pgf.", "ps.", "savefig.", "svg.", "text.usetex", "text.hinting", "toolbar",
                  "tk.", "webagg.", "agg.", "keymap.")


_GROUPS = set("""_internal agg animation axes axes3d backend backend_fallback boxplot contour date docstring errorbar figure font grid
hatch hist image interactive keymap legend lines macosx markers mathtext patch path pcolor pcolormesh pdf pgf polaraxes ps savefig
scatter svg text timezone tk toolbar webagg xaxis xtick yaxis ytick""".split())


class RcParams(dict):
    """Settings by name. The colors that follow one another can be read."""

    def __setitem__(self, name, value):
        if name == "axes.prop_cycle":
            from matplotlib.colors import CYCLE, to_hex

            CYCLE[:] = [to_hex(color) for color in value.by_key()["color"]]
            return
        if name.partition(".")[0] not in _GROUPS:
            raise KeyError(f"{name!r} is not a valid value for rcParam.")
        if name not in _DEFAULTS and not name.startswith(_WITHOUT_TRACE) and self.get(name) != value:
            from matplotlib._more import unused

            unused(f"the setting {name!r}")
        super().__setitem__(name, value)

    def update(self, *others, **settings):
        for other in (*others, settings):
            if other is rcParamsDefault:
                return rcdefaults()
            for name, value in dict(other).items():
                self[name] = value

    def __missing__(self, name):
        if name == "axes.prop_cycle":
            from matplotlib._late import Cycle

            return Cycle()
        raise KeyError(name)


rcParams, rcParamsDefault = RcParams(_DEFAULTS), RcParams(_DEFAULTS)


def use(backend, *, force=True):
    """Accepted and ignored: there is only one way to draw here."""


def get_backend():
    return "svg"


def rc(group, **settings):
    for one in (group,) if isinstance(group, str) else group:
        for name, value in settings.items():
            rcParams[f"{one}.{name}"] = value


class rc_context:
    """Settings for a `with` block."""

    def __init__(self, rc=None, fname=None):
        if fname is not None:
            raise NotImplementedError("matplotlib: rc_context(fname=)")
        from matplotlib.colors import CYCLE

        self._before, self._colors = dict(rcParams), list(CYCLE)
        rcParams.update(rc or {})

    def __enter__(self):
        pass

    def __exit__(self, *exc):
        from matplotlib.colors import CYCLE

        CYCLE[:] = self._colors
        rcParams.clear()
        dict.update(rcParams, self._before)


def rcdefaults():
    from matplotlib.colors import CYCLE, ORDER

    CYCLE[:] = ORDER
    rcParams.clear()
    dict.update(rcParams, _DEFAULTS)


def __getattr__(name):
    import importlib

    if name == "cycler":
        from matplotlib._late import cycler

        return cycler
    if name == "colormaps":
        return importlib.import_module("matplotlib.cm").colormaps
    if name in ("animation", "axes", "cm", "colors", "figure", "gridspec", "lines", "patches", "pyplot", "style", "ticker"):
        return importlib.import_module(f"matplotlib.{name}")
    raise AttributeError(f"module 'matplotlib' has no attribute {name!r}")
