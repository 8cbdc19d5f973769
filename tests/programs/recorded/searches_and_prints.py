"""Searches from many places, least squares without negative numbers, words of texts, and what matplotlib's artists print."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from scipy import optimize
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer


def wave(v):
    return np.cos(14.5 * v[0] - 0.3) + (v[0] + 0.2) * v[0]


def hills(v):
    return (v[0] ** 2 + v[1] - 11) ** 2 + (v[0] + v[1] ** 2 - 7) ** 2


found = optimize.basinhopping(wave, [1.0], niter=10, seed=1)
print(found.x.round(5), round(float(found.fun), 5), found.nit, found.message, found.success)
print(optimize.basinhopping(wave, 1.0, niter=30, rng=3, minimizer_kwargs={"method": "L-BFGS-B"}).x.round(5))
print(optimize.basinhopping(hills, [0.0, 0], niter=20, niter_success=3, rng=0, T=0.1).nit)
print(optimize.basinhopping(wave, [1.0], niter=5, rng=2, accept_test=lambda **k: bool(np.all(np.abs(k["x_new"]) < 1))).x.round(4))
print(optimize.brute(hills, (slice(-4, 4, 0.5), (-4, 4)), full_output=True, finish=None)[:2])
print(optimize.brute(hills, ((-4, 4), (-4, 4))).round(3))
print(optimize.brute(lambda v: (v - 1) ** 2, ((-2, 2),), finish=None))
print(optimize.fixed_point(np.cos, 1.0), optimize.fixed_point(np.cos, 1.0, method="iteration"))
print(optimize.fixed_point(lambda x, c: np.sqrt(c / (x + 1.0)), [1.2, 1.3], args=(np.array([10.0, 12.0]),)))
print(optimize.nnls([[1, 0], [1, 1.0]], [2, 1.0]))
print(optimize.nnls(np.array([[1.0, 2, 3], [4, 5, 6], [7, 8, 10], [1, 1, 0]]), [1.0, -2, 3, 1]))

# Words keep the order in which they appear, columns are sorted.
texts = ["the cat sat on the mat", "dogs and cats are pets", "the dog barked at the cat", "pets are good"]
words = CountVectorizer().fit(texts)
print(words.vocabulary_)
print(words.get_feature_names_out())
print(TfidfVectorizer(ngram_range=(1, 2), min_df=2).fit(texts).vocabulary_)

# Artists.
figure, axes = plt.subplots()
line, = axes.plot([1, 2], [1, 4], label="a line")
bars = axes.bar([1, 2], [3, -4])
print(line, bars[0], bars[1])
print(axes.bar_label(bars), axes.bar_label(axes.barh([1], [2]), padding=3))
print(axes.axvspan(0, 1), axes.imshow([[1, 2], [3, 4]]), axes.legend())
print(plt.Circle((0, 0), 2), plt.Rectangle((0, 0), 1, 2, angle=30), plt.Polygon([[0, 0], [1, 1], [1, 0]]))
