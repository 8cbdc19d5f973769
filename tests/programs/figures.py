import io
import os
import tempfile

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.animation import ArtistAnimation, FuncAnimation


def drawn(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg")
    return buffer.getvalue().decode()


def has(svg, *parts):
    return [part in svg for part in parts]


x = np.linspace(0, 10, 50)
fig, ax = plt.subplots(figsize=(8, 5))
line, = ax.plot(x, np.sin(x), "r--", label="sin <x>")
ax.plot([0, 1], [0, 1], marker="o", linestyle="none")
ax.set(title="Sine & more", xlabel="x", ylabel="y", xlim=(0, 10))
ax.legend()
ax.grid(True)
svg = drawn(fig)
print(svg.startswith("<svg"), svg.endswith("</svg>\n"), svg.count("<circle"), line.get_color(), ax.get_xlim())
print(has(svg, 'width="800"', "sin &lt;x&gt;", "Sine &amp; more", "stroke-dasharray", 'stroke="#FF0000"', "<script"))
print(fig.words())

# One of each.
fig, axes = plt.subplots(2, 3)
points = axes[0, 0].scatter(torch.arange(4.0), torch.arange(4.0) ** 2, c=torch.arange(4.0), cmap="plasma")
bars = axes[0, 1].bar(["cpu", "cuda"], [1, 2])
counts, edges, _ = axes[0, 2].hist([1, 1, 2, 5], bins=4)
image = axes[1, 0].imshow(torch.arange(6.0).reshape(2, 3), cmap="gray")
fig.colorbar(image, ax=axes[1, 0], label="value")
axes[1, 1].semilogy([1, 0.1, 0.001])
axes[1, 2].fill_between([0, 1], [0, 1], alpha=0.3)
axes[1, 2].axhline(0.5, color="k")
fig.suptitle("six")
fig.tight_layout()
svg = drawn(fig)
print(axes.shape, len(axes.flat), len(bars), counts.tolist(), edges.tolist())
print(svg.count("<circle"), has(svg, "cpu", "data:image/png;base64,", "10\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT THREE}", "polygon", "value", "six"))
print([t for t in ("10\N{SUPERSCRIPT MINUS}\N{SUPERSCRIPT TWO}", "10\N{SUPERSCRIPT ZERO}") if t in svg])
plt.close("all")

# Ends are those of the data and a twentieth more; a bar stands on zero, and shared axes agree.
fig, (left, right) = plt.subplots(1, 2, sharey=True, width_ratios=[1, 2])
left.bar([0, 1], [1, 3])
right.plot([0, 10], [-1, 1])
print(left.get_ylim() == right.get_ylim(), right.get_xlim(), left.axis()[:2])
right.set_yscale("log")
right.set_ylim(0, 5)
print(right.get_ylim()[1], plt.cm.viridis(0.0)[:3] == (68 / 255, 1 / 255, 84 / 255), plt.cm.gray_r([0.0, 1.0])[0])
print([[round(255 * v) for v in plt.cm.get_cmap(m)(0.3)[:3]] for m in ("RdYlBu", "RdYlBu_r", "tab20", "Set1_r", "viridis")])
plt.close("all")

# What matplotlib leaves out is left out; any data is drawn.
fig, axes = plt.subplots(1, 3)
axes[0].plot([0, 1, float("nan"), 3, 4], [0, 1, 2, float("inf"), 4], "o-")
axes[1].semilogy([0, -1, 10, 100])
axes[1].bar([0, 1], [0.5, 20])
axes[2].scatter([], [])
axes[2].hist([])
axes[2].set_title("<script>alert(1)</script>")
svg = drawn(fig)
print(svg.count("<circle"), "&lt;script&gt;alert(1)&lt;/script&gt;" in svg, "<script" in svg, "nan" in svg.lower())
plt.close("all")

# The current axes.
plt.figure()
plt.subplot(1, 2, 1)
plt.plot([3, 1, 2])
plt.title("left")
plt.subplot(1, 2, 2)
plt.imshow(np.zeros((2, 2, 3)))
plt.axis("off")
print(len(plt.gcf().axes), plt.gca().get_title() == "", plt.get_fignums())


def fails(f):
    try:
        print("no error:", f())
    except Exception as e:
        print(type(e).__name__, e)


fails(lambda: plt.plot([1, 2], [1]))
fails(lambda: plt.plot(torch.ones(2, device="cuda")))
fails(lambda: plt.plot(torch.ones(2, requires_grad=True)))
fails(lambda: plt.plot([1], color="nocolor"))
fails(lambda: plt.plot([1], marker="q"))
fails(lambda: plt.plot([1], linestyle="wavy"))
fails(lambda: plt.legend(loc="nowhere"))
fails(lambda: plt.imshow([[1]], cmap="nosuch"))
fails(lambda: drawn(plt.figure(figsize=(1000, 1))))
fails(lambda: drawn(plt.figure(figsize=(0, 1))))
fails(lambda: plt.subplots(1, 2, width_ratios=[1]))
fails(lambda: plt.subplots(0, 1))
fails(lambda: plt.subplot(2, 2, 9))
fails(lambda: plt.bar([1, 2], [1, 2, 3]))
fails(lambda: plt.scatter([1, 2], [1, 2], c=[0.1]))
fails(lambda: plt.xticks([1, 2], ["one"]))
fails(lambda: plt.imshow(np.zeros(3)))
fails(lambda: plt.streamplot([[1]]))
fails(lambda: plt.gca().secondary_xaxis("top"))
fails(lambda: plt.gca().table())
fails(lambda: plt.subplots(subplot_kw={"projection": "nosuch"}))
fails(lambda: plt.gcf().savefig(io.BytesIO(), format="png"))

# What can't be drawn is refused by name; an animation's frames are all made, and the last one is shown.
for f in (lambda: plt.figure().add_subplot(projection="3d").bar([1], [1]), lambda: plt.figure().gca().twinx().twinx(),
          lambda: plt.hist([1], bottom=2), lambda: plt.pie([1], shadow=True),
          lambda: plt.pcolormesh([0, 1, 5], [0, 1], [[1, 2]])):
    fails(f)
line, = plt.figure().add_subplot().plot([], [])
animation = FuncAnimation(plt.gcf(), lambda frame: line.set_data([0, frame], [0, 1]), frames=4)
print(line.get_data())
fails(lambda: animation.save("nosuch.gif"))
print(animation.to_jshtml().count("<svg"), animation.to_jshtml().count("<script>"))
ax = plt.figure().add_subplot()
frames = [[ax.imshow(np.full((2, 2), i))] for i in range(3)]
ArtistAnimation(plt.gcf(), frames)
print([len(ax.artists), int(frames[2][0] in ax.artists)])
first = plt.subplots()[1]
first.plot([0, 5], [10, 5])
first.twiny().set_xlabel("Tokens seen")
first.xaxis.set_major_formatter(lambda value, at: f"<{value:.0f}>")
print(has(drawn(first.figure), "Tokens seen", "&lt;5&gt;"))

with tempfile.TemporaryDirectory() as folder:
    plt.savefig(folder + "/one.svg")
    plt.savefig(folder + "/two.png")
    print(sorted(os.listdir(folder)))
