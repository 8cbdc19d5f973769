"""Pruned and limited trees, weighed classes, random thresholds, bags, stacks and outliers."""
import warnings

import numpy as np
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import (
    BaggingClassifier, BaggingRegressor, ExtraTreesClassifier, ExtraTreesRegressor, IsolationForest, RandomForestClassifier,
    RandomForestRegressor, StackingClassifier, StackingRegressor, VotingClassifier,
)
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

warnings.simplefilter("ignore")
X, y = load_iris(return_X_y=True)
D, d = load_diabetes(return_X_y=True)
t = DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X, y)
print(t.tree_.feature.tolist(), t.tree_.n_node_samples.tolist(), t.get_depth(), t.get_n_leaves())
t = DecisionTreeClassifier(ccp_alpha=0.02, random_state=0).fit(X, y)
print(t.tree_.feature.tolist(), t.tree_.n_node_samples.tolist(), t.get_n_leaves())
p = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
print(p.ccp_alphas.round(6).tolist(), p.impurities.round(6).tolist())
print(DecisionTreeClassifier(class_weight="balanced", max_depth=2, random_state=0).fit(X[:120], y[:120]).predict_proba(X[::40]).round(4).tolist())
print(DecisionTreeClassifier(class_weight={0: 1, 1: 5, 2: 1}, max_depth=2, random_state=0).fit(X, y).predict_proba(X[::40]).round(4).tolist())
print(ExtraTreeClassifier(random_state=1, max_depth=3).fit(X, y).tree_.threshold.round(4).tolist())
print(DecisionTreeRegressor(max_leaf_nodes=6, random_state=0).fit(D, d).tree_.feature.tolist())
f = RandomForestClassifier(n_estimators=5, oob_score=True, random_state=0).fit(X, y)
print(f.oob_score_, f.oob_decision_function_[:3].round(4).tolist(), round(RandomForestRegressor(n_estimators=4, oob_score=True, random_state=0, max_depth=2).fit(D, d).oob_score_, 6))
for options in ({"class_weight": "balanced"}, {"class_weight": "balanced_subsample"}, {"max_samples": 0.5}, {"max_leaf_nodes": 4}):
    print(RandomForestClassifier(n_estimators=3, random_state=0, max_depth=2, **options).fit(X[:120], y[:120]).predict_proba(X[::40]).round(4).tolist())
f = ExtraTreesClassifier(4, random_state=0, max_depth=3).fit(X, y)
print(f, f.predict_proba(X[::40]).round(4).tolist(), f.feature_importances_.round(4).tolist())
print(ExtraTreesRegressor(2, random_state=0, max_depth=3).fit(D, d).predict(D[:3]).round(3))
i = IsolationForest(n_estimators=3, random_state=0).fit(X)
print(i.predict(X[::10]), i.score_samples(X[::30]).round(5).tolist(), i.offset_, i.max_samples_)
i = IsolationForest(n_estimators=3, random_state=0, max_samples=50, contamination=0.1, max_features=2).fit(X)
print(i.predict(X)[::7], round(float(i.offset_), 5), i.decision_function(X[:3]).round(5).tolist())
b = BaggingClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5, random_state=0, oob_score=True).fit(X, y)
print(b, b.predict_proba(X[::20]).round(4).tolist(), b.score(X, y), round(b.oob_score_, 5))
print(BaggingClassifier(GaussianNB(), n_estimators=4, max_samples=0.5, max_features=0.5, random_state=0).fit(X, y).predict_proba(X[::20]).round(4).tolist())
print(BaggingClassifier(SVC(), n_estimators=3, random_state=0, bootstrap=False, max_samples=0.8).fit(X, y).predict_proba(X[::20]).round(4).tolist())
print(BaggingRegressor(LinearRegression(), n_estimators=3, random_state=1).fit(D, d).predict(D[:4]).round(4).tolist())
s = StackingClassifier([("l", LogisticRegression(max_iter=1000)), ("n", GaussianNB())]).fit(X, y)
print(s.score(X, y), s.predict(X[::30]), s.predict_proba(X[::50]).round(3).tolist(), s.transform(X[:2]).round(3).tolist(), s.stack_method_)
s = StackingRegressor([("r", Ridge()), ("l", LinearRegression())]).fit(D, d)
print(s.predict(D[:4]).round(2).tolist(), round(s.score(D, d), 4))
print(StackingRegressor([("r", Ridge()), ("l", LinearRegression())], final_estimator=LinearRegression(), passthrough=True).fit(D, d).predict(D[:4]).round(2).tolist())
for call in (lambda: BaggingClassifier(max_features=9).fit(X, y), lambda: BaggingClassifier(n_estimators=0).fit(X, y), lambda: StackingClassifier([]).fit(X, y),
             lambda: VotingClassifier([("n", GaussianNB())]).fit(X, y).predict_proba(X[:1]), lambda: RandomForestClassifier(bootstrap=False, oob_score=True).fit(X, y)):
    try:
        print(call())
    except Exception as error:
        print(type(error).__name__, str(error)[:150])
