"""Styles are known by name. They don't change the appearance, which a warning says."""

import contextlib

from matplotlib._more import undrawn

available = ["Solarize_Light2", "bmh", "classic", "dark_background", "fast", "fivethirtyeight", "ggplot", "grayscale", "petroff10",
             "petroff6", "petroff8", *("seaborn-v0_8" + part for part in (
                 "", "-bright", "-colorblind", "-dark", "-dark-palette", "-darkgrid", "-deep", "-muted", "-notebook", "-paper",
                 "-pastel", "-poster", "-talk", "-ticks", "-white", "-whitegrid")), "tableau-colorblind10"]


def use(style):
    import matplotlib

    for name in style if isinstance(style, (list, tuple)) else [style]:
        if isinstance(name, dict):
            matplotlib.rcParams.update(name)
        elif name not in available and name != "default":
            raise OSError(f"{name!r} is not a valid package style, path of style file, URL of style file, or library style name "
                          "(library styles are listed in `style.available`)")
        elif name != "default":
            undrawn(f"the style {name!r}")


@contextlib.contextmanager
def context(style, after_reset=False):
    import matplotlib

    before = dict(matplotlib.rcParams)
    use(style)
    try:
        yield
    finally:
        matplotlib.rcParams.clear()
        matplotlib.rcParams.update(before)
