"""Numbers of which some are missing: `Int64`, `Float64`, `boolean` and `pd.NA`."""

import io

import numpy as np
import pandas as pd

s = pd.Series([1, 2, None], dtype="Int64")
print(s, s + 1, s * 2.5, s > 1, s.isna(), s.fillna(0), s.cumsum(), s.shift(1), s.where(s > 1), sep="\n")
print(repr(s.sum()), repr(s.mean()), repr(s.max()), s[2], s[2] is pd.NA, repr(s.dtype), s.tolist(), s.to_numpy())
print(s.value_counts(dropna=False), s.astype(float), s.dropna().astype(int), s.apply(lambda v: v if v is pd.NA else v * 2), sep="\n")
print(repr(pd.array([1, 2, None])), repr(s.unique()), pd.concat([s, pd.Series([4], dtype="Int64")], ignore_index=True), sep="\n")
frame = pd.DataFrame({"a": s, "b": ["x", "y", None], "c": [1.5, None, 3]})
print(frame, frame.dtypes, frame.describe(), frame[frame["a"] > 1], frame.sort_values("a", ascending=False), frame.groupby("a").size(), sep="\n")
print(frame.merge(pd.DataFrame({"a": pd.Series([1, 2], dtype="Int64"), "z": [7, 8]}), on="a", how="left"), frame.mean(numeric_only=True), sep="\n")
print(pd.read_csv(io.StringIO("a,b\n1,x\n,y"), dtype={"a": "Int64"}), pd.Series([True, None], dtype="boolean"), sep="\n")
print(pd.Series([1.0, np.nan]).astype("Int64"), pd.Series([1.5, None], dtype="Float64"), pd.NA == 1, pd.NA | True, pd.isna(pd.NA), sep="\n")
try:
    pd.Series([1.5, 2.0]).astype("Int64")
except TypeError as error:
    print(error)
