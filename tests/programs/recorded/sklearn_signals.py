"""FastICA takes mixed signals apart; a grid exchanges steps of a pipeline."""

import warnings

import numpy as np
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA, FastICA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

t = np.linspace(0, 8, 400)
sources = np.c_[np.sin(2 * t), np.sign(np.sin(3 * t)), ((t * 1.3) % 1) - 0.5]
sources = sources + 0.05 * np.random.RandomState(0).normal(size=sources.shape)
sources /= sources.std(axis=0)
mixed = sources @ np.array([[1, 1, 1], [0.5, 2, 1.0], [1.5, 1.0, 2.0]]).T
for options in ({}, {"fun": "cube"}, {"fun": "exp"}, {"algorithm": "deflation"}, {"whiten": "arbitrary-variance"}, {"whiten_solver": "eigh"},
                {"fun_args": {"alpha": 1.5}}, {"fun": lambda x: (x**3, (3 * x**2).mean(axis=-1))}):
    ica = FastICA(3, random_state=0, **options)
    found = ica.fit_transform(mixed)
    print(ica if "fun" not in options or isinstance(options["fun"], str) else "own", ica.n_iter_, found[:2].round(4).tolist(), ica.mixing_.round(4).tolist())
    print(np.abs(np.corrcoef(found.T, sources.T)[:3, 3:]).max(axis=1).round(4), np.allclose(ica.inverse_transform(found), mixed), np.allclose(ica.transform(mixed), found))
print(ica.get_feature_names_out(), ica.components_.shape, ica.mean_.round(4), ica.whitening_.shape, ica.n_features_in_)
print(FastICA(2, random_state=1).fit(mixed).transform(mixed[:2]).shape, PCA(3).fit_transform(mixed)[:1].round(4).tolist())
with warnings.catch_warnings(record=True) as heard:
    warnings.simplefilter("always")
    FastICA(9, random_state=0, max_iter=1, tol=1e-12).fit(mixed)
print([str(w.message) for w in heard])
for options in ({"fun_args": {"alpha": 3}}, {"w_init": np.eye(2)}):
    try:
        FastICA(3, **options).fit(mixed)
    except ValueError as e:
        print(e)
X, y = load_wine(return_X_y=True)
pipe = Pipeline([("scale", StandardScaler()), ("reduce", PCA(2)), ("model", LogisticRegression())])
grid = GridSearchCV(pipe, [{"model": [DecisionTreeClassifier(random_state=0)], "model__max_depth": [2, 4], "reduce": ["passthrough"]},
                           {"model__C": [0.1, 1.0], "reduce": [PCA(), FastICA(random_state=0)], "reduce__n_components": [2, 3]}], cv=3)
grid.fit(X, y)
print(grid.best_params_, grid.cv_results_["mean_test_score"].round(4))
pipe.set_params(model__max_depth=3, model=DecisionTreeClassifier())
print(pipe, FeatureUnion([("a", PCA(1))]).set_params(a__n_components=2, a=FastICA()).get_params()["a__n_components"])
