"""Calibrated classifiers, isotonic regression, and choices by cross-validation."""

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.feature_selection import RFECV
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

x, y = np.arange(10), np.array([1, 3, 2, 4, 3, 5, 7, 6, 8, 9.0])
m = IsotonicRegression(out_of_bounds="clip").fit(x, y)
print(m, m.predict([-1, 0.5, 3.3, 20]), m.X_thresholds_, m.y_thresholds_)
print(IsotonicRegression(increasing=False).fit_transform(x, y), IsotonicRegression(increasing="auto", y_min=2).fit(x, y).predict(x))

X, y = make_classification(200, 6, random_state=1)
for method in ("sigmoid", "isotonic"):
    c = CalibratedClassifierCV(GaussianNB(), method=method, cv=3).fit(X, y)
    print(c.predict_proba(X)[:4].round(5), c.score(X, y))
X, y = load_iris(return_X_y=True)
c = CalibratedClassifierCV(GaussianNB(), ensemble=False).fit(X, y)
print(c.predict_proba(X[::30]).round(4), c.score(X, y), len(c.calibrated_classifiers_))

X, y = make_classification(150, 10, n_informative=4, random_state=2)
r = RFECV(LogisticRegression(), cv=3).fit(X, y)
print(r.n_features_, r.support_, r.ranking_, r.cv_results_["mean_test_score"].round(4), r.cv_results_["n_features"], r.score(X, y))

X, y = load_breast_cancer(return_X_y=True)
X = StandardScaler().fit_transform(X)
m = LogisticRegressionCV(cv=3, Cs=5, max_iter=500, scoring="accuracy", l1_ratios=(0,), use_legacy_attributes=False).fit(X, y)
print(m.C_, round(m.score(X, y), 5), m.scores_.round(4))
