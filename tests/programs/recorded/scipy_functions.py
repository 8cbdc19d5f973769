"""SciPy's functions that courses use: recorded with SciPy 1.17.1 and NumPy 2.4.6."""

import numpy as np
import scipy
from scipy import linalg, ndimage, optimize, signal, special, stats
from scipy.spatial import distance


def told(call):
    try:
        print(call())
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


def near(x):
    """Rounded to ten digits, so that the last bits don't matter."""
    x = np.asarray(x)
    if x.dtype.kind == "c":
        return [near(x.real), near(x.imag)]
    return [float(f"{v:.9e}") + 0.0 if abs(v) > 1e-13 else 0.0 for v in x.reshape(-1).tolist()], x.shape, str(x.dtype)


x = np.array([-3.0, -0.5, 0.0, 0.25, 1.0, 4.0, 30.0])
a = np.array([[1.0, 2.0, 3.0], [4.0, 1.0, 0.5]])
print(scipy.__version__)
for name in ("erf", "erfc", "expit", "ndtr", "log_ndtr", "gamma", "gammaln", "digamma", "softmax", "log_softmax", "logsumexp", "entr"):
    print(name, near(getattr(special, name)(x)))
print(near(special.erfinv(x[1:4])), near(special.logit(np.array([0.1, 0.5, 0.9]))), near(special.ndtri([1e-12, 0.01, 0.3, 0.5, 0.999])))
print(near(special.softmax(a, axis=1)), near(special.logsumexp(a, axis=0)), near(special.logsumexp(a, b=a, axis=1, keepdims=True)))
print(near(special.expit(np.float32([0, 1]))), type(special.expit(0)).__name__, type(special.erf(1.5)).__name__)
print(near(special.betainc(2, 3, [0.1, 0.5, 0.99])), near(special.gammainc(2.5, [0.1, 2, 9])), near(special.gammaincc(2.5, [0.1, 2, 9])))
print(special.comb(5, 2), special.comb(5, 2, exact=True), special.factorial(5), special.perm(5, 2), near(special.binom(6, [0, 3, 7])))
print(near(special.rel_entr([0.2, 0.8, 0.0], [0.5, 0.5, 0.0])), near(special.kl_div([0.2, 0.8], [0.5, 0.5])), near(special.xlogy(0, 0)))

n = stats.norm(1, 2)
print(near(stats.norm.pdf(x)), near(stats.norm.cdf(x)), near(stats.norm.ppf([0.025, 0.5, 0.975])), near(stats.norm.sf(9)))
print(near(n.pdf(0.5)), near(n.cdf([0, 1])), n.mean(), n.std(), n.var(), near(n.ppf(0.9)), near(n.interval(0.95)), near(n.logpdf(3)))
print(near(stats.norm.fit([1, 2, 4, 7])), near(stats.norm.rvs(size=3, random_state=0)), near(stats.norm.isf(0.01)))
print(near(stats.uniform.pdf([-1, 0.5, 2])), near(stats.uniform(2, 3).cdf([1, 3, 9])), near(stats.expon.cdf(x)), near(stats.expon(scale=2).pdf(x)))
print(near(stats.t.cdf(x, 5)), near(stats.t.ppf([0.025, 0.9], 7)), near(stats.t.pdf(x, 3)), near(stats.chi2.sf([1, 3.84], 1)))
print(near(stats.beta.pdf([0.1, 0.5, 2], 2, 3)), near(stats.beta.cdf([0.1, 0.5, 2], 2, 3)), near(stats.gamma.pdf([0.5, 2], 2)), near(stats.gamma.cdf([0.5, 2], 2)))
print(near(stats.binom.pmf([0, 3, 11], 10, 0.3)), near(stats.poisson.pmf([0, 2, 5], 2.5)), near(stats.poisson.cdf([0, 2, 5], 2.5)), near(stats.bernoulli.pmf([0, 1, 2], 0.3)))
print(near(stats.multivariate_normal.pdf([[0.5, 0.2], [1, 1]], [0, 0], [[1, 0.3], [0.3, 2]])), near(stats.multivariate_normal([0, 1]).logpdf([0.5, 0.2])))
told(lambda: stats.t.pdf(1))

u, v = np.array([1.0, 2.5, 3.0, 4.2, 5.1, 7.0]), np.array([2.1, 2.0, 4.4, 4.0, 6.3, 5.9])
for made in (stats.pearsonr(u, v), stats.spearmanr(u, v), stats.ttest_ind(u, v), stats.ttest_ind(u, v, equal_var=False), stats.ttest_rel(u, v),
             stats.ttest_1samp(u, 3), stats.linregress(u, v)):
    print(type(made).__name__, near(made), near(made.pvalue))
