"""Second axes, margins, and axes of three dimensions and of angles."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

fig, ax1 = plt.subplots(figsize=(6, 4))
ax1.plot([1, 2, 3], [1, 2, 3], "b-", label="loss")
ax1.set_ylabel("loss", color="b")
ax1.tick_params(axis="y", labelcolor="b")
ax2 = ax1.twinx()
ax2.plot([1, 2, 4], [0.5, 0.25, 0.75], "r--", label="accuracy")
ax2.set_ylabel("accuracy", color="r")
(lines1, names1), (lines2, names2) = ax1.get_legend_handles_labels(), ax2.get_legend_handles_labels()
ax1.legend(lines1 + lines2, names1 + names2)
print(names1 + names2, ax1.get_xlim() == ax2.get_xlim(), ax1.get_xlim(), ax2.get_ylim(), len(fig.axes))
ax2.set_ylim(0, 1)
print(ax2.get_ylim(), ax1.get_ylim(), ax2.get_ylabel())

plt.figure()
plt.plot([1, 2, 3], [1, 2, 3])
plt.twinx()
plt.plot([1, 2, 3], [30, 20, 10])
print(plt.ylim())

plt.figure()
plt.margins(x=0)
plt.plot([1, 2, 4])
plt.axline((0, 1), slope=0.5, ls=":")
print(plt.xlim())

x = np.linspace(-1, 1, 20)
X, Y = np.meshgrid(x, x)
fig = plt.figure()
ax = fig.add_subplot(111, projection="3d")
surface = ax.plot_surface(X, Y, X**2 - Y**2, cmap="viridis", edgecolor="none")
print(type(ax).__name__, ax.name, ax.elev, ax.azim, type(surface).__name__, ax.get_xlim())
ax.scatter([0], [0], [1.5], c="r", s=50, label="start")
line, = ax.plot([0, 1], [0, 1], [0, 2], "k-")
ax.set(xlabel="w", ylabel="b", zlabel="loss")
ax.view_init(elev=20, azim=45)
fig.colorbar(surface, shrink=0.5)
print(type(line).__name__, ax.get_zlim(), ax.get_zlabel(), ax.elev, ax.azim)
ax.set_zlim(0, 2)
print(ax.get_zlim())

fig, axs = plt.subplots(1, 2, subplot_kw={"projection": "3d"})
axs[0].plot_wireframe(X, Y, X * Y, color="k")
print([a.name for a in axs])

plt.figure()
ax = plt.subplot(111, projection="polar")
t = np.linspace(0, 2 * np.pi, 50)
ax.plot(t, 1 + np.cos(t))
ax.set_theta_zero_location("N")
ax.set_rmax(2)
print(type(ax).__name__, ax.name, ax.get_rmax())

# Older programs import the class that makes projection="3d" known.
from mpl_toolkits import mplot3d
from mpl_toolkits.mplot3d import Axes3D
from mpl_toolkits.mplot3d.axes3d import Axes3D as again

space = plt.figure().add_subplot(projection="3d")
print(isinstance(space, Axes3D), again is Axes3D)

figure, left = plt.subplots()
left.plot([1, 2], [1, 2], label="left")
left.twinx().plot([1, 2], [3, 1], label="right")
figure.legend(loc="upper center")
print(len(figure.axes), left.get_legend_handles_labels()[1])
