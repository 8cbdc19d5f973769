import numpy as np

for seed in (0, 42, 1234, 2**32 - 1, [1, 2, 3]):
    np.random.seed(seed)
    for _ in range(2):
        print(np.random.rand(), np.random.rand(3), np.random.rand(2, 2), np.random.random(2), np.random.random_sample((1, 2)))
        print(np.random.randn(), np.random.randn(3), np.random.randn(2, 3), np.random.standard_normal(2), np.random.normal(5, 2, 3), np.random.normal(), np.random.normal([1.0, 2.0], 0.1))
        print(np.random.randint(10), np.random.randint(5, 10, 5), np.random.randint(0, 2, (2, 3)), np.random.randint(0, 2**40, 3), np.random.randint(0, 256, 7, dtype=np.uint8), np.random.randint(-5, 5, 3, dtype=np.int32), np.random.randint(0, 30000, 3, dtype=np.int16), np.random.randint(1, 2, 2))
        print(np.random.permutation(10), np.random.permutation([3, 1, 2]), np.random.permutation(np.arange(6).reshape(3, 2)))
        print(np.random.uniform(), np.random.uniform(-1, 1, 4), np.random.exponential(2.0, 3), np.random.choice(5), np.random.choice(10, 4), np.random.choice([1, 5, 9], 3), np.random.choice(10, 4, replace=False), np.random.choice(4, 5, p=[0.1, 0.2, 0.3, 0.4]), np.random.choice(5, 3, replace=False, p=[0.1, 0.1, 0.2, 0.3, 0.3]))
        a = np.arange(8)
        np.random.shuffle(a)
        b = [1, 2, 3, 4]
        np.random.shuffle(b)
        c = np.arange(6).reshape(3, 2)
        np.random.shuffle(c)
        print(a, b, c)
r = np.random.RandomState(7)
print(r.rand(2), r.randn(1), r.randint(0, 100, 3), type(np.random.rand()).__name__, type(np.random.randint(5)).__name__)
state = r.get_state()
x = r.randn(3)
r.set_state(state)
print(np.array_equal(x, r.randn(3)), state[0], state[2], state[3], np.random.lognormal(0, 1, 2).shape)
np.random.seed(3)
print(round(np.random.rand(1000).sum(), 9), round(np.random.randn(1000).mean(), 12), np.random.randint(0, 1000, 1000).sum(), np.random.permutation(1000)[:5])
