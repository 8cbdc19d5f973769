"""Axes in any part of the page, and inside of other axes."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from mpl_toolkits.axes_grid1.inset_locator import inset_axes


def place(axes):
    return [round(float(v), 3) for v in axes.get_position().bounds]


fig = plt.figure()
whole, part = fig.add_axes([0.1, 0.1, 0.8, 0.8]), fig.add_axes([0.2, 0.5, 0.4, 0.3])
part.set_title("part")
print(place(whole), place(part), len(fig.axes), plt.gca() is part)
fig, axes = plt.subplots(2, 2)
inside = axes[0, 1].inset_axes([0.5, 0.5, 0.4, 0.4])
inside.plot([1, 2, 3])
inside.set_xlim(0, 1)
print([place(ax) for ax in axes.flat], plt.gca() is axes[1, 1], [float(v) for v in inside.get_xlim()])
fig, ax = plt.subplots()
corner = inset_axes(ax, width="30%", height=1.0, loc="lower right")
fig.canvas.draw()
print(place(ax), place(corner))
plt.figure()
print(place(plt.axes([0.2, 0.2, 0.6, 0.6])), place(plt.axes([0.3, 0.3, 0.2, 0.2])))
counts, edges, bars = plt.hist([1, 2, 2, 3], bins=3)
print(counts, plt.plot([1.0, 2.0], [3.0, 4.0])[0].get_ydata())
