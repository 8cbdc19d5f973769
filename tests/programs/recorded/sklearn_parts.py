"""Tables without negative numbers as products, and machines that are told how many samples may be wrong."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.decomposition import NMF
from sklearn.metrics import get_scorer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, NuSVC, OneClassSVM


def tried(function):
    try:
        print(function())
    except Exception as e:
        print(type(e).__name__, e)


X, y = load_iris(return_X_y=True)
nmf = NMF(n_components=2, random_state=0, max_iter=500)
W = nmf.fit_transform(X)
print(nmf, W[:3], nmf.components_, nmf.n_iter_, nmf.transform(X[:2]), nmf.inverse_transform(W[:2]), nmf.get_feature_names_out(), sep="\n")
print(nmf.reconstruction_err_, NMF(3, init="random", random_state=1, max_iter=500).fit(X).components_)
print(NMF(2, alpha_W=0.1, l1_ratio=0.5, init="nndsvdar", random_state=3).fit(X).components_)
D = np.abs(np.random.RandomState(0).randn(40, 30)) @ np.abs(np.random.RandomState(1).randn(30, 25))
print(NMF(4, random_state=0, max_iter=1000).fit(D).reconstruction_err_)
tried(lambda: NMF(2).fit([[1.0, -1], [2, 3]]))
tried(lambda: NMF().transform(X))

nu = NuSVC(nu=0.3).fit(X, y)
print(nu, nu.score(X, y), nu.n_support_, nu.classes_, nu.dual_coef_.shape, nu.predict(X[::30]), nu.decision_function(X[:2]).round(2), sep="\n")
tried(lambda: NuSVC(nu=0.9).fit([[0.0], [1], [2], [3]], [0, 1, 1, 1]))
tried(lambda: NuSVC(nu=2).fit([[0.0], [1]], [0, 1]))
tried(lambda: NuSVC().predict([[1]]))
odd = OneClassSVM(nu=0.1).fit(X)
print(odd, odd.n_support_, (odd.predict(X) == -1).sum(), odd.offset_, odd.decision_function(X[:3]))
print(SVC(gamma="auto").fit(X, y).dual_coef_.shape)
tried(lambda: make_pipeline(StandardScaler(), LogisticRegression()).predict(X))
print(get_scorer("accuracy"), get_scorer("neg_log_loss"))
