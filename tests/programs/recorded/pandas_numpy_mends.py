# Options of pandas and NumPy that were accepted and ignored, NaN as a key, intervals, arrays of objects, and plots of frames.
import io
import warnings

import numpy as np
import pandas as pd
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def show(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


# Every NaN is the same key.
nan = float("nan")
s = pd.Series([1.0, float("nan"), 2, np.nan, 1.0])
df = pd.DataFrame({"a": [1, np.nan, nan, None, 2], "b": ["x", "y", "y", "y", None]})
for keep in ("first", "last", False, "none"):
    show(lambda: (s.duplicated(keep=keep).tolist(), df.duplicated(keep=keep).tolist()))
mixed = pd.Series([None, nan, "a", None], dtype=object)
print(mixed.unique(), mixed.nunique(dropna=False), mixed.duplicated().tolist())
print(mixed.value_counts(dropna=False), s.value_counts(dropna=False), s.mode(dropna=False), sep="\n")
print(s.map({nan: 5, 1.0: 2}).tolist(), pd.factorize(s, use_na_sentinel=False))
print(pd.Index([1.0, np.nan]).union([np.nan, 3.0]), pd.MultiIndex.from_tuples([(1, nan), (1, np.nan)]).is_unique)
print(pd.get_dummies(s, dummy_na=True))
print(df.groupby(["a", "b"], dropna=False).size())

# Pivots and counts.
t = pd.DataFrame({"k": ["b", "a", "b", None, "a"], "m": ["x", "y", "y", "x", "x"], "v": [1.0, 2, 3, 4, np.nan], "w": [1, 2, 3, 4, 5]})
print(t.pivot_table(index="k", columns="m", values="v", dropna=False))
print(t.pivot_table(index="k", columns="m", values="v", sort=False))
print(t.pivot_table("w", "k", "m", "sum", 0, True, True, "Total"))
print(t.pivot_table(columns="m", values=["v", "w"], aggfunc="sum"))
print(t.pivot_table(index="k", columns=["m", "w"], values="v"))
print(t.assign(k=pd.Categorical(t.k, categories=["a", "b", "c"])).pivot_table(index="k", values="w", observed=False))
for normalize in (True, "index", "columns"):
    print(pd.crosstab(t.k, t.m, margins=True, normalize=normalize))
print(pd.crosstab(t.k, [t.m, t.w]), pd.crosstab(t.k, t.m, dropna=False), sep="\n")
print(t.set_index(["k", "m", "w"])["v"].dropna().iloc[:3].unstack(["k", "m"]))
print(t.groupby("k")[["v", "w"]].describe())

# Intervals.
for closed in ("left", "right", "both", "neither"):
    i = pd.Interval(1, 3, closed)
    print(i, repr(i), 1 in i, 2 in i, 3 in i, i.mid, i + 1, i.overlaps(pd.Interval(3, 4, closed)), pd.Interval(1, 2, closed) in i)
show(lambda: pd.Interval(3, 1))
bins = pd.cut(pd.Series([1, 7, np.nan, 4]), [0, 5, 10])
print(bins.cat.categories, bins.cat.categories.left, pd.cut([1, 7, np.nan], [0, 5, 10]), sep="\n")
print(pd.cut([1, 7], pd.IntervalIndex.from_breaks([0, 5, 10])), pd.Index(pd.Categorical(list("abcdefghij"))), sep="\n")

# Options of methods.
f = pd.DataFrame({"a": [1.0, np.nan, 3], "b": [4.0, 5, np.nan], "c": [7.0, 8, 9]})
g = pd.DataFrame({"k": ["x", "y", "x"], "v": [3.0, 1, 2], "w": [1, 2, 3]})
d = pd.Series([1, 2, 3], index=pd.date_range("2024-01-01", periods=3), name="s")
print(f.shift(1, axis=1), f.diff(axis=1), f.ffill(axis=1), f.rank(axis=1), f.quantile(0.5, axis=1), f.mode(axis=1), sep="\n")
print(d.shift(freq="D"), d.shift(1, freq=pd.DateOffset(months=1)), d.to_frame().shift(-1, freq="2h"), sep="\n")
print(f.sum(min_count=3), g.groupby("k").v.sum(min_count=2), sep="\n")
show(lambda: f.sum(foo=1))
print(g.groupby("k", group_keys=False).apply(lambda part: part.assign(z=part.v - part.v.mean())))
print(g.groupby("k", group_keys=False).apply(lambda part: part.sort_values("v").head(1)))
print(pd.date_range("2024-01-01", "2024-01-04", inclusive="left"), pd.to_datetime(["2024-01-01 10:00", None]), d.index.day_name())
print(pd.Series(["ab", None, "c"]).str.contains("a", na=True).tolist())
two = pd.DataFrame({("a", "x"): [1, 2], ("a", "y"): [3.0, 4], ("b", "x"): [5, 6]})
two.columns.names = ["outer", "inner"]
print(two.stack(future_stack=True), two.stack(0, future_stack=True), sep="\n")
print(g.assign(m=["p", "q", "p"]).pivot_table(index="k", columns="m", values="v", aggfunc=["sum", "count"]))

# NumPy's options.
print(np.einsum("ij->i", y := np.arange(6).reshape(2, 3), dtype=float), np.add.reduceat([1, 2, 3], [0, 2], dtype=float), np.clip(y, 2, 4, dtype=float))
print(np.geomspace([1, 1], [10, 100], 3, axis=1), np.polynomial.Polynomial([1, 2]).integ(lbnd=1))
show(lambda: np.zeros(2, device="gpu"))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.log(np.array([0.0]))
    np.int8(100) + np.int8(100)
    (lambda: np.array([1.0]) / 0)()
    np.array([np.array([1, 2]), np.array([3, 4])])
print([(str(w.message), w.lineno - caught[0].lineno) for w in caught])
x, y = np.arange(8.0), np.arange(16.0).reshape(2, 8)
for name in ("fft", "ifft", "rfft", "irfft", "ihfft"):
    function = getattr(np.fft, name)
    out = np.zeros_like(function(x))
    print(name, function(x, out=out) is out, np.allclose(out, function(x)))
    show(lambda: function(x, out=np.zeros(3)))
for name in ("fft2", "rfft2", "fftn", "ifftn", "rfftn", "irfftn"):
    function = getattr(np.fft, name)
    out = np.zeros_like(function(y))
    print(name, function(y, out=out) is out, np.allclose(out, function(y)))
show(lambda: np.fft.fft(x, out=np.zeros(8, "float32")))
show(lambda: np.fft.fftfreq(4, device="gpu"))
for text in ("1+2j 3", "inf nan", "-inf+nanj", "1e3+infj 2", "1+2i 3"):
    show(lambda: np.loadtxt(io.StringIO(text), dtype=complex))
show(lambda: np.loadtxt(io.StringIO("1_000 2")))
lower = np.array([[2.0, 5], [1, -3]])
u, sizes, vh = np.linalg.svd(lower, hermitian=True)
print(sizes, np.round(u @ np.diag(sizes) @ vh, 6), np.linalg.svd(lower, compute_uv=False, hermitian=True))
print(np.linalg.pinv(lower, hermitian=True), np.linalg.matrix_rank(np.stack([lower, np.eye(2)]), tol=[3, 0.5], hermitian=True))
show(lambda: np.linalg.matrix_rank(np.ones((2, 3)), hermitian=True))
show(lambda: np.linalg.pinv(lower, rcond=1, rtol=1))

# Arrays of objects and of strings.
a = np.array([1, "x", None, (1, 2)], dtype=object)
view, copy = a[::-1], a[[0, 1]]
view[0], copy[0] = "last", "copy"
a.reshape(2, 2)[0] = ["p", "q"]
print(a, view, copy, np.shares_memory(a, view), np.shares_memory(a, copy))
words = np.array(["b", "a", "c"])
words[1:] = words[:-1]
words[::-1].sort()
words[words == "a"] = "long"
print(words, np.repeat(words, 2), np.where([True, False, True], words, "z"))
show(lambda: a.__setitem__(slice(0, 2), [1, 2, 3]))

# Plots.
n = pd.DataFrame({"a": [1.0, 2, np.nan, 4], "b": [3, 1, 2, 5]})
named = n.set_index(pd.Index(list("wxyz"), name="letter"))


def about(axes):
    for ax in np.atleast_1d(np.array(axes, dtype=object)).ravel():
        legend = ax.get_legend()
        print(" ", repr(ax.get_title()), repr(ax.get_xlabel()), repr(ax.get_ylabel()), np.round(ax.get_xlim(), 3), np.round(ax.get_ylim(), 3),
              None if legend is None else ([part.get_text() for part in legend.get_texts()], legend.get_title().get_text()))
        for line in ax.lines:
            print("    line", np.round(np.asarray(line.get_ydata(), dtype=float), 3), matplotlib.colors.to_hex(line.get_color()), line.get_linestyle())
        for bar in list(ax.patches)[:8]:
            print("    bar", np.round([bar.get_x(), bar.get_y(), bar.get_width(), bar.get_height()], 3),
                  matplotlib.colors.to_hex(bar.get_facecolor()))
    plt.close("all")


about(named.plot.area())
about(n.plot.area(stacked=False, color=["red", "blue"]))
about(named.plot(subplots=True, title="T"))
about(named.plot.bar(subplots=True, layout=(1, 2)))
about(n.plot(colormap="viridis"))
about(n.plot(secondary_y="b"))
about(n.plot(color={"a": "red", "b": "green"}, style={"b": "--"}))
about(n.plot.hist(bins=3, colormap="viridis"))
about(named.plot.bar(width=0.8, edgecolor="k"))
about(pd.DataFrame({"a": [1, -2], "b": [-1, 3]}).plot.barh(stacked=True))
about(n.b.plot.bar(color=["r", "g", "b", "k"]))
about((n.a.plot(legend=True), n.b.plot(legend=True))[1])
about(n.rename_axis(columns="C").plot(legend="reverse"))
print([n.assign(c=1, d=2, e=3).hist().shape, n.hist(layout=(-1, 1)).shape])
plt.close("all")
fig, ax = plt.subplots()
ax.boxplot([[1, 2, 3, 9], [2, 3, 4]])
ax.boxplot([1, 2], positions=[3])
print(np.round(ax.get_xlim(), 3), np.round(ax.get_ylim(), 3), [float(v) for v in ax.get_xticks()])
show(lambda: pd.DataFrame({"a": [1, -2]}).plot.area())
show(lambda: n.plot.pie())
show(lambda: n.plot(kind="foo"))
