"""Dates beside NumPy's: values, units, differences, `merge_asof`, windows of time, periods of a calendar; edges of `cut`."""

import numpy as np
import pandas as pd

frame = pd.DataFrame({"day": np.arange("2024-01-01", "2024-01-05", dtype="datetime64[D]"), "v": [1, 2, 3, 4]})
print(frame.dtypes, frame["day"].values.dtype, frame[["day"]].values.shape, sep="\n")
days = pd.to_datetime(pd.Series(["2024-01-05", "2024-01-01", "2024-02-01"]))
print(days.values, np.diff(days), days > np.datetime64("2024-01-03"), days + np.timedelta64(12, "h"), sep="\n")
print((days - days.min()) / np.timedelta64(1, "D"), (days - days.min()).dt.days.to_numpy(), days.astype("int64"), sep="\n")
print(days.values.astype("datetime64[M]"), days.astype("datetime64[ns]").dtype, days.astype(str).tolist(), days.dt.isocalendar(), sep="\n")
print(pd.Timestamp("2024-01-01").to_datetime64(), pd.Timestamp(np.datetime64("2024-01-01T05")), pd.to_datetime("13/01/2024", dayfirst=True))
print(pd.to_datetime({"year": [2024], "month": [2], "day": [29]}), pd.bdate_range("2024-01-05", periods=2), sep="\n")
print(frame.set_index("day").index.values[:1], frame[frame["day"] >= np.datetime64("2024-01-03")], sep="\n")

trades = pd.DataFrame({"time": pd.to_datetime(["2016-05-25 13:30:00.023", "2016-05-25 13:30:00.038"]), "who": ["M", "M"], "n": [75, 155]})
quotes = pd.DataFrame({"time": pd.to_datetime(["2016-05-25 13:30:00.023", "2016-05-25 13:30:00.030"]), "who": ["M", "M"], "bid": [51.95, 51.97]})
print(pd.merge_asof(trades, quotes, on="time", by="who"), pd.merge_asof(trades, quotes, on="time", by="who", tolerance=pd.Timedelta("2ms")), sep="\n")
left, right = pd.DataFrame({"a": [1, 5, 10], "l": list("abc")}), pd.DataFrame({"a": [1, 2, 3, 6, 7], "r": [1, 2, 3, 6, 7]})
for options in ({}, {"allow_exact_matches": False}, {"direction": "forward"}, {"direction": "nearest"}, {"tolerance": 1}):
    print(pd.merge_asof(left, right, on="a", **options))
print(pd.merge_ordered(left, right, on="a", fill_method="ffill"))
uneven = pd.Series(range(4), index=pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-05", "2024-01-06"]))
print(uneven.rolling("3D").sum(), uneven.asfreq("D"), uneven.first_valid_index(), sep="\n")
print(frame.assign(m=[1, 1, 2, 2], s=list("xyxx")).groupby(["m", "s"])["v"].sum().unstack())
print(pd.crosstab([left.a, left.l], left.l), pd.json_normalize([{"a": {"b": 1}, "c": 2}]), sep="\n")

ages = pd.Series([22, 38, 5, np.nan, 60])
print(pd.cut(ages, [0, 18, 40, 80], precision=0, include_lowest=True), pd.cut([1, 2, 3], [0, 1, 3], retbins=True)[1], sep="\n")
print(ages.groupby(pd.cut(ages, [0, 10, 20, 80]), observed=False).size(), pd.cut(ages, 3, ordered=False, labels=["B", "A", "B"]), sep="\n")
for bins, options in (([1, 1, 2], {}), ([5, 1, 2], {}), (0, {}), (2, {"labels": ["a", "a"]}), ([0, 1, 1, 70], {"duplicates": "drop"})):
    try:
        print(pd.cut(ages, bins, **options))
    except ValueError as error:
        print(error)

# All dates of a column have the form of the first.
for values in (["2024-01-31", "2024-02-29 13:45"], ["2024-01-31 10:00", "2024-02-01"], ["01/02/2024", "2024-01-31"], ["5/1/2024", "15/1/2024"],
               ["2024-01-31", None, "2024-02-01"]):
    for how in ({}, {"format": "mixed"}, {"errors": "coerce"}):
        try:
            print(pd.to_datetime(pd.Series(values), **how).tolist())
        except ValueError as error:
            print(error)
