"""Options of titles, labels, ticks, legends and texts: those that nobody knows raise, the others are kept."""
import warnings

import matplotlib.pyplot as plt
import numpy as np

warnings.simplefilter("ignore")


def tried(*calls):
    for call in calls:
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, str(error)[:150])


fig, ax = plt.subplots()
t = ax.set_title("left", loc="left", pad=20)
print(t, t.get_ha(), t.get_fontsize(), repr(ax.get_title()), ax.get_title(loc="left"))
ax.set_title("x", fontsize=20, color="red", fontweight="bold", fontstyle="italic", y=1.02)
print(ax.title, ax.title.get_fontsize(), ax.title.get_color(), ax.title.get_weight(), ax.title.get_style(), ax)
ax.set_title("x", {"fontsize": 8, "color": "blue"})
print(ax.title.get_fontsize(), ax.title.get_color(), ax.title.get_rotation())
tried(lambda: ax.set_title("x", loc="middle"), lambda: ax.set_title("x", nosuch=3), lambda: ax.set_title("x", size="nosuch"),
      lambda: ax.set_title("x", color="nosuch"), lambda: plt.title("x", nosuch=1))
print(ax.set_xlabel("x", loc="left"), ax.xaxis.label.get_ha(), ax.xaxis.get_label().get_text())
print(ax.set_ylabel("x", loc="top", labelpad=10, rotation=0), ax.yaxis.label.get_rotation(), ax.yaxis.labelpad)
print(ax.set_ylabel("x", fontsize="large"), ax.yaxis.label.get_fontsize())
tried(lambda: ax.set_xlabel("x", loc="top"), lambda: ax.set_xlabel("x", nosuch=1), lambda: plt.ylabel("x", nosuch=1), lambda: ax.set_xlabel("x", va="nosuch"))
tried(lambda: ax.tick_params(axis="z"), lambda: ax.tick_params(nosuch=2), lambda: ax.tick_params(which="nosuch", length=2),
      lambda: ax.tick_params(axis="x", rotation=45, labelsize=8, colors="red"))
print([t.get_rotation() for t in ax.get_xticklabels()][:1], [t.get_rotation() for t in ax.get_yticklabels()][:1])
line, = ax.plot([1, 2], label="a")
ax.plot([2, 1], label="b")
made = ax.legend(loc="upper left", ncol=2, fontsize=8, title="T", frameon=False)
print([t.get_text() for t in made.get_texts()], made.get_title().get_text(), made.get_frame_on(), made.get_texts()[0].get_fontsize())
tried(lambda: ax.legend(nosuch=1), lambda: ax.legend(loc="nosuch"), lambda: ax.legend(loc=99), lambda: plt.legend(nosuch=3))
a = ax.annotate("hi", xy=(1, 2), xytext=(3, 4), arrowprops=dict(arrowstyle="->", color="red"))
print(a, a.xy, a.get_position(), a.xyann)
a = ax.annotate("hi", (1, 2), textcoords="offset points", xytext=(5, 5), ha="center", fontsize=7)
print(a.get_ha(), a.get_fontsize(), ax.annotate("hi", (1, 2), arrowprops=dict(facecolor="black", shrink=0.05)))
t = ax.text(1, 2, "t", ha="center", va="bottom", rotation=30, transform=ax.transAxes, color="g", fontsize=9, weight="bold", alpha=0.5)
print(t, t.get_rotation(), t.get_weight(), t.get_alpha(), t.get_va())
tried(lambda: ax.annotate("hi", xy=(1, 2), nosuch=2), lambda: ax.annotate("hi", (1, 2), xytext=(3, 4), arrowprops=dict(arrowstyle="nosuch")),
      lambda: ax.annotate("hi", (1, 2), xytext=(3, 4), arrowprops=dict(nosuch=3)), lambda: ax.text(1, 2, "t", nosuch=3),
      lambda: ax.text(1, 2, "t", ha="nosuch"))
