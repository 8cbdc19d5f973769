"""Lists of numbers of several dtypes: the dtype is the one that all of them have in common."""
import numpy as np

for given in ([np.float32(1), 2], [np.float32(1), 2.0], [np.int8(1), 2], [np.float16(1), np.int32(2)], [True, 2], [np.float32(1), np.float32(2)], [1 + 2j, np.float32(1)],
              [[np.float32(1)], [2]], [np.array([1], dtype="int8"), [2]], [np.zeros(2, "f4"), np.zeros(2, "f4")], [np.zeros(2, "f4"), [1, 2]], [np.float32(1), True],
              [np.int64(1), np.uint8(2)], [np.bool_(True), np.int8(1)], [2, np.float32(1)], [np.int64(2), np.float32(1)], [np.uint8(2), np.int8(1)], [np.int16(1), 70000],
              [np.complex64(1), 2.0], [[True], [np.float32(2)]], ([np.int8(1)], [np.int16(2)]), [np.float32(1)] * 3 + [2]):
    made = np.array(given)
    print(made.dtype, made.tolist())
print(np.array([np.float16(1), 2.123456789]), np.mean([np.float32(1), 2]), np.concatenate([[np.float32(1)], [2]]).dtype, np.sum([np.int8(100), 100]), np.array([np.float32(1), 2], dtype="f4").dtype)
