"""Files of fixed widths, aligned frames, windows with weights, and factors of matrices: recorded with pandas 3.1.1 and SciPy 1.17.1."""

import io
import numpy as np
import pandas as pd
text = """id    name      score  grp
1     Anna       9.5   a
2     Ben        7.25  b
3     Carla            a
4     Dmitri    10.0   c
"""
df = pd.read_fwf(io.StringIO(text))
print(df)
print(df.dtypes)
print(pd.read_fwf(io.StringIO(text), widths=[6, 10, 7, 3]))
print(pd.read_fwf(io.StringIO(text), colspecs=[(0, 6), (6, 16)], header=0, names=["i", "n"]))
print(pd.read_fwf(io.StringIO(text), colspecs="infer", index_col="id", usecols=["id", "score"]))
print(pd.read_fwf(io.StringIO("0011234\n0025678\n"), widths=[3, 2, 2], header=None))
print(pd.read_fwf(io.StringIO("0011234\n0025678\n"), widths=[3, 2, 2], header=None, names=["a", "b", "c"], dtype={"a": str}))
a = pd.DataFrame([[1, 2], [3, 4]], columns=["x", "y"], index=[1, 2])
b = pd.DataFrame([[5, 6], [7, 8]], columns=["y", "z"], index=[2, 3])
l, r = a.align(b)
print(l, r, sep="\n")
l, r = a.align(b, join="inner")
print(l, r, sep="\n")
l, r = a.align(b, join="left", axis=0)
print(l, r, sep="\n")
l, r = a.align(b, fill_value=0)
print(l, r, sep="\n")
s1 = pd.Series([1, 2, 3], index=list("abc")); s2 = pd.Series([10, 20], index=list("bd"))
for p in s1.align(s2, join="outer"): print(p)
for p in s1.align(s2, join="right"): print(p)
print(s1.add(s2, fill_value=0))
print(a.add(b, fill_value=0))
w = pd.Series([1.0, 2, 4, 8, 16, 8, 4, 2])
print(w.rolling(3, win_type="triang").mean())
print(w.rolling(3, win_type="hamming").sum())
print(w.rolling(5, win_type="gaussian", center=True).mean(std=1))
print(w.rolling(3, win_type="boxcar", min_periods=1).mean())
print(w.rolling(4, win_type="hann").std())
print(w.rolling(4, win_type="blackman").var())
try: w.rolling(3, win_type="nope").mean()
except Exception as e: print(type(e).__name__, e)
print(w.rolling(3, closed="left").sum().tolist(), pd.Series([1, 2, np.nan]).convert_dtypes())
import scipy.linalg as la
from scipy.interpolate import griddata
A = np.array([[2.0, 1, 0], [1, 3, 1], [0, 1, 4]])
b = np.array([1.0, 2, 3])
print(la.lu_solve(la.lu_factor(A), b).round(6), la.cho_solve(la.cho_factor(A), b).round(6), la.lu_factor(A)[1])
points = np.array([[0, 0], [1, 0.1], [0.2, 1], [1.1, 1.3], [0.5, 0.4]])
print(griddata(points, points[:, 0] + 2 * points[:, 1], (np.array([0.5, 0.9, 3]), np.array([0.6, 0.5, 3])), method="linear").round(6))
