"""The texts beside a plot: its titles, the labels of its axes and of its ticks."""

import matplotlib
from matplotlib._options import Worded, angle, color, font, known_as, undrawn, words


@known_as("Text", "text")
class TickLabel(Worded):
    """The label of a tick."""

    kind = "tick label"

    def __init__(self, axes, letter, place, text):
        self._axes, self._letter, self._place, self._text = axes, letter, place, text

    def get_text(self):
        return self._text

    def get_position(self):
        return (self._place, 0) if self._letter == "x" else (0, self._place)

    def _own(self):
        return {"rotation": self._axes._turned if self._letter == "x" else 0.0, "fontsize": float(matplotlib.rcParams["font.size"]),
                "color": "black"}

    def _put(self, name, value):
        if name == "rotation" and self._letter == "x":
            self._axes._turned = angle(value)
            return True
        return name in ("horizontalalignment", "verticalalignment")


# Where a title or a label is: its place, and how it's aligned.
_AT = {"_title": (0.5, 1.0, "center", "baseline"), "_title_left": (0.0, 1.0, "left", "baseline"),
       "_title_right": (1.0, 1.0, "right", "baseline"), "_xlabel": (0.5, 0, "center", "top"), "_ylabel": (0, 0.5, "center", "bottom"),
       "_zlabel": (0, 0, "center", "bottom")}


@known_as("Text", "text")
class Title(Worded):
    """The text of a title or of an axis's label."""

    def __init__(self, owner, name):
        self._owner, self._name = owner, name
        self.look = owner._looks.setdefault(name, {})
        self.kind = "title" if "title" in name else "label"

    def fresh(self, text, options):
        """A title that replaces the one before, with options of its own."""
        words(options)
        self.look.clear()
        self.set_text(text)
        self.set(**options)

    def get_text(self):
        return str(getattr(self._owner, self._name))

    def set_text(self, text):
        setattr(self._owner, self._name, "" if text is None else text)

    def get_position(self):
        x, y = _AT[self._name][:2]
        return self.look.get("x", x), self.look.get("y", y)

    def _own(self):
        _, _, across, up = _AT[self._name]
        big = self._name == "_title"
        size = self._owner._title_size if big else matplotlib.rcParams["axes.titlesize" if "title" in self._name else "font.size"]
        return {"horizontalalignment": across, "verticalalignment": up, "fontsize": font(size, 12.0),
                "color": "black", "rotation": 90.0 if self._name == "_ylabel" else 0.0}

    def _put(self, name, value):
        if name == "fontsize":
            if value is None:
                self.look.pop("fontsize", None)
            if self._name == "_title":
                self._owner._title_size = font(value, matplotlib.rcParams["axes.titlesize"])
                return True
            if "title" in self._name or value is None:
                self.look.update({} if value is None else {"fontsize": font(value, 12.0)})
                return True
            self.look["fontsize"] = font(value, 10.0)
            undrawn("the fontsize of a label")
            return True
        if name == "color" and self._name == "_ylabel":
            self.look["color"], self._owner._ink = value, color(value)
            return True
        if name == "text":
            self.set_text(value)
            return True
        return False

    def set_visible(self, visible):
        if not visible:
            self.set_text("")
