"""Markers at some points of a line, and plots that aren't shown."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

x = np.linspace(0, 6, 50)
fig, axes = plt.subplots(2, 2)
for ax, every in zip(axes.flat, (10, (3, 5), slice(0, 20, 4), [0, 7, 49])):
    line, = ax.plot(x, np.sin(x), marker="o", markevery=every, label=f"every {every}")
    ax.plot(x, np.cos(x), "r--")
    ax.legend()
    print(line.get_markevery(), line.get_marker(), len(line.get_xdata()), [t.get_text() for t in ax.get_legend().get_texts()], ax.get_xlim())
line.set_markevery(25)
print(line.get_markevery(), plt.plot([1, 2], [3, 4], "-o")[0].get_markevery())
axes[1, 1].set_visible(False)
print([ax.get_visible() for ax in axes.flat], len(fig.axes))
fig.canvas.draw()
axes[1, 1].set_visible(True)
print(axes[1, 1].get_visible())
plt.show()
fig, axes = plt.subplots(1, 3, figsize=(9, 3), sharey=True)
for ax, n in zip(axes, (2, 3)):
    ax.bar(range(n), range(n))
for ax in axes[2:]:
    ax.set_visible(False)
plt.tight_layout()
plt.show()
