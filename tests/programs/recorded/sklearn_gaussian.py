"""Gaussian processes and their kernels."""

import numpy as np
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel as C, WhiteKernel, Matern, RationalQuadratic, ExpSineSquared, DotProduct
r = np.random.RandomState(0)
Q = r.uniform(0, 5, (20, 1))
w = np.sin(Q).ravel()
g = GaussianProcessRegressor(kernel=C(1.0) * RBF(1.0), random_state=0, alpha=1e-06).fit(Q, w)
print(repr(g.kernel_))
print(repr(g.log_marginal_likelihood_value_))
print(repr(g.predict([[1.5], [2.5]])))
print(repr(g.predict([[1.5]], return_std=True)))
print(repr(g.score(Q, w)))
print(repr(g))
print(repr(GaussianProcessRegressor(kernel=RBF() + WhiteKernel(0.1), normalize_y=True, n_restarts_optimizer=2, random_state=1).fit(Q, w).kernel_))
