"""Scales that are logarithmic on both sides of zero."""
import io

import matplotlib.pyplot as plt
import numpy as np

fig, axs = plt.subplots(1, 3, figsize=(10, 3))
x = np.linspace(-100, 100, 201)
axs[0].plot(x, x ** 3, label="cube")
axs[0].set_yscale("symlog")
axs[0].legend()
axs[0].axhline(1000, color="r")
axs[0].text(0, 1e4, "hi")
axs[0].grid()
axs[1].plot(x, np.sin(x / 10))
axs[1].set_xscale("symlog", linthresh=5)
axs[1].axvspan(-10, 10, alpha=0.3)
axs[2].bar([1, 2, 3], [1, -100, 10000])
axs[2].set_yscale("symlog", linthresh=1)
for ax in axs:
    print(ax.get_xscale(), ax.get_yscale(), [float(round(v, 3)) for v in (*ax.get_xlim(), *ax.get_ylim())])
print(axs[0].get_yticks(), [t.get_text() for t in axs[0].get_yticklabels()])
print(axs[1].get_xticks(), axs[2].get_yticks())
axs[0].set_ylim(-10, 1e5)
print(axs[0].get_ylim(), axs[0].get_yticks())
for options in ({"base": 1}, {"linthresh": 0}, {"nosuch": 1}, {"linscale": -1}):
    try:
        axs[0].set_yscale("symlog", **options)
    except Exception as error:
        print(type(error).__name__, error)
made = io.BytesIO()
fig.savefig(made, format="svg")
print(len(made.getvalue()) > 1000)
