"""Color scales in places, bent norms, color cycles, bars and boxes: recorded with matplotlib 3.11.2."""
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import colors
from mpl_toolkits.axes_grid1 import ImageGrid, make_axes_locatable

warnings.simplefilter("ignore")
fig, ax = plt.subplots()
image = ax.imshow(np.arange(6.0).reshape(2, 3))
place = make_axes_locatable(ax).append_axes("right", size="5%", pad=0.05)
bar = plt.colorbar(image, cax=place)
bar.set_label("a label")
print(ax.get_title() == "", image.get_array().tolist(), image.get_extent(), image.norm.vmax, image.get_clim())
grid = ImageGrid(plt.figure(), 111, nrows_ncols=(2, 2), axes_pad=0.1)
for one, cell in zip(grid, np.arange(16.0).reshape(4, 2, 2)):
    one.imshow(cell)
print(len(grid), grid[3] is grid.axes_row[1][1], grid.get_geometry())
data = np.array([[1.0, 10.0], [100.0, 1000.0]])
for norm in (colors.LogNorm(), colors.PowerNorm(0.5), colors.TwoSlopeNorm(50), colors.CenteredNorm(10), colors.LogNorm(1, 100), colors.TwoSlopeNorm(0, -2, 4)):
    print(type(norm).__name__, np.round(np.asarray(norm(data), dtype=float), 6).tolist(), [float(v) for v in (norm.vmin, norm.vmax)])
    plt.figure()
    print(plt.imshow(data, norm=norm).norm is norm)
print(colors.to_rgba("#10203080"), colors.to_rgba("r", 0.3), colors.to_rgba((0.1, 0.2, 0.3)), colors.to_rgba("none"), colors.to_rgba_array(["r", "k"]).tolist())
print(colors.is_color_like("red"), colors.is_color_like("nosuch"), matplotlib.colormaps["tab10"].resampled(5).N, plt.cm.viridis.reversed().name)
plt.rcParams["axes.prop_cycle"] = matplotlib.cycler(color=["#ff0000", "#00ff00"])
plt.figure()
print([plt.plot([1, 2])[0].get_color() for _ in range(3)], len(plt.rcParams["axes.prop_cycle"]))
plt.gca().set_prop_cycle(color=["#000000", "#0000ff"])
print([plt.plot([1, 2])[0].get_color() for _ in range(3)])
with plt.rc_context({"lines.linewidth": 5}):
    print(plt.plot([1])[0].get_linewidth())
plt.rcdefaults()
print(plt.plot([1])[0].get_linewidth(), [c["color"] for c in plt.rcParams["axes.prop_cycle"]][:2])
plt.figure()
plt.fill_between([0, 1], [1, 2], step=None)
plt.bar([1, 2], [2, 3], yerr=[0.1, 0.2], log=False)
print([round(float(v), 4) for v in plt.gca().get_ylim()])
plt.figure()
plt.bar([1, 2], [2, 300], log=True)
print(plt.gca().get_yscale())
plt.figure()
parts = plt.boxplot([[1, 2, 3, 9], [2, 3, 4, 5]], patch_artist=True, notch=False, orientation="horizontal")
for box, color in zip(parts["boxes"], ("pink", "lightblue")):
    box.set_facecolor(color)
print(sorted(parts), len(parts["boxes"]), [round(float(v), 4) for v in plt.gca().get_xlim()])
plt.figure()
line = plt.ecdf([3, 1, 2])
print(len(plt.eventplot([[1, 2], [3]])))
plt.figure()
plt.broken_barh([(0, 1), (2, 3)], (1, 2), facecolors="r")
print([round(float(v), 4) for v in plt.gca().get_xlim() + plt.gca().get_ylim()])
plt.figure()
made = (matplotlib.patches.RegularPolygon((0, 0), 4, radius=1))
plt.pcolor(np.eye(3))
print([round(float(v), 4) for v in plt.gca().get_xlim()])
