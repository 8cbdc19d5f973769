"""What goes into an array, older prints, drawn truth values: recorded with numpy 2.4.6."""
import numpy as np


def tell(what):
    try:
        print(repr(what()))
    except Exception as error:
        print(type(error).__name__, error)


def put(array, key, value):
    array = array.copy()
    array[key] = value
    return array


whole, real = np.zeros((2, 2), dtype=int), np.zeros((2, 2))
for key, value in ((0, "x"), ((0, 0), "5"), (0, None), ((0, 0), [1]), ((0, 0), [1, 2]), ((0, 0), np.array([4])), (0, b"3"), (0, ["1", "2"]),
                   (0, np.array([1, None], dtype=object)), (0, range(2)), (0, {}), (0, "1 2"), ((), [9, 9]), ([0.5], 1)):
    tell(lambda: put(whole, key, value))
    tell(lambda: put(real, key, value))
tell(lambda: put(np.zeros(2, complex), 0, [1]))
tell(lambda: put(np.zeros(2, bool), 0, [1]))
tell(lambda: np.add(np.arange(3), 1.5, out=np.zeros(3, int), casting="unsafe"))
tell(lambda: np.sum(i for i in range(3)))
tell(lambda: (np.ogrid[0:2, 0:1:3j], np.isin(3, [3]), np.isin(3, []), np.tensordot([1, 2], [3, 4], 1)))
tell(lambda: np.arange(1e20))
tell(lambda: np.finfo(np.float16))
for coefficients in ([1, -2, 3], [1, 0, 2, 5.5], [2], [1, 1]):
    print(np.poly1d(coefficients))
np.random.seed(1)
print(np.random.randint(0, 2, 40, dtype=bool), np.random.randint(0, 2, dtype=bool), np.random.rand())
tell(lambda: np.random.randint(0))
tell(lambda: np.random.choice([[1, 2]], 2))
tell(lambda: np.random.seed("a"))
print(type(np.random.default_rng(0).random(dtype=np.float32)))
with np.printoptions(legacy="1.25"):
    print([np.float64(1.5), np.int64(3), np.bool_(True), np.float32(0.1), np.complex128(1 + 2j), np.str_("a")], repr(np.arange(2000)))
print([np.float64(1.5)], np.get_printoptions())
tell(lambda: np.set_printoptions(threshold="a"))
tell(lambda: np.set_printoptions(nosuch=1))
tell(lambda: [np.array(v).dtype for v in ([2**63, -1], [2**64], [-(2**63) - 1, 1], [2**63, 1.5])])
tell(lambda: np.random.default_rng("a"))
tell(lambda: np.testing.assert_allclose([1, 2], [1, 2.1], rtol=1e-3))
