"""Kernels: how alike two samples are, by their distance. Sums and products of them are kernels too."""

import math
from collections import namedtuple

import numpy as np

_BOUNDS = (1e-5, 1e5)


class Hyperparameter(namedtuple("Hyperparameter", "name value_type bounds n_elements fixed")):
    __slots__ = ()

    def __new__(cls, name, value_type, bounds, n_elements=1, fixed=None):
        fixed = isinstance(bounds, str) and bounds == "fixed" if fixed is None else fixed
        if not isinstance(bounds, str):
            bounds = np.atleast_2d(bounds)
            bounds = np.repeat(bounds, n_elements, 0) if len(bounds) == 1 and n_elements > 1 else bounds
        return super().__new__(cls, name, value_type, bounds, n_elements, fixed)


def _squares(X, Y):
    """The squared distance of each row of X from each row of Y."""
    return ((X[:, None] - Y[None]) ** 2).sum(-1)


class Kernel:
    _names = ()
    _other = ()

    def get_params(self, deep=True):
        return {name: getattr(self, name) for name in sorted([*self._names, *[n + "_bounds" for n in self._names], *self._other])}

    def set_params(self, **params):
        for name, value in params.items():
            if name not in self.get_params():
                raise ValueError(f"Invalid parameter {name} for kernel {type(self).__name__}. Check the list of available parameters with "
                                 "`kernel.get_params().keys()`.")
            setattr(self, name, value)
        return self

    def clone(self):
        return type(self)(**self.get_params())

    @property
    def hyperparameters(self):
        made = []
        for name in self._names:
            value = np.atleast_1d(getattr(self, name))
            made.append(Hyperparameter(name, "numeric", getattr(self, name + "_bounds"), len(value)))
        return made

    @property
    def n_dims(self):
        return len(self.theta)

    @property
    def theta(self):
        free = [np.atleast_1d(getattr(self, h.name)) for h in self.hyperparameters if not h.fixed]
        return np.log(np.concatenate(free)) if free else np.array([])

    @theta.setter
    def theta(self, theta):
        at = 0
        for h in self.hyperparameters:
            if h.fixed:
                continue
            part = np.exp(np.asarray(theta[at:at + h.n_elements], dtype=float))
            setattr(self, h.name, part if h.n_elements > 1 else part[0])
            at += h.n_elements
        if at != len(theta):
            raise ValueError(f"theta has not the correct number of entries. Should be {at}; given are {len(theta)}")

    @property
    def bounds(self):
        free = [h.bounds for h in self.hyperparameters if not h.fixed]
        return np.log(np.concatenate(free).astype(float)) if free else np.array([])

    def clone_with_theta(self, theta):
        made = self.clone()
        made.theta = theta
        return made

    def __call__(self, X, Y=None, eval_gradient=False):
        X = np.atleast_2d(np.asarray(X, dtype=float))
        if not eval_gradient:
            return self._values(X, X if Y is None else np.atleast_2d(np.asarray(Y, dtype=float)), Y is None)
        if Y is not None:
            raise ValueError("Gradient can only be evaluated when Y is None.")
        theta, parts, step = self.theta, [], 1e-6
        for i in range(len(theta)):
            ends = []
            for way in (step, -step):
                moved = theta.copy()
                moved[i] += way
                ends.append(self.clone_with_theta(moved)(X))
            parts.append((ends[0] - ends[1]) / (2 * step))
        return self(X), np.stack(parts, -1) if parts else np.empty((len(X), len(X), 0))

    def diag(self, X):
        return np.ones(len(X))

    def is_stationary(self):
        return True

    def __add__(self, other):
        return Sum(self, other if isinstance(other, Kernel) else ConstantKernel(other))

    def __radd__(self, other):
        return Sum(ConstantKernel(other), self)

    def __mul__(self, other):
        return Product(self, other if isinstance(other, Kernel) else ConstantKernel(other))

    def __rmul__(self, other):
        return Product(ConstantKernel(other), self)

    def __pow__(self, exponent):
        return Exponentiation(self, exponent)

    def __eq__(self, other):
        mine, theirs = self.get_params(), other.get_params() if type(self) is type(other) else {}
        return set(mine) == set(theirs) and all(np.all(mine[k] == theirs[k]) for k in mine)

    __hash__ = None

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{n}={_short(getattr(self, n))}' for n in self._shown())})"

    def _shown(self):
        return self._names


