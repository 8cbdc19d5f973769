"""Networks of fully connected layers, trained as scikit-learn trains them: the same first weights, batches and steps."""

import warnings

import numpy as np

from .base import BaseEstimator, ClassifierMixin, RegressorMixin
from .exceptions import ConvergenceWarning
from .utils import _table, check_consistent_length, check_random_state, shuffle

_ACTIVATIONS = {
    "identity": (lambda z: z, lambda a: np.ones(a.shape)),
    "logistic": (lambda z: 1 / (1 + np.exp(-z)), lambda a: a * (1 - a)),
    "tanh": (np.tanh, lambda a: 1 - a * a),
    "relu": (lambda z: np.maximum(z, 0), lambda a: (a != 0).astype(float)),
}


class _Network(BaseEstimator):
    _fitted = "coefs_"

    def __init__(self, hidden_layer_sizes=(100,), activation="relu", *, solver="adam", alpha=0.0001, batch_size="auto",
                 learning_rate="constant", learning_rate_init=0.001, power_t=0.5, max_iter=200, shuffle=True, random_state=None,
                 tol=1e-4, verbose=False, warm_start=False, momentum=0.9, nesterovs_momentum=True, early_stopping=False,
                 validation_fraction=0.1, beta_1=0.9, beta_2=0.999, epsilon=1e-8, n_iter_no_change=10, max_fun=15000):
        self.hidden_layer_sizes, self.activation, self.solver, self.alpha = hidden_layer_sizes, activation, solver, alpha
        self.batch_size = batch_size
        self.learning_rate, self.learning_rate_init, self.power_t, self.max_iter = learning_rate, learning_rate_init, power_t, max_iter
        self.shuffle, self.random_state, self.tol, self.verbose, self.warm_start = shuffle, random_state, tol, verbose, warm_start
        self.momentum, self.nesterovs_momentum, self.early_stopping = momentum, nesterovs_momentum, early_stopping
        self.validation_fraction, self.beta_1, self.beta_2, self.epsilon = validation_fraction, beta_1, beta_2, epsilon
        self.n_iter_no_change, self.max_fun = n_iter_no_change, max_fun

    def _train(self, X, y):
        if self.solver not in ("adam", "sgd") or self.warm_start:
            raise NotImplementedError(f"{type(self).__name__}: solver='lbfgs' and warm_start=True aren't supported here")
        if self.activation not in _ACTIVATIONS:
            raise ValueError(f"The 'activation' parameter of {type(self).__name__} must be a str among {set(_ACTIVATIONS)}. Got "
                             f"{self.activation!r} instead.")
        random = self._random_state = check_random_state(self.random_state)
        hidden = self.hidden_layer_sizes
        units = [X.shape[1], *(hidden if hasattr(hidden, "__iter__") else [hidden]), y.shape[1]]
        self.n_layers_, self.n_outputs_, self.n_features_in_ = len(units), y.shape[1], X.shape[1]
        self.coefs_, self.intercepts_ = [], []
        for a, b in zip(units, units[1:]):
            bound = np.sqrt((2.0 if self.activation == "logistic" else 6.0) / (a + b))
            self.coefs_.append(random.uniform(-bound, bound, (a, b)))
            self.intercepts_.append(random.uniform(-bound, bound, b))
        checked = None
        if self.early_stopping:
            from .model_selection import train_test_split

            split = y if self._estimator_type == "classifier" and y.shape[1] == 1 else None
            X, held, y, wanted = train_test_split(X, y, random_state=random, test_size=self.validation_fraction, stratify=split)
            checked = (held, self._labels_of(wanted))
        count, batch = len(X), self.batch_size
        batch = min(200, count) if batch == "auto" else min(max(int(batch), 1), count)
        self.loss_curve_, self.n_iter_, self.t_, idle, best = [], 0, 0, 0, np.inf
        self.validation_scores_, self.best_validation_score_ = ([], -np.inf) if checked else (None, None)
        first = [np.zeros(p.shape) for p in self.coefs_ + self.intercepts_]
        second, steps, rate, order, kept = [p.copy() for p in first], 0, self.learning_rate_init, np.arange(count), None
        for _ in range(self.max_iter):
            if self.shuffle:
                order = shuffle(order, random_state=random)
            total = 0.0
            for start in range(0, count, batch):
                at = order[start:start + batch]
                loss, slopes = self._slopes(X[at], y[at])
                total += loss * len(at)
                params = self.coefs_ + self.intercepts_
                if self.solver == "adam":
                    steps += 1
                    first = [self.beta_1 * m + (1 - self.beta_1) * g for m, g in zip(first, slopes)]
                    second = [self.beta_2 * v + (1 - self.beta_2) * g * g for v, g in zip(second, slopes)]
                    rate = self.learning_rate_init * np.sqrt(1 - self.beta_2 ** steps) / (1 - self.beta_1 ** steps)
                    moves = [-rate * m / (np.sqrt(v) + self.epsilon) for m, v in zip(first, second)]
                else:
                    moves = first = [self.momentum * v - rate * g for v, g in zip(first, slopes)]
                    if self.nesterovs_momentum:
                        moves = [self.momentum * v - rate * g for v, g in zip(first, slopes)]
                for param, move in zip(params, moves):
                    param += move
            self.n_iter_, self.t_, self.loss_ = self.n_iter_ + 1, self.t_ + count, total / count
            self.loss_curve_.append(self.loss_)
            if self.verbose:
                print(f"Iteration {self.n_iter_}, loss = {self.loss_:.8f}")
            if checked:
                score = self.score(*checked)
                self.validation_scores_.append(score)
                if self.verbose:
                    print(f"Validation score: {score:f}")
                idle = idle + 1 if score < self.best_validation_score_ + self.tol else 0
                if score > self.best_validation_score_:
                    self.best_validation_score_ = score
                    kept = [[p.copy() for p in part] for part in (self.coefs_, self.intercepts_)]
            else:
                idle = idle + 1 if self.loss_ > best - self.tol else 0
                best = min(best, self.loss_)
            if self.solver == "sgd" and self.learning_rate == "invscaling":
                rate = self.learning_rate_init / (self.t_ + 1) ** self.power_t
            if idle > self.n_iter_no_change:
                if self.solver == "adam" or self.learning_rate != "adaptive" or rate <= 1e-6:
                    if self.verbose:
                        what = "Validation score" if checked else "Training loss"
                        print(f"{what} did not improve more than tol={self.tol:f} for {self.n_iter_no_change} consecutive epochs. "
                              "Stopping.")
                    break
                rate, idle = rate / 5.0, 0
            if self.n_iter_ == self.max_iter:
                warnings.warn(f"Stochastic Optimizer: Maximum iterations ({self.max_iter}) reached and the optimization hasn't "
                              "converged yet.", ConvergenceWarning, stacklevel=3)
        self.best_loss_ = None if checked else best
        if kept:
            self.coefs_, self.intercepts_ = kept
        return self

    def _forward(self, X):
        layers, function = [X], _ACTIVATIONS[self.activation][0]
        for i, (w, b) in enumerate(zip(self.coefs_, self.intercepts_)):
            sums = layers[-1] @ w + b
            layers.append(function(sums) if i < len(self.coefs_) - 1 else self._out(sums))
        return layers

    def _slopes(self, X, y):
        layers, count = self._forward(X), len(X)
        loss = self._loss(y, layers[-1]) + 0.5 * self.alpha * sum(float((w * w).sum()) for w in self.coefs_) / count
        change = _ACTIVATIONS[self.activation][1]
        away, weights, levels = layers[-1] - y, [], []
        for i in range(len(self.coefs_) - 1, -1, -1):
            weights.append((layers[i].T @ away + self.alpha * self.coefs_[i]) / count)
            levels.append(away.mean(axis=0))
            if i:
                away = away @ self.coefs_[i].T * change(layers[i])
        return loss, weights[::-1] + levels[::-1]

    def _last(self, X):
        X = self._read(X)
        return self._forward(X)[-1]


