"""Boosted trees, votes, support vector machines and networks beside a baseline."""

import warnings

import numpy as np
from sklearn.datasets import load_iris, make_classification, make_regression
from sklearn.ensemble import AdaBoostClassifier, GradientBoostingClassifier, GradientBoostingRegressor, VotingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier, RidgeCV
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.svm import SVC, SVR, LinearSVC
from sklearn.utils.class_weight import compute_class_weight

warnings.simplefilter("ignore")
X, y = make_classification(n_samples=24, n_features=5, weights=[0.7], random_state=3)
XI, yI = load_iris(return_X_y=True)
XI, yI = XI[::15], yI[::15]
XR, yR = make_regression(n_samples=20, n_features=3, noise=5, random_state=0)


def show(name, *values):
    print(name, *[np.round(np.asarray(v, dtype=float), 2).ravel()[:8].tolist() for v in values])


model = GradientBoostingClassifier(n_estimators=2, max_depth=2, random_state=0).fit(X, y)
show("boosted", model.score(X, y), model.predict_proba(X[:3]), model.train_score_, [s.mean() for s in model.staged_predict(X)])
model = GradientBoostingClassifier(n_estimators=1, max_depth=2, random_state=1).fit(XI, yI)
show("three", model.score(XI, yI), model.predict_proba(XI[::4]))
model = GradientBoostingRegressor(n_estimators=2, max_depth=2, random_state=0).fit(XR, yR)
show("values", model.score(XR, yR), model.predict(XR[:3]))
model = AdaBoostClassifier(n_estimators=3, random_state=0).fit(X, y)
show("ada", model.score(X, y), model.estimator_weights_, model.predict_proba(X[:3]))
pair = [("a", LogisticRegression()), ("b", GaussianNB())]
show("votes", VotingClassifier(pair, voting="soft").fit(X, y).predict_proba(X[:3]))
model = SVC(tol=1e-5).fit(X, y)
show("svc", model.score(X, y), model.n_support_, model.decision_function(X[:4]), model.intercept_, model.support_)
model = SVC(kernel="poly", degree=2, class_weight="balanced", tol=1e-5).fit(XI, yI)
show("ovr", model.score(XI, yI), model.decision_function(XI[::4]), model.predict(XI[::4]))
show("linear", SVC(kernel="linear", C=0.1, tol=1e-5).fit(XI, yI).coef_, SVR(C=1, tol=1e-5).fit(XR, yR).predict(XR[:4]))
show("hinge", LinearSVC(C=0.1, tol=1e-9, max_iter=100000).fit(X, y).coef_)
model = LogisticRegression(class_weight="balanced", tol=1e-10, max_iter=5000).fit(X, y)
show("balanced", model.coef_, compute_class_weight("balanced", classes=np.array([0, 1]), y=y))
show("weights", LinearRegression().fit(XR, yR, sample_weight=np.arange(20)).coef_, RidgeCV([0.1, 1, 10]).fit(XR, yR).alpha_)
show("rest", RidgeClassifier().fit(XI, yI).coef_, OneVsRestClassifier(RidgeClassifier()).fit(XI, yI).predict(XI))
model = MLPClassifier((6,), random_state=0, max_iter=5).fit(X, y)
show("network", model.loss_curve_, model.predict_proba(X[:3]))
model = MLPRegressor(hidden_layer_sizes=(4,), random_state=1, max_iter=8, solver="sgd", early_stopping=True).fit(XR, yR / 100)
show("stopped", model.loss_curve_, model.validation_scores_)
