"""What the six bases have in common. Each is a recurrence: p(k + 1) = (a + b x) p(k) - c p(k - 1)."""

import math

import numpy as np
from numpy._array import asarray
from numpy._types import FLOAT64

from . import _powers as power
from ._powers import _floats

style = "unicode"


def fitted(vander, x, y, deg, rcond=None, full=False, w=None):
    """The coefficients with which a basis fits points best."""
    x, y = asarray(x) + 0.0, asarray(y) + 0.0
    if np.ndim(deg) > 0:
        raise NotImplementedError("numpy.polynomial: a fit with a list of degrees")
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if x.ndim != 1:
        raise TypeError("expected 1D vector for x")
    if x.size == 0:
        raise TypeError("expected non-empty vector for x")
    if len(x) != len(y):
        raise TypeError("expected x and y to have same length")
    table, right = vander(x, deg), y
    if w is not None:
        w = asarray(w) + 0.0
        table, right = table * w[:, None], right * (w if y.ndim == 1 else w[:, None])
    rcond = len(x) * np.finfo(x.dtype).eps if rcond is None else rcond
    scale = np.sqrt((table * table).sum(0))
    scale = np.where(scale == 0, 1.0, scale)
    c, left, rank, s = np.linalg.lstsq(table / scale, right, rcond)
    c = (c.T / scale).T
    if rank != deg + 1 and not full:
        import warnings

        warnings.warn("The fit may be poorly conditioned", np.exceptions.RankWarning, stacklevel=3)
    return (c, [left, rank, s, rcond]) if full else c


def _short(x):
    """A coefficient with as many digits as arrays are printed with."""
    if isinstance(x, complex) or not np.isfinite(x):
        return str(x)
    digits = np.get_printoptions()["precision"]
    if x != 0 and (abs(x) >= 1e8 or abs(x) < min(0.0001, 10.0 ** -(digits / 2))):
        return f"({np.format_float_scientific(x, precision=digits, unique=True, trim='0')})"
    return np.format_float_positional(x, precision=digits, unique=True, trim="0")


