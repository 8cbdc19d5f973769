import numpy as np

for seed in (0, 42, 2**40 + 7, [1, 2, 3], 123456789012345678901234567890):
    r = np.random.default_rng(seed)
    for _ in range(2):
        print(r.random(), r.random(3), r.random((2, 2)), r.random(3, dtype=np.float32))
        print(r.standard_normal(), r.standard_normal(5), r.normal(5, 2, (2, 2)), r.normal([1.0, 2.0], 0.1), r.uniform(-1, 1, 3))
        print(r.integers(10), r.integers(5, 10, 5), r.integers(0, 2, (2, 3)), r.integers(0, 2**40, 3), r.integers(0, 6, 4, endpoint=True), r.integers(0, 100, 3, dtype=np.int32), r.integers(1, 2, 2))
        print(r.permutation(10), r.permutation([3, 1, 2]), r.permutation(np.arange(6).reshape(3, 2)))
        print(r.choice(5), r.choice(10, 4), r.choice([1, 5, 9], 3), r.choice(10, 4, replace=False), r.choice(20000, 5, replace=False), r.choice(4, 5, p=[0.1, 0.2, 0.3, 0.4]), r.choice(12000, 600, replace=False)[:4], r.choice(9, 5, replace=False, shuffle=False))
        a = np.arange(8)
        r.shuffle(a)
        print(a, r.random())
r = np.random.default_rng(7)
x = r.standard_normal(20000)
print(x[-3:], x.max(), x.min(), x.argmax(), r.random(), repr(r.integers(3)), np.random.default_rng(r) is r, r)
