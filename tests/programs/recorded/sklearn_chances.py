"""Classes from Gaussian processes."""
import numpy as np
from sklearn.datasets import load_iris, make_moons
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, DotProduct

print(GaussianProcessClassifier(), GaussianProcessClassifier(1.0 * RBF(1.0), random_state=0))
X, y = make_moons(n_samples=30, noise=0.2, random_state=0)
for kernel in (None, RBF(0.5), ConstantKernel(4.0) * RBF(1.0), DotProduct(1.0, "fixed") ** 2):
    m = GaussianProcessClassifier(kernel, random_state=0).fit(X, y)
    print(m.kernel_ if kernel is None else m.kernel_.theta.round(2).tolist(), round(float(m.log_marginal_likelihood()), 4), m.score(X, y))
    print(m.predict(X[:9]).tolist(), m.predict_proba(X[:4]).round(3).tolist(), m.n_classes_, m.classes_)
m = GaussianProcessClassifier(RBF(0.7), optimizer=None).fit(X, np.array(["a", "b"])[y])
mean, spread = m.latent_mean_and_variance(X[:3])
print(mean.round(6).tolist(), spread.round(6).tolist(), m.predict(X[:3]), m.predict_proba(X[:3]).round(7).tolist())
value, slope = m.log_marginal_likelihood(np.array([0.3]), eval_gradient=True)
print(round(float(value), 6), slope.round(4).tolist(), round(float(m.log_marginal_likelihood(np.array([0.1]))), 6))
m = GaussianProcessClassifier(1.0 * RBF(1.0), n_restarts_optimizer=1, random_state=0).fit(X, y)
print(round(float(m.log_marginal_likelihood_value_), 3))
X, y = load_iris(return_X_y=True)
X, y = X[::6], y[::6]
for way in ("one_vs_rest", "one_vs_one"):
    m = GaussianProcessClassifier(RBF(1.0), optimizer=None if way[-3:] == "one" else "fmin_l_bfgs_b", multi_class=way).fit(X, y)
    print(m.kernel_.theta.round(2).tolist(), round(float(m.log_marginal_likelihood_value_), 3), m.score(X, y), m.predict(X[::5]).tolist())
    try:
        print(m.predict_proba(X[::9]).round(3).tolist())
        print(len(m.kernel_.kernels), m.kernel_.bounds.shape, m.kernel_(X).shape, round(float(m.log_marginal_likelihood([0.0])), 4))
        m.latent_mean_and_variance(X)
    except ValueError as e:
        print(e)
for options in (dict(max_iter_predict=0), dict(multi_class=3), dict(n_restarts_optimizer=-1), dict(optimizer="newton")):
    try:
        GaussianProcessClassifier(**options).fit(X, y)
    except ValueError as e:
        print(type(e).__name__, str(e).split("{")[0])
try:
    GaussianProcessClassifier().fit(X[:5], y[:5])
except ValueError as e:
    print(e)
