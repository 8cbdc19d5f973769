"""Options: which names there are, what they may be, and a warning for those that aren't drawn here."""

import warnings

from matplotlib.colors import to_hex

ARTIST = frozenset("agg_filter alpha animated clip_box clip_on clip_path figure gid in_layout label mouseover path_effects picker "
                   "rasterized sketch_params snap transform url visible zorder".split())
LINE = ARTIST | set("aa antialiased c color dash_capstyle dash_joinstyle dashes data drawstyle ds fillstyle gapcolor linestyle linewidth "
                    "ls lw marker markeredgecolor markeredgewidth markerfacecolor markerfacecoloralt markersize markevery mec mew mfc "
                    "mfcalt ms pickradius solid_capstyle solid_joinstyle xdata ydata scalex scaley".split())
SHAPE = ARTIST | set("aa antialiased capstyle color ec edgecolor edgegapcolor facecolor fc fill hatch hatch_linewidth hatchcolor "
                     "joinstyle linestyle linewidth ls lw xerr yerr ecolor capsize error_kw log tick_label bottom angle".split())
SEVERAL = ARTIST | set("aa antialiased antialiaseds array capstyle clim cmap color colors dashes ec edgecolor edgecolors facecolor "
                       "facecolors fc gapcolor hatch hatch_linewidth hatchcolor joinstyle linestyle linestyles linewidth linewidths ls lw "
                       "norm offset_transform offsets pickradius sizes urls interpolate step plotnonfinite colorizer locator extent "
                       "hatches negative_linestyles algorithm nchunk corner_mask origin extend pivot units angles scale scale_units width "
                       "headwidth headlength headaxislength minshaft minlength shading snap".split())
IMAGE = ARTIST | set("array clim cmap data extent filternorm filterrad interpolation interpolation_stage norm resample colorizer".split())
# What a method makes, and the names that this has; a class of None is a method with a list of arguments.
MAKES = {
    "plot": ("Line2D", LINE), "axhline": ("Line2D", LINE), "scatter": ("PathCollection", SEVERAL), "bar": ("Rectangle", SHAPE),
    "barh": ("Rectangle", SHAPE), "hist": ("Rectangle", SHAPE), "fill_between": ("FillBetweenPolyCollection", SEVERAL),
    "hlines": ("LineCollection", SEVERAL), "vlines": ("LineCollection", SEVERAL), "contour": ("QuadContourSet", SEVERAL),
    "contourf": ("QuadContourSet", SEVERAL), "pcolormesh": ("QuadMesh", SEVERAL), "quiver": ("Quiver", SEVERAL),
    "imshow": ("AxesImage", IMAGE), "stem": (None, {"orientation", "data"}),
    "boxplot": (None, set("notch sym bootstrap usermedians conf_intervals meanline showcaps showbox boxprops flierprops medianprops "
                          "meanprops capprops whiskerprops autorange capwidths label data".split())),
    "violinplot": (None, set("quantiles bw_method side facecolor linecolor data".split())),
}
# Options of what is drawn that change the picture, but not here.
_UNSEEN = frozenset("markerfacecolor mfc markeredgecolor mec markeredgewidth mew linewidths linewidth lw edgecolor headwidth headlength "
                    "width pivot".split())

_SAME = {"c": "color", "size": "fontsize", "weight": "fontweight", "style": "fontstyle", "family": "fontfamily", "fontname": "fontfamily",
         "name": "fontfamily", "ha": "horizontalalignment", "va": "verticalalignment", "ma": "multialignment", "stretch": "fontstretch",
         "variant": "fontvariant", "font": "fontproperties", "font_properties": "fontproperties"}
_PLAIN = {"fontweight": "normal", "fontstyle": "normal", "fontvariant": "normal", "rotation": 0.0, "alpha": None, "visible": True,
          "bbox": None, "backgroundcolor": None, "usetex": False, "linespacing": 1.2, "multialignment": None, "path_effects": []}
TEXT = ARTIST | set(_SAME) | set(_SAME.values()) | set(_PLAIN) | set(
    "antialiased fontfeatures language math_fontfamily parse_math position rotation_mode text transform_rotates_text wrap x y".split())
_ALIGN = {"horizontalalignment": ("center", "right", "left"),
          "verticalalignment": ("top", "bottom", "center", "baseline", "center_baseline")}
SIZES = {"xx-small": 5.79, "x-small": 6.94, "small": 8.33, "medium": 10.0, "large": 12.0, "x-large": 14.4, "xx-large": 17.28,
         "larger": 12.0, "smaller": 8.33}


def undrawn(what):
    from matplotlib import _more

    _more.undrawn(what)


def one_of(name, given, known, also=""):
    """Refuses a word that isn't among the few that an option can be."""
    if given not in known:
        raise ValueError(f"{given!r} is not a valid value for {name}. Supported values are {', '.join(map(repr, known))}{also}")


