import numpy as np

def show(*values):
    for v in values:
        print(repr(v), getattr(v, "dtype", type(v).__name__))

names = ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
for a in names:
    print(a, [(np.ones(1, a) + np.ones(1, b)).dtype.name for b in names])
    print(a, [(np.ones(2, a) * s).dtype.name for s in (True, 2, 2.5)], (np.ones(1, a) / np.ones(1, a)).dtype, np.sqrt(np.ones(1, a)).dtype)
    print(a, np.ones(3, a).sum().dtype, np.ones(3, a).mean().dtype, np.cumsum(np.ones(3, a)).dtype, np.ones(3, a).prod().dtype) if a != "uint8" else None
x = np.array([7, -7, 5, 0])
y = np.array([2, 2, -3, 4])
show(x + y, x - y, x * y, x / y, x // y, x % y, x ** 2, -x, abs(x), x == y, x != y, x < y, x >= 0, 2 + x, 10 - x, 2 * x, 2 ** np.arange(4), 7 // y, 7 % y, 1 / y)
show(divmod(x, 3), np.divmod(x, 3) if hasattr(np, "nope") else 0)
f = np.array([1.5, -2.5, 0.5])
show(f + 1, f * 2, f / 2, f // 1, f % 1, f ** 2, -f, np.abs(f), np.sign(f), np.round(f), np.floor(f), np.ceil(f), np.trunc(f), np.rint(f), f > 0)
show(x & 3, x | 1, x ^ y, ~x, x << 1, x >> 1, ~np.array([True, False]), np.array([True, False]) & True, np.array([True]) | False)
show(np.logical_and([1, 0], [1, 1]), np.logical_or([1, 0], 0), np.logical_not([1, 0]), np.logical_xor([1, 0], [1, 1]))
show(np.maximum([1, 5], [3, 2]), np.minimum(3, [1, 5]), np.maximum(1.5, 2), np.clip(np.arange(6), 1, 4), np.clip([1.5, 9.0], None, 5))
show(np.exp(0), np.exp([0.0, 1.0]), np.log([1.0, np.e]), np.sqrt(2), np.sqrt([4, 9]), np.sin(np.pi / 2), np.arctan2(1, 1), np.hypot(3, 4), np.power(2, 10), np.power(2.0, [1, 2]))
show(np.tanh(0.5), np.log1p(1e-10), np.expm1(1e-10), np.log2(8), np.log10(1000), np.square(3), np.cbrt(8) if hasattr(np, "nope") else 0)
show(np.add(1, 2), np.add([1, 2], [3, 4]), np.multiply.outer([1, 2], [3, 4]), np.add.reduce([1, 2, 3]), np.maximum.reduce([3, 9, 2]), np.add.accumulate([1, 2, 3]))
show(np.float64(2) + 1, np.float64(2) * np.float32(3), np.int64(2) + 1, np.int64(2) / 4, np.float32(1) + 1, np.float32(1) * 2.5, np.int32(3) // 2, np.int64(2) ** 3, 2 ** np.int64(3), np.float64(1) == 1, np.int64(3) > 2, -np.int64(3), abs(np.float64(-2)), np.float64(7) // 2, np.float64(7) % 4, 1 - np.float64(0.5), 1 / np.float64(4))
show(int(np.float64(3.7)), float(np.int64(3)), bool(np.int64(0)), round(np.float64(2.567), 2), [10, 20, 30][np.int64(1)], isinstance(np.float64(1), float), isinstance(np.int64(1), int), range(np.int64(3)))
a = np.arange(6.0)
a += 1
a *= 2
a[1:3] -= 10
a /= 4
show(a)
b = np.arange(3)
b += 2
b *= 3
show(b, b.astype(float), b.astype(np.float32) / 3, np.arange(3) + np.arange(3).reshape(3, 1))
out = np.zeros(3)
show(np.add([1, 2, 3], 1, out=out), out)
show(np.int64(5).item(), np.float32(0.5).item(), np.array([1, 2]).tolist(), np.array([[1.5]]).item(), np.float64(1.5).astype(int), np.uint8(200) + np.uint8(100) if False else 0)
show(np.array([250], np.uint8) + np.array([10], np.uint8), np.array([100], np.int8) * np.array([2], np.int8), np.array([3.9, -3.9]).astype(int), np.array([0, 1, 2]).astype(bool))
show(np.isnan([1.0, np.nan]), np.isinf([np.inf, 1]), np.isfinite([np.nan, 1]), np.isclose([1.0, 2.0], [1.0, 2.1]), np.allclose([1.0], [1.0 + 1e-9]), np.array_equal([1, 2], [1, 2]), np.nan_to_num([np.nan, 1.0]))