class MLPClassifier(ClassifierMixin, _Network):
    def fit(self, X, y, sample_weight=None):
        if sample_weight is not None:
            raise NotImplementedError("MLPClassifier: sample_weight isn't supported here")
        X, y = _table(X), np.asarray(y)
        check_consistent_length(X, y)
        self.classes_, labels = np.unique(y, return_inverse=True)
        two = len(self.classes_) == 2
        self.out_activation_ = "logistic" if two else "softmax"
        return self._train(X, labels[:, None].astype(float) if two else (labels[:, None] == np.arange(len(self.classes_))).astype(float))

    def _labels_of(self, wanted):
        return self.classes_[wanted[:, 0].astype(int) if wanted.shape[1] == 1 else wanted.argmax(axis=1)]

    def _out(self, sums):
        if self.out_activation_ == "logistic":
            return 1 / (1 + np.exp(-sums))
        made = np.exp(sums - sums.max(axis=1)[:, None])
        return made / made.sum(axis=1)[:, None]

    def _loss(self, y, out):
        least = np.finfo(float).eps
        out = np.clip(out, least, 1 - least)
        both = y * np.log(out) + ((1 - y) * np.log(1 - out) if out.shape[1] == 1 else 0.0)
        return -float(both.mean(axis=0).sum())

    def predict_proba(self, X):
        out = self._last(X)
        return np.concatenate([1 - out, out], axis=1) if out.shape[1] == 1 else out

    def predict_log_proba(self, X):
        return np.log(self.predict_proba(X))

    def predict(self, X):
        out = self._last(X)
        return self.classes_[(out[:, 0] > 0.5).astype(int) if out.shape[1] == 1 else out.argmax(axis=1)]


class MLPRegressor(RegressorMixin, _Network):
    def __init__(self, loss="squared_error", hidden_layer_sizes=(100,), activation="relu", **options):
        super().__init__(hidden_layer_sizes, activation, **options)
        self.loss = loss

    @classmethod
    def _names(cls):
        return ["loss", *_Network._names()]

    def fit(self, X, y, sample_weight=None):
        if self.loss != "squared_error" or sample_weight is not None:
            raise NotImplementedError("MLPRegressor: only loss='squared_error' is supported here, without sample_weight")
        X, y = _table(X), np.asarray(y, dtype=float)
        check_consistent_length(X, y)
        self.out_activation_ = "identity"
        return self._train(X, y[:, None] if y.ndim == 1 else y)

    def _labels_of(self, wanted):
        return wanted[:, 0] if wanted.shape[1] == 1 else wanted

    def _out(self, sums):
        return sums

    def _loss(self, y, out):
        return 0.5 * float(((y - out) ** 2).mean())

    def predict(self, X):
        out = self._last(X)
        return out[:, 0] if out.shape[1] == 1 else out


def __getattr__(name):
    if not name.startswith("_"):
        raise NotImplementedError(f"sklearn.neural_network.{name} isn't part of this sklearn")
    raise AttributeError(f"module 'sklearn.neural_network' has no attribute '{name}'")
