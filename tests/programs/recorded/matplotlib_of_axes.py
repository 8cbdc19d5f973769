"""What axes, bars and artists say of themselves: recorded with matplotlib 3.11.2."""
import warnings

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Circle, Rectangle

warnings.simplefilter("ignore")


def ends(ax):
    print([round(float(v), 4) for v in (*ax.get_xlim(), *ax.get_ylim())])


def tell(what):
    try:
        print(what())
    except Exception as error:
        print(type(error).__name__, error)


fig, ax = plt.subplots()
s = ax.scatter([1, 2, 3], [3, 2, 1], c=[0.1, 0.5, 0.9], alpha=0.5)
print(s.get_alpha(), ax.plot([1, 2], alpha=0.2)[0].get_alpha())
ax.axhline(2)
ax.axvline(2)
ax.fill_between([0, 1], [1, 2])
print(len(ax.lines), len(ax.collections))
fig, ax = plt.subplots()
ax.semilogy([1, 2], [10, 1000])
print(ax.get_yticks().tolist())
fig, ax = plt.subplots()
mesh = ax.pcolormesh(np.arange(6).reshape(2, 3))
bar = fig.colorbar(mesh)
bar.set_label("L")
print(mesh.get_array().tolist(), bar.ax.get_ylabel())
fig, ax = plt.subplots()
ax.stackplot([1, 2], [1, 2], [3, 4])
ends(ax)
fig, ax = plt.subplots()
ax.plot([1, 5])
ax.margins(x=0.1, y=0.5)
ax.autoscale(tight=True)
ends(ax)
fig, ax = plt.subplots()
r = ax.add_patch(Rectangle((1, 2), 3, 4, ec="k", lw=2, fill=False))
print(r.get_linewidth(), r.get_fill())
ends(ax)
ax.autoscale_view()
ends(ax)
fig, ax = plt.subplots()
ax.add_patch(Circle((3, 3), 1))
ax.axis("equal")
print(ax.get_xlim()[0] < 2, ax.get_ylim()[0] < 2)
plt.close("all")
plt.figure(3)
plt.figure("named")
print(plt.get_figlabels())
with plt.ion():
    print(plt.isinteractive())
print(plt.isinteractive())
tell(lambda: plt.rcParams.update({"nosuch": 1}))
tell(lambda: plt.savefig("x.nosuch"))
tell(lambda: plt.subplot(9))
tell(lambda: plt.fill_between([1, 2], [1, 2, 3]))
fig, ax = plt.subplots()
ax.plot([0, 1])
ax.set_xticks([-1, 3])
ends(ax)
fig, ax = plt.subplots()
ax.bar([0, 1, 2], [1, 2, 3])
ax.set_xticks([0, 1, 2], list("abc"))
ax.set_yticks([0, 1, 5])
ends(ax)
for c in ax.containers:
    print([t.get_text() for t in ax.bar_label(c)])
fig, ax = plt.subplots()
ax.imshow(np.zeros((4, 4)))
ax.set_xticks(range(4))
ends(ax)
fig, ax = plt.subplots()
ax.set_xlim(3, 1)
print(ax.xaxis_inverted(), ax.yaxis_inverted())
s = ax.scatter([1, 2], [3, 4], c=[0, 1])
s.set_offsets([[0, 0], [9, 9]])
s.set_sizes([5.0, 6.0])
s.set_array(np.array([2.0, 3.0]))
print(s.get_offsets().tolist(), s.get_sizes().tolist(), s.get_array().tolist())
plt.rcParams["lines.linewidth"] = 4
plt.rcParams.update(plt.rcParamsDefault)
print(plt.rcParams["lines.linewidth"])