class Series:
    """A series over a domain that is mapped to a window."""

    basis_name, window = None, (-1.0, 1.0)
    __array_ufunc__ = None
    __hash__ = None

    def __init__(self, coef, domain=None, window=None, symbol="x"):
        self.coef = _floats(coef)
        self.domain = np.array(type(self).window) if domain is None else _floats(domain)
        self.window = np.array(type(self).window) if window is None else _floats(window)
        self.symbol = symbol

    # -- the basis --

    @classmethod
    def _val(cls, x, c):
        return cls._module["val"](x, c)

    @classmethod
    def _to_power(cls, c):
        return c

    @classmethod
    def _from_power(cls, c):
        return c

    @classmethod
    def _via_power(cls, function, *series):
        return power.polytrim(cls._from_power(function(*map(cls._to_power, series))))

    # -- places --

    def mapparms(self):
        (a, b), (c, d) = self.domain, self.window
        return (b * c - a * d) / (b - a), (d - c) / (b - a)

    def __call__(self, arg):
        offset, scale = self.mapparms()
        return self._val(offset + scale * asarray(arg), self.coef)

    def linspace(self, n=100, domain=None):
        x = np.linspace(*(self.domain if domain is None else domain), n)
        return x, self(x)

    # -- others --

    def _like(self, coef):
        return type(self)(coef, self.domain, self.window, self.symbol)

    def copy(self):
        return self._like(self.coef.copy())

    def degree(self):
        return len(self.coef) - 1

    def trim(self, tol=0):
        return self._like(power.polytrim(self.coef, tol))

    def truncate(self, size):
        if int(size) != size or size < 1:
            raise ValueError("size must be a positive integer")
        return self._like(self.coef[:int(size)])

    def cutdeg(self, deg):
        return self.truncate(deg + 1)

    def convert(self, domain=None, kind=None, window=None):
        kind = type(self) if kind is None else kind
        domain = kind.window if domain is None else domain
        window = kind.window if window is None else window
        # The argument of one window, as a series of the other one's argument.
        line = kind([0.0], domain, window)
        (a, b), (c, d) = line.window, line.domain
        back, grow = (b * c - a * d) / (b - a), (d - c) / (b - a)
        offset, scale = self.mapparms()
        found, factor = np.zeros(1), np.ones(1)
        for part in self._to_power(self.coef):
            found, factor = power.polyadd(found, factor * part), power.polymul(factor, np.array([offset + scale * back, scale * grow]))
        return kind(kind._from_power(found), domain, window, self.symbol)

    def cast(self, series, domain=None, window=None):
        raise NotImplementedError("numpy.polynomial: cast")

    @classmethod
    def basis(cls, deg, domain=None, window=None, symbol="x"):
        if int(deg) != deg or deg < 0:
            raise ValueError("deg must be non-negative integer")
        return cls([0.0] * deg + [1.0], domain, window, symbol)

    @classmethod
    def identity(cls, domain=None, window=None, symbol="x"):
        made = cls([0.0], domain, window, symbol)
        offset, scale = made.mapparms()
        made.coef = cls._from_power(np.array([offset, scale]))
        return made

    @classmethod
    def fit(cls, x, y, deg, domain=None, rcond=None, full=False, w=None, window=None, symbol="x"):
        x = asarray(x).astype(FLOAT64)
        if domain is None:
            domain = np.array([np.min(x), np.max(x)])
            if domain[0] == domain[1]:
                domain = domain + np.array([-1.0, 1.0])
        made = cls([0.0], domain, window, symbol)
        offset, scale = made.mapparms()
        found = fitted(cls._module["vander"], offset + scale * x, y, deg, rcond, full, w)
        made.coef = found[0] if full else found
        return (made, found[1]) if full else made

    @classmethod
    def fromroots(cls, roots, domain=[], window=None, symbol="x"):
        if domain is None:
            roots = np.asarray(roots, dtype=float)
            domain = np.array([roots.min(), roots.max()])
        made = cls([0.0], None if len(domain) == 0 else domain, window, symbol)
        offset, scale = made.mapparms()
        found = cls._from_power(power.polyfromroots(offset + scale * np.asarray(roots)))
        made.coef = found / scale ** len(roots)
        return made

    def roots(self):
        offset, scale = self.mapparms()
        return (power.polyroots(self._to_power(self.coef)) - offset) / scale

    def deriv(self, m=1):
        return self._like(self._via_power(lambda c: power.polyder(c, m), self.coef) * self.mapparms()[1] ** m)

    def integ(self, m=1, k=[], lbnd=None):
        offset, scale = self.mapparms()
        start = 0 if lbnd is None else offset + scale * lbnd
        constants = list(np.atleast_1d(k))
        coef = self._to_power(self.coef)
        for constant in constants + [0] * (m - len(constants)):
            coef = power.polyint(coef / scale)
            coef[0] += constant - power.polyval(start, coef)
        return self._like(self._from_power(coef))

    # -- arithmetic --

    def _coefficients(self, other):
        if not isinstance(other, Series):
            return _floats(other)
        if type(other) is not type(self):
            raise TypeError("Polynomial types differ")
        if not np.array_equal(self.domain, other.domain):
            raise TypeError("Domains differ")
        if not np.array_equal(self.window, other.window):
            raise TypeError("Windows differ")
        if self.symbol != other.symbol:
            raise ValueError("Polynomial symbols differ")
        return other.coef

    def __add__(self, other):
        return self._like(power.polyadd(self.coef, self._coefficients(other)))

    def __sub__(self, other):
        return self._like(power.polysub(self.coef, self._coefficients(other)))

    def __rsub__(self, other):
        return self._like(power.polysub(self._coefficients(other), self.coef))

    def __mul__(self, other):
        return self._like(self._multiplied(self.coef, self._coefficients(other)))

    __radd__, __rmul__ = __add__, __mul__

    @classmethod
    def _multiplied(cls, a, b):
        return cls._via_power(power.polymul, a, b)

    def __truediv__(self, other):
        if not np.isscalar(other) or isinstance(other, bool):
            raise TypeError(f"unsupported types for true division: '{type(self)}', '{type(other)}'")
        return self._like(self.coef / other)

    def __divmod__(self, other):
        found, left = power.polydiv(self._to_power(self.coef), self._to_power(self._coefficients(other)))
        return self._like(self._from_power(found)), self._like(self._from_power(left))

    def __floordiv__(self, other):
        return divmod(self, other)[0]

    def __mod__(self, other):
        return divmod(self, other)[1]

    def __pow__(self, n):
        if int(n) != n or n < 0:
            raise ValueError("Power must be a non-negative integer.")
        coef = np.ones(1)
        for _ in range(int(n)):
            coef = self._multiplied(coef, self.coef)
        return self._like(coef)

    def __neg__(self):
        return self._like(-self.coef)

    def __pos__(self):
        return self

    def __len__(self):
        return len(self.coef)

    def __iter__(self):
        return iter(self.coef)

    def __eq__(self, other):
        return type(self) is type(other) and self.symbol == other.symbol and len(self.coef) == len(other.coef) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("coef", "domain", "window"))

    def __ne__(self, other):
        return not self == other

    # -- text --

    def __repr__(self):
        parts = (repr(v)[6:-1] for v in (self.coef, self.domain, self.window))
        return "{}({}, domain={}, window={}, symbol='{}')".format(type(self).__name__, *parts, self.symbol)

    def _argument(self):
        offset, scale = self.mapparms()
        if offset == 0 and scale == 1:
            return self.symbol
        offset, scale = ("" if offset == 0 else _short(offset) + " + "), ("" if scale == 1 else _short(scale))
        return f"({offset}{scale}{self.symbol})"

    def __str__(self):
        plain = style == "ascii"
        argument = self._argument()
        raised = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
        lowered = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
        text = _short(self.coef[0])
        for i, c in enumerate(self.coef[1:], 1):
            if self.basis_name is None:
                term = f" {argument}" + (f"**{i}" if i > 1 else "") if plain else \
                    f"·{argument}" + (str(i).translate(raised) if i > 1 else "")
            else:
                term = f" {self.basis_name}_{i}({argument})" if plain else f"·{self.basis_name}{str(i).translate(lowered)}({argument})"
            text += f" {'-' if c < 0 else '+'} {_short(abs(c))}{term}"
        return text