def _short(value):
    return f"[{', '.join(f'{v:.3g}' for v in np.asarray(value).tolist())}]" if np.ndim(value) else f"{value:.3g}"


class ConstantKernel(Kernel):
    _names = ("constant_value",)

    def __init__(self, constant_value=1.0, constant_value_bounds=_BOUNDS):
        self.constant_value, self.constant_value_bounds = constant_value, constant_value_bounds

    def _values(self, X, Y, same):
        return np.full((len(X), len(Y)), float(self.constant_value))

    def diag(self, X):
        return np.full(len(X), float(self.constant_value))

    def __repr__(self):
        return f"{math.sqrt(self.constant_value):.3g}**2"


class WhiteKernel(Kernel):
    _names = ("noise_level",)

    def __init__(self, noise_level=1.0, noise_level_bounds=_BOUNDS):
        self.noise_level, self.noise_level_bounds = noise_level, noise_level_bounds

    def _values(self, X, Y, same):
        return float(self.noise_level) * np.eye(len(X)) if same else np.zeros((len(X), len(Y)))

    def diag(self, X):
        return np.full(len(X), float(self.noise_level))


class RBF(Kernel):
    _names = ("length_scale",)

    def __init__(self, length_scale=1.0, length_scale_bounds=_BOUNDS):
        self.length_scale, self.length_scale_bounds = length_scale, length_scale_bounds

    def _scaled(self, X):
        scale = np.squeeze(np.asarray(self.length_scale, dtype=float))
        if scale.ndim == 1 and X.shape[1] != len(scale):
            raise ValueError(f"Anisotropic kernel must have the same number of dimensions as data ({len(scale)}!={X.shape[1]})")
        return X / scale

    @property
    def anisotropic(self):
        return np.ndim(self.length_scale) > 0 and len(self.length_scale) > 1

    def _values(self, X, Y, same):
        return np.exp(-0.5 * _squares(self._scaled(X), self._scaled(Y)))


class Matern(RBF):
    _other = ("nu",)

    def __init__(self, length_scale=1.0, length_scale_bounds=_BOUNDS, nu=1.5):
        super().__init__(length_scale, length_scale_bounds)
        self.nu = nu

    def _shown(self):
        return ("length_scale", "nu")

    def _values(self, X, Y, same):
        far = np.sqrt(_squares(self._scaled(X), self._scaled(Y)))
        if self.nu == 0.5:
            return np.exp(-far)
        if self.nu == 1.5:
            return (1.0 + far * math.sqrt(3)) * np.exp(-far * math.sqrt(3))
        if self.nu == 2.5:
            return (1.0 + far * math.sqrt(5) + far**2 * 5 / 3.0) * np.exp(-far * math.sqrt(5))
        if self.nu == np.inf:
            return np.exp(-(far**2) / 2.0)
        raise NotImplementedError(f"sklearn.gaussian_process.kernels.Matern(nu={self.nu}); 0.5, 1.5, 2.5 and inf are here")


class RationalQuadratic(Kernel):
    _names = ("alpha", "length_scale")

    def __init__(self, length_scale=1.0, alpha=1.0, length_scale_bounds=_BOUNDS, alpha_bounds=_BOUNDS):
        self.length_scale, self.alpha, self.length_scale_bounds, self.alpha_bounds = length_scale, alpha, length_scale_bounds, alpha_bounds

    def _values(self, X, Y, same):
        return (1 + _squares(X, Y) / (2 * self.alpha * self.length_scale**2)) ** -self.alpha


class ExpSineSquared(Kernel):
    _names = ("length_scale", "periodicity")

    def __init__(self, length_scale=1.0, periodicity=1.0, length_scale_bounds=_BOUNDS, periodicity_bounds=_BOUNDS):
        self.length_scale, self.periodicity = length_scale, periodicity
        self.length_scale_bounds, self.periodicity_bounds = length_scale_bounds, periodicity_bounds

    def _values(self, X, Y, same):
        return np.exp(-2 * (np.sin(np.pi / self.periodicity * np.sqrt(_squares(X, Y))) / self.length_scale) ** 2)


class DotProduct(Kernel):
    _names = ("sigma_0",)

    def __init__(self, sigma_0=1.0, sigma_0_bounds=_BOUNDS):
        self.sigma_0, self.sigma_0_bounds = sigma_0, sigma_0_bounds

    def _values(self, X, Y, same):
        return X @ Y.T + self.sigma_0**2

    def diag(self, X):
        return (np.asarray(X) ** 2).sum(1) + self.sigma_0**2

    def is_stationary(self):
        return False