print(near(stats.ttest_ind(u, v).df), near(stats.linregress(u, v).intercept_stderr), near(stats.pearsonr(u, v, alternative="greater")))
print(stats.mode([1, 2, 2, 3, 3]), stats.mode([[1, 2], [1, 3], [2, 3]]), stats.mode([[1, 2], [1, 3]], axis=None, keepdims=True))
print(near(stats.zscore(a, axis=1)), near(stats.zscore(u, ddof=1)), near(stats.entropy([1, 2, 1])), near(stats.entropy([0.5, 0.5], [0.9, 0.1], base=2)))
print(near(stats.skew(u)), near(stats.kurtosis(u)), near(stats.skew(u, bias=False)), near(stats.kurtosis(u, bias=False)), near(stats.sem(u)))
print(near(stats.gmean(u)), near(stats.hmean(u)), near(stats.iqr(u)), near(stats.rankdata([3, 1, 3, 2])), stats.rankdata([3, 1, 3, 2], "min"), stats.rankdata([3, 1, 3, 2], "dense"))
print(near(stats.wasserstein_distance(u, v)), near(stats.describe(u).variance), stats.describe(u).nobs, near(stats.norm(1, 2).rvs(3, random_state=1)), stats.poisson(3).rvs(4, random_state=0).tolist())
told(lambda: stats.pearsonr([1, 2], [1, 2, 3]))

p, q = np.array([[0.0, 1.0, 2.0], [3.0, 1.0, 0.5]]), np.array([[1.0, 1.0, 1.0], [0.0, 2.0, 5.0], [3.0, 1.0, 0.5]])
for metric in ("euclidean", "sqeuclidean", "cosine", "cityblock", "chebyshev", "correlation", "hamming", "canberra", "braycurtis", "minkowski"):
    print(metric, near(distance.cdist(p, q, metric)), near(distance.pdist(q, metric)), near(getattr(distance, metric)(p[0], q[1])))
print(near(distance.squareform(distance.pdist(q))), near(distance.squareform([[0, 1.5], [1.5, 0]])), near(distance.jensenshannon([0.2, 0.8], [0.6, 0.4])))
told(lambda: distance.cdist(p, q[:, :2]))
told(lambda: distance.cdist(p[0], q))
told(lambda: distance.cdist(p, q, "nosuch"))
told(lambda: distance.squareform(np.zeros((2, 3))))

image = np.arange(30).reshape(5, 6) % 7
for mode in ("reflect", "constant", "nearest", "mirror", "wrap"):
    print(mode, near(ndimage.gaussian_filter(image.astype(float), 0.7, mode=mode)), near(ndimage.uniform_filter(image.astype(float), 3, mode=mode)))
print(ndimage.gaussian_filter(image, 1.0).tolist(), near(ndimage.gaussian_filter(image.astype(np.float32), (0.5, 1.5))))
print(near(ndimage.convolve(image.astype(float), [[1, 0, -1], [2, 0, -2]])), near(ndimage.correlate1d([1.0, 2, 5, 3], [1, 2])), near(ndimage.convolve1d([1.0, 2, 5, 3], [1, 2])))
print(ndimage.maximum_filter(image, 3).tolist(), ndimage.minimum_filter(image, 2).tolist(), ndimage.median_filter(image, 3).tolist(), ndimage.sobel(image).tolist())

k = np.array([[1, 2], [0, -1], [3, 1]])
for mode in ("full", "same", "valid"):
    print(mode, signal.convolve2d(image, k, mode).tolist(), signal.correlate2d(image, k, mode).tolist(), signal.convolve([1, 2, 3], [0, 1, 0.5], mode).tolist(),
          near(signal.fftconvolve(image.astype(float), k, mode)))
for boundary in ("fill", "wrap", "symm"):
    print(boundary, signal.convolve2d(image, k, "same", boundary).tolist(), signal.convolve2d(image, k, "full", boundary).tolist())

m = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
print(near(linalg.sqrtm(m)), near(linalg.sqrtm(m @ np.diag([1.0, 2.0, 3.0]))), near(linalg.sqrtm([[1, 2], [3, -4]])), near(linalg.expm(m / 3)))
print(near(linalg.inv(m)), near(linalg.det(m)), near(linalg.cholesky(m)), near(linalg.cholesky(m, lower=True)), near(linalg.solve(m, [1, 2, 3])), near(linalg.svdvals(m)))
print([near(part) for part in linalg.lu([[1.0, 2, 3], [4, 5, 6], [7, 8, 10]])], near(linalg.eigvalsh(m)), near(linalg.eigh(m, eigvals_only=True)), near(linalg.norm(m)))
print(linalg.toeplitz([1, 2, 3]).tolist(), linalg.circulant([1, 2, 3]).tolist(), linalg.block_diag([[1, 2]], [[3], [4]]).tolist(), linalg.hadamard(4).tolist(), near(linalg.hilbert(2)))
print(near(linalg.solve_triangular(m, [1, 2, 3], lower=True)), near(linalg.pinv(a)), near(np.abs(linalg.null_space(a))))
print(near(optimize.bisect(lambda v: v * v - 2, 0, 2)))

# No equations at all.
print([part.shape for part in linalg.eigh(np.zeros((0, 0)))])
