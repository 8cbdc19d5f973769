"""Level lines, filled levels, stems, box plots: recorded with matplotlib 3.11.2."""

import io

import matplotlib.pyplot as plt
import numpy as np

xs, ys = np.meshgrid(np.linspace(-3, 3, 12), np.linspace(-2, 2, 9))
z = xs**2 - ys**2


def told(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


# Levels are round numbers, also far from zero and close to each other.
for low, high in ((0, 1), (-3.2, 7.7), (100, 101), (1e-5, 3e-5), (0, 1000), (-0.3, 0.4)):
    some = np.linspace(low, high, 9).reshape(3, 3)
    fig, ax = plt.subplots()
    print(low, high, [f"{v:.6g}" for v in ax.contourf(some).levels], [f"{v:.6g}" for v in ax.contour(some, 4).levels])
    plt.close(fig)

# The axes end where the field ends.
fig, ax = plt.subplots()
filled = plt.contourf(xs, ys, z, cmap="coolwarm", alpha=0.7)
plt.colorbar(filled)
print(*(round(float(v), 6) for v in (*ax.get_xlim(), *ax.get_ylim())))
fig, ax = plt.subplots()
lines = ax.contour(xs[0], ys[:, 0], z, levels=[-1, 0, 1.5], colors="k")
print([float(v) for v in lines.levels], *(round(float(v), 6) for v in (*ax.get_xlim(), *ax.get_ylim())))

told(lambda: ax.contour(xs, ys, z[:3]))
told(lambda: ax.contourf(xs[0], ys[:, 0], z.T))
told(lambda: ax.contourf(z[0]))
told(lambda: ax.contour(z, levels=[1, 0]))
told(lambda: ax.contourf(z, levels=[1]))
told(lambda: ax.contourf(z[:1]))

fig, (left, right) = plt.subplots(1, 2)
heads, stems, base = left.stem([1, 2, 3], [3, 1, 2])
print([float(v) for v in heads.get_ydata()], [float(v) for v in base.get_xdata()])
left.hlines([1, 2], 0, 3, colors="r", linestyles="--", label="rows")
left.vlines(2, 0, [4])
told(lambda: plt.axis("Off"))
parts = right.boxplot([[1, 2, 3, 4, 30], [2, 2, 5, 7]], tick_labels=["a", "b"])
print({name: len(of) for name, of in sorted(parts.items())})
print([[float(v) for v in line.get_ydata()] for line in parts["medians"] + parts["caps"] + parts["fliers"]])
print([[round(float(v), 6) for v in line.get_xdata()] for line in parts["medians"] + parts["caps"]])

for number in plt.get_fignums():
    page = io.BytesIO()
    plt.figure(number).savefig(page, format="svg")
    print(number, len(page.getvalue()) > 2000)
