import numpy as np

def show(*values):
    for v in values:
        print(repr(np.float64(f"{v:.12g}") if isinstance(v, np.float64) else v), getattr(v, "dtype", type(v).__name__), getattr(v, "shape", ""))

a = np.arange(24).reshape(2, 3, 4)
f = (a - 11.5) / 8
for x in (a, f):
    for axis in (None, 0, 1, 2, -1, (0, 2)):
        show(x.sum(axis), x.mean(axis), x.max(axis), x.min(axis), x.std(axis), x.var(axis), x.sum(axis, keepdims=True))
        if not isinstance(axis, tuple):
            show(x.argmax(axis), x.argmin(axis), x.prod(axis) if x is f else 0, np.cumsum(x, axis), np.median(x, axis), np.ptp(x, axis))
show(f.std(ddof=1), f.var(0, ddof=1), (f > 0).any(), (f > 0).all(0), np.any(f > 1), np.all(f < 9, axis=1), (a > 5).sum(), np.count_nonzero(a), np.count_nonzero(a > 3, axis=0))
show(np.percentile(f, 30), np.percentile(f, [25, 50, 75]), np.quantile(f, 0.9, axis=1), np.average([1, 2, 3], weights=[3, 2, 1]), np.average(f))
show(np.sum([1, 2, 3]), np.sum([[1, 2], [3, 4]], axis=1), np.mean([1, 2]), np.max([1, 5, 2]), np.min([4, 2]), np.prod([1, 2, 3]), np.std([1, 2, 3]), np.var([1.0, 2.0]))
show(np.sort([3, 1, 2]), np.argsort([3, 1, 2]), np.sort(np.array([[3, 1], [2, 0]])), np.sort(np.array([[3, 1], [2, 0]]), axis=0), np.argsort(np.array([0.3, 0.1]))[::-1])
show(np.unique([3, 1, 1, 2]), np.unique([3, 1, 1, 2], return_counts=True), np.unique(["b"] if False else [2, 2], return_index=True), np.unique([5, 4, 5], return_inverse=True))
show(np.bincount([0, 1, 1, 3]), np.bincount([0, 1, 1], weights=[0.5, 1, 2]), np.bincount([1], minlength=4), np.histogram([1, 2, 1, 4, 5], bins=4), np.histogram([0.1, 0.9, 0.5], bins=[0, 0.5, 1]))
show(np.searchsorted([1, 3, 5], 3), np.searchsorted([1, 3, 5], [0, 3, 6], side="right"), np.digitize([0.5, 2.5], [0, 1, 2]), np.diff([1, 4, 9]), np.diff([[1, 2], [4, 8]], axis=0), np.cumprod([1, 2, 3]))
show(np.dot([1, 2], [3, 4]), np.dot(a[0], a[0].T), np.inner([1, 2], [3, 4]), np.outer([1, 2], [3, 4]), np.matmul(a, a.swapaxes(1, 2)).shape, np.trace(np.eye(3)), np.vdot([1, 2], [3, 4]), np.einsum("ij,ij->i", a[0], a[0]), np.tensordot(a[0], a[0], axes=([1], [1])))
show(np.linalg.norm([3.0, 4.0]), np.linalg.norm(f[0]), np.linalg.norm(f[0], axis=1), np.linalg.norm([1, -2], 1), np.linalg.norm([1, -2], np.inf))
show(np.linalg.solve([[2.0, 1.0], [1.0, 3.0]], [3.0, 5.0]), np.linalg.inv([[2.0, 0.0], [0.0, 4.0]]), round(float(np.linalg.det([[1.0, 2.0], [3.0, 4.0]])), 10))
show(np.nansum([1.0, np.nan]), np.nanmean([1.0, np.nan, 3.0]), np.nanmax([1.0, np.nan]), np.cov([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]), np.corrcoef([1.0, 2.0, 3.0], [1.0, 2.0, 4.0]), np.interp([0.5, 9.0], [0, 1, 2], [0, 10, 20]), np.convolve([1, 2, 3], [0, 1, 0.5]))
