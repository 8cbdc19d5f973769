"""Choosing columns, classes as normal distributions, clusters, neighbors, labels of several kinds."""

import numpy as np
from sklearn.calibration import calibration_curve
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_iris, make_blobs
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_selection import RFE, SelectFromModel, SelectKBest, VarianceThreshold, chi2, f_classif, f_regression
from sklearn.impute import KNNImputer
from sklearn.linear_model import Lasso, LinearRegression
from sklearn.metrics import (
    PrecisionRecallDisplay, RocCurveDisplay, accuracy_score, calinski_harabasz_score, davies_bouldin_score, f1_score, hamming_loss,
    multilabel_confusion_matrix,
)
from sklearn.mixture import GaussianMixture
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import KBinsDiscretizer, MultiLabelBinarizer

X, y = load_iris(return_X_y=True)
X, y = X[::6], y[::6]


def show(name, *values):
    print(name, *[np.round(np.asarray(v, dtype=float), 3).ravel()[:9].tolist() for v in values])


show("f", *f_classif(X, y), *f_regression(X, X[:, 0] + y))
show("chi2", *chi2(X, y), SelectKBest(chi2, k=2).fit(X, y).get_support(True), SelectKBest(f_classif, k=1).fit_transform(X, y)[:3])
show("dropped", VarianceThreshold(0.2).fit(X).variances_, RFE(LinearRegression(), n_features_to_select=2).fit(X, y).ranking_)
show("model", SelectFromModel(Lasso(0.1)).fit(X, y).get_support())
model = LinearDiscriminantAnalysis().fit(X, y)
show("linear", model.score(X, y), model.coef_, model.predict_proba(X[8:10]), np.abs(model.transform(X[:2])), model.explained_variance_ratio_)
model = QuadraticDiscriminantAnalysis().fit(X, y)
show("quadratic", model.score(X, y), model.predict_proba(X[8:10]))
show("crowds", DBSCAN(eps=0.6, min_samples=4).fit(X).labels_[::3], DBSCAN(eps=0.6, min_samples=4).fit(X).core_sample_indices_)
for linkage in ("ward", "average"):
    show(linkage, AgglomerativeClustering(3, linkage=linkage).fit_predict(X)[::3])
for kind in ("full", "spherical"):
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(X)
    show(kind, model.means_[0], model.weights_, model.bic(X), model.score(X))
show("near", *NearestNeighbors(n_neighbors=3).fit(X).kneighbors(X[:2]), davies_bouldin_score(X, y), calinski_harabasz_score(X, y))
show("bins", *[KBinsDiscretizer(3, encode="ordinal", strategy=s).fit_transform(X[:9, :1]) for s in ("uniform", "quantile")])
show("filled", KNNImputer(n_neighbors=2).fit_transform([[1, 2, np.nan], [3, 4, 3], [np.nan, 6, 5], [8, 8, 7]]))
show("two", MultiOutputRegressor(LinearRegression()).fit(X, np.c_[y, 2 * y]).predict(X[:2]))
show("log", TransformedTargetRegressor(LinearRegression(), func=np.log1p, inverse_func=np.expm1).fit(X, y).predict(X[:2]))
show("calibrated", *calibration_curve([0, 0, 1, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.9, 0.6], n_bins=2))
labels = MultiLabelBinarizer()
print(labels.fit_transform([{"a", "b"}, {"c"}]), labels.classes_, labels.inverse_transform(np.array([[1, 0, 1]])))
true, said = [[1, 0, 1], [1, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
show("several", *[f1_score(true, said, average=a) for a in ("micro", "macro", "weighted", "samples")], accuracy_score(true, said), hamming_loss(true, said))
print(multilabel_confusion_matrix([0, 1, 1, 2], [0, 1, 0, 2]).tolist())
_, halves = make_blobs(20, centers=2, random_state=0)
scores = np.linspace(0, 1, 20) + halves * 0.3
show("curves", RocCurveDisplay.from_predictions(halves, scores).roc_auc, PrecisionRecallDisplay.from_predictions(halves, scores).average_precision)
