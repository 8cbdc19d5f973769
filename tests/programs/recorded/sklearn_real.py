"""scikit-learn's real data sets, on which courses begin."""

import numpy as np
import torch
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

for load in (load_iris, load_wine, load_breast_cancer, load_diabetes, load_digits):
    found = load()
    print(load.__name__, sorted(k for k in found if k not in ("DESCR", "filename", "data_module", "data_filename", "target_filename")))
    print(found.data.shape, found.data.dtype, found.target.shape, found.target.dtype, type(found.feature_names).__name__, list(found.feature_names)[:5])
    print(found["data"][0].tolist(), found.target[:12].tolist(), round(float(found.data.sum()), 6), round(float(found.target.sum()), 6))
    print(found.data.mean(0)[:6].round(6).tolist(), found.data.std(0)[-4:].round(6).tolist())
    if "target_names" in found:
        print(found.target_names, found.target_names.dtype, np.bincount(found.target).tolist())
    X, y = load(return_X_y=True)
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42)
    print(X_train.shape, X_test[0][:3].tolist(), y_test[:8].tolist())
    scaled = StandardScaler().fit_transform(X_train)
    print(scaled[0][:4].round(5).tolist(), torch.tensor(scaled, dtype=torch.float32).shape)
    framed = load(as_frame=True)
    print(framed.frame.shape, list(framed.frame.columns)[-3:], framed.target.name, type(framed.data).__name__)
    print(framed.frame.iloc[:3, :4])
    print(framed.frame["target"].describe())
    print(framed.target.value_counts().head(3))
digits = load_digits(n_class=3)
print(digits.images.shape, digits.images[1], digits.target[:10], digits.target_names)
print(load_diabetes(scaled=False).data[0].tolist())
iris = load_iris()
print(iris.filename, iris.data_module, len(iris.DESCR) > 100, iris.feature_names)
