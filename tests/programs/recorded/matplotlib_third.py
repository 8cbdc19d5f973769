"""Color maps of one's own, error bars, stacks and mosaics: recorded with matplotlib 3.11.2."""

import io

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap, ListedColormap, Normalize


def numbers(some):
    return [round(float(v), 5) for v in np.asarray(some).reshape(-1)]


def texts(fig):
    page = io.BytesIO()
    fig.savefig(page, format="svg")
    return page.getvalue().decode()


own = ListedColormap(["#FF0000", "#00FF00", "blue"])
print(own.N, numbers(own(0.5)), numbers(own(2)), numbers(own(1.0)), numbers(own(np.array([0.0, 0.34]))))
mixed = LinearSegmentedColormap.from_list("mixed", ["red", "white", "blue"], N=5)
print(mixed.N, [numbers(mixed(i)) for i in range(5)])
placed = LinearSegmentedColormap.from_list("placed", [(0.0, "black"), (0.25, "red"), (1.0, "white")], N=5)
print([numbers(placed(i)) for i in range(5)])
print(numbers(Normalize(2, 4)([2, 3, 5])), numbers(Normalize(2, 4, clip=True)([1, 5])), numbers(Normalize()([1, 2, 5])))
print("viridis" in plt.colormaps(), matplotlib.colormaps["gray"](0.5)[3])

fig, (left, right) = plt.subplots(1, 2)
left.scatter([1, 2], [1, 2], c=[0, 1], cmap=own)
left.imshow([[1, 2], [3, 4]], cmap=own, norm=Normalize(0, 4))
image = right.imshow(np.eye(3), clim=(-1, 2))
print(image.get_clim())
image.set_clim(0, 5)
image.set_data(np.ones((3, 3)))
print(image.get_clim())
right.contourf(np.arange(9).reshape(3, 3), cmap=own)
texts(fig)

fig, ax = plt.subplots()
ax.errorbar([1, 2], [1, 2], xerr=0.5, yerr=[[0.1, 0.2], [0.3, 1.0]], fmt="o", capsize=3, ecolor="k")
print(numbers(ax.get_xlim()), numbers(ax.get_ylim()))
fig, ax = plt.subplots()
print(len(ax.stackplot([1, 2, 3], [1, 2, 3], [2, 2, 2], labels=["a", "b"])), ax.get_legend_handles_labels()[1])
ax.fill_between([1, 2, 3], [5, 6, 7], 0, where=[True, True, False], alpha=0.2)
texts(fig)
counts, across, up, mesh = plt.figure().add_subplot().hist2d([1, 2, 2, 3], [1, 1, 2, 5], bins=3)
print(counts.tolist(), numbers(across), numbers(up))
fig, named = plt.subplot_mosaic("AAB;C.B")
print(list(named), len(fig.axes))
print(list(plt.figure().subplot_mosaic([["top", "top"], ["left", "right"]])))
texts(fig)
