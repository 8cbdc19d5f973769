"""Pies, shapes, spans, meshes, grids, marks, and what they return: recorded with matplotlib 3.11.2."""

import io

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, Patch, Rectangle, Wedge
from matplotlib.ticker import AutoLocator, FormatStrFormatter, FuncFormatter, MaxNLocator, MultipleLocator


def told(call):
    try:
        call()
    except (IndexError, OSError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


def numbers(some):
    return [round(float(v), 6) for v in some]


def texts(fig):
    page = io.BytesIO()
    fig.savefig(page, format="svg")
    return page.getvalue().decode()


# A pie's pieces and its words.
fig, ax = plt.subplots()
wedges, names, shares = ax.pie([15, 30, 45, 10], labels=["a", "b", "c", "d"], autopct="%1.1f%%", explode=[0, 0.1, 0, 0], startangle=90)
print(numbers(w.theta1 for w in wedges), [t.get_text() for t in names + shares])
print([numbers(t.get_position()) for t in names + shares], numbers(ax.get_xlim()))
print(numbers(wedges[1].get_facecolor()), float(wedges[0].r))
told(lambda: ax.pie([-1, 2]))
told(lambda: ax.pie([0, 0]))
told(lambda: ax.pie([0.8, 0.9], normalize=False))
told(lambda: ax.pie([1, 2], labels=["x"]))
texts(fig)

# A mesh reaches from edge to edge; places of as many as there are cells are middles.
fig, (left, right) = plt.subplots(1, 2)
mesh = left.pcolormesh(np.linspace(0, 1, 11), np.linspace(0, 2, 6), np.arange(50).reshape(5, 10))
fig.colorbar(mesh, ax=left)
print(numbers(left.get_xlim()), numbers(left.get_ylim()))
right.pcolormesh([0, 1, 2], [10, 20], [[1, 2, 3], [4, 5, 6]], shading="auto")
print(numbers(right.get_xlim()), numbers(right.get_ylim()))
texts(fig)

# Bars can be read and counted, also those of several data sets.
fig, ax = plt.subplots()
bars = ax.bar(["x", "y", "z"], [3, -1, 4.5])
print(len(bars), [(numbers([bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()])) for bar in bars])
bars[1].set_color("red")
print(numbers(bars[1].get_facecolor()), [t.get_text() for t in ax.bar_label(bars)], [t.get_text() for t in ax.bar_label(bars, fmt="%.2f")])
some = [[1, 2, 2, 3, 3, 3], [2, 3, 4, 5, 6, 9, 9]]
for options in ({}, {"stacked": True}, {"density": True}, {"cumulative": True}, {"density": True, "stacked": True},
                {"histtype": "barstacked"}, {"rwidth": 0.5}):
    fig, ax = plt.subplots()
    counts, edges, made = ax.hist(some, bins=4, label=["one", "two"], **options)
    print(options, [numbers(c) for c in counts], numbers(edges))
    print([numbers([bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()]) for bar in made[1]])
    plt.close(fig)
counts, edges, made = plt.hist(some[0], bins=3, histtype="step", density=True)
print(numbers(counts), numbers(edges), len(made))
told(lambda: plt.hist(some, color=["r"]))
told(lambda: plt.hist(some, histtype="nosuch"))

# Marks: round numbers, and what a formatter says of them.
for low, high in ((0, 1), (-3.2, 7.7), (100, 101), (1e-5, 3e-5), (0, 1000), (0, 7), (12.3, 12.9), (0, 2)):
    print(low, high, *(numbers([v * 1e5 for v in of.tick_values(low, high)]) for of in (
        AutoLocator(), MaxNLocator(4), MaxNLocator(integer=True), MaxNLocator(3, integer=True), MultipleLocator(2.5))))
fig, ax = plt.subplots()
ax.plot([0, 1, 2, 3], [0.1, 0.4, 0.2, 0.9])
ax.xaxis.set_major_locator(MaxNLocator(integer=True))
print(numbers(ax.get_xticks()))
ax.yaxis.set_major_formatter(FuncFormatter(lambda value, at: f"{value:.1f} pt"))
page = texts(fig)
fig, ax = plt.subplots()
ax.plot([0, 10], [0, 3.3])
print(numbers(plt.xticks()[0]), [t.get_text() for t in plt.yticks()[1]])
print(FormatStrFormatter("%.1f")(0.256, 0))

# Shapes leave the ends of an image alone.
fig, ax = plt.subplots()
image = ax.imshow(np.arange(12).reshape(3, 4))
box = image.axes.add_patch(Rectangle((2.5, 0), 3, 2, fill=False, edgecolor="red", linewidth=2))
ax.add_patch(Circle((1, 1), 0.5, color="w", alpha=0.5, label="round"))
ax.add_patch(Wedge((1, 1), 0.5, 30, 300))
print(numbers(ax.get_xlim()), numbers(ax.get_ylim()), numbers(box.get_xy()), float(box.get_width()), float(box.get_facecolor()[3]))
texts(fig)
fig, ax = plt.subplots()
ax.add_patch(Rectangle((2, 2), 3, 3))
print(numbers(ax.get_xlim()))
ax.axvspan(0.5, 1.5, color="r", alpha=0.3)
ax.axhspan(2, 4, facecolor="g")
ax.text(0.05, 0.95, "corner", transform=ax.transAxes, va="top")
ax.fill([0, 1, 0.5, 1, 0], [0, 0, 0.5, 1, 1])
legend = ax.legend(handles=[Patch(color="C3", label="a color"), Line2D([0], [0], color="k", label="a line")])
texts(fig)

# Grids of plots.
fig = plt.figure(figsize=(8, 5))
grid = fig.add_gridspec(2, 3, width_ratios=[2, 1, 1])
top, corner = fig.add_subplot(grid[0, :]), fig.add_subplot(grid[1, -1])
print(len(fig.axes), grid.get_geometry(), top.set_title("top").get_text(), fig.suptitle("all").get_text(), top.title.get_text())
told(lambda: grid[2, 0])
told(lambda: grid[0, 3:])
told(lambda: GridSpec(0, 1))
texts(fig)
plt.figure()
plt.subplot2grid((3, 3), (0, 0), colspan=2, rowspan=2)
texts(plt.gcf())

# A second x axis has its own ends.
fig, first = plt.subplots(figsize=(5, 3))
first.plot([0, 5], [10, 5])
second = first.twiny()
second.plot([0, 5000], [10, 5], alpha=0)
second.set_xlabel("Tokens seen")
fig.tight_layout()
print(numbers(first.get_xlim()), numbers(second.get_xlim()), second.get_xlabel())
texts(fig)

told(lambda: plt.style.use("nosuch"))
plt.style.use("ggplot")
page = io.BytesIO()
plt.imsave(page, np.array([[0.0, 1.0], [0.5, 0.25]]), cmap="gray")
page.seek(0)
print(numbers(plt.imread(page).reshape(-1)), numbers(plt.cm.tab10(3)), plt.cm.gray(np.array([[0.0, 1.0]])).shape)
