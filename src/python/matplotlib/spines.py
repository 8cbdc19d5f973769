"""The four sides of a plot's frame."""

from matplotlib._more import undrawn


class Spine:
    """One side of the frame, which is always drawn."""

    def __init__(self, name):
        self.name = name

    _seen = True

    def get_visible(self):
        return self._seen

    def set_visible(self, visible):
        self._seen = bool(visible)
        if not visible:
            undrawn(f"spines[{self.name!r}].set_visible(False)")

    def set_position(self, position):
        undrawn(f"spines[{self.name!r}].set_position")

    def set_color(self, color):
        undrawn(f"spines[{self.name!r}].set_color")

    def set_linewidth(self, width):
        undrawn(f"spines[{self.name!r}].set_linewidth")


class Spines(dict):
    def __init__(self):
        super().__init__({name: Spine(name) for name in ("left", "right", "bottom", "top")})

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"'Spines' object does not contain a '{name}' spine") from None

    def __getitem__(self, key):
        if isinstance(key, list):
            return _Several([dict.__getitem__(self, name) for name in key])
        return _Several(list(self.values())) if isinstance(key, slice) else dict.__getitem__(self, key)


class _Several:
    def __init__(self, spines):
        self._spines = spines

    def __getattr__(self, name):
        return lambda *args: [getattr(spine, name)(*args) for spine in self._spines] and None