class Polynomial(Series):
    _module = {"val": power.polyval, "vander": power.polyvander}

    @classmethod
    def _via_power(cls, function, *series):
        return function(*series)


def family(space, prefix, name, basis_name, step, window=(-1.0, 1.0), nodes=None):
    """Fills a module with the functions and the class of a basis."""
    def val(x, c, tensor=True):
        c = _floats(c)
        x = asarray(x)
        c = c.reshape(c.shape + (1,) * x.ndim) if tensor and x.ndim else c
        last, before = c[-1] + x * 0, x * 0.0
        for k in range(len(c) - 2, -1, -1):
            a, b, _ = step(k)
            last, before = c[k] + (a + b * x) * last - step(k + 1)[2] * before, last
        return last

    def vander(x, deg):
        x = asarray(x) + 0.0
        columns = [np.ones(x.shape)]
        for k in range(deg):
            a, b, c = step(k)
            columns.append((a + b * x) * columns[-1] - (c * columns[-2] if k else 0.0))
        return np.stack(columns, -1)

    def series(n):
        """The first n polynomials of the basis, as power series."""
        made = [np.ones(1)]
        for k in range(n - 1):
            a, b, c = step(k)
            new = power.polymul(np.array([a, b], dtype=float), made[-1])
            made.append(power.polysub(new, c * made[-2]) if k else new)
        return made

    def to_power(c):
        c, found = _floats(c), np.zeros(1)
        for part, one in zip(c, series(len(c))):
            found = power.polyadd(found, part * one)
        return found

    def from_power(c):
        c = _floats(c).copy()
        found, made = np.zeros(len(c)), series(len(c))
        for k in range(len(c) - 1, -1, -1):
            found[k] = c[k] / made[k][k]
            c[:k + 1] = c[:k + 1] - found[k] * made[k]
        return found

    def _to_power(cls, c):
        return to_power(c)

    def _from_power(cls, c):
        return from_power(c)

    made = type(name, (Series,), {"basis_name": basis_name, "window": window, "_module": {"val": val, "vander": vander},
                                  "_to_power": classmethod(_to_power), "_from_power": classmethod(_from_power),
                                  "__module__": space["__name__"]})
    via = lambda function: lambda *series: made._via_power(function, *series)
    functions = {
        "val": val, "vander": vander, "2poly": to_power, "add": power.polyadd, "sub": power.polysub, "mul": via(power.polymul),
        "fit": lambda x, y, deg, rcond=None, full=False, w=None: fitted(vander, x, y, deg, rcond, full, w),
        "der": lambda c, m=1: made._via_power(lambda p: power.polyder(p, m), c),
        "int": lambda c, m=1, k=0: made._via_power(lambda p: power.polyint(p, m, k), c),
        "roots": lambda c: power.polyroots(to_power(c)), "trim": power.polytrim,
        "fromroots": lambda roots: from_power(power.polyfromroots(roots)),
    }
    space.update({prefix + short: function for short, function in functions.items()})
    space["poly2" + prefix] = from_power
    space[name] = made
    if nodes is not None:
        space[prefix + "gauss"] = lambda deg: _gauss(deg, *nodes)
    return made


def _gauss(deg, alpha, beta, mass, symmetric):
    """Nodes and weights of a Gaussian rule, from the matrix of the recurrence of orthonormal polynomials."""
    if int(deg) != deg or deg <= 0:
        raise ValueError("deg must be a positive integer")
    deg = int(deg)
    diagonal, beside = [float(alpha(k)) for k in range(deg)], [math.sqrt(beta(k)) for k in range(1, deg + 1)]
    matrix = np.diag(np.array(diagonal)) + np.diag(np.array(beside[:-1]), 1) + np.diag(np.array(beside[:-1]), -1) if deg > 1 else \
        np.array([diagonal])
    x = np.linalg.eigvalsh(matrix)

    def values(x):
        """The orthonormal polynomials and the slope of the one after the last."""
        ps, slopes = [np.full(x.shape, 1 / math.sqrt(mass))], [np.zeros(x.shape)]
        for k in range(deg):
            p = (x - diagonal[k]) * ps[-1] - (beside[k - 1] * ps[-2] if k else 0.0)
            slope = ps[-1] + (x - diagonal[k]) * slopes[-1] - (beside[k - 1] * slopes[-2] if k else 0.0)
            ps.append(p / beside[k])
            slopes.append(slope / beside[k])
        return ps, slopes

    ps, slopes = values(x)
    x = x - ps[-1] / slopes[-1]
    if symmetric:
        x = (x - x[::-1]) / 2
    ps, _ = values(x)
    w = 1 / sum(p * p for p in ps[:-1])
    if symmetric:
        w = (w + w[::-1]) / 2
    return x, w * (mass / w.sum())
