"""Ends of axes whose data have gaps: recorded with matplotlib 3.11.2."""
import matplotlib.pyplot as plt
import numpy as np


def ends(ax):
    print([round(float(v), 4) for v in (*ax.get_xlim(), *ax.get_ylim())])


fig, ax = plt.subplots()
ax.plot([1, 9, np.nan, 3], [1, np.inf, 20, 4])
ends(ax)
fig, ax = plt.subplots()
ax.scatter([1, 20, 3], [5, np.nan, 6])
ends(ax)
fig, ax = plt.subplots()
ax.fill_between([0, 1, 2], 1, [2, 3, 4], where=[True, True, False])
ends(ax)
