"""Maps of many dimensions: t-SNE reaches the same divergence and keeps the same samples together; coordinates are not compared."""
import numpy as np
from sklearn.datasets import load_iris, make_blobs
from sklearn.manifold import TSNE, trustworthiness

print(TSNE(), TSNE(3, perplexity=5, init="random", random_state=0))
X, y = make_blobs(n_samples=40, centers=4, n_features=6, random_state=1)


def near(made, labels):
    """The share of the samples whose nearest sample in the map has their label."""
    apart = ((made[:, None] - made[None]) ** 2).sum(axis=2)
    np.fill_diagonal(apart, np.inf)
    return (labels[apart.argmin(axis=1)] == labels).mean()


for options in (dict(method="exact"), dict(method="exact", init="random", random_state=3), {}, dict(learning_rate=20.0, init="random", random_state=0)):
    m = TSNE(perplexity=8, max_iter=300, **options)
    made = m.fit_transform(X)
    print(options, made.shape, made.dtype, m.n_iter_, round(float(m.learning_rate_), 3), near(made, y) > 0.95)
    print(round(trustworthiness(X, made), 1), float(m.kl_divergence_) < 1.0, m.embedding_ is made)
# A few steps from a given map, before rounding has grown.
start = np.random.RandomState(0).standard_normal((40, 2)) * 1e-4
m = TSNE(perplexity=8, method="exact", init=start, max_iter=300, learning_rate=1.0, early_exaggeration=1.0)
made = m.fit_transform(X)
print(made.dtype, m.n_iter_, round(float(m.kl_divergence_), 4), made[:3].round(4).tolist())
print(round(trustworthiness(X, X[:, :2], n_neighbors=4), 6), round(trustworthiness(load_iris().data[::3], load_iris().data[::3, :3]), 6))
print(TSNE(max_iter=250, perplexity=5, n_components=1, init="random", random_state=0).fit(X[:20]).get_feature_names_out())
for options in (dict(perplexity=40), dict(perplexity=0), dict(init="best"), dict(max_iter=100), dict(learning_rate=0),
                dict(n_components=4), dict(metric="precomputed"), dict(angle=2), dict(early_exaggeration=0.5), dict(n_iter_without_progress=-2)):
    try:
        TSNE(**options).fit(X)
        print("no error")
    except ValueError as e:
        print(type(e).__name__, e)
