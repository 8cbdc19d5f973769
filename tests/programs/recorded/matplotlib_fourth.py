"""Violins, arrays of axes, legends and colors in turn: recorded with matplotlib 3.11.2."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

print(matplotlib.__version__)
print([round(float(v), 6) for v in plt.violinplot([[1.0, 2, 3], [2, 3, 4, 9]])["cbars"] and plt.gca().get_xlim() + plt.gca().get_ylim()])
for options in ({}, {"showmeans": True}, {"showmedians": True, "showextrema": False}, {"bw_method": 0.5}, {"widths": 0.8},
                {"positions": [3, 5], "vert": False}, {"points": 20, "bw_method": "silverman"}):
    fig, ax = plt.subplots()
    found = ax.violinplot([[1.0, 2, 3], [2, 3, 4, 9]], **options)
    print(list(found), len(found["bodies"]), [round(float(v), 4) for v in ax.get_xlim() + ax.get_ylim()])
    plt.close(fig)
print(list(plt.violinplot(np.arange(12.0).reshape(4, 3))), [round(float(v), 4) for v in plt.gca().get_xlim()])
for call in (lambda: plt.violinplot([1, 2, 3], positions=[1, 2]), lambda: plt.violinplot([[1, 2], [3, 3]], widths=[1])):
    try:
        call()
    except ValueError as error:
        print(error)

fig, axes = plt.subplots(2, 3)
print(type(axes).__name__, axes.shape, axes.ndim, axes.size, axes.dtype, axes.T.shape, axes[:, 0].shape, axes[1, -1] is axes[1][2])
print(len(axes.flat), len(list(axes.ravel())), axes.flatten()[4] is axes[1, 1], axes.reshape(3, 2)[0, 1] is axes[0, 1])
print(isinstance(axes, np.ndarray), [ax is axes[0, i] for i, ax in enumerate(axes[0])], axes[0:1, 1:].shape, axes.tolist()[0][0] is axes[0, 0])
for ax in axes.flat:
    ax.set_xlabel("x")
    ax.set_ylabel("y")
    ax.label_outer()
print([[ax.get_xlabel() + ax.get_ylabel() for ax in row] for row in axes])
for shape, options in (((1, 1), {}), ((1, 1), {"squeeze": False}), ((1, 3), {}), ((3, 1), {}), ((1, 3), {"squeeze": False})):
    print(shape, np.shape(plt.subplots(*shape, **options)[1]))
plt.close("all")

line, = plt.plot([0, 1, 2], [None, 1.0, 2.0], label="a line")
plt.plot([0, 1], [1, 2], label="another")
legend = plt.legend(title="lines")
print(type(legend).__name__, [text.get_text() for text in legend.get_texts()], plt.gca().get_legend() is not None)
legend.get_texts()[0].set_text("renamed")
print([text.get_text() for text in plt.gca().get_legend().get_texts()])
legend.remove()
print(plt.gca().get_legend())
print(plt.rcParams["axes.prop_cycle"].by_key()["color"][:3], len(plt.rcParams["axes.prop_cycle"]))
print([color["color"] for color in plt.rcParams["axes.prop_cycle"]][-1], plt.rcParams["axes.prop_cycle"])
lines = plt.hlines(y=0, xmin=-1, xmax=2, color="black", lw=2, ls="--")
print(plt.spy(np.eye(3)) is not None, [float(v) for v in plt.gca().get_ylim()])
plt.autoscale()
print([float(v) for v in plt.violinplot([[3.0, 3.0]])["bodies"] and [1]])
try:
    plt.gca().nosuch
except AttributeError as error:
    print(error)
