"""Boosted regression, more of Bayes, components, unions, strengths by cross-validation, and scores that few ask for."""
import numpy as np
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import PCA, IncrementalPCA, KernelPCA
from sklearn.ensemble import AdaBoostRegressor
from sklearn.linear_model import ElasticNetCV, LassoCV, LinearRegression, RidgeClassifierCV
from sklearn.metrics import (
    adjusted_mutual_info_score, d2_absolute_error_score, dcg_score, fowlkes_mallows_score, hinge_loss, mean_gamma_deviance, mean_poisson_deviance,
    ndcg_score, root_mean_squared_log_error,
)
from sklearn.naive_bayes import CategoricalNB, ComplementNB
from sklearn.pipeline import FeatureUnion, make_union
from sklearn.preprocessing import MinMaxScaler, StandardScaler

X, y = load_iris(return_X_y=True)
D, d = load_diabetes(return_X_y=True)
a = AdaBoostRegressor(n_estimators=3, random_state=0).fit(D[:150], d[:150])
print(a, a.predict(D[:4]).round(4).tolist(), a.estimator_weights_.round(4).tolist(), a.estimator_errors_.round(4).tolist())
print(AdaBoostRegressor(LinearRegression(), n_estimators=4, random_state=0, loss="square", learning_rate=0.5).fit(D, d).predict(D[:4]).round(3).tolist())
c = ComplementNB().fit(X, y)
print(c.predict_proba(X[::40]).round(4).tolist(), c.score(X, y), ComplementNB(norm=True, alpha=0.5).fit(X, y).feature_log_prob_.round(4).tolist())
c = CategoricalNB().fit(X.astype(int), y)
print(c.predict_proba(X[::40].astype(int)).round(4).tolist(), c.n_categories_.tolist())
few = X[::5]
k = KernelPCA(2, kernel="rbf").fit(few)
print(k, k.transform(X[:3]).round(4).tolist(), k.eigenvalues_.round(5).tolist())
print([KernelPCA(2, **options).fit_transform(few)[:2].round(4).tolist() for options in ({"kernel": "poly", "gamma": 0.1}, {}, {"kernel": "cosine"})])
i = IncrementalPCA(2, batch_size=40).fit(X)
print(i, i.transform(X[:3]).round(4).tolist(), i.explained_variance_.round(5).tolist(), i.mean_.round(5).tolist(), int(i.n_samples_seen_), i.explained_variance_ratio_.round(5).tolist())
m = LassoCV(cv=3, alphas=20).fit(D, d)
print(round(float(m.alpha_), 6), m.coef_.round(2).tolist(), m.mse_path_.shape, m.mse_path_[10].round(0).tolist(), m.alphas_[:2].round(5).tolist())
e = ElasticNetCV(alphas=[0.001, 0.01, 0.1, 1], cv=4).fit(D, d)
print(e, e.alpha_, e.coef_.round(2).tolist())
r = RidgeClassifierCV(alphas=[0.01, 0.1, 1]).fit(X, y)
print(float(r.alpha_), r.coef_.round(4).tolist(), r.score(X, y), round(float(r.best_score_), 5))
u = FeatureUnion([("p", PCA(1)), ("s", StandardScaler())]).fit(X)
print(u, u.transform(X[:2]).round(4).tolist(), u.get_feature_names_out().tolist())
print(make_union(MinMaxScaler(), PCA(1)).fit_transform(X)[:2].round(4).tolist(), make_union(PCA(), PCA()))
print(root_mean_squared_log_error([1, 2, 3], [1, 2, 5]), fowlkes_mallows_score([0, 0, 1, 1], [0, 1, 1, 1]), round(adjusted_mutual_info_score([0, 0, 1, 1, 2], [0, 0, 1, 2, 2]), 6))
print(hinge_loss([0, 1], [-0.5, 2]), hinge_loss([0, 1, 2], [[1, 0, 0], [0, 0.5, 1], [0, 1, 3]]), mean_poisson_deviance([0, 1, 2], [0.5, 1, 3]), mean_gamma_deviance([1, 2], [1, 3]))
print(d2_absolute_error_score([1, 2, 4], [1, 3, 4]), dcg_score([[3, 2, 0]], [[0.1, 0.2, 0.2]]), ndcg_score([[3, 2, 0, 1]], [[0.1, 0.2, 0.2, 0.5]], k=2), ndcg_score([[1, 0]], [[0.4, 0.9]], ignore_ties=True))
