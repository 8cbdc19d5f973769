"""Random numbers, bit for bit: the legacy generator behind `seed` and `rand`, and PCG64 behind `default_rng`."""

import math
import operator
from random import Random as _PythonRandom

import _torch as _C

import numpy
from numpy._array import _answer, _wrap, asarray, cast, ndarray
from numpy._types import ALL, BOOL, FLOAT64, INT64, as_dtype, generic, limits, number


def _entropy(count):
    """Words nobody chose. The generator is one of its own: a program's `random` goes on as if nothing had been drawn."""
    own = _PythonRandom()
    return [own.getrandbits(32) for _ in range(count)]


def _count(size):
    """How many numbers, and the shape; None for one number."""
    if size is None:
        return 1, None
    shape = (operator.index(size),) if isinstance(size, (int, generic)) else tuple(operator.index(n) for n in size)
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return math.prod(shape), shape


def _shaped(t, shape, plain=True):
    """Numbers drawn in a row, in a shape; one number as a Python number."""
    if shape is None:
        return t.tolist()[0] if plain else _answer(t.reshape(()))
    return _wrap(t.reshape(shape))


class RandomState:
    """NumPy's legacy generator."""

    def __init__(self, seed=None):
        self._g = _C._Legacy()
        self.seed(seed)

    def __repr__(self):
        return f"RandomState(MT19937) at {id(self):#X}"

    def seed(self, seed=None):
        if seed is None:
            seed = _entropy(8)
        elif isinstance(seed, (list, tuple, ndarray)):
            seed = [operator.index(n) & 0xFFFFFFFF for n in asarray(seed).ravel().tolist()]
        else:
            try:
                seed = operator.index(seed)
            except TypeError:
                raise TypeError(f"Cannot cast array data from dtype('{asarray(seed).dtype}') to dtype('int64') according to "
                                "the rule 'safe'") from None
        self._g.seed(seed)

    def get_state(self, legacy=True):
        words, position, kept = self._g.state()
        words = numpy.array(words, dtype="int64")
        if not legacy:
            return {"bit_generator": "MT19937", "state": {"key": words, "pos": position}, "has_gauss": int(kept is not None),
                    "gauss": kept or 0.0}
        return ("MT19937", words, position, int(kept is not None), kept or 0.0)

    def set_state(self, state):
        if isinstance(state, dict):
            words, position = state["state"]["key"], state["state"]["pos"]
            has, kept = state["has_gauss"], state["gauss"]
        else:
            _, words, position, *rest = state
            has, kept = rest if rest else (0, 0.0)
        self._g.set_state(asarray(words).tolist(), position, float(kept) if has else None)

    # -- reals --

    def random_sample(self, size=None):
        count, shape = _count(size)
        return _shaped(self._g.doubles(count), shape)

    random = ranf = sample = random_sample

    def rand(self, *shape):
        return self.random_sample(shape or None)

    def standard_normal(self, size=None):
        count, shape = _count(size)
        return _shaped(self._g.gauss(count), shape)

    def randn(self, *shape):
        return self.standard_normal(shape or None)

    def standard_exponential(self, size=None):
        count, shape = _count(size)
        return _shaped(self._g.exponential(count), shape)

    def _affine(self, draw, size, low, scale):
        if size is None:
            size = numpy.broadcast_shapes(numpy.shape(low), numpy.shape(scale)) or None
        drawn = draw(size)
        if size is None:
            return float(low) + float(scale) * drawn
        return numpy.add(low, numpy.multiply(scale, drawn))

    def uniform(self, low=0.0, high=1.0, size=None):
        if numpy.ndim(low) == numpy.ndim(high) == 0:
            low, high = float(low), float(high)
            return self._affine(self.random_sample, size, low, high - low)
        return self._affine(self.random_sample, size, low, numpy.subtract(high, low))

    def normal(self, loc=0.0, scale=1.0, size=None):
        if numpy.any(numpy.less(scale, 0)):
            raise ValueError("scale < 0")
        return self._affine(self.standard_normal, size, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return numpy.exp(self.normal(mean, sigma, size))

    def exponential(self, scale=1.0, size=None):
        return self._affine(self.standard_exponential, size, 0.0, scale)

    # -- integers --

    def randint(self, low, high=None, size=None, dtype=int):
        d = as_dtype(dtype)
        if high is None:
            low, high = 0, low
        if numpy.ndim(low) or numpy.ndim(high):
            raise NotImplementedError("numpy.random.randint with arrays as bounds")
        low, high = int(low), int(high)
        least, most = (0, 1) if d is BOOL else limits(d)
        if low < least:
            raise ValueError(f"low is out of bounds for {d}")
        if high - 1 > most:
            raise ValueError(f"high is out of bounds for {d}")
        if low >= high:
            raise ValueError("low >= high")
        count, shape = _count(size)
        t = self._g.integers(low, high - 1 - low, 8 * d.itemsize, count)
        if shape is None:
            value = t.tolist()[0]
            return value if dtype is int else number(d, value)
        return _wrap(cast(t, d).reshape(shape))

    def random_integers(self, low, high=None, size=None):
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    # -- orders --

    def permutation(self, x):
        if isinstance(x, (int, generic)):
            return _wrap(self._g.permutation(operator.index(x)))
        x = asarray(x)
        return x[_wrap(self._g.permutation(len(x)))]

    def shuffle(self, x):
        order = self._g.permutation(len(x)).tolist()
        if isinstance(x, ndarray):
            x[...] = x[order]
        else:
            x[:] = [x[i] for i in order]

    def choice(self, a, size=None, replace=True, p=None):
        pool = None if isinstance(a, (int, generic)) else a if isinstance(a, (list, tuple)) else asarray(a)
        n = operator.index(a) if pool is None else len(pool)
        if n <= 0 and size != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken" if pool is None else
                             "'a' cannot be empty unless no samples are taken")
        count, shape = _count(size)
        if p is not None:
            p = asarray(p).astype(FLOAT64)
            if len(p) != n:
                raise ValueError("'a' and 'p' must have same size")
            if numpy.any(p < 0):
                raise ValueError("Probabilities are not non-negative")
            if abs(float(numpy.sum(p)) - 1.0) > 1.5e-8:
                raise ValueError("Probabilities do not sum to 1")
        if replace:
            if p is None:
                found = self.randint(0, n, size)
            else:
                steps = numpy.cumsum(p)
                found = numpy.searchsorted(steps / steps[-1], self.random_sample(size), "right")
        else:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when 'replace=False'" if p is None else
                                 "Cannot take a larger sample than population when 'replace=False'")
            if p is None:
                found = self.permutation(n)[:count]
            else:
                if int(numpy.count_nonzero(p > 0)) < count:
                    raise ValueError("Fewer non-zero entries in p than size")
                found, p = numpy.zeros(0, INT64), p.copy()
                while len(found) < count:
                    drawn = self.rand(count - len(found))
                    if len(found):
                        p[found] = 0
                    steps = numpy.cumsum(p)
                    new = numpy.searchsorted(steps / steps[-1], drawn, "right")
                    _, first = numpy.unique(new, return_index=True)
                    found = numpy.concatenate([found, new[numpy.sort(first)]])
            found = found.reshape(shape) if shape is not None else int(found[0])
        if pool is None:
            return found
        if shape is None:
            return pool[int(found)]
        return asarray(pool)[found]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"numpy.random.{name} is not part of this numpy")


