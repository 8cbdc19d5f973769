"""Principal components, and singular value decompositions."""

import warnings

import numpy as np

from ._independent import FastICA as FastICA
from .base import _Numbered, BaseEstimator, TransformerMixin
from .exceptions import ConvergenceWarning
from .utils import _table, check_random_state


class PCA(_Numbered, TransformerMixin, BaseEstimator):
    """Turns a table so that its first columns vary most: (n, features) to (n, components)."""

    _fitted = "components_"

    def __init__(self, n_components=None, *, copy=True, whiten=False, svd_solver="auto", tol=0.0, iterated_power="auto",
                 n_oversamples=10, power_iteration_normalizer="auto", random_state=None):
        self.n_components, self.copy, self.whiten, self.svd_solver, self.tol = n_components, copy, whiten, svd_solver, tol
        self.iterated_power, self.n_oversamples, self.random_state = iterated_power, n_oversamples, random_state
        self.power_iteration_normalizer = power_iteration_normalizer

    def fit(self, X, y=None):
        X = _table(X)
        rows, width = X.shape
        if self.svd_solver not in ("auto", "full", "covariance_eigh"):
            raise NotImplementedError(f"PCA: svd_solver={self.svd_solver!r} isn't supported here")
        wanted = min(rows, width) if self.n_components is None else self.n_components
        if isinstance(wanted, str):
            raise NotImplementedError(f"PCA: n_components={wanted!r} isn't supported here")
        if wanted >= 1 and not 0 <= wanted <= min(rows, width):
            solver = self.svd_solver
            if solver == "auto":
                solver = "covariance_eigh" if width <= 1000 and rows >= 10 * width else "full"
            raise ValueError(f"n_components={wanted} must be between 0 and min(n_samples, n_features)={min(rows, width)} with "
                             f"svd_solver={solver!r}")
        self.mean_ = X.mean(axis=0)
        _, sizes, turned = np.linalg.svd(X - self.mean_, full_matrices=False)
        turned = _signed(turned)
        variance = sizes ** 2 / (rows - 1)
        share = variance / variance.sum()
        if 0 < wanted < 1:
            wanted = int(np.searchsorted(np.cumsum(share), wanted, side="right")) + 1
        kept = int(wanted)
        self.noise_variance_ = float(variance[kept:].mean()) if kept < min(rows, width) else 0.0
        self.n_samples_, self.n_features_in_, self.n_components_ = rows, width, kept
        self.components_, self.explained_variance_ = turned[:kept], variance[:kept]
        self.explained_variance_ratio_, self.singular_values_ = share[:kept], sizes[:kept]
        return self

    def transform(self, X):
        X = self._read(X)
        made = (X - self.mean_) @ self.components_.T
        return made / np.sqrt(self.explained_variance_) if self.whiten else made

    def inverse_transform(self, X):
        self._need_fit()
        X = np.asarray(X)
        return (X * np.sqrt(self.explained_variance_) if self.whiten else X) @ self.components_ + self.mean_


def _signed(rows):
    """Each component's largest number is positive, so that its sign doesn't depend on the solver."""
    largest = np.abs(rows).argmax(axis=1)
    return rows * np.sign(rows[np.arange(len(rows)), largest])[:, None]


