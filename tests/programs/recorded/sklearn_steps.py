"""Pipelines, copies of estimators, scores over folds, and rows drawn again: recorded with scikit-learn 1.9.1."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import balanced_accuracy_score, log_loss, matthews_corrcoef
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import resample

X, y = load_iris(return_X_y=True)
pipe = make_pipeline(StandardScaler(), PCA(n_components=2), KNeighborsClassifier(3))
print(pipe)
print(pipe.fit(X, y).score(X, y), pipe.predict(X[::40]), pipe.predict_proba(X[::60]).round(4).tolist(), len(pipe), pipe.classes_)
print(list(pipe.named_steps), pipe[0], pipe["pca"], pipe[-1], pipe.named_steps.pca is pipe[1])
print([name for name, _ in make_pipeline(StandardScaler(), StandardScaler(), PCA()).steps])
named = Pipeline([("scale", StandardScaler()), ("nothing", "passthrough"), ("tree", DecisionTreeClassifier(random_state=0))])
print(named.set_params(tree__max_depth=2).fit(X, y).score(X, y), named.get_params()["tree__max_depth"])
print(np.round(make_pipeline(StandardScaler(), PCA(2)).fit_transform(X)[:3].__abs__(), 4))

model = DecisionTreeClassifier(max_depth=3, random_state=1).fit(X, y)
again = clone(model)
print(again, again is model, hasattr(again, "tree_"), [type(one).__name__ for one in clone([model, PCA()])])
try:
    clone(3)
except TypeError as error:
    print(error)

for scoring in (None, "accuracy", "f1_macro", "balanced_accuracy"):
    print(cross_val_score(model, X, y, cv=5, scoring=scoring).round(6).tolist())
print(cross_val_score(pipe, X, y).round(6).tolist())
print(cross_val_score(pipe, X, y, cv=KFold(3, shuffle=True, random_state=0)).round(6).tolist())
print(cross_val_score(model, X, y, cv=list(StratifiedKFold(3).split(X, y))).round(6).tolist())
a, b = load_diabetes(return_X_y=True)
for scoring in (None, "r2", "neg_mean_squared_error", "neg_mean_absolute_error"):
    print(cross_val_score(LinearRegression(), a, b, cv=4, scoring=scoring).round(4).tolist())


class Majority(ClassifierMixin, BaseEstimator):
    def __init__(self, extra=0):
        self.extra = extra

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.common_ = self.classes_[counts.argmax()]
        return self

    def predict(self, X):
        return np.full(len(X), self.common_)


class Mean(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.level_ = y.mean()
        return self

    def predict(self, X):
        return np.full(len(X), self.level_)


print(Majority(3), Majority().fit(X, y).score(X, y), cross_val_score(Majority(), X, y, cv=3).tolist(), Mean().fit(a, b).score(a, b))
print(resample([1, 2, 3, 4], random_state=0), resample(np.arange(5), replace=False, n_samples=3, random_state=1))
p, q = resample(X[y == 1], y[y == 1], replace=True, n_samples=7, random_state=123)
print(p.shape, q, p[0])
told, real = [0, 1, 1, 0, 2, 2], [0, 1, 0, 0, 2, 1]
print(balanced_accuracy_score(real, told), balanced_accuracy_score(real, told, adjusted=True), round(matthews_corrcoef(real, told), 6))
print(matthews_corrcoef([1, 1], [1, 1]), round(log_loss([0, 1, 1], [0.1, 0.8, 0.4]), 6))
print(round(log_loss(["a", "b"], [[0.9, 0.1], [0.3, 0.7]]), 6))
print(round(log_loss([0, 1], [0.0, 1.0]), 6) == 0, issubclass(ConvergenceWarning, UserWarning))
print(LogisticRegression().get_params(deep=False)["C"])
