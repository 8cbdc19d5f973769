"""Decision trees and random forests: recorded with scikit-learn 1.9.1."""

import numpy as np
from sklearn.datasets import load_diabetes, load_iris, load_wine, make_moons
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text


def show(model):
    tree = model.tree_
    print(model, tree.node_count, tree.max_depth, tree.n_leaves, model.get_depth(), model.get_n_leaves())
    print(tree.feature.tolist()[:40], np.round(tree.threshold[:40], 5).tolist(), np.round(tree.impurity[:20], 6).tolist())
    print(tree.n_node_samples.tolist()[:20], tree.children_left.tolist()[:20], tree.children_right.tolist()[:20])
    print(np.round(model.feature_importances_, 6).tolist(), np.round(tree.value[:6], 5).tolist())


X, y = load_iris(return_X_y=True)
for options in (
    {"criterion": "gini", "max_depth": 4, "random_state": 1}, {"random_state": 0}, {"criterion": "entropy", "random_state": 3},
    {"max_features": 2, "random_state": 5}, {"min_samples_leaf": 5, "random_state": 2}, {"min_samples_split": 20, "random_state": 2},
    {"max_features": "sqrt", "random_state": 7}, {"min_impurity_decrease": 0.02, "random_state": 1},
    {"min_samples_leaf": 0.1, "random_state": 1},
):
    model = DecisionTreeClassifier(**options).fit(X, y)
    show(model)
    print(model.score(X, y), model.predict(X[::30]).tolist(), np.round(model.predict_proba(X[::40]), 4).tolist())
    print(model.apply(X[::30]).tolist())
model = DecisionTreeClassifier(max_depth=4, random_state=1).fit(X[:, [2, 3]], y)
print(export_text(model))
print(export_text(model, feature_names=["a", "b"], class_names=["x", "y", "z"], max_depth=1, decimals=3))
a, b = load_wine(return_X_y=True)
train, test, u, v = train_test_split(a, b, random_state=0, stratify=b)
model = DecisionTreeClassifier(random_state=0).fit(train, u)
show(model)
print(model.score(test, v))
a, b = load_diabetes(return_X_y=True)
for options in ({"max_depth": 3, "random_state": 0}, {"max_depth": 4, "min_samples_leaf": 4, "random_state": 1}):
    model = DecisionTreeRegressor(**options).fit(a[:150], b[:150])
    show(model)
    print(round(model.score(a, b), 6), np.round(model.predict(a[:5]), 4).tolist())
print(export_text(DecisionTreeRegressor(max_depth=2, random_state=0).fit(a[:100], b[:100])))
show(DecisionTreeClassifier(random_state=42).fit(*make_moons(60, noise=0.3, random_state=0), sample_weight=np.arange(60) % 3))
model = DecisionTreeClassifier().fit([[0, 0], [1, 1]], ["a", "b"])
print(model.predict([[2, 2]]), model.classes_, model.n_classes_)
for call in (lambda: DecisionTreeClassifier().predict([[1]]), lambda: model.predict([[1, 2, 3]])):
    try:
        call()
    except ValueError as error:
        print(type(error).__name__, error)

for options in ({"n_estimators": 7, "random_state": 1, "n_jobs": 2}, {"n_estimators": 3, "random_state": 0, "bootstrap": False},
                {"n_estimators": 4, "max_depth": 2, "random_state": 3, "max_features": None}):
    model = RandomForestClassifier(**options).fit(X, y)
    print(model, len(model.estimators_), [tree.tree_.node_count for tree in model.estimators_], model.estimators_[0])
    print(np.round(model.feature_importances_, 6).tolist(), np.round(model.predict_proba(X[::20]), 5).tolist())
    print(model.predict(X[::25]).tolist(), model.score(X, y))
model = RandomForestClassifier(3, random_state=1).fit(X, np.array(["x", "y", "z"])[y])
print(model.predict(X[::40]), model.classes_)
model = RandomForestRegressor(n_estimators=3, max_depth=3, random_state=0).fit(a[:100], b[:100])
print(model, np.round(model.predict(a[:5]), 5).tolist(), round(model.score(a, b), 6), model.apply(a[:3]).tolist())
print(np.round(model.feature_importances_, 5).tolist())
for n in range(1, 9):
    print(LogisticRegression(C=10**n, max_iter=10000, random_state=12345, solver="newton-cg"))
