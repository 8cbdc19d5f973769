"""Tests of several samples and of counts, and more distributions."""

import numpy as np
from scipy import stats

rng = np.random.RandomState(0)
a, b, c = rng.randn(30), rng.randn(30) + 0.5, rng.randn(25) * 2
for test in (stats.f_oneway(a, b, c), stats.mannwhitneyu(a, b), stats.mannwhitneyu(a[:7], b[:6], alternative="less"), stats.kruskal(a, b, c),
             stats.wilcoxon(a, b), stats.levene(a, b, c), stats.bartlett(a, b, c), stats.normaltest(a), stats.jarque_bera(a),
             stats.chisquare([16, 18, 16, 14, 12, 12])):
    print(type(test).__name__, *np.round([test.statistic, test.pvalue], 9))
r = stats.chi2_contingency(np.array([[10, 20, 30], [6, 9, 17]]))
print(np.round([r.statistic, r.pvalue], 9), r.dof, r.expected_freq)
print(round(stats.chi2_contingency([[12, 5], [3, 9]]).pvalue, 9), stats.chi2.sf(200, 3))
for d in (stats.f(3, 10), stats.lognorm(0.5), stats.laplace(), stats.cauchy(), stats.weibull_min(1.5), stats.logistic(), stats.pareto(2.5)):
    print(np.round([d.pdf(1.3), d.cdf(1.3), d.ppf(0.3), d.sf(1.3), d.mean(), d.var(), d.median()], 6), np.round(d.rvs(3, random_state=0), 6))
for d in (stats.binom(10, 0.3), stats.poisson(3), stats.bernoulli(0.4), stats.geom(0.3), stats.randint(1, 7)):
    print(np.round([d.pmf(2), d.cdf(2), d.ppf(0.6), d.mean(), d.var()], 6), d.rvs(size=4, random_state=0))
