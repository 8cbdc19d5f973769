"""Lengths of time as labels, conditions case by case, and functions by their names."""

import numpy as np
import pandas as pd

spans = pd.to_timedelta(np.array([3, 1, 2]), unit="D")
print(repr(spans), type(spans).__name__, spans.days, spans.total_seconds(), spans.dtype)
print(spans + pd.Timestamp("2024-01-01"), pd.to_datetime("2024-02-27") + spans, spans.mean(), spans.sum(), spans.max(), spans.sort_values().tolist())
print(pd.to_timedelta(["1 days", "2 hours", None]), pd.TimedeltaIndex(["1D", "36h"], name="t"), pd.to_timedelta([15, 2], unit="h"), pd.Series(spans), pd.Series([1, 2, 3], index=spans))
print(pd.timedelta_range("0h", periods=3, freq="6h"), pd.timedelta_range("1 days", "3 days"), pd.timedelta_range(start="0 days", end="1 days", periods=3))
print(pd.date_range("2024-01-01", periods=3) - pd.Timestamp("2023-12-31"), pd.date_range("2024-01-01", periods=3) + pd.Timedelta("1h"), pd.date_range("2024-01-01", periods=2, freq="MS") - pd.Timestamp("2023-12-31"))
print(spans / pd.Timedelta("1h"), spans * 2, spans > pd.Timedelta("1D"), pd.Timedelta("2D") in spans, "1 days" in spans, spans.get_loc("2 days"), (spans + pd.Timedelta("90min")).round("h"))
timed = pd.DataFrame({"v": [5, 6, 7]}, index=pd.timedelta_range("0min", periods=3, freq="10min"))
print(timed, timed.loc["10min":], timed.index.freqstr, timed.loc[pd.Timedelta("20min"), "v"])
try:
    pd.timedelta_range("0h", periods=3, freq="6h", end="2D")
except ValueError as e:
    print(e)
shops = pd.DataFrame({"x": range(6)}, index=pd.MultiIndex.from_product([["A", "B"], pd.date_range("2024-01-01", periods=3)], names=["shop", "day"]))
print(shops.xs("2024-01-02", level="day"), shops.groupby("shop")["x"].shift())
days = pd.Series([1, 2, 3], index=pd.Index(["Mon", "Tue", "Wed"], name="weekday"))
print(days.reindex(["Wed", "Mon", "Sun"]), days.reindex(pd.Index(["Tue"])), days.to_frame("n").reindex(["Tue"]), days.reindex(np.array(["Wed"])).index.name)
frame = pd.DataFrame({"a": [1, 4, 9], "b": [2.0, 3.5, 8.0], "c": list("xyz")})
print(frame[["a", "b"]].transform(["sqrt", "exp"]).round(2), frame["a"].transform("sqrt"), frame["a"].transform(["sqrt", np.exp]).round(1), frame[["a", "b"]].transform("log").round(3), frame["b"].agg(["min", "max"]))
print(frame["a"].case_when([(frame["a"] > 5, "big"), (lambda s: s > 2, "mid")]), frame["a"].case_when([(frame["a"].gt(3), frame["b"])]), frame.apply(lambda r: [r["a"], r["b"]], axis=1, result_type="expand"))
print(frame.apply(lambda r: (r["a"], r["c"]), axis=1, result_type="expand").dtypes)
groups = pd.DataFrame({"k": [1, 1, 2], "a": [1, 2, 3]}).groupby("k")
print(groups["a"].agg(["sum", lambda s: 1, lambda s: 2]), groups.agg({"a": ["sum", lambda s: 1]}), groups.agg([lambda s: 1]), groups["a"].agg([("x", lambda s: 1), ("y", "sum")]))
