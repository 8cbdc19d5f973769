"""pandas and numpy as notebooks about tables use them: names in queries, labels that are ranges, levels, gaps, singular vectors."""

import warnings
from io import StringIO

import numpy as np
import pandas as pd

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *rest, **more: print("warning", category.__name__, message)


def tried(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, e)


people = pd.read_csv(StringIO("id,name,age,fare,cls\n1,Ann,22,7.25,3\n2,Bob,,71.5,1\n3,Cid,26,7.9,3\n4,Dee,35,53.1,1\n"), index_col="id")
people.info()
print(people.index, people.query("fare > 8").index)
limit = 20
print(people.query("fare > @limit and cls in [1, 2]"))


def cheap(most):
    return people.query("fare < @most")["name"].tolist()


print(cheap(8))
tried(lambda: people.query("fare < @nowhere"))
print(people.groupby("cls")["fare"].agg(["mean", ("spread", "std")]))
print(people.groupby("cls").agg({"fare": [("lo", "min"), "max"]}))
tried(lambda: people.astype({"name": float}))
tried(lambda: people.fillna())
tried(lambda: people["age"] + "x")
tried(lambda: people["name"].reindex([1, 9], fill_value=0))
print(pd.DataFrame({"k": [1, 4, 7], "v": 0}).set_index("k").index, pd.DataFrame({"k": [1, 4, 8], "v": 0}).set_index("k").index)

s = pd.Series([10, 20, 30, 40], index=pd.MultiIndex.from_product([["u", "v"], [1, 2]], names=["l", "n"]))
print(s.swaplevel(), s.xs(2, level="n"), s.xs("u"), s[:, 2], s["u", 1], s.xs("v", drop_level=False), sep="\n")
with pd.option_context("display.max_rows", 6):
    print(pd.Series(np.arange(30) / 3))
gaps = pd.Series([5, 3, np.nan, 8, 2, np.nan, np.nan, 9.0])
for alpha in (0.3, 0.5):
    print(gaps.ewm(alpha=alpha, adjust=False).mean().round(4).tolist())
print(gaps.rolling(2), gaps.expanding(), gaps.ewm(span=2), sep="\n")

flags = pd.array([True, False, None], dtype="boolean")
print(flags & True, flags | True, ~flags, pd.array([1, None]) + 1, -pd.array([1, None]), pd.array([1, None]) > 0, pd.array([1, None]).sum(), sep="\n")
print(~pd.Series([True, None, False], dtype="boolean"))

a, b = pd.DataFrame({"k": ["a", "b"], "x": [1, 2]}), pd.DataFrame({"k": ["a", "b"], "y": [3, 4]})
print(a.join(b, suffixes=("_1", "_2")))
print(a.join(b, lsuffix="_l"))
tried(lambda: a.join(b, on="k"))
days = pd.Series(pd.date_range("2024-01-01", periods=2))
print(days.dt.dayofweek.tolist(), pd.DatetimeIndex(days).weekday.tolist(), pd.DatetimeIndex(days).isocalendar())

# Singular vectors have the signs of LAPACK's, and so have samples of several correlated variables.
for m in ([[4, 2], [2, 3]], [[1, 0.9, 0.2], [0.9, 1, 0.1], [0.2, 0.1, 1]], [[-1, 2], [3, -4]], [[1, 2], [2, 4]]):
    u, size, v = np.linalg.svd(np.array(m, dtype=float))
    print((u + 0).round(6), size.round(6) + 0, (v + 0).round(6), sep="\n")
print(np.random.default_rng(42).multivariate_normal([1, 2], [[1, -0.8], [-0.8, 1]], 3))
print(np.random.RandomState(0).multivariate_normal([0, 0, 0], [[2, 0.3, 0.1], [0.3, 1, 0.2], [0.1, 0.2, 3]], 2))
t = np.arange(12.0).reshape(3, 4)
for args in (("ij,jk", t, t), ("ij", t, t), ("ij,jk", t), ("i->i", t), ("ij->k", t), ("ii", t), ("ij->iij", t), ("i!", t), ("ij,j->i", t, np.ones(3))):
    tried(lambda: np.einsum(*args))
print(np.finfo(np.float32))
check = np.testing
tried(lambda: check.assert_array_less([1.0, 5, 7], 3))
tried(lambda: check.assert_allclose([1, np.nan], [1, 2]))
tried(lambda: check.assert_allclose([1, np.inf], [1, 2]))
tried(lambda: check.assert_array_equal(["a"], ["b"], err_msg="words"))
tried(lambda: check.assert_raises(ValueError, int, "1"))
