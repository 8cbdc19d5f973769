"""scikit-learn: searches, splitters, scores and steps. Recorded with scikit-learn 1.9.1."""

import warnings; warnings.simplefilter("ignore")
import numpy as np
from sklearn.datasets import load_iris, load_diabetes, load_wine, make_classification, make_regression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, ParameterSampler, cross_validate, cross_val_predict, cross_val_score, learning_curve, validation_curve, ShuffleSplit, StratifiedShuffleSplit, TimeSeriesSplit, LeaveOneOut, RepeatedKFold, GroupKFold
from sklearn.linear_model import *
from sklearn.preprocessing import *
from sklearn.pipeline import make_pipeline, Pipeline
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.inspection import permutation_importance
from sklearn.naive_bayes import GaussianNB, MultinomialNB, BernoulliNB
from sklearn.dummy import *
from sklearn import metrics
np.set_printoptions(precision=6, suppress=True)
def T(f):
    try: r = f()
    except Exception as e: r = f"{type(e).__name__}: {str(e)[:300]}"
    print(r)
X, y = load_iris(return_X_y=True)
D, t = load_diabetes(return_X_y=True)
g = GridSearchCV(KNeighborsClassifier(), {"n_neighbors":[1,3,5], "weights":["uniform","distance"]}, cv=3)
print(g)
g.fit(X, y)
print(g.best_params_, g.best_score_, g.best_index_, g.best_estimator_, g.score(X, y), g.n_splits_)
print(sorted(g.cv_results_)); 
for k in ("mean_test_score","std_test_score","rank_test_score","split0_test_score","param_n_neighbors","param_weights"): print(k, g.cv_results_[k], g.cv_results_[k].dtype)
p = Pipeline([("sc", StandardScaler()), ("lr", LogisticRegression(max_iter=500, tol=1e-8))])
g = GridSearchCV(p, [{"lr__C":[0.1,1,10]}, {"sc":[MinMaxScaler()], "lr__C":[1]}], scoring="accuracy", return_train_score=True).fit(X, y)
print(g.best_params_, round(g.best_score_,6), g.cv_results_["mean_train_score"], g.cv_results_["params"])
print(g)
r = RandomizedSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth":[1,2,3,4,5,None], "min_samples_leaf":[1,2,5,10]}, n_iter=5, random_state=0, cv=3).fit(X, y)
print(r.best_params_, r.best_score_, r.cv_results_["params"])
from scipy.stats import uniform
T(lambda: [{k: round(v,6) if isinstance(v,float) else v for k,v in d.items()} for d in ParameterSampler({"a":[1,2,3],"b":uniform(0,1)}, 4, random_state=1)])
c = cross_validate(Ridge(), D, t, scoring=("r2","neg_mean_squared_error"), return_train_score=True)
print(sorted(c), c["test_r2"], c["train_neg_mean_squared_error"])
print(cross_val_predict(KNeighborsClassifier(), X, y, cv=4)[::7], cross_val_score(LinearRegression(), D, t, scoring="neg_mean_absolute_error"))
print(cross_val_predict(GaussianNB(), X, y, method="predict_proba")[::40])
for a in learning_curve(DecisionTreeClassifier(random_state=0), X, y, cv=3, shuffle=True, random_state=0): print(a)
for a in validation_curve(Ridge(), D, t, param_name="alpha", param_range=[0.1,1,10], cv=3): print(a)
for s in (ShuffleSplit(3, random_state=0), StratifiedShuffleSplit(2, test_size=0.2, random_state=1), TimeSeriesSplit(3), LeaveOneOut(), RepeatedKFold(n_splits=2,n_repeats=2,random_state=3), GroupKFold(3)):
    print(s, [b.tolist() for a, b in list(s.split(X[::10], y[::10], groups=np.array([1,1,2,3,3,3,4,5,5,6,6,6,6,7,8])))][:4])
for m in (Ridge(), Ridge(alpha=0.1, fit_intercept=False), Lasso(alpha=0.1), Lasso(0.5), ElasticNet(0.01), Lasso(0.001, max_iter=5)):
    m.fit(D, t); print(m, m.coef_, m.intercept_, round(m.score(D, t),6), m.n_iter_ )
