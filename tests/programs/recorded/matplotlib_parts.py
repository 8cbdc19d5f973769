"""What figures and axes consist of: color scales among `fig.axes`, ticks large and small, lines that are one artist, places in grids."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.ticker import AutoMinorLocator, MultipleLocator

warnings.simplefilter("ignore")

fig, ax = plt.subplots()
x = np.linspace(0, 10, 100)
line, = ax.plot(x, np.sin(x), label="sine")
other, = ax.plot(x, np.cos(x))
print(line, other, [type(t).__name__ for t in ax.set_xticks([0, 5, 10])], ax.get_xticks(), ax.get_xticklabels()[1].get_text())
print(ax.set_xticks([0, 5, 10], labels=["a", "b", "c"])[1].label1.get_text(), ax.set_xticklabels(["x", "y", "z"]))
print([tick.get_loc() for tick in ax.xaxis.get_major_ticks()], ax.xaxis.get_ticklocs())
ax.set_xlim(0, 10)
ax.set_ylim(-1.5, 1.5)
ax.minorticks_on()
print(ax.get_xticks(minor=True), ax.get_yticks(minor=True)[:6])
ax.xaxis.set_major_locator(MultipleLocator(2))
ax.xaxis.set_minor_locator(MultipleLocator(0.5))
print(ax.get_xticks(), ax.get_xticks(minor=True)[:6])
ax.xaxis.set_minor_locator(AutoMinorLocator(4))
print(ax.get_xticks(minor=True)[:4], ax.xaxis.get_minorticklocs()[-2:])
print(len(ax.set_xticks([1, 3], minor=True)), ax.get_xticks(minor=True))
print([type(c).__name__ for c in ax.get_children()], [type(c).__name__ for c in fig.get_children()])

fig, ax = plt.subplots()
im = ax.imshow(np.arange(12).reshape(3, 4))
bar = fig.colorbar(im, ax=ax, orientation="horizontal", label="value")
print(len(fig.axes), fig.axes[1] is bar.ax, bar.ax.get_xlabel(), bar.orientation, bar.ax.get_label(), bar.vmin, bar.vmax, bar.ax.get_xlim())
bar.set_ticks([0, 5, 10])
bar.set_ticklabels(["low", "middle", "high"])
print(bar.get_ticks(), [t.get_text() for t in bar.ax.get_xticklabels()])
bar.remove()
print(len(fig.axes))

fig, axes = plt.subplots(1, 2)
mapped = plt.cm.ScalarMappable(cmap="coolwarm", norm=plt.Normalize(0, 5))
bar = fig.colorbar(mapped, ax=axes[1])
bar.set_label("epoch", rotation=270)
print(len(fig.axes), bar.ax.get_ylabel(), bar.get_ticks(), mapped.get_clim(), mapped.get_array(), [round(float(v), 1) for v in mapped.to_rgba(5)][:2])
mapped.set_array([1, 2, 3])
print(mapped.get_array(), np.shape(mapped.to_rgba([0, 2.5, 5])))
try:
    plt.colorbar(plt.cm.ScalarMappable())
except ValueError as e:
    print(e)

fig, ax = plt.subplots()
rows = ax.hlines([1, 2], 0, 3, colors=["red", "blue"], label="rows", lw=2)
columns = ax.vlines(1, 0, 2)
print(type(rows).__name__, rows.get_segments(), rows.get_linewidth(), rows.get_color().tolist(), rows.get_label(), columns.get_segments())
made = ax.add_collection(LineCollection([[(0, 0), (1, 1)], [(1, 0), (0, 1)]], cmap="viridis", linewidths=2))
made.set_array(np.array([1.0, 4.0]))
print(made.get_array(), made.get_clim(), made.get_cmap().name, len(ax.collections), len(ax.lines), ax.get_legend_handles_labels()[1])
print(type(ax.arrow(0, 0, 1, 1, head_width=0.1)).__name__, len(ax.patches), len(ax.texts))
arrows = ax.quiver([0, 1], [0, 1], [1, 0], [0, 1])
print(type(arrows).__name__, arrows in ax.collections, arrows.N, arrows.U, arrows.X)
pie = ax.pie([30, 20, 50], labels=["a", "b", "c"], autopct="%1.0f%%")
wedges, texts, shares = pie
print(type(pie).__name__, len(wedges), [t.get_text() for t in shares], pie.wedges is wedges, pie.values, pie.fracs)

fig = plt.figure()
grid = fig.add_gridspec(3, 3)
whole, corner = fig.add_subplot(grid[0, :]), fig.add_subplot(grid[1:, -1])
print(whole.get_subplotspec(), corner.get_subplotspec().rowspan, corner.get_subplotspec().get_geometry(), corner.get_gridspec() is grid)
fig, axes = plt.subplots(2, 2)
print(axes[1, 0].get_subplotspec(), axes[1, 0].get_subplotspec().is_last_row(), axes[0, 1].get_subplotspec().is_first_col())
fig, named = plt.subplot_mosaic("AB;CC")
print([one.get_label() for one in named.values()], named["C"].get_subplotspec(), repr(whole.get_label()), named["A"].spines["top"].get_visible())

fig, axes = plt.subplots(2, 2, subplot_kw={"xticks": [], "label": "small"})
fig.patch.set_facecolor("red")
print(axes[0, 0].get_xticks(), axes[0, 0].get_label(), fig.get_facecolor(), fig.patch.get_facecolor())
ax = axes[0, 1]
ax.plot([1, 2], label="first")
legend = ax.legend()
ax.plot([2, 1], label="later")
print([t.get_text() for t in legend.get_texts()], ax.get_legend_handles_labels()[1])
bars = ax.barh(["a", "b"], [3, 5], xerr=[0.5, 0.2], color=plt.cm.gray([0.0, 1.0]))
print(bars.orientation, bars.datavalues, [round(float(v), 2) for v in bars[1].get_facecolor()])
steps, = axes[1, 0].step([1, 2, 3], [1, 4, 2], where="mid")
print(steps.get_ydata(), steps.get_xdata())
points = axes[1, 1].scatter([1, 2, 3], [1, 2, 3], c=[0, 1, 2], cmap=plt.get_cmap("tab10", 3), vmin=-0.5, vmax=2.5)
bar = plt.colorbar(points, ax=axes[1, 1], ticks=[0, 1, 2])
bar.ax.set_yticklabels(["x", "y", "z"])
print(bar.get_ticks(), points.get_clim(), len(fig.axes), fig.axes[-1] is bar.ax, [t.get_text() for t in bar.ax.get_yticklabels()])
