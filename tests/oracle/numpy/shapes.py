import numpy as np

def show(*values):
    for v in values:
        print(repr(v))

a = np.arange(12).reshape(3, 4)
show(a.shape, a.ndim, a.size, a.dtype, a.itemsize, a.nbytes, len(a), a.strides, a.T.shape, a.T.strides)
show(a[1], a[1, 2], a[-1, -1], a[:, 1], a[1:, :2], a[::2], a[:, ::-1], a[::-1, ::2], a[..., 0], a[None].shape, a[:, None, :].shape, a[()].shape)
show(a[[0, 2]], a[[0, 2], [1, 3]], a[a > 5], a[a[:, 0] > 3], a[np.array([True, False, True])], a[:, [1, 0]], a[np.array([[0, 1], [1, 2]])].shape, a[1, [0, 1]], a[np.newaxis, 0])
b = a.copy()
b[0] = 9
b[:, 1] = [7, 8, 9]
b[b > 9] = 0
b[[0, 1], [2, 3]] = -1
b[2, ::2] = [5, 6]
b[1, 1] = 3.9
b[2, ::-1] = [1, 2, 3, 4]
show(b)
v = a.reshape(-1)[2:5]
v[0] = 100
show(a[0], v.base is None if False else 0)
a[0, 2] = 2
show(a.reshape(4, 3), a.reshape(2, -1), a.ravel(), a.flatten(), a.transpose(), np.transpose(np.zeros((2, 3, 4)), (2, 0, 1)).shape, a.swapaxes(0, 1), np.moveaxis(np.zeros((2, 3, 4)), 0, -1).shape)
show(np.squeeze(np.zeros((1, 3, 1))).shape, np.expand_dims(a, 0).shape, np.expand_dims(a, (0, 3)).shape, np.atleast_2d([1, 2]), np.broadcast_to([1, 2], (2, 2)))
show(np.concatenate([a, a], axis=1), np.concatenate([[1, 2], [3.5]]), np.stack([[1, 2], [3, 4]], axis=1), np.vstack([[1, 2], [3, 4]]), np.hstack([[1, 2], [3]]), np.column_stack([[1, 2], [3, 4]]), np.dstack([[1, 2], [3, 4]]), np.append([1, 2], 3), np.append(a, [[0, 0, 0, 0]], axis=0), np.delete([1, 2, 3], 1), np.insert([1, 2], 1, 9))
show(np.split(np.arange(6), 3), np.split(np.arange(6), [1, 4]), np.array_split(np.arange(7), 3), np.hsplit(a, 2), np.vsplit(a, 3)[0])
show(np.tile([1, 2], 2), np.tile([1, 2], (2, 1)), np.repeat([1, 2], 2), np.repeat(a, 2, axis=1)[0], np.repeat([1, 2], [1, 3]), np.flip([1, 2, 3]), np.fliplr(a)[0], np.flipud(a)[0], np.roll([1, 2, 3], 1), np.roll(a, 1, axis=0)[0], np.rot90([[1, 2], [3, 4]]))
show(np.zeros(3), np.ones((2, 2), int), np.full((2,), 7), np.full(2, 0.5), np.empty((2, 0)), np.zeros_like(a), np.ones_like(a, dtype=float), np.full_like(a, 3)[0], np.eye(3, k=1), np.identity(2), np.diag([1, 2]), np.diag(a), np.tri(3), np.tril(a), np.triu(a, 1))
show(np.arange(5), np.arange(1, 2, 0.25), np.arange(5, 0, -2), np.arange(3.0), np.linspace(0, 10, 5), np.linspace(0, 1, 4, endpoint=False), np.linspace(1, 2, 3, retstep=True), np.linspace(0, 5, 3, dtype=int), np.logspace(0, 2, 3), np.geomspace(1, 100, 3), np.arange(0, 1, 0.1))
x, y = np.meshgrid([1, 2, 3], [4, 5])
show(x, y, np.indices((2, 2)), np.meshgrid([1, 2], [3, 4], indexing="ij")[0])
show(np.where([True, False], 1, 2), np.where(a > 5, a, 0.5), np.where(a > 8), np.nonzero([0, 3, 0, 4]), np.argwhere(a > 9), np.flatnonzero([0, 1, 1]), np.take(a, [0, 5]), np.take(a, [0, 1], axis=1), np.choose([0, 1], [[1, 2], [3, 4]]), np.select([a > 6, a > 3], [1, 2])[1], np.take_along_axis(a, np.argsort(-a, axis=1), axis=1)[0])
show(a.tolist(), a.item(3), list(np.array([1.5, 2])), [r.sum() for r in a], 5 in a, 50 in a, a.astype("float32").dtype, np.dtype("f4"), np.dtype(float) == np.float64, a.dtype == int, a.dtype.kind, np.float32 == a.dtype, np.int64(3).dtype, np.dtype("int32").itemsize)
show(np.array([[1, 2], [3, 4]], dtype=float), np.array((1, 2.5)), np.array([[True], [0]]), np.asarray(a) is a, np.array(a) is a, np.array([a[0], a[1]]).shape, np.array(range(3)), np.array([np.float32(1), np.float32(2)]), np.array([np.int64(1), 2.5]), np.array([1, 2], ndmin=2))
show(np.pad([1, 2], 1), np.pad([[1]], ((0, 1), (1, 0))), np.isin([1, 2, 3], [2]), np.union1d([1, 2], [2, 3]), np.intersect1d([1, 2], [2, 3]), np.setdiff1d([1, 2], [2]), np.ndim(3), np.shape([[1, 2]]), np.size(a), np.isscalar(3.0), np.issubdtype(np.float32, np.floating), np.result_type(np.int32, np.float32), np.promote_types("i4", "f4"))
s = np.array([3, 1, 2])
s.sort()
c = np.zeros((2, 2))
c.fill(4)
c.shape = (4,)
show(s, c, np.apply_along_axis(sum, 1, a) if False else 0, np.vectorize(lambda q: q + 1)([1, 2]), list(np.ndenumerate([[1, 2]])), list(np.ndindex(2, 2)), np.iinfo(np.int32).max, np.finfo(np.float32).eps, np.pi, np.inf, -np.inf, np.e)
print(*map(repr, np.ones((2, 2))), sep="|")
import copy, pickle
show(copy.deepcopy(s), copy.copy(s), pickle.loads(pickle.dumps(a)), pickle.loads(pickle.dumps(np.float32(0.5))))
