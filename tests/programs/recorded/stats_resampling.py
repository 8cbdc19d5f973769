"""Samples compared: the bootstrap, permutations, Tukey's test, tables of counts and rarer distributions."""

import numpy as np
from scipy import stats
from scipy.stats.contingency import association, crosstab
from scipy.stats.mstats import winsorize

rng = np.random.default_rng(1)
a, b = rng.gamma(3, 2, 25), rng.gamma(4, 2, 20)
c = a + rng.normal(0, 1, 25)

# Intervals from samples that are drawn again.
mean = stats.bootstrap((a,), np.mean, n_resamples=200, rng=1)
print(mean.confidence_interval, mean.standard_error, mean.bootstrap_distribution[:3])
print(stats.bootstrap((a,), np.median, method="percentile", n_resamples=100, rng=2).confidence_interval)
print(stats.bootstrap((a, b), lambda x, y: x.mean() - y.mean(), method="basic", n_resamples=100, random_state=0).confidence_interval)
print(stats.bootstrap((a, c), lambda x, y: stats.pearsonr(x, y)[0], paired=True, n_resamples=60, rng=5).confidence_interval)
print(stats.bootstrap((a,), np.std, confidence_level=0.9, alternative="less", n_resamples=100, rng=4).confidence_interval)

# Permutations.
found = stats.permutation_test((a[:4], b[:3]), lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis))
print(found.statistic, found.pvalue, len(found.null_distribution))
print(stats.permutation_test((a, b), lambda x, y: x.mean() - y.mean(), n_resamples=99, rng=2, alternative="less").pvalue)
print(stats.permutation_test((a, c), lambda x, y: (x * y).sum(), permutation_type="pairings", n_resamples=50, rng=0).pvalue)
print(stats.permutation_test((a[:5], c[:5]), lambda x, y: (x - y).mean(), permutation_type="samples").pvalue)

# Groups.
print(stats.tukey_hsd(a, b, c))
print(stats.tukey_hsd(a, b, c, equal_var=False).pvalue)
print(stats.tukey_hsd(a, b, c).confidence_interval(0.9).low)
print(stats.studentized_range.ppf(0.95, 3, 10), stats.studentized_range.cdf(3.5, 4, 20))
print(stats.median_test(a, b))
print(stats.fligner(a, b, c))
print(stats.brunnermunzel(a, b))
print(stats.pearsonr(a, c).confidence_interval(0.9))
print(stats.theilslopes(c, a))
print(stats.siegelslopes(c, a))

# Tables.
print(crosstab(["x", "y", "x"], [1, 2, 2]))
print(association([[10, 20], [6, 9]]))
print(stats.chi2_contingency([[10, 20, 30], [6, 9, 17]], lambda_="log-likelihood"))
print(stats.power_divergence([16, 18, 16], lambda_="cressie-read"))
print(stats.false_discovery_control([0.01, 0.02, 0.5]))
print(stats.combine_pvalues([0.01, 0.2, 0.3], method="stouffer"))

# Summaries.
print(stats.trim_mean([1, 2, 3, 4, 100], 0.2), stats.variation(a), stats.gstd(a), stats.moment(a, 3))
print(stats.percentileofscore([1, 2, 3, 3, 4], 3), stats.percentileofscore([1, 2, 3, 3, 4], [3, 0], kind="weak"))
print(stats.median_abs_deviation(a), stats.median_abs_deviation(a, scale="normal"))
print(stats.circmean([350, 10, 20], high=360), stats.circstd([0.1, 0.2, 3]))
print(stats.cumfreq(a, 4))
print(stats.binned_statistic(a, a**2, statistic="median", bins=[0, 5, 10, 30]).statistic)
print(winsorize(np.arange(10), limits=(0.2, 0.1)))
print(stats.yeojohnson(a)[1], stats.anderson(a).statistic, stats.anderson(a).critical_values)

# Distributions.
print(stats.hypergeom.pmf([1, 2], 20, 7, 12), stats.hypergeom(20, 7, 12).mean(), stats.nbinom.cdf(3, 5, 0.4))
print(stats.truncnorm.rvs(-1, 2, size=3, random_state=0), stats.truncnorm.ppf(0.3, 1, 3), stats.triang.cdf(0.5, 0.3))
die = stats.rv_discrete(values=([1, 2, 5], [0.2, 0.5, 0.3]))
print(die.mean(), die.std(), die.pmf([1, 3]), die.rvs(size=5, random_state=0))
print(stats.dirichlet([1, 2, 3]).pdf([0.2, 0.3, 0.5]), stats.multinomial.pmf([1, 2], 3, [0.4, 0.6]))
print(stats.gamma(2).stats("mvsk"), stats.binom.stats(10, 0.3, moments="mvsk"))
print(stats.norm.expect(lambda v: v**2, loc=1), stats.poisson(3).expect(), stats.gamma.fit(a, floc=0))
