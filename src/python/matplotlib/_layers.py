"""What is in front of what, and what isn't shown: `zorder` and `visible`."""

import functools

# Methods of axes that take `zorder` and `visible` for all that they draw.
_DRAWING = ("plot semilogx semilogy loglog step errorbar scatter bar barh hist fill_between fill_betweenx fill axhline axvline axhspan "
            "axvspan axline hlines vlines stem imshow pcolormesh pcolor contour contourf quiver arrow stackplot eventplot boxplot "
            "violinplot broken_barh ecdf hist2d matshow").split()


def _with_layer(method):
    @functools.wraps(method)
    def draw(self, *args, zorder=None, visible=None, **options):
        before = len(self.artists)
        made = method(self, *args, **options)
        for artist in self.artists[before:]:
            if zorder is not None:
                artist.set_zorder(zorder)
            if visible is not None:
                artist.set_visible(visible)
        return made

    return draw


def apply(axes):
    for name in _DRAWING:
        if hasattr(axes, name):
            setattr(axes, name, _with_layer(getattr(axes, name)))


def is_layered(artists):
    """Whether any of them is hidden, or was given a place before or behind others."""
    return any(not a.get_visible() or a.layer is not None for a in artists)


def stacked(axes, drawn, ends):
    """What is drawn in the order in which it lies, and where each artist is in it. Nothing is hidden while the ends of the axes are
    still to be found, because hidden artists extend them."""
    artists = axes.artists
    if ends is None or not is_layered(artists):
        return drawn, range(len(drawn))
    shown = [[] if i < len(artists) and not artists[i].get_visible() else made for i, made in enumerate(drawn)]
    order = sorted(range(len(drawn)), key=lambda i: artists[i].get_zorder() if i < len(artists) else 1000)
    places = [0] * len(drawn)
    for place, i in enumerate(order):
        places[i] = place
    named = [(kind, of) for i, made in enumerate(drawn) for spec in made for kind, of in spec.items() if of.get("label") is not None]
    samples = []
    if axes._legend:
        # The legend lists them in the order in which they were made.
        for kind, of in named:
            samples.append({kind: {**of, **{name: [] for name in ("x", "y", "low", "high", "boxes") if name in of}}})
            of["label"] = None
    return [shown[i] for i in order] + [samples], places