_rand = RandomState()

for _name in ("seed", "get_state", "set_state", "random_sample", "random", "ranf", "sample", "rand", "standard_normal", "randn",
              "standard_exponential", "uniform", "normal", "lognormal", "exponential", "randint", "random_integers",
              "permutation", "shuffle", "choice"):
    globals()[_name] = getattr(_rand, _name)


class Generator:
    """What `default_rng` answers: PCG64, bit for bit."""

    def __init__(self, seed=None):
        if seed is None:
            words = _entropy(4)
        else:
            words = []
            for value in asarray(seed).ravel().tolist() if isinstance(seed, (list, tuple, ndarray)) else [operator.index(seed)]:
                if value < 0:
                    raise ValueError("expected non-negative integer")
                words.append(value & 0xFFFFFFFF)
                while value > 0xFFFFFFFF:
                    value >>= 32
                    words.append(value & 0xFFFFFFFF)
        self._g = _C._Pcg64(words)

    def __repr__(self):
        return f"Generator(PCG64) at {id(self):#X}"

    def __str__(self):
        return "Generator(PCG64)"

    def random(self, size=None, dtype=float, out=None):
        if out is not None:
            raise NotImplementedError("numpy.random.Generator.random(out=)")
        count, shape = _count(size)
        d = as_dtype(dtype)
        if d is ALL["float32"]:
            return _shaped(self._g.floats(count), shape, False)
        if d is not FLOAT64:
            raise TypeError(f"Unsupported dtype dtype('{d}') for random")
        return _shaped(self._g.doubles(count), shape)

    def standard_normal(self, size=None, dtype=float, out=None):
        if out is not None or as_dtype(dtype) is not FLOAT64:
            raise NotImplementedError("numpy.random.Generator.standard_normal(dtype=float32, out=)")
        count, shape = _count(size)
        return _shaped(self._g.normals(count), shape)

    _affine = RandomState._affine

    def normal(self, loc=0.0, scale=1.0, size=None):
        if numpy.any(numpy.less(scale, 0)):
            raise ValueError("scale < 0")
        return self._affine(self.standard_normal, size, loc, scale)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        return numpy.exp(self.normal(mean, sigma, size))

    def uniform(self, low=0.0, high=1.0, size=None):
        return self._affine(self.random, size, low, numpy.subtract(high, low))

    def integers(self, low, high=None, size=None, dtype=int, endpoint=False):
        d = as_dtype(dtype)
        if d.itemsize < 4:
            raise NotImplementedError(f"numpy.random.Generator.integers(dtype={d})")
        if high is None:
            low, high = 0, low
        if numpy.ndim(low) or numpy.ndim(high):
            raise NotImplementedError("numpy.random.Generator.integers with arrays as bounds")
        low, high = int(low), int(high) + bool(endpoint)
        if low >= high:
            raise ValueError("low > high" if endpoint else "low >= high")
        if low < limits(d)[0]:
            raise ValueError(f"low is out of bounds for {d}")
        if high - 1 > limits(d)[1]:
            raise ValueError(f"high is out of bounds for {d}")
        count, shape = _count(size)
        t = self._g.integers(low, high - 1 - low, count)
        if shape is None:
            return number(d, t.tolist()[0])
        return _wrap(cast(t, d).reshape(shape))

    def permutation(self, x, axis=0):
        if axis:
            raise NotImplementedError("numpy.random.Generator.permutation(axis=)")
        return RandomState.permutation(self, x)

    def shuffle(self, x, axis=0):
        if axis:
            raise NotImplementedError("numpy.random.Generator.shuffle(axis=)")
        RandomState.shuffle(self, x)

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        if axis:
            raise NotImplementedError("numpy.random.Generator.choice(axis=)")
        pool = None if isinstance(a, (int, generic)) else asarray(a)
        n = operator.index(a) if pool is None else len(pool)
        count, shape = _count(size)
        if n <= 0 and count:
            raise ValueError("a must be a positive integer unless no samples are taken" if pool is None else
                             "a cannot be empty unless no samples are taken")
        if not replace:
            if p is not None:
                raise NotImplementedError("numpy.random.Generator.choice(replace=False, p=)")
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            found = _wrap(self._g.sample(n, count, shuffle))
            found = found[0] if shape is None else found.reshape(shape)
        elif p is None:
            found = self.integers(0, n, size)
        else:
            p = asarray(p).astype(FLOAT64)
            if len(p) != n:
                raise ValueError("a and p must have same size")
            if abs(float(numpy.sum(p)) - 1.0) > 1.5e-8:
                raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
            steps = numpy.cumsum(p)
            found = numpy.searchsorted(steps / steps[-1], self.random(size), "right")
        return found if pool is None else pool[found]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError(f"numpy.random.Generator.{name} is not part of this numpy")


def default_rng(seed=None):
    """A generator of its own, from a seed or from chance."""
    return seed if isinstance(seed, Generator) else Generator(seed)


def __getattr__(name):
    raise AttributeError(f"numpy.random.{name} is not part of this numpy")
