"""Draws without replacement: `hypergeometric` of both generators, and what it refuses."""

import numpy as np


def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
for seed in range(4):
    g = np.random.default_rng(seed); l = np.random.RandomState(seed)
    for a in [(10, 5, 6), (100, 200, 50), (200, 100, 150), (1000, 10, 12), (15, 15, 20), (5, 5, 10), (0, 5, 3), (50, 60, 100), (3, 2, 0), (70000, 80000, 500)]:
        print(a, g.hypergeometric(*a, size=6), l.hypergeometric(*a, size=6) if a[2] else None, g.random(), l.rand())
g = np.random.default_rng(1)
t(lambda: g.hypergeometric(10, 5, 20))
t(lambda: g.hypergeometric(-1, 5, 2))
t(lambda: g.hypergeometric([10, 20], 5, [3, 4]))
t(lambda: g.hypergeometric(10, 5, 3))
t(lambda: np.random.RandomState(0).hypergeometric(5, 5, 20))
t(lambda: np.random.RandomState(0).hypergeometric(5, 5, 0))
t(lambda: g.hypergeometric(10, -5, 2))
t(lambda: g.hypergeometric(10, 5, -2))
t(lambda: g.hypergeometric(10**9, 5, 2))
t(lambda: np.random.RandomState(0).hypergeometric(-5, 5, 2))
t(lambda: np.random.RandomState(0).hypergeometric([5], 5, 12))
