"""Which of equally distant neighbors are chosen, and in which order."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

for n, width, high, k in [(100, 2, 4, 5), (150, 3, 5, 20), (60, 2, 10, 30)]:
    r = np.random.RandomState(n)
    X, Q, y = r.randint(0, high, (n, width)) * 1.0, r.randint(0, high, (8, width)) * 1.0, r.randint(0, 3, n)
    for algorithm in ("auto", "ball_tree", "brute"):
        for metric in ("minkowski", "manhattan"):
            model = KNeighborsClassifier(k, algorithm=algorithm, metric=metric, leaf_size=10).fit(X, y)
            print(n, algorithm, metric, model.kneighbors(Q, return_distance=False)[:, :8].tolist(), model.predict(Q).tolist())
    print(NearestNeighbors(n_neighbors=3).fit(X).kneighbors()[1][:6].tolist())

X, y = load_iris(return_X_y=True)
for k in (1, 3, 8):
    model = KNeighborsClassifier(k).fit(X[::2], y[::2])
    print(k, model.score(X[1::2], y[1::2]), model.kneighbors(X[1::2])[1].sum(axis=0).tolist())
try:
    NearestNeighbors(n_neighbors=4).fit([[1.0], [2.0], [3.0], [4.0]]).kneighbors()
except ValueError as error:
    print(error)

# NumPy's numbers are numbers for parameters.
import numbers  # noqa: E402

for k in np.arange(1, 4):
    print(KNeighborsClassifier(n_neighbors=k).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]).predict([[2.4]]))
print(isinstance(np.int32(5), numbers.Integral), isinstance(np.float32(1), numbers.Real), isinstance(np.bool_(1), numbers.Integral))