pi = permutation_importance(DecisionTreeClassifier(random_state=0).fit(X,y), X, y, n_repeats=3, random_state=0)
print(pi.importances_mean, pi.importances_std, pi.importances)
for m in (GaussianNB(), MultinomialNB(), BernoulliNB(binarize=2.0)):
    m.fit(X, y); print(m, m.score(X, y), m.predict_proba(X[::40]))
for m in (RobustScaler(), MaxAbsScaler(), Normalizer(), Binarizer(threshold=3), MinMaxScaler((-1,1)), StandardScaler()):
    print(m, m.fit_transform(X)[::50], m.get_feature_names_out())
Xn = X.copy(); Xn[::5, 1] = np.nan
for m in (RobustScaler(), StandardScaler(), MinMaxScaler(), MaxAbsScaler()): print(m.fit_transform(Xn)[:6], getattr(m,"n_samples_seen_",None))
words = np.array([["a","x"],["b","y"],["a","z"],["c","x"]])
for e in (OneHotEncoder(sparse_output=False), OneHotEncoder(drop="first", sparse_output=False), OneHotEncoder(drop="if_binary", sparse_output=False), OrdinalEncoder()):
    o = e.fit_transform(words); print(e, o, e.get_feature_names_out(), e.categories_, e.inverse_transform(o).tolist())
o = OneHotEncoder(handle_unknown="ignore").fit(words); print(repr(o.transform([["a","q"]])), o.transform([["a","q"]]).toarray(), o.inverse_transform(o.transform([["a","q"]])))
T(lambda: OneHotEncoder().fit(words).transform([["q","x"]]))
T(lambda: OrdinalEncoder().fit(words).transform([["q","x"]]))
T(lambda: OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(words).transform([["q","x"]]))
T(lambda: OrdinalEncoder(handle_unknown="use_encoded_value").fit(words))
lb = LabelBinarizer(); print(lb.fit_transform(["b","a","c"]), lb.inverse_transform(lb.transform(["c","a"])), LabelBinarizer().fit_transform([0,1,1]), label_binarize([1,6],classes=[1,2,4,6]))
print(FunctionTransformer(np.log1p).fit_transform(X[:2]), normalize(X[:2], "l1"), scale(X)[:2], minmax_scale(X)[:2])
for m in (DummyClassifier(), DummyClassifier(strategy="most_frequent"), DummyRegressor(strategy="median")):
    m.fit(X, y); print(m, m.predict(X[:3]), round(m.score(X,y),6))
a, b = np.array([0,1,2,2,1,0,1,1]), np.array([0,2,2,2,1,0,0,1])
for n in ("cohen_kappa_score","adjusted_rand_score","normalized_mutual_info_score","mutual_info_score","homogeneity_score","v_measure_score","rand_score","hamming_loss","zero_one_loss","max_error","median_absolute_error","explained_variance_score"):
    print(n, round(float(getattr(metrics,n)(a,b)),8))
print(metrics.jaccard_score(a,b,average="macro"), metrics.jaccard_score(a,b,average=None), metrics.jaccard_score([0,1,1],[1,1,1]))
P = GaussianNB().fit(X,y).predict_proba(X)
print(round(metrics.roc_auc_score(y,P,multi_class="ovr"),8), round(metrics.roc_auc_score(y,P,multi_class="ovo"),8), round(metrics.roc_auc_score(y,P,multi_class="ovr",average="weighted"),8), metrics.top_k_accuracy_score(y,P,k=2))
yb, s = (y==1).astype(int), P[:,1]
print(round(metrics.average_precision_score(yb,s),8), round(metrics.brier_score_loss(yb,s),8)); 
for q in metrics.precision_recall_curve([0,0,1,1,1],[0.1,0.4,0.35,0.8,0.4]): print(q)
print(round(metrics.silhouette_score(X,y),8), metrics.pairwise_distances(X[:3]), metrics.pairwise.cosine_similarity(X[:3]), metrics.pairwise.manhattan_distances(X[:2]))
sc = metrics.make_scorer(metrics.fbeta_score, beta=2, average="macro"); print(round(cross_val_score(GaussianNB(), X, y, scoring=sc).mean(),8))
T(lambda: GridSearchCV(GaussianNB(), {}).predict(X))
T(lambda: GridSearchCV(GaussianNB(), {"a":1}).fit(X,y))
T(lambda: GridSearchCV(GaussianNB(), {"a":[1]}).fit(X,y))
T(lambda: GridSearchCV(GaussianNB(), {"var_smoothing":[1e-9]}, refit=False).fit(X,y).predict(X))
