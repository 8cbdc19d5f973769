# Gaps in a series, and parts of a regular index.
import numpy as np
import pandas as pd

s = pd.Series([np.nan, 1.0, np.nan, 3.0, np.nan], index=list("abcde"), name="v")
print(s.dropna(), s.first_valid_index(), s.last_valid_index())
print(s.dropna(ignore_index=True), pd.Series(["x", None, "y"]).dropna().tolist(), pd.Series([1, 2]).dropna().tolist())
print(pd.Series([np.nan]).dropna(), pd.Series([np.nan]).first_valid_index())
ts = pd.Series(np.arange(6.0), index=pd.date_range("2024-01-01", periods=6), name="v")
print(ts.head(2))
print(ts["2024-01-03":"2024-01-04"])
print(ts.rolling(3).mean().dropna())
print("foo" in ts.index, "2024-01-02" in ts.index, hasattr(ts, "foo"))
print(ts[ts > 3], ts.iloc[1:3].index.freq is None)
