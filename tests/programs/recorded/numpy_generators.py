"""Generators: their state, copies of them, seeds and their children."""

import copy
import pickle

import numpy as np

rng = np.random.default_rng(42)
state = rng.bit_generator.state
print(state)
print(rng.random(3))
rng.bit_generator.state = state
print(rng.random(3), rng.integers(0, 10, 3))
print(rng.bit_generator.state)
other, third = copy.deepcopy(rng), pickle.loads(pickle.dumps(rng))
print(rng.normal(size=3), other.normal(size=3), third.normal(size=3))
same = copy.copy(rng)
print(same.bit_generator is rng.bit_generator, type(same).__name__)
legacy = np.random.RandomState(3)
legacy.randn(3)
kept = legacy.get_state()
print(kept[0], kept[1][:5], kept[1].dtype, kept[2:])
print(pickle.loads(pickle.dumps(legacy)).rand(2), copy.deepcopy(legacy).rand(2), legacy.rand(2))
seed = np.random.SeedSequence(12345)
print(seed, seed.generate_state(4), seed.pool, seed.state)
children = seed.spawn(3)
print(children, [np.random.default_rng(c).random(2) for c in children], seed.n_children_spawned)
print(np.random.RandomState(np.random.MT19937(7)).rand(2))
print(np.random.RandomState(np.random.MT19937(np.random.SeedSequence(3))).randint(0, 10, 5))
bits = np.random.PCG64(1)
bits.advance(5)
print(bits.random_raw(), bits.jumped(1).random_raw(), bits.seed_seq)
out = np.empty(3)
rng = np.random.default_rng(0)
print(rng.random(out=out) is out, out, rng.standard_normal(out=out))
print(rng.noncentral_chisquare(3, 2.0, 3), np.random.RandomState(0).noncentral_chisquare(3, 2.0, 3))
print(np.random.RandomState(0).tomaxint(2))
for wrong in (5, {"bit_generator": "MT19937"}):
    try:
        rng.bit_generator.state = wrong
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
