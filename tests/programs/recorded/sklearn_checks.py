"""What estimators check: parameters, names of columns, targets; and the steps of logistic regression."""
import warnings

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_iris, make_moons
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

warnings.simplefilter("always")
warnings.showwarning = lambda message, category, *others: print("warning:", category.__name__, str(message)[:200])
X, y = load_iris(return_X_y=True)


def tried(*calls):
    for call in calls:
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, str(error).partition("{")[0][:220])


tried(lambda: LogisticRegression(C=-1).fit(X, y), lambda: LogisticRegression(solver="nosuch").fit(X, y), lambda: Ridge(alpha=-1).fit(X, y),
      lambda: Lasso(max_iter=0).fit(X, y), lambda: DecisionTreeClassifier(max_depth=0).fit(X, y), lambda: RandomForestClassifier(n_estimators="a").fit(X, y),
      lambda: RandomForestClassifier(criterion="nosuch").fit(X, y), lambda: SVC(kernel="nosuch").fit(X, y), lambda: SVC(C=0).fit(X, y),
      lambda: KNeighborsClassifier(weights="nosuch").fit(X, y), lambda: KNeighborsClassifier(n_neighbors=0).fit(X, y), lambda: KMeans(n_clusters=0).fit(X),
      lambda: KMeans(init="nosuch", n_clusters=2).fit(X), lambda: DecisionTreeClassifier(min_samples_split=1).fit(X, y), lambda: PCA(n_components=-1).fit(X))
frame = pd.DataFrame(X, columns=list("abcd"))
model = LinearRegression().fit(frame, y)
print(model.feature_names_in_, model.predict(X[:1]).round(4))
tried(lambda: model.predict(frame[["b", "a", "c", "d"]]), lambda: model.predict(frame[["b", "a"]]), lambda: model.predict(frame.assign(e=1)),
      lambda: LinearRegression().fit(X, y).predict(frame[:1]).round(4), lambda: LogisticRegression().fit(X, X[:, 0]), lambda: KNeighborsClassifier().fit(X, X[:, 0]),
      lambda: LinearRegression().fit([[np.nan]], [1]), lambda: StandardScaler().fit(frame).transform(X)[:1].round(4), lambda: hasattr(LinearRegression().fit(X, y), "feature_names_in_"))
print(StandardScaler().set_output(transform="pandas").fit_transform(frame).head(2))
print(make_pipeline(MinMaxScaler(), PCA(2)).fit(frame).predict if False else PCA(2).set_output(transform="pandas").fit_transform(frame).abs().head(2).round(4))
print(PCA(2).fit(X).get_feature_names_out())
model = LogisticRegression().fit(X, y)
print(model.coef_.round(1).tolist(), model.n_iter_, model.score(X, y))
print(LogisticRegression(max_iter=3).fit(X, y).coef_.round(5).tolist(), LogisticRegression(max_iter=1000).fit(X, y).n_iter_)
print(LogisticRegression(penalty=None).fit(X, y).coef_.round(2).tolist())
model = LogisticRegression().fit(X[:100], y[:100])
print(model.coef_.round(5).tolist(), model.n_iter_, model.predict_proba(X[:2]).round(5).tolist())
B, b = load_breast_cancer(return_X_y=True)
Z = (B - B.mean(0)) / B.std(0)
model = LogisticRegression().fit(Z, b)
print(model.n_iter_, model.coef_.round(4).tolist(), model.intercept_.round(4))
model = LogisticRegression(C=100, max_iter=500, class_weight="balanced").fit(Z, b)
print(model.n_iter_, model.coef_.round(3).tolist())
M, k = make_moons(100, noise=0.2, random_state=0)
model = LogisticRegression(solver="liblinear", tol=1e-8).fit(M, k)
print(model.coef_.round(5), model.intercept_.round(5))
model = LogisticRegression(fit_intercept=False, C=np.inf).fit(M, k)
print(model.n_iter_, model.coef_.round(5))
tried(lambda: LogisticRegression(l1_ratio=0.5).fit(M, k), lambda: LogisticRegression(penalty="l1").fit(M, k), lambda: LogisticRegression(solver="liblinear").fit(X, y),
      lambda: LogisticRegression(n_jobs=2).fit(M, k).n_iter_)
