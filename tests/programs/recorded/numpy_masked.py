"""Masked arrays: making them, arithmetic, sums over what counts, printing, functions of NumPy beside those of `np.ma`."""

import numpy as np
import numpy.ma as ma


def show(*values):
    for value in values:
        print(repr(value))


x = ma.array([1, 2, 3, 4], mask=[0, 1, 0, 0])
print(x)
show(x, x.mean(), x.sum(), x.std(), x.max(), x.count(), x.data, x.mask, x.filled(-1), x.compressed(), len(x))
show(x + 1, x + ma.array([1, 1, 1, 1], mask=[0, 0, 1, 0]), x[1], x[1] is ma.masked, x[0], x[2:], [v for v in x])
table = ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[False, True], [False, False]])
show(table, table.mean(axis=0), table.sum(axis=1), np.mean(table), np.sqrt(table), table.T, table > 2, table[table > 2], -table)
show(table - table.mean(axis=0), table**2, table.reshape(4), table.tolist(), table.min(), table.argmax(), table.var(), table.any())
show(ma.masked_where(np.arange(5) > 2, np.arange(5)), ma.masked_invalid([1.0, np.nan, 3.0, np.inf]), ma.masked_equal([1, -999, 4], -999))
show(ma.masked_greater([1, 2, 3], 2), ma.masked_inside([1, 2, 3, 4], 2, 3), ma.masked_outside([1, 2, 3, 4], 2, 3))
show(ma.array([1.0, 2.0]) / ma.array([0.0, 2.0]), ma.log(ma.array([1.0, -1.0])), ma.sqrt(ma.array([4.0, -1.0])))
show(ma.average([1.0, 2.0, 3.0], weights=[1, 0, 1]), ma.median(ma.array([1.0, 2.0, 3.0, 100.0], mask=[0, 0, 0, 1])))
show(ma.concatenate([x, x]), ma.where(table > 2, table, 0), ma.zeros(2), ma.masked_all(2), ma.is_masked(x), ma.getmaskarray(ma.ones(2)))
x[2] = ma.masked
x[1] = 9
show(x, ma.array([1, 2]).mask, np.isnan(ma.masked_invalid([1.0, np.nan])).sum(), isinstance(x, np.ndarray), np.asarray(table))
x += 1
show(x, ma.array([3, 1, 2], mask=[0, 0, 1]).argsort(), np.sort(ma.array([3, 1, 2], mask=[0, 1, 0])), ma.clump_unmasked(x))
