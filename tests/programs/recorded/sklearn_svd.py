# A table's first singular vectors.
import numpy as np
from sklearn.decomposition import TruncatedSVD

for shape, seed in (((12, 6), 0), ((5, 30), 1), ((40, 25), 2)):
    X = np.random.RandomState(seed).randn(*shape)
    svd = TruncatedSVD(n_components=2, random_state=seed)
    print(svd.fit_transform(X)[:3].round(4), svd.singular_values_.round(4), svd.explained_variance_ratio_.round(4))
    print(svd.components_[:, :3].round(4), svd.transform(X)[:1].round(4), svd.inverse_transform(svd.transform(X))[0, :2].round(4))
try:
    TruncatedSVD(5).fit(np.ones((3, 4)))
except ValueError as e:
    print(e)
