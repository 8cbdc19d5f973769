"""Comparing frames, levels of labels, times of the day, boxes, and assignments that change nothing."""
import warnings

import numpy as np
import pandas as pd

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *others: print("warning:", category.__name__, str(message)[:90])


def tried(*calls):
    for call in calls:
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, str(error)[:160])


df = pd.DataFrame({"a": [1.0, 2, np.nan], "b": list("xyz")})
df["a"][0] = 100
df.a[0] = 100
df[df.a > 1]["b"] = "q"
df["a"].fillna(0, inplace=True)
df.loc[0]["a"] = 5
df["a"].loc[0] = 5
df.iloc[0]["a"] = 7
df.newcolumn = [1, 2, 3]
print("none of these:")
df.loc[df.a > 1, "b"] = "q"
df["c"] = 1
s = df["a"]
s[0] = 3
s.iloc[1] = 4
s.fillna(1, inplace=True)


def inner(d):
    d["z"] = 1
    d.loc[0, "z"] = 3
    v = d["a"]
    v[0] = 3
    v.fillna(2, inplace=True)
    v.at[0] = 9
    for _, row in d.iterrows():
        row["a"] = 1
    print("but this:")
    d["a"].replace(1, 2, inplace=True)


inner(df)
print(df)
a = pd.DataFrame({"x": [1, 2, 3], "y": list("abc")})
b = pd.DataFrame({"x": [1, 5, 3], "y": list("abd")})
tried(lambda: a.compare(b), lambda: a.compare(b, keep_shape=True), lambda: a.compare(b, keep_equal=True), lambda: a.compare(b, align_axis=0),
      lambda: a.compare(b, result_names=("l", "r")), lambda: a.x.compare(b.x), lambda: a.x.compare(b.x, align_axis=0), lambda: a.compare(b[:2]), lambda: a.x.compare(3))
m = pd.DataFrame({"v": range(4)}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"]))
idx = pd.IndexSlice
tried(lambda: m.loc[idx[:, 1], :], lambda: m.loc[idx["a", :], "v"], lambda: m.loc[idx["a":"b", 2], :], lambda: m.loc[idx[:, [1]], :], lambda: m.loc[idx[:, 7], :],
      lambda: m.droplevel(0), lambda: m.droplevel("n"), lambda: m.reorder_levels(["n", "k"]), lambda: m.droplevel([0, 1]), lambda: m.v.droplevel(1))
s = pd.Series(range(6), index=pd.date_range("2024-01-01", periods=6, freq="4h"))
tried(lambda: s.between_time("3:00", "13:00"), lambda: s.at_time("8:00"), lambda: s.between_time("20:00", "5:00", inclusive="left"),
      lambda: s.to_frame("v").between_time("00:00", "04:00"), lambda: pd.Series([1]).between_time("1:00", "2:00"), lambda: s.between_time("1:00", "2:00", inclusive="nosuch"))
boxes = pd.DataFrame({"a": [1.0, 2, 3, 10], "b": [2.0, 3, 4, 5], "g": list("xyxy")})
ax = boxes.boxplot()
print([t.get_text() for t in ax.get_xticklabels()])
ax = boxes.boxplot(column="a", by="g")
print([t.get_text() for t in ax.get_xticklabels()], ax.get_title(), ax.get_xlabel(), ax.get_figure().get_suptitle())
print([(one.get_title(), one.get_xlabel()) for one in boxes.boxplot(by="g")], boxes.boxplot(rot=30).get_xticklabels()[0].get_rotation(), sorted(boxes.boxplot(return_type="dict")))
dates = pd.DataFrame({"a": [1, 2, 2], "d": pd.date_range("2024-01-01", periods=3)})
tried(lambda: df.dropna(how="nosuch"), lambda: df.dropna(how="all", thresh=1), lambda: a[["x"]].corr(method="nosuch"), lambda: a[["x"]].cumsum(axis=3), lambda: dates.corr(), lambda: dates.cov(numeric_only=True),
      lambda: dates.describe(percentiles=[0.1]), lambda: boxes.boxplot(column="nosuch"), lambda: bool(df), lambda: boxes.groupby("g").any().dtypes.tolist())
