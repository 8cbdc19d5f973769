"""pandas: windows, periods, margins, NumPy functions of series. Recorded with pandas 3.1.1."""

import pandas as pd, numpy as np
df = pd.DataFrame({"a":[1.,2.],"b":[3,4]})
print(np.exp(df)); print(df.apply(np.exp)); print(df[["a"]].transform(np.exp)); print(df[["a"]].apply(np.sqrt)); print(np.log1p(df["a"])); print(df.transform(lambda c: c-c.mean())); print(df.apply(np.sum)); print(df.agg(np.sum) if 0 else "")
print(df.a.value_counts(bins=2))
s = pd.Series([1.,4.,9.], index=list("xyz"), name="n"); a = np.array([1.,2.,3.])
print(np.add(s, a)); print(a + s); print(a * s); print(np.maximum(s, 4)); print(np.sqrt(s)); print(np.power(s, 2)); print(a < s); print(np.isnan(s)); print(np.abs(s - 5)); print(np.where(s > 2, 1, 0)); print(np.mean(s), np.std(s), np.max(s)); print(np.sin(df)); print(np.add(df, 1)); print(np.log(s, out=None)); print(np.round(s/3, 2)); print(np.clip(s, 2, 5)); print(np.sum(df)); print(np.int64(2)*s); print(np.float64(2)+s); print(np.exp(pd.Index([1.,2.]))); print(np.array([[1],[2]])*df); print(np.unique(s)); print(np.concatenate([s, s])); print(np.cumsum(s)); print(np.dot(s, s)); print(np.arctan2(s, a)); print(np.logical_and(s>1, s<5)); print(np.invert(s>1)); print(np.expm1(df["b"]))

df = pd.DataFrame({"a": [3, 1, 2, 2, None], "b": ["x", "y", "x", "z", "y"], "c": [1.5, 2.5, np.nan, 4.0, 5.0],
                   "d": pd.to_datetime(["2021-01-01", "2021-02-15", "2021-02-20", "2022-03-01", "2022-03-05"]),
                   "e": [True, False, True, True, False]})
print(df.c.dropna(), df.c.interpolate(), df[["a", "c"]].interpolate(limit_direction="both"), df.c.interpolate(limit_direction="backward"))
print(df.set_index("d").c.interpolate("time"), df.groupby(["b", "e"]).size().unstack(fill_value=0), sep="\n")
print(df.groupby("b")["c"].quantile([0.25, 0.5]), df.groupby("b").a.pipe(lambda g: g.max()), sep="\n")
print(df.groupby("b")["c"].rolling(2, min_periods=1).mean(), df.groupby("b")[["a", "c"]].expanding().sum(), sep="\n")
print(df.groupby(pd.Grouper(key="d", freq="ME")).a.sum().head(3), df.groupby(["b", pd.Grouper(key="d", freq="YE")]).a.sum(), sep="\n")
for rule in ("ME", "QS", "YE", "W", "D", "12h", "YS", "QE"):
    print(df.set_index("d").resample(rule)[["a", "c"]].sum().head(4), df.set_index("d").c.resample(rule).mean().tail(2), sep="\n")
print(df.resample("ME", on="d").size().head(2), df.set_index("d").a.head(2).resample("MS").ffill(), sep="\n")
print(df.pivot_table(index="b", columns="e", values="c", aggfunc="sum", margins=True), pd.crosstab(df.b, df.e, margins=True), sep="\n")
print(df.pivot_table(index="b", values=["a", "c"], margins=True))
l, r = pd.DataFrame({"k": [1, 2, None], "v": [1, 2, 3]}), pd.DataFrame({"k": [2, 3, 4], "w": [5, 6, 7]})
print(l.combine_first(r), l.update(r), l, sep="\n")
dates = df.set_index("d")
print(dates.loc["2021"], dates.loc["2021-02", "a"], dates.loc["2021-02":"2022"].shape, dates.loc["2021-01-01"], sep="\n")
print(pd.cut(df.c, 3), pd.date_range("2020-01-01", periods=3), pd.Index(["aaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccc"]))
print(pd.Timestamp("2020-01-31") + pd.DateOffset(months=1), df.d + pd.DateOffset(years=1, days=2), pd.DateOffset(months=2), sep="\n")
print(df.d.dt.floor("D").equals(df.d), pd.Series(pd.to_datetime(["2020-01-01 10:31:50"])).dt.round("h"), sep="\n")
s = pd.Series(["Mr. John Smith", "Ms Ann", None, "Dr. Bob 12"])
print(s.str.extractall(r"(\w)\w"), s.str.wrap(5), s.str.split().str[0], s.str.split().str.join("_"), sep="\n")
x = pd.DataFrame({"a": np.arange(8.0) ** 2, "b": [3.0, 1, 2, 5, 4, 1, 0, 2], "s": list("xyxyxyxy")})
print(x.a.rolling(3).quantile(0.5).tail(2), x.a.rolling(4).corr(x.b).tail(2), x.a.rolling(3).cov(x.b).tail(2), x.a.rolling(3).agg(["mean", "std"]).tail(2))
print(x.eval("a + b").tail(2), x.eval("c = a * b").tail(2), x.set_index(["s", "b"]).xs("x", level="s"), x.set_index(["s", "b"]).swaplevel().index[:2])
