import numpy as np

def show(*values):
    for v in values:
        print(v)
        print(repr(v))

show(np.array([]), np.array([], dtype=int), np.zeros((0, 3)), np.zeros((2, 0)), np.array(5), np.array(2.5), np.array(True))
show(np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0]), np.array([1e-5, 1.0]), np.array([1e8, 1.0]), np.array([123456789.0, 0.5]))
show(np.array([1 / 3, 2 / 3, 1.0]), np.array([1e-10, 1e10]), np.array([-1.5, 2.25, 0.0]), np.array([-0.0, 0.0]))
show(np.array([np.nan, 1.0, np.inf, -np.inf]), np.array([np.nan]), np.array([np.inf, 1e-7]), np.array([1e300, -1e-300]))
show(np.array([0.1, 1 / 3], dtype=np.float32), np.array([16777217.0, 0.3], dtype=np.float32), np.array([1e-8, 1], dtype=np.float32))
show(np.array([0.1, 1 / 3], dtype=np.float16), np.array([1, 2], dtype=np.int8), np.array([1, 2], dtype=np.uint8))
show(np.array([True, False]), np.array([[True], [False]]), np.array([1, -20, 300]), np.array([[1, -20], [300, 4]]))
show(np.arange(24).reshape(2, 3, 4), np.arange(8.0).reshape(2, 2, 2) / 7)
show(np.arange(1001), np.arange(2000.0).reshape(40, 50), np.arange(1200).reshape(3, 400), np.ones((12, 10, 10), dtype=np.float32))
show(np.arange(40), np.linspace(0, 1, 23), np.arange(60).reshape(2, 30) * 1000)
show(np.float64(0.1), np.float64(1e16), np.float64(1e-5), np.float64(123456789.123), np.float32(0.1), np.float32(1e10))
show(np.float32(16777216), np.float32(1) / np.float32(3), np.float16(0.1), np.int64(3), np.int32(-4), np.bool_(True), np.float64("nan"))
show(np.float64("-inf"), [np.float64(1.5), np.int64(2)], (np.float32(0.5),), {"a": np.int64(1)})
print(f"{np.float64(3.14159):.2f} {np.float32(2.5)} {np.int64(7):05d} {np.array(3.5):.1f}", "%.3f" % np.float64(2), str(np.arange(3)))
np.set_printoptions(precision=3, suppress=True)
show(np.array([1 / 3, 1e-10, 12345.678901]), np.array([1e-9, 1e9]))
np.set_printoptions(precision=8, suppress=False)
with np.printoptions(precision=2):
    show(np.array([1 / 3, 2 / 3]))
with np.printoptions(threshold=5, edgeitems=2):
    show(np.arange(10), np.arange(36).reshape(6, 6))
show(np.array([1 / 3, 2 / 3]))
print(np.array2string(np.arange(3.0), separator=", "), np.array2string(np.array([1.123456, 2]), precision=2))
print(np.array([[1e-3, 1.0], [10.0, 1000.5]]), np.array([0.001, 1000.0, 1000.1]), np.array([1e-4, 0.1]), np.array([9.9e-5, 0.1]))
print(np.array([[0.123456789, 1.1], [100.25, 3.0]]), np.array([1e5, 1e-3]), np.array([99999999.0, 1.0]))
