"""Axes of dates, color scales with boundaries, colors of what isn't a number."""

import datetime

import matplotlib

matplotlib.use("Agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap, SymLogNorm


def marks(axes):
    return [str(mdates.num2date(v))[:16] for v in axes.get_xticks()], [t.get_text() for t in axes.get_xticklabels()]


start = datetime.datetime(2024, 1, 15)
for days in (1 / 12, 2, 20, 90, 400, 4000):
    fig, ax = plt.subplots()
    ax.plot([start, start + datetime.timedelta(days=days)], [0, 1])
    print(*marks(ax), sep="\n")
fig, ax = plt.subplots()
ax.scatter(np.array(["2024-01-01", "2024-06-01"], dtype="datetime64[D]"), [1, 2])
ax.xaxis.set_major_locator(mdates.MonthLocator(interval=2))
ax.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
ax.axvline(datetime.date(2024, 3, 1))
print(*marks(ax), [float(v) for v in ax.get_xlim()], float(mdates.date2num(datetime.date(2024, 1, 1))))
ax.set_xlim(datetime.date(2024, 1, 1), datetime.date(2024, 2, 1))
ax.xaxis.set_major_locator(mdates.WeekdayLocator(byweekday=mdates.MO))
print(*marks(ax))
locator = mdates.AutoDateLocator()
print(mdates.ConciseDateFormatter(locator).format_ticks([19723.0, 19754.0, 19783.0, 20089.0]))

norm = BoundaryNorm([0, 1, 2, 5], 3)
print(repr(norm(np.array([0.5, 1.5, 3, 7, -1]))), norm.vmin, norm.vmax, repr(BoundaryNorm([0, 1, 2, 5], 256)([0.5, 1.5, 4.9])))
print(SymLogNorm(1, vmin=-10, vmax=10)(np.array([-10, 0, 0.5, 10])))
colors = ListedColormap(["red", "lime", "blue"])
colors.set_bad("gray")
print(colors(norm(np.array([0.5, 1.5, 3]))), colors(np.ma.masked_invalid([np.nan, 0.5])), sep="\n")
plt.imshow(np.ma.masked_greater(np.arange(4.0).reshape(2, 2), 2), cmap=colors)
try:
    BoundaryNorm([0, 1, 2], 1)
except ValueError as error:
    print(error)
