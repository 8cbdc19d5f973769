"""scikit-learn: preprocessing, metrics and least squares."""

import warnings

import numpy as np
from sklearn import metrics
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, OneHotEncoder, PolynomialFeatures, StandardScaler


def fails(call):
    try:
        print("no error:", call())
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


rng = np.random.RandomState(0)
X = rng.randn(6, 3) * [1, 5, 0] + [0, 2, 7]
for scaler in (StandardScaler(), StandardScaler(with_mean=False), StandardScaler(with_std=False), MinMaxScaler(),
               MinMaxScaler(feature_range=(-1, 2), clip=True)):
    print(scaler)
    moved = scaler.fit_transform(X)
    print(moved.round(5).tolist(), np.allclose(scaler.inverse_transform(moved), X))
    print(scaler.transform([[9.0, 9.0, 9.0]]).round(5).tolist(), scaler.n_features_in_, scaler.n_samples_seen_)
print(StandardScaler().fit(X).mean_.round(5).tolist(), StandardScaler().fit(X).scale_.round(5).tolist())
print(StandardScaler().get_params(), StandardScaler().fit_transform(X.astype(np.float32)).dtype)
fails(lambda: StandardScaler().transform(X))
fails(lambda: StandardScaler().fit(X).transform(X[:, :2]))
fails(lambda: StandardScaler().fit(X[0]))
fails(lambda: StandardScaler().set_params(copies=1))

labels = LabelEncoder().fit(["paris", "tokyo", "amsterdam", "paris"])
print(labels.classes_.tolist(), labels.transform(["tokyo", "paris"]).tolist(), labels.inverse_transform([0, 2]).tolist())
print(LabelEncoder().fit_transform([10, 5, 10, 7]).tolist())
columns = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
print(columns.fit_transform([["a", "x"], ["b", "y"], ["a", "z"]]).tolist(), columns.transform([["c", "x"]]).tolist())
print(columns.get_feature_names_out().tolist(), [c.tolist() for c in columns.categories_])
products = PolynomialFeatures(3)
print(products.fit_transform([[2.0, 3.0]]).tolist(), products.powers_.tolist())
print(products.get_feature_names_out(["a", "b"]).tolist())
print(PolynomialFeatures(2, interaction_only=True, include_bias=False).fit_transform([[2.0, 3.0, 5.0]]).tolist())

true, guess = np.array([0, 1, 2, 2, 1, 0, 2, 1, 1]), np.array([0, 2, 2, 2, 1, 0, 1, 1, 0])
print(metrics.accuracy_score(true, guess), metrics.accuracy_score(true, guess, normalize=False))
print(metrics.confusion_matrix(true, guess).tolist())
print(metrics.confusion_matrix(["a", "b"], ["b", "b"], labels=["b", "a"]).tolist())
print(metrics.confusion_matrix(true, guess, normalize="true").round(4).tolist())
for average in (None, "micro", "macro", "weighted"):
    found = [f(true, guess, average=average) for f in (metrics.precision_score, metrics.recall_score, metrics.f1_score)]
    print(average, [np.round(f, 6).tolist() for f in found])
print(metrics.f1_score(true == 1, guess == 1), metrics.fbeta_score(true == 1, guess == 1, beta=2.0))
print(metrics.precision_score(["n", "y", "y"], ["y", "y", "n"], pos_label="y"))
print(metrics.classification_report(true, guess))
print(metrics.classification_report(true, guess, target_names=["cat", "a longer name", "fox"], digits=4))
print(metrics.classification_report(true, guess, labels=[0, 1]))
print(metrics.classification_report(true, guess, output_dict=True)["macro avg"]["support"])
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(metrics.precision_score([1, 0], [0, 0]), metrics.recall_score([0, 0], [1, 0]), metrics.f1_score([0, 0], [0, 0]))
    print(metrics.precision_score([0, 1, 2], [0, 1, 1], average="macro"), metrics.precision_score([1], [0], zero_division=1))
for w in caught:
    print(w.category.__name__, w.message)
fails(lambda: metrics.f1_score(true, guess))
fails(lambda: metrics.accuracy_score([1, 2], [1]))
fails(lambda: metrics.accuracy_score([1, 0], [0.3, 0.8]))
fails(lambda: metrics.classification_report(true, guess, target_names=["a"]))

y, near = np.array([3.0, -0.5, 2.0, 7.0]), np.array([2.5, 0.0, 2.0, 8.0])
print(metrics.mean_squared_error(y, near), metrics.mean_absolute_error(y, near), metrics.root_mean_squared_error(y, near))
print(metrics.r2_score(y, near), metrics.r2_score([1.0, 1.0], [1.0, 1.0]), metrics.r2_score([1.0, 1.0], [1.0, 2.0]))
print(metrics.mean_squared_error([[1.0, 2.0], [3.0, 4.0]], [[1.0, 1.0], [5.0, 4.0]], multioutput="raw_values").tolist())
score, truth = np.array([0.1, 0.4, 0.35, 0.8, 0.7, 0.7, 0.2]), [0, 0, 1, 1, 1, 0, 0]
for column in metrics.roc_curve(truth, score):
    print(column.tolist())
print(metrics.roc_auc_score(truth, score), metrics.auc([0, 1, 2], [0, 1, 1]))
fails(lambda: metrics.roc_auc_score([0, 1, 2], [0.1, 0.2, 0.3]))

x = np.array([[1.0, 2.0], [3.0, 1.0], [4.0, 4.0], [6.0, 5.0], [7.0, 8.0]])
line = LinearRegression().fit(x, x @ [2.0, -1.0] + 3 + [0.1, -0.2, 0.0, 0.1, 0.0])
print(line, line.coef_.round(6).tolist(), round(float(line.intercept_), 6), line.predict([[2.0, 2.0]]).round(6).tolist())
print(round(line.score(x, x @ [2.0, -1.0] + 3), 6))
print(LinearRegression(fit_intercept=False).fit(x, x[:, 0] + x[:, 1]).coef_.round(6).tolist())
fails(lambda: LinearRegression().predict(x))
fails(lambda: LinearRegression().fit([[np.nan], [1.0]], [1.0, 2.0]))
