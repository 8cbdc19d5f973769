# Colors as numbers.
import numpy as np
import torch
from matplotlib.colors import (BASE_COLORS, CSS4_COLORS, TABLEAU_COLORS, hsv_to_rgb, is_color_like, rgb2hex, rgb_to_hsv, same_color, to_hex,
                               to_rgb, to_rgba, to_rgba_array)

for c in ["r", "g", "C0", "C12", "tab:orange", "red", "RebeccaPurple", "#0f0", "#0f08", "#10203040", "0.25", "none", (0.1, 0.2, 0.3), (0.1, 0.2, 0.3, 0.4),
          ("red", 0.5), [1, 0, 0]]:
    print(c, to_rgba(c), to_rgb(c))
print(to_rgba("red", 0.3), to_rgba((0, 0, 0, 0.5), 1))
for c in ["nocolor", (1, 2, 3), (1, 0), "1.5", None, "#12"]:
    try:
        print(to_rgba(c))
    except ValueError as e:
        print("ValueError", e)
print(is_color_like("red"), is_color_like("redd"), is_color_like((0, 0, 2)))
print(to_rgba_array(["r", "C1", (0, 0, 0)]), to_rgba_array("none").shape, to_rgba_array("k"))
print(to_hex("red"), to_hex((0.2, 0.4, 0.6)), rgb2hex("C3"), same_color("r", "#ff0000"), same_color("g", "green"))
print(hsv_to_rgb(np.array([[0.1, 0.5, 0.9], [0.7, 1, 1]])), rgb_to_hsv(np.array([0.2, 0.4, 0.1])), hsv_to_rgb((0.5, 1, 1)))
print(len(CSS4_COLORS), CSS4_COLORS["peru"], list(TABLEAU_COLORS)[:2], TABLEAU_COLORS["tab:olive"], BASE_COLORS["c"])
print(torch.histogram(torch.arange(10.)).hist.sum(), torch.histogram(torch.arange(10.)).bin_edges.shape)