tried(lambda: ax.plot([1, 2], nosuch=1), lambda: ax.plot([1, 2], color="nosuch"), lambda: ax.scatter([1, 2], [1, 2], nosuch=1),
      lambda: ax.scatter([1, 2], [1, 2], s=[1, 2, 3]), lambda: ax.scatter([1], [2], color="r", c="b"), lambda: ax.scatter([1], [1], c="nosuch"),
      lambda: ax.bar([1], [2], nosuch=1), lambda: ax.bar([1, 2], [1, 2, 3]), lambda: ax.bar([1], [2], align="nosuch"),
      lambda: ax.hist([1, 2], nosuch=1), lambda: ax.hist([1, 2], align="nosuch"), lambda: ax.imshow(np.eye(3), nosuch=1),
      lambda: ax.imshow(np.eye(3), interpolation="nosuch"), lambda: ax.imshow(np.eye(3), origin="nosuch"), lambda: ax.imshow(np.array([["a"]])),
      lambda: ax.imshow(np.eye(3), vmin=0, norm=plt.Normalize()), lambda: ax.axhline(1, nosuch=1), lambda: ax.hlines([1], 0, 1, nosuch=1),
      lambda: ax.fill_between([1, 2], [1, 2], nosuch=1), lambda: ax.errorbar([1, 2], [1, 2], nosuch=1), lambda: ax.step([1, 2], [1, 2], where="nosuch"),
      lambda: ax.stem([1, 2], nosuch=1), lambda: ax.pie([1, 2], nosuch=1), lambda: ax.boxplot([1, 2, 3], nosuch=1),
      lambda: ax.contour([[1, 2], [3, 4]], nosuch=1), lambda: ax.violinplot([1, 2, 3], nosuch=1), lambda: ax.pcolormesh([[1, 2], [3, 4]], nosuch=1))
tried(lambda: ax.grid(nosuch=1), lambda: ax.grid(axis="nosuch"), lambda: ax.grid(which="nosuch"), lambda: ax.set_yscale("nosuch"),
      lambda: ax.set_yscale("log", nosuch=2), lambda: ax.set_xlim(3, 3), lambda: ax.set_xlim(xmin=1, left=2), lambda: ax.set_xticks([1, 2], rotation=30),
      lambda: ax.set_xticks([1, 2], labels=["a", "b"], nosuch=1), lambda: ax.margins(x=-2), lambda: ax.axis(xmin=2, nosuch=1),
      lambda: ax.set(xlabel="a", nosuch=3), lambda: ax.ticklabel_format(style="nosuch"), lambda: ax.set_facecolor("nosuch"),
      lambda: plt.figure(nosuch=1), lambda: plt.figure(layout="nosuch"), lambda: fig.suptitle("S", nosuch=1), lambda: plt.subplots(2, 2, nosuch=1),
      lambda: fig.add_subplot(1, 2, 1, nosuch=1), lambda: fig.subplots_adjust(left=0.9, right=0.1), lambda: fig.savefig("x.svg", nosuch=1))
fig, ax = plt.subplots(subplot_kw={})
print(fig, ax.set_xlim(left=-2), ax.set_xlim((1, 5)), ax.axhline(1, xmin=0.1, xmax=0.9).get_xdata(), plt.figure(num="my").get_label())
points = ax.scatter([1, 2, 3], [1, 4, 9], c=[0, 1, 2])
print(points.get_offsets().tolist(), points.get_array().tolist(), points.get_clim(), points.get_sizes(), points.legend_elements()[1])
line, caps, bars = ax.errorbar([1, 2], [1, 2], yerr=0.1, fmt="none")
print(line, len(ax.hist([1.0, np.nan, 2])[0]), ax.bar([1, 2], [1, 2]))
ax.set_ylabel("loud", color="tab:blue")
print(ax.yaxis.label.get_color(), ax.set(xlabel="a", ylabel="b", title="t"), ax)
