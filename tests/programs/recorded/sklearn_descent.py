"""Stochastic gradient descent: the same samples in the same order, so the same weights."""
import warnings

import numpy as np
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import Perceptron, SGDClassifier, SGDRegressor

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *others: print("warning:", category.__name__, str(message)[:80])
X, y = load_iris(return_X_y=True)
c = SGDClassifier(random_state=0).fit(X, y)
print(c.coef_.round(3).tolist(), c.intercept_.round(3).tolist(), c.score(X, y), c.n_iter_, c.t_, hasattr(c, "predict_proba"))
print(SGDClassifier(loss="log_loss", random_state=1, max_iter=20, penalty="l1", alpha=0.01).fit(X, y).coef_.round(3).tolist())
c = SGDClassifier(loss="log_loss", random_state=1).fit(X[50:], y[50:])
print(c.coef_.round(2).tolist(), c.n_iter_, c.predict_proba(X[50:53]).round(4).tolist())
c = SGDClassifier(loss="modified_huber", random_state=1, class_weight="balanced", learning_rate="adaptive", eta0=0.1, max_iter=30).fit(X, y)
print(c.predict_proba(X[::40]).round(4).tolist())
print(SGDClassifier(loss="squared_hinge", random_state=1, penalty="elasticnet", learning_rate="constant", eta0=0.01, max_iter=30).fit(X, y).coef_.round(4).tolist())
r = SGDRegressor(random_state=0).fit(X, y)
print(r.coef_.round(4).tolist(), r.intercept_.round(5), r.n_iter_, round(r.score(X, y), 5))
print(SGDRegressor(random_state=0, loss="huber", epsilon=0.2, penalty=None, learning_rate="constant", max_iter=20).fit(X, y).coef_.round(4).tolist())
print(SGDRegressor(random_state=0, loss="epsilon_insensitive", max_iter=20, tol=None).fit(X, y).coef_.round(4).tolist())
D, d = load_diabetes(return_X_y=True)
print(SGDRegressor(random_state=3, max_iter=10).fit(D, d).coef_.round(2).tolist())
p = Perceptron(random_state=0).fit(X, y)
print(p.coef_.round(4).tolist(), p.score(X, y), p.n_iter_)
p = Perceptron().fit(X[:100], y[:100])
print(p.coef_.round(4).tolist(), p.intercept_, p.n_iter_, p)
c = SGDClassifier(random_state=0).partial_fit(X[::2], y[::2], classes=[0, 1, 2]).partial_fit(X[1::2], y[1::2])
print(c.coef_.round(3).tolist(), c.t_)
np.random.seed(3)
print(SGDClassifier(max_iter=5, tol=None).fit(X, y).coef_.round(3).tolist())
for call in (lambda: SGDClassifier().partial_fit(X, y), lambda: SGDClassifier(alpha=-1).fit(X, y), lambda: SGDClassifier().fit(X, y).predict_proba(X),
             lambda: SGDRegressor(random_state=0, eta0=10).fit(X * 1e8, y)):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error)[:120])