class TruncatedSVD(_Numbered, TransformerMixin, BaseEstimator):
    """The first columns of a singular value decomposition, without subtracting means: (n, features) to (n, components)."""

    _fitted = "components_"

    def __init__(self, n_components=2, *, algorithm="randomized", n_iter=5, n_oversamples=10, power_iteration_normalizer="auto",
                 random_state=None, tol=0.0):
        self.n_components, self.algorithm, self.n_iter, self.n_oversamples = n_components, algorithm, n_iter, n_oversamples
        self.power_iteration_normalizer, self.random_state, self.tol = power_iteration_normalizer, random_state, tol

    def fit(self, X, y=None):
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X, y=None):
        if self.algorithm != "randomized":
            raise NotImplementedError(f"TruncatedSVD: algorithm={self.algorithm!r} isn't supported here")
        X = _table(X)
        rows, width = X.shape
        self.n_features_in_ = width
        if self.n_components > width:
            raise ValueError(f"n_components({self.n_components}) must be <= n_features({width}).")
        turn = rows < width
        M = X.T if turn else X
        # A random subspace that powers of the table bring near the one of its largest singular values.
        count = self.n_components + self.n_oversamples
        basis = check_random_state(self.random_state).normal(size=(M.shape[1], count))
        for _ in range(self.n_iter):
            basis = np.linalg.qr(M.T @ np.linalg.qr(M @ basis)[0])[0]
        basis = np.linalg.qr(M @ basis)[0]
        left, sizes, right = np.linalg.svd(basis.T @ M, full_matrices=False)
        right = (basis @ left).T if turn else right
        self.components_ = _signed(right[:self.n_components])
        made = X @ self.components_.T
        self.explained_variance_ = np.var(made, axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / np.var(X, axis=0).sum()
        self.singular_values_ = sizes[:self.n_components]
        return made

    def transform(self, X):
        X = self._read(X)
        return X @ self.components_.T

    def inverse_transform(self, X):
        self._need_fit()
        return np.asarray(X) @ self.components_


class IncrementalPCA(PCA):
    """Principal components from one part of the samples after the other."""

    def __init__(self, n_components=None, *, whiten=False, copy=True, batch_size=None):
        self.n_components, self.whiten, self.copy, self.batch_size = n_components, whiten, copy, batch_size

    def fit(self, X, y=None):
        X = _table(X)
        vars(self).pop("n_samples_seen_", None)
        size = self.batch_size or 5 * X.shape[1]
        least, start = self.n_components or 0, 0
        while start < len(X):
            end = len(X) if start + size + least > len(X) and start + size < len(X) else min(start + size, len(X))
            self.partial_fit(X[start:end])
            start = end
        self.batch_size_ = size
        return self

    def partial_fit(self, X, y=None):
        X = _table(X)
        rows, width = X.shape
        first = not hasattr(self, "n_samples_seen_")
        kept = min(rows, width) if self.n_components is None and first else len(self.components_) if self.n_components is None else self.n_components
        if not kept <= width:
            raise ValueError(f"n_components={kept!r} invalid for n_features={width}, need more rows than columns for IncrementalPCA processing")
        if first and kept > rows:
            raise ValueError(f"n_components={kept} must be less or equal to the batch number of samples {rows} for the first partial_fit call.")
        more = X.mean(axis=0)
        if first:
            total, mean, spread, inner = rows, more, X.var(axis=0), X - more
        else:
            seen = self.n_samples_seen_
            total = seen + rows
            mean = (self.mean_ * seen + more * rows) / total
            spread = (self.var_ * seen + X.var(axis=0) * rows + (self.mean_ - more) ** 2 * seen * rows / total) / total
            moved = np.sqrt(seen / total * rows) * (self.mean_ - more)
            inner = np.vstack([self.singular_values_[:, None] * self.components_, X - more, moved])
        _, sizes, turned = np.linalg.svd(inner, full_matrices=False)
        variance = sizes ** 2 / (total - 1)
        self.components_, self.singular_values_ = _signed(turned)[:kept], sizes[:kept]
        self.explained_variance_, self.explained_variance_ratio_ = variance[:kept], (sizes ** 2 / (spread * total).sum())[:kept]
        self.noise_variance_ = float(variance[kept:].mean()) if kept not in (rows, width) else 0.0
        self.n_samples_seen_, self.mean_, self.var_, self.n_components_, self.n_features_in_ = total, mean, spread, kept, width
        return self


class KernelPCA(TransformerMixin, BaseEstimator):
    """Principal components of what a kernel makes of samples."""

    _fitted = "eigenvalues_"

    def __init__(self, n_components=None, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None, alpha=1.0,
                 fit_inverse_transform=False, eigen_solver="auto", tol=0, max_iter=None, iterated_power="auto", remove_zero_eig=False,
                 random_state=None, copy_X=True, n_jobs=None):
        self.n_components, self.kernel, self.gamma, self.degree, self.coef0 = n_components, kernel, gamma, degree, coef0
        self.kernel_params, self.alpha, self.fit_inverse_transform, self.eigen_solver = kernel_params, alpha, fit_inverse_transform, eigen_solver
        self.tol, self.max_iter, self.iterated_power, self.remove_zero_eig = tol, max_iter, iterated_power, remove_zero_eig
        self.random_state, self.copy_X, self.n_jobs = random_state, copy_X, n_jobs

    def _likeness(self, X):
        from .metrics import pairwise

        if callable(self.kernel) or self.kernel not in ("linear", "poly", "rbf", "sigmoid", "cosine", "precomputed"):
            raise NotImplementedError(f"KernelPCA: kernel={self.kernel!r} isn't supported here")
        gamma = self.gamma_
        if self.kernel == "rbf":
            return pairwise.rbf_kernel(X, self.X_fit_, gamma)
        if self.kernel == "cosine":
            return pairwise.cosine_similarity(X, self.X_fit_)
        if self.kernel == "precomputed":
            return X
        made = X @ self.X_fit_.T
        return made if self.kernel == "linear" else (gamma * made + self.coef0) ** self.degree if self.kernel == "poly" else \
            np.tanh(gamma * made + self.coef0)

    def fit(self, X, y=None):
        if self.fit_inverse_transform:
            raise NotImplementedError("KernelPCA: fit_inverse_transform=True isn't supported here")
        X = _table(X)
        self.gamma_ = 1 / X.shape[1] if self.gamma is None else self.gamma
        self.X_fit_, self.n_features_in_ = X, X.shape[1]
        inner = self._likeness(X)
        self._rows, self._all = inner.mean(axis=0), inner.mean()
        inner = inner - self._rows - inner.mean(axis=1)[:, None] + self._all
        values, vectors = np.linalg.eigh(inner)
        kept = len(values) if self.n_components is None else min(len(values), self.n_components)
        values, vectors = np.where(np.abs(values) < 1e-12 * max(values.max(), 1.0), 0.0, values)[::-1][:kept], vectors[:, ::-1][:, :kept]
        vectors = _signed(vectors.T).T
        if self.remove_zero_eig or self.n_components is None:
            vectors, values = vectors[:, values > 0], values[values > 0]
        self.eigenvalues_, self.eigenvectors_ = np.maximum(values, 0.0), vectors
        return self

    def fit_transform(self, X, y=None):
        self.fit(X)
        return self.eigenvectors_ * np.sqrt(self.eigenvalues_)

    def transform(self, X):
        self._need_fit()
        X = _table(X)
        inner = self._likeness(X)
        inner = inner - self._rows - inner.mean(axis=1)[:, None] + self._all
        there = self.eigenvalues_ > 0
        scaled = np.zeros(self.eigenvectors_.shape)
        scaled[:, there] = self.eigenvectors_[:, there] / np.sqrt(self.eigenvalues_[there])
        return inner @ scaled

    def get_feature_names_out(self, input_features=None):
        self._need_fit()
        return np.array([f"kernelpca{i}" for i in range(len(self.eigenvalues_))], dtype=object)


class NMF(_Numbered, TransformerMixin, BaseEstimator):
    """A table as a product of two without negative numbers, found one column after the other."""

    _fitted = "components_"

    def __init__(self, n_components="auto", *, init=None, solver="cd", beta_loss="frobenius", tol=1e-4, max_iter=200, random_state=None,
                 alpha_W=0.0, alpha_H="same", l1_ratio=0.0, verbose=0, shuffle=False):
        self.n_components, self.init, self.solver, self.beta_loss, self.tol = n_components, init, solver, beta_loss, tol
        self.max_iter, self.random_state, self.alpha_W, self.alpha_H, self.l1_ratio = max_iter, random_state, alpha_W, alpha_H, l1_ratio
        self.verbose, self.shuffle = verbose, shuffle

    def _checked(self, X):
        if self.solver != "cd":
            raise NotImplementedError(f"NMF: solver={self.solver!r} isn't supported here")
        if self.beta_loss not in ("frobenius", 2):
            raise ValueError(f"Invalid beta_loss parameter: solver 'cd' does not handle beta_loss = {self.beta_loss!r}")
        X = _table(X)
        if X.min() < 0:
            raise ValueError("Negative values in data passed to NMF initialization.")
        return X

    def _vectors(self, X, count, generator):
        """The first singular vectors, near enough."""
        wide = count + 10
        if min(X.shape) > wide:
            turn = X.shape[0] < X.shape[1]
            M = X.T if turn else X
            basis = generator.normal(size=(M.shape[1], wide))
            for _ in range(7 if count < 0.1 * min(X.shape) else 4):
                basis = np.linalg.qr(M.T @ np.linalg.qr(M @ basis)[0])[0]
            basis = np.linalg.qr(M @ basis)[0]
            left, sizes, right = np.linalg.svd(basis.T @ M, full_matrices=False)
            left, right = (right.T, (basis @ left).T) if turn else (basis @ left, right)
        else:
            generator.normal(size=(min(X.shape), wide))
            left, sizes, right = np.linalg.svd(X, full_matrices=False)
        return left[:, :count], sizes[:count], right[:count]

    def _start(self, X, count):
        rows, width = X.shape
        if self.init == "custom":
            raise NotImplementedError("NMF: init='custom' isn't supported here")
        if self.init not in (None, "random") and count > min(rows, width):
            raise ValueError(f"init = '{self.init}' can only be used when n_components <= min(n_samples, n_features)")
        init = self.init or ("nndsvda" if count <= min(rows, width) else "random")
        generator = check_random_state(self.random_state)
        if init == "random":
            mean = np.sqrt(X.mean() / count)
            H = np.abs(mean * generator.standard_normal(size=(count, width)))
            return np.abs(mean * generator.standard_normal(size=(rows, count))), H
        left, sizes, right = self._vectors(X, count, generator)
        W, H = np.zeros((rows, count)), np.zeros((count, width))
        W[:, 0], H[0] = np.sqrt(sizes[0]) * np.abs(left[:, 0]), np.sqrt(sizes[0]) * np.abs(right[0])
        for j in range(1, count):
            found = []
            for sign in (1, -1):
                u, v = np.maximum(sign * left[:, j], 0), np.maximum(sign * right[j], 0)
                long, wide = float(np.sqrt(u @ u)), float(np.sqrt(v @ v))
                found.append((long * wide, u, v, long, wide))
            size, u, v, long, wide = found[0] if found[0][0] > found[1][0] else found[1]
            scale = np.sqrt(sizes[j] * size)
            W[:, j], H[j] = scale * u / long, scale * v / wide
        W[W < 1e-6], H[H < 1e-6] = 0, 0
        if init == "nndsvda":
            W[W == 0], H[H == 0] = X.mean(), X.mean()
        elif init == "nndsvdar":
            generator, mean = check_random_state(self.random_state), X.mean()
            W[W == 0] = np.abs(mean * generator.standard_normal(size=int((W == 0).sum())) / 100)
            H[H == 0] = np.abs(mean * generator.standard_normal(size=int((H == 0).sum())) / 100)
        return W, H

    def _descend(self, X, W, H, both):
        """Changes the factors until they hardly change."""
        rows, width = X.shape
        alpha_H = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        share, generator = self.l1_ratio, check_random_state(self.random_state)
        weights = {"W": (width * self.alpha_W * share, width * self.alpha_W * (1 - share)),
                   "H": (rows * alpha_H * share, rows * alpha_H * (1 - share))}

        def improved(X, W, Ht, l1, l2):
            inner, outer, moved = Ht.T @ Ht, X @ Ht - l1, 0.0
            inner = inner + l2 * np.eye(len(inner))
            for t in (generator.permutation(W.shape[1]) if self.shuffle else np.arange(W.shape[1])).tolist():
                slope = W @ inner[t] - outer[:, t]
                moved += float(np.abs(np.where(W[:, t] == 0, np.minimum(slope, 0), slope)).sum())
                if inner[t, t] != 0:
                    W[:, t] = np.maximum(W[:, t] - slope / inner[t, t], 0)
            return moved

        Ht, first, n = H.T.copy(), None, 0
        for n in range(1, self.max_iter + 1):
            moved = improved(X, W, Ht, *weights["W"])
            if both:
                moved += improved(X.T, Ht, W, *weights["H"])
            first = moved if first is None else first
            if first == 0 or moved / first <= self.tol:
                break
        if n == self.max_iter and self.tol > 0:
            warnings.warn(f"Maximum number of iterations {self.max_iter} reached. Increase it to improve convergence.", ConvergenceWarning,
                          stacklevel=4)
        return W, Ht.T, n

    def fit_transform(self, X, y=None, W=None, H=None):
        if W is not None or H is not None:
            raise NotImplementedError("NMF: first factors of your own aren't supported here")
        X = self._checked(X)
        count = X.shape[1] if self.n_components in ("auto", None) else self.n_components
        W, H, self.n_iter_ = self._descend(X, *self._start(X, count), True)
        rest = X - W @ H
        self.reconstruction_err_ = np.sqrt((rest * rest).sum())
        self.components_, self.n_components_, self.n_features_in_ = H, count, X.shape[1]
        return W

    def fit(self, X, y=None, **params):
        self.fit_transform(X, **params)
        return self

    def transform(self, X):
        self._need_fit()
        X = self._checked(X)
        self._need_width(X)
        return self._descend(X, np.zeros((len(X), self.n_components_)), self.components_, False)[0]

    def inverse_transform(self, X):
        self._need_fit()
        return np.asarray(X) @ self.components_


def __getattr__(name):
    if name[:1].isupper():
        raise NotImplementedError(f"sklearn.decomposition.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.decomposition' has no attribute '{name}'")