def color(given):
    """`#rrggbb` for the color of a line or of words."""
    try:
        return to_hex(given)
    except ValueError:
        raise ValueError(
            f"{given!r} is not a valid value for color: supported inputs are (r, g, b) and (r, g, b, a) 0-1 float tuples; '#rrggbb', "
            "'#rrggbbaa', '#rgb', '#rgba' strings; named color strings; string reprs of 0-1 floats for grayscale values; 'C0', 'C1', ... "
            "strings for colors of the color cycle; and pairs combining one of the above with an alpha value") from None


def font(size, default):
    """The size of letters, in points."""
    if isinstance(size, str) and size not in SIZES:
        raise ValueError("Size is invalid. Valid font size are xx-small, x-small, small, medium, large, x-large, xx-large, larger, "
                         "smaller, None")
    return default if size is None else SIZES[size] if isinstance(size, str) else float(size)


def once(options, same):
    """Options by their long names; refuses one that is given by two names."""
    out = {}
    for name, value in options.items():
        full = same.get(name, name)
        if full in out:
            short = next(n for n in options if n != name and same.get(n, n) == full)
            raise TypeError(f"Got both {short!r} and {name!r}, which are aliases of one another")
        out[full] = value
    return out


def words(options, form="Text.set() got an unexpected keyword argument {!r}"):
    """The options of words in a figure by their long names, each checked."""
    for name in options:
        if name not in TEXT:
            raise AttributeError(form.format(name))
    out = once(options, _SAME)
    for name, value in out.items():
        if name == "color":
            color(value)
        elif name == "fontsize":
            font(value, 0.0)
        elif name in _ALIGN:
            one_of("align", value, _ALIGN[name])
        elif name == "rotation" and value is not None and not hasattr(value, "__float__") and value not in ("vertical", "horizontal"):
            raise ValueError(f"rotation must be 'vertical', 'horizontal' or a number, not {value}")
    if isinstance(out.get("fontproperties"), dict) and "size" in out["fontproperties"]:
        out.setdefault("fontsize", out["fontproperties"]["size"])
    return out


def angle(rotation):
    return {"vertical": 90.0, "horizontal": 0.0, None: 0.0}.get(rotation) if isinstance(rotation, (str, type(None))) else float(rotation)


def known_as(name, module):
    """Gives a class the name and the module that it has in matplotlib, because notebooks print them."""
    def rename(cls):
        cls.__name__ = cls.__qualname__ = name
        cls.__module__ = f"matplotlib.{module}"
        return cls

    return rename


class Counting(type):
    """A class of this type counts as its instances also what other classes draw here and this class draws in matplotlib."""

    def __instancecheck__(cls, drawn):
        return super().__instancecheck__(drawn) or isinstance(drawn, vars(cls).get("counted", ())) and not isinstance(
            drawn, vars(cls).get("uncounted", ()))


@known_as("Text", "text")
class Worded:
    """What every text can be asked and told. `_put` does what can be seen here and returns whether it did."""

    kind = "text"

    def _put(self, name, value):
        return False

    def _own(self):
        """What the text is drawn with."""
        return {}

    def _has(self):
        """What else was set."""
        if "look" not in vars(self):
            self.look = {}
        return self.look

    def set(self, **options):
        for name, value in words(options).items():
            if name in ("verticalalignment", "horizontalalignment", "position", "x", "y", "text") or name in self._own():
                if self._put(name, value):
                    continue
            self._has()[name] = angle(value) if name == "rotation" else value
            silent = ARTIST - {"alpha", "visible"} | {"wrap", "antialiased", "parse_math", "math_fontfamily", "rotation_mode", "fontproperties"}
            if name not in silent and (name not in _PLAIN or self._has()[name] != _PLAIN[name]) and (name, value) != ("alpha", 1):
                undrawn(f"the {name} of a {self.kind}")

    update = lambda self, options: self.set(**options)

    def __getattr__(self, name):
        kind, _, part = name.partition("_")
        part = _SAME.get(part, part)
        if kind == "set" and part in TEXT:
            return lambda value, **others: self.set(**{part: value})
        if kind == "get" and (part in TEXT or part == "unitless_position"):
            found = {**_PLAIN, "horizontalalignment": "left", "verticalalignment": "baseline", "zorder": 3, "wrap": False,
                     "fontfamily": ["sans-serif"], "transform": None, **self._own(), **self._has()}
            if part in found:
                return lambda: found[part]
        raise AttributeError(f"'Text' object has no attribute {name!r}")

    def __repr__(self):
        x, y = self.get_position()
        return f"Text({x}, {y}, {self.get_text()!r})"


_TICKS = ("size width color tickdir pad labelsize labelcolor labelfontfamily zorder gridOn tick1On tick2On label1On label2On length direction "
          "left bottom right top labelleft labelbottom labelright labeltop labelrotation labelrotation_mode").split() + [
    f"grid_{name}" for name in (
        "agg_filter alpha animated antialiased clip_box clip_on clip_path color dash_capstyle dash_joinstyle dashes data drawstyle figure "
        "fillstyle gapcolor gid in_layout label linestyle linewidth marker markeredgecolor markeredgewidth markerfacecolor "
        "markerfacecoloralt markersize markevery mouseover path_effects picker pickradius rasterized sketch_params snap solid_capstyle "
        "solid_joinstyle transform url visible xdata ydata zorder aa c ds ls lw mec mew mfc mfcalt ms").split()]
