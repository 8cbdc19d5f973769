"""Intervals of t-tests, log-uniform numbers, exponential fits, and vectors of letters."""

import numpy as np
from scipy import stats
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

rng = np.random.default_rng(5)
a, b = rng.normal(5, 1, 30), rng.normal(5.6, 1.2, 30)
for found in (stats.ttest_ind(a, b, equal_var=False), stats.ttest_ind(a, b, alternative="less"), stats.ttest_rel(a, b), stats.ttest_1samp(a, 5, alternative="greater")):
    print(found, found.confidence_interval(), found.confidence_interval(confidence_level=0.9).low, isinstance(found, tuple), found[1] == found.pvalue)
law = stats.loguniform(1e-3, 10)
print(law.rvs(4, random_state=0), law.pdf([0.01, 1, 20]), law.cdf(0.1), law.ppf([0.1, 0.9]), law.mean(), law.var(), law.sf(5), law.logpdf(2), law.interval(0.5))
print(stats.loguniform.rvs(1, 100, size=3, random_state=np.random.RandomState(1)), stats.reciprocal(2, 3).median(), [float(x) for x in law.support()], stats.norm(1, 2).support())
print(stats.expon.fit(np.abs(a)), stats.expon.fit(np.abs(a), floc=0), stats.expon.fit(np.abs(a), fscale=2))
for wrong in (lambda: stats.expon.fit(a, floc=90), lambda: stats.expon.fit(a, floc=0, fscale=1)):
    try:
        wrong()
    except ValueError as e:
        print(type(e).__mro__[-4].__name__)
docs = ["The café is open", "a dog's life, in Zürich", "x  yz"]
for analyzer, sizes in (("char_wb", (2, 3)), ("char_wb", (1, 1)), ("char_wb", (5, 6)), ("char", (2, 2))):
    counts = CountVectorizer(analyzer=analyzer, ngram_range=sizes)
    print(counts.fit_transform(docs).toarray().sum(axis=1), counts.get_feature_names_out()[:12].tolist())
for accents in ("unicode", "ascii", None, str.upper):
    print(CountVectorizer(strip_accents=accents).fit(docs).get_feature_names_out().tolist())
print(TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3)).fit_transform(docs[2:]).toarray().round(4))
