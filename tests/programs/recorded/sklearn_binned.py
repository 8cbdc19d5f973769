"""Boosted trees over bins of the features."""
import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, make_friedman1, make_regression
from sklearn.ensemble import HistGradientBoostingClassifier as C
from sklearn.ensemble import HistGradientBoostingRegressor as R

print(C(), R(max_iter=20, loss="poisson"))
X, y = make_friedman1(n_samples=150, n_features=5, random_state=0)
lacking = X.copy()
lacking[np.random.RandomState(1).rand(*X.shape) < 0.1] = np.nan
for table, target, options in (
    (X, y, {}), (lacking, y, {}), (X, y, dict(loss="absolute_error")), (X, y, dict(loss="quantile", quantile=0.8)),
    (X, y, dict(loss="poisson", max_leaf_nodes=4)), (X, y, dict(loss="gamma", max_depth=2)),
    (X.round(1), y, dict(l2_regularization=1.5, learning_rate=0.3, min_samples_leaf=5)), (X, y, dict(max_bins=8)),
    (X, y, dict(early_stopping=True, random_state=0, n_iter_no_change=2, tol=0.3)),
    (X, y, dict(early_stopping=True, validation_fraction=None, n_iter_no_change=1, tol=0.5)),
):
    m = R(max_iter=options.pop("max_iter", 12), **options).fit(table, target)
    print(options, m.n_iter_, m.predict(table[:6]).round(8).tolist(), round(m.score(table, target), 8))
    print(m.do_early_stopping_, m.train_score_.round(6).tolist(), m.validation_score_.round(6).tolist())
w = np.random.RandomState(2).randint(0, 4, 150)
m = R(max_iter=8).fit(X, y, sample_weight=w)
print(m.predict(lacking[:6]).round(8).tolist(), [round(float(p[3]), 6) for p in m.staged_predict(X)])
big, target = make_regression(n_samples=400, n_features=2, random_state=0)
print(R(max_iter=5).fit(big, target).predict(big[:4]).round(6).tolist())
print(R(max_iter=3).fit(big, target, sample_weight=np.arange(400) % 3).predict(big[:4]).round(6).tolist())
X, y = load_iris(return_X_y=True, as_frame=True)
m = C(max_iter=8).fit(X, y)
print(m.classes_, m.n_features_in_, m.feature_names_in_, m.n_trees_per_iteration_, m.score(X, y))
print(m.predict_proba(X[::40]).round(8).tolist(), m.decision_function(X[::40]).round(8).tolist(), m.predict(X[::30]).tolist())
X, y = load_breast_cancer(return_X_y=True)
X, y = X[::3, :6], np.array(["bad", "good"])[y[::3]]
m = C(max_iter=10, class_weight="balanced", random_state=0).fit(X, y)
print(m.predict_proba(X[:5]).round(8).tolist(), m.decision_function(X[:5]).round(8).tolist(), m.predict(X[:8]), m.score(X, y))
m = C(max_iter=30, early_stopping=True, random_state=1, n_iter_no_change=3, tol=0.01).fit(X, y)
print(m.n_iter_, m.validation_score_.round(6).tolist())
m = C(max_iter=6, max_features=0.5, random_state=3).fit(X, y)
print(m.predict_proba(X[:5]).round(8).tolist(), [p[0] for p in m.staged_predict(X[:2])])
for options in (dict(max_bins=300), dict(max_iter=0), dict(learning_rate=0), dict(max_features=2), dict(early_stopping="often"), dict(max_leaf_nodes=1),
                dict(l2_regularization=-1), dict(validation_fraction=2.5)):
    try:
        C(**options).fit(X, y)
        print("no error")
    except ValueError as e:
        print(type(e).__name__, e)
for options in (dict(loss="poisson"), dict(loss="gamma"), dict(quantile=2)):
    try:
        R(**options).fit(X, -np.ones(len(X)))
        print("no error")
    except ValueError as e:
        print(type(e).__name__, e)
