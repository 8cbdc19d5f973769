"""What is drawn has matplotlib's names, and is an instance of its classes. matplotlib 3.11 recorded `matplotlib_names.txt` from this
file."""

import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import FillBetweenPolyCollection, PathCollection, QuadMesh
from matplotlib.container import BarContainer, ErrorbarContainer, StemContainer
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.text import Annotation, Text

CLASSES = [AxesImage, Annotation, BarContainer, Circle, ErrorbarContainer, FillBetweenPolyCollection, Line2D, Patch, PathCollection, QuadMesh,
           Rectangle, StemContainer, Text]
x = np.arange(5.0)
fig, ax = plt.subplots()
for name, draw in {
    "plot": lambda: ax.plot(x, x)[0],
    "plot twice": lambda: ax.plot(x, x, x, x * 2),
    "scatter": lambda: ax.scatter(x, x),
    "bar": lambda: ax.bar(x, x),
    "one bar": lambda: ax.bar(x, x)[0],
    "barh": lambda: ax.barh(x, x),
    "hist": lambda: ax.hist(x, bins=2)[2],
    "text": lambda: ax.text(0, 0, "hi"),
    "annotate": lambda: ax.annotate("a", (0, 0)),
    "annotate with an arrow": lambda: ax.annotate("a", (0, 0), xytext=(1, 1), arrowprops=dict(arrowstyle="->")),
    "annotate inside": lambda: ax.annotate("a", (0, 0), xytext=(0.5, 0.5), textcoords="axes fraction"),
    "title": lambda: ax.set_title("t"),
    "label": lambda: ax.set_xlabel("x"),
    "axhline": lambda: ax.axhline(0),
    "fill_between": lambda: ax.fill_between(x, x),
    "imshow": lambda: ax.imshow(np.eye(3)),
    "pcolormesh": lambda: ax.pcolormesh(np.eye(3)),
    "contour": lambda: ax.contour(np.eye(3)),
    "stem": lambda: ax.stem(x, x),
    "errorbar": lambda: ax.errorbar(x, x, yerr=1),
    "boxplot": lambda: ax.boxplot([x])["boxes"][0],
    "legend": lambda: ax.legend(["a"]),
    "colorbar": lambda: fig.colorbar(ax.imshow(np.eye(2))),
    "axis": lambda: (ax.xaxis, ax.yaxis),
    "rectangle": lambda: ax.add_patch(Rectangle((0, 0), 1, 1)),
    "circle": lambda: ax.add_patch(Circle((0, 0), 1)),
    "suptitle": lambda: fig.suptitle("s"),
    "grid": lambda: (fig.add_gridspec(2, 3), fig.add_gridspec(2, 2)[0, 1]),
}.items():
    drawn = draw()
    kinds = [kind.__name__ for kind in CLASSES if isinstance(drawn, kind)]
    print(name, re.sub("0x[0-9a-f]+", "0x", repr(drawn)), type(drawn).__module__, type(drawn).__name__, kinds)
fig, ax = plt.subplots()
ax.plot(x, x)
ax.bar(x, x)
ax.scatter(x, x)
ax.pcolormesh(np.eye(2))
ax.imshow(np.eye(2))
ax.text(0, 0, "a")
print(ax.lines, ax.patches, ax.collections, ax.images, ax.texts, ax.containers)
