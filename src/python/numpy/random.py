"""Random numbers, bit for bit: the legacy generator behind `seed` and `rand`, and PCG64 behind `default_rng`."""

import math
import operator
from random import Random as _PythonRandom
from types import ModuleType as _Module

import _torch as _C

import numpy
from numpy._array import _answer, _wrap, asarray, cast, ndarray
from numpy._distributions import Distributions, SeedSequence, ziggurat
from numpy._types import ALL, BOOL, FLOAT64, as_dtype, generic, limits, number


def _entropy(count):
    """Random words for a seed. They come from a separate generator, so a program's `random` isn't advanced."""
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
    """Gives drawn numbers their shape. A single number becomes a Python number."""
    if shape is None:
        return t.tolist()[0] if plain else _answer(t.reshape(()))
    return _wrap(t.reshape(shape))


def _chances(p, n, unlike, sum_text):
    p = asarray(p).astype(FLOAT64)
    if p.ndim != 1:
        raise ValueError("'p' must be 1-dimensional" if unlike[0] == "'" else "p must be 1-dimensional")
    if len(p) != n:
        raise ValueError(unlike)
    if numpy.any(numpy.isnan(p)):
        raise ValueError("Probabilities contain NaN")
    if numpy.any(p < 0):
        raise ValueError("Probabilities are not non-negative")
    if abs(float(numpy.sum(p)) - 1.0) > 1.5e-8:
        raise ValueError(sum_text)
    return p


class BitGenerator:
    """What a `Generator` draws from."""

    lock = None

    def spawn(self, n_children):
        return [type(self)(seed) for seed in self.seed_seq.spawn(n_children)]


    def __reduce__(self):
        return _restored, (type(self), self.state, self.seed_seq)

    def _checked(self, state):
        name = type(self).__name__
        if not isinstance(state, dict):
            raise TypeError("state must be a dict")
        if state.get("bit_generator", "") != name:
            raise ValueError(f"state must be for a {name} {'PRNG' if name == 'MT19937' else 'RNG'}")
        return state


def _restored(kind, state, seed_seq):
    made = kind(seed_seq)
    made.state = state
    return made


class MT19937(BitGenerator):
    """What a `RandomState` draws from. No `Generator` draws from it here."""

    def __init__(self, seed=None):
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(_entropy(4) if seed is None else seed)
        words = self.seed_seq.generate_state(624).tolist()
        # The first word is one bit, so that not all can be zero.
        self._g = _C._Legacy()
        self._g.set_state([0x80000000, *words[1:]], 623, None)

    @property
    def state(self):
        words, position, _ = self._g.state()
        return {"bit_generator": "MT19937", "state": {"key": numpy.array(words, dtype="uint32"), "pos": position}}

    @state.setter
    def state(self, state):
        inner = self._checked(state)["state"]
        self._g.set_state(asarray(inner["key"]).tolist(), int(inner["pos"]), None)


