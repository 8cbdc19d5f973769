"""scikit-learn's models that courses compare networks with."""

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, make_blobs, make_moons
from sklearn.decomposition import PCA
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import accuracy_score, confusion_matrix
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.preprocessing import StandardScaler

warnings.simplefilter("ignore")
X, y = load_iris(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
pca = PCA(n_components=2)
flat = pca.fit_transform(X)
print(pca, flat.shape, flat[:4].round(5).tolist(), pca.components_.round(5).tolist())
print(pca.explained_variance_.round(6), pca.explained_variance_ratio_.round(6), pca.singular_values_.round(5), pca.mean_.round(5), round(pca.noise_variance_, 6), pca.n_components_)
print(np.abs(pca.inverse_transform(flat) - X).max().round(6), PCA(0.9).fit(X).n_components_, PCA(2, whiten=True).fit_transform(X).std(0).round(5), PCA().fit(X).explained_variance_ratio_.sum().round(8))
digits = load_digits()
knn = KNeighborsClassifier(n_neighbors=3).fit(X_train, y_train)
print(knn, knn.score(X_test, y_test), knn.predict(X_test).tolist(), knn.predict_proba(X_test[:4]).round(4).tolist(), knn.classes_, knn.n_features_in_)
away, places = knn.kneighbors(X_test[:2])
print(away.round(5).tolist(), places.shape, KNeighborsClassifier(5, weights="distance").fit(X_train, y_train).predict_proba(X_test[10:12]).round(5).tolist())
print(KNeighborsRegressor(2).fit(X_train[:, :2], X_train[:, 2]).predict(X_test[:4, :2]).round(5).tolist(), KNeighborsClassifier(1, p=1).fit(X_train, y_train).score(X_test, y_test))
D_train, D_test, t_train, t_test = train_test_split(digits.data, digits.target, test_size=0.25, random_state=42)
model = KNeighborsClassifier().fit(D_train[:300], t_train[:300])
print(model.score(D_test[:20], t_test[:20]), confusion_matrix(t_test[:20], model.predict(D_test[:20])).diagonal().tolist())
logistic = LogisticRegression(tol=1e-9, max_iter=2000).fit(X_train, y_train)
print(logistic.score(X_test, y_test), logistic.predict(X_test).tolist(), logistic.coef_.round(3).tolist(), logistic.intercept_.round(2).tolist(), logistic.classes_)
print(logistic.predict_proba(X_test[:3]).round(3).tolist(), logistic.decision_function(X_test[:2]).round(2).tolist())
B, b = load_breast_cancer(return_X_y=True)
B_train, B_test, b_train, b_test = train_test_split(B, b, test_size=0.2, random_state=1)
scaler = StandardScaler().fit(B_train)
binary = LogisticRegression(tol=1e-9, max_iter=2000).fit(scaler.transform(B_train), b_train)
print(binary, binary.score(scaler.transform(B_test), b_test), binary.coef_.shape, binary.coef_[0, :6].round(3).tolist(), binary.intercept_.round(3), binary.predict(scaler.transform(B_test[:10])))
print(accuracy_score(b_test, binary.predict(scaler.transform(B_test))), LogisticRegression(C=0.1, tol=1e-9, max_iter=2000).fit(scaler.transform(B_train), b_train).coef_[0, :4].round(3).tolist())
M, m = make_moons(100, noise=0.2, random_state=4)
print(LogisticRegression(tol=1e-9).fit(M, m).score(M, m), LogisticRegression().fit(M, np.where(m == 1, "up", "down")).predict(M[:5]), LinearRegression().fit(M, m).coef_.round(4))
for seed in (0, 42):
    blobs, truth = make_blobs(n_samples=120, centers=4, cluster_std=1.2, random_state=seed)
    means = KMeans(n_clusters=4, random_state=seed, n_init=3).fit(blobs)
    print(means.labels_.tolist(), means.labels_.dtype, round(means.inertia_, 4), means.cluster_centers_.round(4).tolist(), means.n_iter_)
    print(KMeans(4, random_state=seed).fit_predict(blobs)[:20].tolist(), means.predict([[0.0, 0.0]]), means.transform(blobs[:1]).round(3).tolist(), round(means.score(blobs), 3))
print([round(KMeans(k, random_state=0, n_init=2).fit(X).inertia_, 3) for k in range(1, 5)], KMeans(3, init=X[:3]).fit(X).n_iter_, KMeans(2, init="random", n_init=2, random_state=3).fit(X).inertia_.round(4) if False else "")
for what in (lambda: KNeighborsClassifier().predict(X), lambda: PCA(9).fit(X), lambda: LogisticRegression().fit(X[:5], y[:5]), lambda: KMeans(9).fit(X[:3]), lambda: LogisticRegression().predict(X),
             lambda: knn.predict(X[:, :2]), lambda: KNeighborsClassifier(500).fit(X, y).predict(X[:1])):
    try:
        what()
    except Exception as error:
        print(type(error).__name__, str(error)[:20])