class _Two(Kernel):
    def __init__(self, k1, k2):
        self.k1, self.k2 = k1, k2

    def get_params(self, deep=True):
        made = {"k1": self.k1, "k2": self.k2}
        for name in ("k1", "k2") if deep else ():
            made.update({f"{name}__{inner}": value for inner, value in getattr(self, name).get_params().items()})
        return made

    def clone(self):
        return type(self)(self.k1.clone(), self.k2.clone())

    @property
    def hyperparameters(self):
        return [Hyperparameter(f"{name}__{h.name}", h.value_type, h.bounds, h.n_elements) for name in ("k1", "k2")
                for h in getattr(self, name).hyperparameters]

    @property
    def theta(self):
        return np.concatenate([self.k1.theta, self.k2.theta])

    @theta.setter
    def theta(self, theta):
        first = self.k1.n_dims
        self.k1.theta, self.k2.theta = theta[:first], theta[first:]

    @property
    def bounds(self):
        parts = [k.bounds for k in (self.k1, self.k2) if k.n_dims]
        return np.concatenate(parts) if parts else np.array([])

    def is_stationary(self):
        return self.k1.is_stationary() and self.k2.is_stationary()


class Sum(_Two):
    def _values(self, X, Y, same):
        return self.k1._values(X, Y, same) + self.k2._values(X, Y, same)

    def diag(self, X):
        return self.k1.diag(X) + self.k2.diag(X)

    def __repr__(self):
        return f"{self.k1} + {self.k2}"


class Product(_Two):
    def _values(self, X, Y, same):
        return self.k1._values(X, Y, same) * self.k2._values(X, Y, same)

    def diag(self, X):
        return self.k1.diag(X) * self.k2.diag(X)

    def __repr__(self):
        return f"{self.k1} * {self.k2}"


class Exponentiation(Kernel):
    def __init__(self, kernel, exponent):
        self.kernel, self.exponent = kernel, exponent

    def get_params(self, deep=True):
        return {"kernel": self.kernel, "exponent": self.exponent,
                **({f"kernel__{n}": v for n, v in self.kernel.get_params().items()} if deep else {})}

    def clone(self):
        return Exponentiation(self.kernel.clone(), self.exponent)

    hyperparameters = property(lambda self: [Hyperparameter(f"kernel__{h.name}", h.value_type, h.bounds, h.n_elements)
                                             for h in self.kernel.hyperparameters])
    bounds = property(lambda self: self.kernel.bounds)

    @property
    def theta(self):
        return self.kernel.theta

    @theta.setter
    def theta(self, theta):
        self.kernel.theta = theta

    def _values(self, X, Y, same):
        return self.kernel._values(X, Y, same) ** self.exponent

    def diag(self, X):
        return self.kernel.diag(X) ** self.exponent

    def __repr__(self):
        return f"{self.kernel} ** {self.exponent}"


class CompoundKernel(Kernel):
    """Several kernels side by side: those of a classifier for more than two classes. Its values have a third axis, one place for each."""

    _other = ("kernels",)

    def __init__(self, kernels):
        self.kernels = kernels

    @property
    def theta(self):
        return np.concatenate([kernel.theta for kernel in self.kernels])

    @theta.setter
    def theta(self, theta):
        at = 0
        for kernel in self.kernels:
            kernel.theta = theta[at:at + kernel.n_dims]
            at += kernel.n_dims

    @property
    def bounds(self):
        return np.concatenate([kernel.bounds for kernel in self.kernels])

    def clone(self):
        return CompoundKernel([kernel.clone() for kernel in self.kernels])

    def _values(self, X, Y, same):
        return np.stack([kernel(X, None if same else Y) for kernel in self.kernels], axis=-1)

    def diag(self, X):
        return np.stack([kernel.diag(X) for kernel in self.kernels], axis=1)

    def is_stationary(self):
        return all(kernel.is_stationary() for kernel in self.kernels)

    def __repr__(self):
        return f"CompoundKernel({', '.join(f'{value:.3g}' for value in self.theta)})"


def __getattr__(name):
    if name == "PairwiseKernel":
        raise NotImplementedError(f"sklearn.gaussian_process.kernels.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.gaussian_process.kernels' has no attribute '{name}'")
