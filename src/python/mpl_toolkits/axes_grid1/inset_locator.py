"""Axes inside of axes aren't here. Their functions can be imported, and calling one says so."""


def _missing(name):
    def call(*args, **options):
        raise NotImplementedError(f"mpl_toolkits.axes_grid1.inset_locator.{name}: there are no axes inside of others here; "
                                  "subplots and GridSpec place axes")

    call.__name__ = call.__qualname__ = name
    return call


inset_axes, zoomed_inset_axes, mark_inset = (_missing(name) for name in ("inset_axes", "zoomed_inset_axes", "mark_inset"))
