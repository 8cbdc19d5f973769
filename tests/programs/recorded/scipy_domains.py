"""Parameters that a distribution can't have."""
import warnings

import numpy as np
from scipy import stats

warnings.simplefilter("ignore")
print(stats.norm.pdf(0, scale=-1), stats.norm.cdf([0, 1], scale=[1, 0]), stats.t.pdf(0, -1), stats.chi2.sf(1, 0), stats.gamma.pdf(1, -2), stats.beta.cdf(0.5, 1, -1))
print(stats.binom.pmf(1, 3, 1.5), stats.poisson.pmf(1, -1), stats.expon.ppf(0.3, scale=0), stats.norm.mean(scale=-1), stats.uniform.pdf(0.5, scale=-1), stats.norm.logpdf(0, scale=-1))
print(stats.binom.pmf(2, 5, 0.3).round(6), stats.t.ppf(0.975, 10).round(6), stats.poisson.pmf(0, 0), stats.binom.pmf(0, 0, 0.5), stats.norm(0, -1).pdf(0), stats.bernoulli.pmf(1, 2))
try:
    print(stats.norm.rvs(scale=-1, size=2))
except ValueError as error:
    print(error)