class RandomState(Distributions):
    """NumPy's legacy generator."""

    _legacy = True
    _uniform = lambda self: self._g.doubles(1).tolist()[0]
    _normal = lambda self: self._g.gauss(1).tolist()[0]
    _exponential = lambda self: self._g.exponential(1).tolist()[0]

    def __init__(self, seed=None):
        self._g = seed._g if isinstance(seed, MT19937) else _C._Legacy()
        if not isinstance(seed, MT19937):
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
                raise TypeError(f"Cannot cast scalar from dtype('{asarray(seed).dtype}') to dtype('int64') according to "
                                "the rule 'safe'") from None
        self._g.seed(seed)

    def get_state(self, legacy=True):
        words, position, kept = self._g.state()
        words = numpy.array(words, dtype="uint32")
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

    def __getstate__(self):
        return self.get_state(legacy=False)

    def __setstate__(self, state):
        self._g = _C._Legacy()
        self.set_state(state)

    def __copy__(self):
        out = object.__new__(type(self))
        out._g = self._g
        return out

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
        d, given = as_dtype(dtype), high
        if high is None:
            low, high = 0, low
        if numpy.ndim(low) or numpy.ndim(high):
            return self._draw(lambda a, b: int(self.randint(a, b, dtype=dtype)), size, low, high, d=d)
        low, high = int(low), int(high)
        least, most = (0, 1) if d is BOOL else limits(d)
        if low < least:
            raise ValueError(f"low is out of bounds for {d}")
        if high - 1 > most:
            raise ValueError(f"high is out of bounds for {d}")
        if low >= high:
            raise ValueError("low >= high" if given is not None else "high <= 0")
        count, shape = _count(size)
        if d is BOOL and high - low == 2:
            # One draw of 32 bits gives 32 truth values, the lowest bit first.
            words = self._g.integers(0, 0xFFFFFFFF, 32, -(-count // 32)).tolist()
            bits = [words[i >> 5] >> (i & 31) & 1 == 1 for i in range(count)]
            return bits[0] if shape is None else numpy.array(bits, dtype=bool).reshape(shape)
        t = self._g.integers(low, high - 1 - low, 8 * d.itemsize, count)
        if shape is None:
            value = t.tolist()[0]
            return value if dtype is int else number(d, value)
        return _wrap(cast(t, d).reshape(shape))

    def random_integers(self, low, high=None, size=None):
        import warnings

        first, last = (1, low) if high is None else (low, high)
        warnings.warn(f"This function is deprecated. Please call randint({first}, {last} + 1) instead", DeprecationWarning, stacklevel=2)
        return self.randint(1 if high is None else low, (low if high is None else high) + 1, size)

    def bytes(self, length):
        words = self.randint(0, 1 << 32, size=(length - 1) // 4 + 1, dtype="uint32")
        return words.tobytes()[:length]

    def tomaxint(self, size=None):
        count, shape = _count(size)
        words = self._g.integers(0, 0xFFFFFFFF, 32, 2 * count).tolist()
        drawn = [(high << 32 | low) >> 1 for high, low in zip(words[::2], words[1::2])]
        return drawn[0] if shape is None else numpy.array(drawn).reshape(shape)

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
        if pool is not None and numpy.ndim(pool) != 1:
            raise ValueError("a must be 1-dimensional")
        n = operator.index(a) if pool is None else len(pool)
        if n <= 0 and size != 0:
            raise ValueError("a must be greater than 0 unless no samples are taken" if pool is None else
                             "'a' cannot be empty unless no samples are taken")
        count, shape = _count(size)
        if p is not None:
            p = _chances(p, n, "'a' and 'p' must have same size", "probabilities do not sum to 1")
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
                found = self._unlike(p, count)
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
mtrand = _Module("numpy.random.mtrand")
mtrand.RandomState, mtrand._rand = RandomState, _rand

for _name in ("seed", "get_state", "set_state", "random_sample", "random", "ranf", "sample", "rand", "standard_normal", "randn",
              "standard_exponential", "uniform", "normal", "lognormal", "exponential", "randint", "random_integers",
              "permutation", "shuffle", "choice", "bytes", "gamma", "standard_gamma", "beta", "chisquare", "f", "standard_t",
              "dirichlet", "laplace", "gumbel", "logistic", "rayleigh", "weibull", "pareto", "power", "standard_cauchy",
              "triangular", "wald", "vonmises", "poisson", "binomial", "geometric", "negative_binomial", "zipf", "logseries", "hypergeometric",
              "multinomial", "multivariate_normal", "noncentral_chisquare", "tomaxint"):
    globals()[_name] = getattr(_rand, _name)


class PCG64(BitGenerator):
    _MULTIPLIER = 0x2360ED051FC65DA44385DF649FCCF645
    _JUMP = 0x9E3779B97F4A7C15F39CC0605CEDC835

    def __init__(self, seed=None):
        if seed is None:
            words = _entropy(4)
            seed = sum(word << 32 * i for i, word in enumerate(words))
        self.seed_seq = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        self._g = _C._Pcg64(self.seed_seq.words())

    @property
    def state(self):
        words = self._g.state()
        wide = lambda part: sum(word << 32 * i for i, word in enumerate(part))
        return {"bit_generator": "PCG64", "state": {"state": wide(words[:4]), "inc": wide(words[4:8])}, "has_uint32": words[8],
                "uinteger": words[9]}

    @state.setter
    def state(self, state):
        inner = self._checked(state)["state"]
        words = [int(inner[name]) >> 32 * i & 0xFFFFFFFF for name in ("state", "inc") for i in range(4)]
        self._g.set_state([*words, int(state["has_uint32"]), int(state["uinteger"])])

    def advance(self, delta):
        """Goes on as if `delta` numbers had been drawn."""
        mask, state = (1 << 128) - 1, self.state
        factor, plus, power, step = 1, 0, self._MULTIPLIER, state["state"]["inc"]
        delta = operator.index(delta) & mask
        while delta:
            if delta & 1:
                factor, plus = factor * power & mask, (plus * power + step) & mask
            power, step, delta = power * power & mask, (power + 1) * step & mask, delta >> 1
        state["state"]["state"] = (factor * state["state"]["state"] + plus) & mask
        self.state = {**state, "has_uint32": 0, "uinteger": 0}
        return self

    def jumped(self, jumps=1):
        """Another generator, far ahead of this one."""
        made = PCG64(self.seed_seq)
        made.state = self.state
        return made.advance(self._JUMP * jumps)

    def random_raw(self, size=None, output=True):
        count, shape = _count(size)
        drawn = [word & 0xFFFFFFFFFFFFFFFF for word in self._g.integers(0, (1 << 64) - 1, count).tolist()]
        if shape is not None:
            raise NotImplementedError("numpy.random.PCG64.random_raw(size=), which are of dtype uint64")
        return drawn[0]


class Generator(Distributions):
    """What `default_rng` returns: PCG64, bit for bit."""

    _uniform = lambda self: self._g.doubles(1).tolist()[0]
    _normal = lambda self: self._g.normals(1).tolist()[0]

    def __init__(self, bit_generator=None):
        if isinstance(bit_generator, MT19937):
            raise NotImplementedError("numpy.random.Generator(MT19937()); generators draw from PCG64 here")
        self.bit_generator = bit_generator if isinstance(bit_generator, PCG64) else PCG64(bit_generator)
        self._g = self.bit_generator._g

    def __reduce__(self):
        return Generator, (self.bit_generator,)

    def _exponential(self):
        limits_, widths, heights = ziggurat()
        while True:
            word = (self._g.integers(0, (1 << 64) - 1, 1).tolist()[0] & 0xFFFFFFFFFFFFFFFF) >> 3
            layer, word = word & 0xFF, word >> 8
            x = word * widths[layer]
            if word < limits_[layer]:
                return x
            if layer == 0:
                return 7.69711747013104972 - math.log1p(-self._uniform())
            if (heights[layer - 1] - heights[layer]) * self._uniform() + heights[layer] < math.exp(-x):
                return x

    def standard_exponential(self, size=None, dtype=float, method="zig", out=None):
        if as_dtype(dtype) is not FLOAT64 or out is not None or method not in ("zig", "inv"):
            raise NotImplementedError("numpy.random.Generator.standard_exponential(dtype=float32, out=)")
        return self._draw(self._exponential if method == "zig" else lambda: -math.log1p(-self._uniform()), size)

    def exponential(self, scale=1.0, size=None):
        if numpy.any(numpy.less(scale, 0)):
            raise ValueError("scale < 0")
        return self._draw(lambda s: s * self._exponential(), size, scale)

    def spawn(self, n_children):
        return [Generator(one) for one in self.bit_generator.spawn(n_children)]

    def bytes(self, length):
        return self.integers(0, 1 << 32, (length - 1) // 4 + 1, "uint32").tobytes()[:length]

    def __repr__(self):
        return f"Generator(PCG64) at {id(self):#X}"

    def __str__(self):
        return "Generator(PCG64)"

    def _into(self, draw, size, out, dtype):
        """Draws into an array that there is."""
        if out.dtype != as_dtype(dtype):
            raise TypeError("Supplied output array has the wrong type. Expected "
                            f"{as_dtype(dtype)}, got {out.dtype}")
        if size is not None and _count(size)[1] != out.shape:
            raise ValueError("size must match out.shape when used together")
        out[...] = draw(out.shape, dtype)
        return out

    def random(self, size=None, dtype=float, out=None):
        if out is not None:
            return self._into(self.random, size, out, dtype)
        count, shape = _count(size)
        d = as_dtype(dtype)
        if d is ALL["float32"]:
            return _shaped(self._g.floats(count), shape)
        if d is not FLOAT64:
            raise TypeError(f"Unsupported dtype dtype('{d}') for random")
        return _shaped(self._g.doubles(count), shape)

    def standard_normal(self, size=None, dtype=float, out=None):
        if as_dtype(dtype) is not FLOAT64:
            if as_dtype(dtype).name != "float32":
                raise TypeError(f"Unsupported dtype {as_dtype(dtype)!r} for standard_normal")
            raise NotImplementedError("numpy.random.Generator.standard_normal(dtype=float32)")
        if out is not None:
            return self._into(self.standard_normal, size, out, dtype)
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
        if high is None:
            low, high = 0, low
        if numpy.ndim(low) or numpy.ndim(high):
            return self._draw(lambda a, b: int(self.integers(a, b, None, dtype, endpoint)), size, low, high, d=d)
        low, high = int(low), int(high) + bool(endpoint)
        if low >= high:
            raise ValueError("low > high" if endpoint else "low >= high")
        least, most = (0, 1) if d is BOOL else limits(d)
        if low < least:
            raise ValueError(f"low is out of bounds for {d}")
        if high - 1 > most:
            raise ValueError(f"high is out of bounds for {d}")
        count, shape = _count(size)
        if d.itemsize < 4:
            values = [low + n for n in self._narrow(high - 1 - low, 1 if d is BOOL else 8 * d.itemsize, count)]
            return number(d, values[0]) if shape is None else numpy.array(values, dtype=d).reshape(shape)
        t = self._g.integers(low, high - 1 - low, count)
        if shape is None:
            return number(d, t.tolist()[0])
        return _wrap(cast(t, d).reshape(shape))

    def _narrow(self, span, bits, count):
        """Numbers of few bits, of which a drawn word of 32 holds several."""
        word = left = 0

        def piece():
            nonlocal word, left
            if not left:
                word, left = self._g.integers(0, 0xFFFFFFFF, 1).tolist()[0], 32 // bits
            else:
                word >>= bits
            left -= 1
            return word & ((1 << bits) - 1)

        out, whole = [], 1 << bits
        for _ in range(count):
            if not span:
                out.append(0)
                continue
            if span == whole - 1:
                out.append(piece())
                continue
            product = piece() * (span + 1)
            if product % whole < span + 1:
                least = (whole - 1 - span) % (span + 1)
                while product % whole < least:
                    product = piece() * (span + 1)
            out.append(product >> bits)
        return out

    def permutation(self, x, axis=0):
        if axis and not isinstance(x, (int, generic)):
            return numpy.moveaxis(RandomState.permutation(self, numpy.moveaxis(x, axis, 0)), 0, axis)
        return RandomState.permutation(self, x)

    def shuffle(self, x, axis=0):
        RandomState.shuffle(self, numpy.moveaxis(x, axis, 0) if axis else x)

    def permuted(self, x, *, axis=None, out=None):
        x = asarray(x)
        if axis is None:
            made = x.ravel()[_wrap(self._g.permutation(x.size))].reshape(x.shape)
        else:
            rows = numpy.moveaxis(x, axis, -1)
            flat = rows.reshape(-1, rows.shape[-1])
            made = numpy.stack([row[_wrap(self._g.permutation(len(row)))] for row in flat]).reshape(rows.shape)
            made = numpy.moveaxis(made, -1, axis)
        if out is not None:
            out[...] = made
            return out
        return made

    def _weights(self, p, n):
        return _chances(p, n, "a and p must have same size",
                        "Probabilities do not sum to 1. See Notes section of docstring for more information.")

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        pool = None if isinstance(a, (int, generic)) else asarray(a)
        if axis:
            pool = numpy.moveaxis(pool, axis, 0)
            found = self.choice(pool, size, replace, p, 0, shuffle)
            return found if size is None else numpy.moveaxis(found, 0, axis)
        n = operator.index(a) if pool is None else len(pool)
        count, shape = _count(size)
        if n <= 0 and count:
            raise ValueError("a must be a positive integer unless no samples are taken" if pool is None else
                             "a cannot be empty unless no samples are taken")
        if not replace:
            if count > n:
                raise ValueError("Cannot take a larger sample than population when replace is False")
            if p is not None:
                found = self._unlike(self._weights(p, n), count)
            else:
                found = _wrap(self._g.sample(n, count, shuffle))
            found = found[0] if shape is None else found.reshape(shape)
        elif p is None:
            found = self.integers(0, n, size)
        else:
            steps = numpy.cumsum(self._weights(p, n))
            found = numpy.searchsorted(steps / steps[-1], self.random(size), "right")
        return found if pool is None else pool[found]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "multivariate_hypergeometric":
            raise NotImplementedError(f"numpy.random.Generator.{name}")
        raise AttributeError(f"'numpy.random._generator.Generator' object has no attribute '{name}'")


def default_rng(seed=None):
    """A generator of its own, from a seed or from chance."""
    return seed if isinstance(seed, Generator) else Generator(seed)


def __getattr__(name):
    raise AttributeError(f"numpy.random.{name} is not part of this numpy")
