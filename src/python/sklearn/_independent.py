"""FastICA, which takes mixed signals apart."""

import warnings

import numpy as np

from .base import _Numbered, BaseEstimator, TransformerMixin
from .exceptions import ConvergenceWarning
from .utils import _table, check_random_state


def _logcosh(x, alpha=1.0):
    bent = np.tanh(alpha * x)
    return bent, (alpha * (1 - bent**2)).mean(axis=-1)


def _exp(x):
    fallen = np.exp(-(x**2) / 2)
    return x * fallen, ((1 - x**2) * fallen).mean(axis=-1)


def _cube(x):
    return x**3, (3 * x**2).mean(axis=-1)


_SHAPES = {"logcosh": _logcosh, "exp": _exp, "cube": _cube}
_LATE = "FastICA did not converge. Consider increasing tolerance or the maximum number of iterations."


def _loosened(W):
    """The nearest matrix with orthogonal rows."""
    sizes, turned = np.linalg.eigh(np.dot(W, W.T))
    sizes = np.clip(sizes, np.finfo(W.dtype).tiny, None)
    return np.linalg.multi_dot([turned * (1.0 / np.sqrt(sizes)), turned.T, W])


def _together(X, tol, bend, most, W):
    W, n = _loosened(W), float(X.shape[1])
    for i in range(most):
        bent, slope = bend(np.dot(W, X))
        new = _loosened(np.dot(bent, X.T) / n - slope[:, None] * W)
        away = np.abs(np.abs((new * W).sum(axis=1)) - 1).max()
        W = new
        if away < tol:
            break
    else:
        warnings.warn(_LATE, ConvergenceWarning, stacklevel=4)
    return W, i + 1


def _one_by_one(X, tol, bend, most, start):
    W, steps = np.zeros(start.shape), []
    for j in range(len(start)):
        w = start[j] / np.sqrt((start[j] ** 2).sum())
        for i in range(most):
            bent, slope = bend(np.dot(w, X))
            new = (X * bent).mean(axis=1) - slope.mean() * w
            new = new - np.linalg.multi_dot([new, W[:j].T, W[:j]]) if j else new
            new = new / np.sqrt((new**2).sum())
            away = abs(abs((new * w).sum()) - 1)
            w = new
            if away < tol:
                break
        steps.append(i + 1)
        W[j] = w
    return W, max(steps)


class FastICA(_Numbered, TransformerMixin, BaseEstimator):
    """Finds the independent signals whose sums a table holds: (n, features) to (n, components)."""

    _fitted = "components_"

    def __init__(self, n_components=None, *, algorithm="parallel", whiten="unit-variance", fun="logcosh", fun_args=None, max_iter=200,
                 tol=1e-4, w_init=None, whiten_solver="svd", random_state=None):
        self.n_components, self.algorithm, self.whiten, self.fun, self.fun_args = n_components, algorithm, whiten, fun, fun_args
        self.max_iter, self.tol, self.w_init, self.whiten_solver, self.random_state = max_iter, tol, w_init, whiten_solver, random_state

    def _found(self, X):
        X = _table(X)
        if len(X) < 2:
            raise ValueError(f"Found array with {len(X)} sample(s) (shape={X.shape}) while a minimum of 2 is required by FastICA.")
        more = self.fun_args or {}
        if not 1 <= more.get("alpha", 1.0) <= 2:
            raise ValueError("alpha must be in [1,2]")
        shape = self.fun if callable(self.fun) else _SHAPES[self.fun]
        if shape in (_exp, _cube):
            more = {}
        rows, width = X.shape
        wanted = self.n_components
        if not self.whiten and wanted is not None:
            wanted = None
            warnings.warn("Ignoring n_components with whiten=False.", stacklevel=3)
        wanted = min(rows, width) if wanted is None else wanted
        if wanted > min(rows, width):
            wanted = min(rows, width)
            warnings.warn(f"n_components is too large: it will be set to {wanted}", stacklevel=3)
        signals = X.T
        if self.whiten:
            self.mean_ = X.mean(axis=0)
            signals = signals - self.mean_[:, None]
            if self.whiten_solver == "eigh":
                sizes, turned = np.linalg.eigh(np.dot(signals, signals.T))
                least = np.finfo(float).eps * 10
                if (sizes < least).any():
                    warnings.warn("There are some small singular values, using whiten_solver = 'svd' might lead to more accurate results.",
                                  stacklevel=3)
                sizes, turned = np.sqrt(np.maximum(sizes, least))[::-1], turned[:, ::-1]
            else:
                turned, sizes = np.linalg.svd(signals, full_matrices=False)[:2]
            turned = turned * np.sign(turned[0])
            self.whitening_ = (turned / sizes).T[:wanted]
            white = np.dot(self.whitening_, signals) * np.sqrt(rows)
        else:
            white = signals
        random = check_random_state(self.random_state)
        start = random.normal(size=(wanted, wanted)) if self.w_init is None else np.asarray(self.w_init, dtype=float)
        if start.shape != (wanted, wanted):
            raise ValueError(f"w_init has invalid shape -- should be {(wanted, wanted)}")
        search = _together if self.algorithm == "parallel" else _one_by_one
        W, self.n_iter_ = search(white, self.tol, lambda x: shape(x, **more), self.max_iter, start)
        if self.whiten:
            found = np.linalg.multi_dot([W, self.whitening_, signals]).T
            if self.whiten == "unit-variance":
                spread = found.std(axis=0, keepdims=True)
                found, W = found / spread, W / spread.T
            self.components_ = np.dot(W, self.whitening_)
        else:
            found, self.components_ = np.dot(W, signals).T, W
        self.mixing_ = np.linalg.pinv(self.components_)
        self.n_features_in_ = width
        return found

    def fit(self, X, y=None):
        self._found(X)
        return self

    def fit_transform(self, X, y=None):
        return self._found(X)

    def transform(self, X, copy=True):
        self._need_fit()
        X = _table(X)
        return np.dot(X - self.mean_ if self.whiten else X, self.components_.T)

    def inverse_transform(self, X, copy=True):
        self._need_fit()
        made = np.dot(_table(X), self.mixing_.T)
        return made + self.mean_ if self.whiten else made