# What is so here anyway.
_ANYWAY = {"left": True, "bottom": True, "right": False, "top": False, "labelleft": True, "labelbottom": True, "labelright": False,
           "labeltop": False, "labelrotation": 0.0, "direction": "out", "zorder": None}


def unticked(name):
    return ValueError(f"keyword {name} is not recognized; valid keywords are {_TICKS}")


def tick_params(axes, axis="both", options=()):
    """`tick_params`: turned labels, their color beside a second axis, and labels that aren't there."""
    one_of("axis", axis, ("x", "y", "both"))
    options = dict(options)
    which = options.pop("which", "major")
    one_of("which", which, ("major", "minor", "both"))
    options.pop("reset", None)
    if "rotation" in options:
        options["labelrotation"] = options.pop("rotation")
    for name, value in options.items():
        if name not in _TICKS and name != "colors":
            raise unticked(name)
        if name == "direction":
            one_of("tickdir", value, ("in", "out", "inout"))
    if which == "minor":
        return
    along, up = axis != "y", axis != "x"
    for name, value in options.items():
        if name == "labelrotation":
            if along:
                axes._turned = angle(value)
            if up and angle(value):
                undrawn("tick_params(labelrotation=) of the y axis")
        elif name in ("colors", "labelcolor") and up:
            axes._ink = color(value)
        elif name in ("labelbottom", "labelleft"):
            if along if name == "labelbottom" else up:
                axes._labeled["x" if name == "labelbottom" else "y"] = bool(value)
        elif name not in _ANYWAY or _ANYWAY[name] != value:
            undrawn(f"tick_params({name}=)")


_LEGEND = frozenset("numpoints markerscale markerfirst reverse scatterpoints scatteryoffsets prop labelcolor borderpad labelspacing "
                    "handlelength handleheight handletextpad borderaxespad columnspacing ncols mode fancybox shadow title_fontsize framealpha "
                    "edgecolor facecolor linewidth bbox_to_anchor bbox_transform frameon handler_map title_fontproperties alignment ncol "
                    "draggable".split())


def legend(options):
    """Checks the options of a legend that aren't drawn."""
    for name, value in options.items():
        if name not in _LEGEND:
            raise TypeError(f"Legend.__init__() got an unexpected keyword argument {name!r}")
        plain = {"ncol": 1, "ncols": 1, "shadow": False, "frameon": True, "markerfirst": True, "reverse": False, "draggable": False,
                 "alignment": "center", "fancybox": True, "numpoints": 1, "scatterpoints": 1}
        if value is not None and plain.get(name, "") != value and name not in ("prop", "handler_map", "bbox_transform"):
            undrawn(f"legend({name}=)")


_HEADS = ("-", "<-", "->", "<->", "<|-", "-|>", "<|-|>", "]-", "-[", "]-[", "|-|", "]->", "<-[", "simple", "fancy", "wedge")


def arrow(given):
    """Checks `arrowprops`."""
    given = dict(given)
    style = given.get("arrowstyle")
    if style is not None and str(style).split(",")[0].strip() not in _HEADS and isinstance(style, str):
        raise ValueError(f"Unknown style: {style.split(',')[0]!r}")
    known = SHAPE | {"arrowstyle", "connectionstyle", "relpos", "shrinkA", "shrinkB", "patchA", "patchB", "mutation_scale",
                     "mutation_aspect", "positions"} | (set() if style is not None else {"width", "headwidth", "headlength", "shrink", "frac"})
    for name in given:
        if name not in known:
            raise AttributeError(f"FancyArrowPatch.set() got an unexpected keyword argument {name!r}")


def refuse(name, others, accepted):
    """Refuses what isn't an option of this method, or isn't one here; says of some that they aren't drawn."""
    kind, known = MAKES.get(name, ("Artist", None))
    for key, value in others.items():
        if known is not None and key not in known and key not in accepted:
            if kind is None:
                raise TypeError(f"Axes.{name}() got an unexpected keyword argument {key!r}")
            raise AttributeError(f"{kind}.set() got an unexpected keyword argument {key!r}")
    # None is every option's default, and these are off by default.
    off = ("notch", "log", "shadow", "patch_artist", "animated", "rasterized")
    lacking = [k for k, v in others.items() if k not in accepted and v is not None and not (v is False and k in off)
               and (k, v) not in (("clip_on", True), ("visible", True))]
    if lacking:
        raise NotImplementedError(f"matplotlib: {name}({', '.join(lacking)}=)")
    for key, value in others.items():
        if key in _UNSEEN and value is not None and isinstance(value, (str, int, float)):
            undrawn(f"{name}({key}=)")


def identical(axes, letter, low, high):
    """The ends of an axis; moves them apart if they are the same."""
    if low is not None and low == high:
        warnings.warn(f"Attempting to set identical low and high {letter}lims makes transformation singular; automatically expanding.",
                      UserWarning, stacklevel=4)
        room = abs(low) * 0.05 or 0.05
        return low - room, high + room
    return low, high
