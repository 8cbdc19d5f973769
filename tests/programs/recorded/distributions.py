"""Every distribution: shapes, moments, draws under a seed, densities. PyTorch 2.15 recorded `distributions.txt` from this file."""

import torch, warnings
from torch.distributions import *
import torch.distributions as D
from torch.distributions import constraints
torch.set_printoptions(precision=4)
warnings.simplefilter("ignore")
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
T = torch.tensor
cases = {
 "Normal": lambda: Normal(T([0., 1.]), T([1., 2.])), "Normal0": lambda: Normal(0., 1.), "Uniform": lambda: Uniform(T([0., -1.]), T([1., 3.])),
 "Exponential": lambda: Exponential(T([.5, 2.])), "Laplace": lambda: Laplace(T([0., 1.]), T([1., .5])), "Cauchy": lambda: Cauchy(T([0., 1.]), T([1., .5])),
 "Gamma": lambda: Gamma(T([.5, 3.]), T([1., 2.])), "Chi2": lambda: Chi2(T([2., 5.])), "StudentT": lambda: StudentT(T([3., 5.]), 1., 2.),
 "FisherSnedecor": lambda: FisherSnedecor(T([3., 7.]), T([5., 9.])), "Dirichlet": lambda: Dirichlet(T([[.5, 1., 2.], [3., 4., 5.]])), "Beta": lambda: Beta(T([.5, 2.]), T([1., 3.])),
 "Bernoulli": lambda: Bernoulli(T([.3, .5, 1.])), "BernoulliL": lambda: Bernoulli(logits=T([.3, -.5])), "Geometric": lambda: Geometric(T([.3, .9])),
 "Categorical": lambda: Categorical(T([[.1, .4, .5], [1., 1., 2.]])), "CategoricalL": lambda: Categorical(logits=T([.1, .4, .5])), "OneHot": lambda: OneHotCategorical(T([.1, .4, .5])), "OneHotST": lambda: OneHotCategoricalStraightThrough(T([.1, .4, .5])),
 "Multinomial": lambda: Multinomial(5, T([.1, .4, .5])), "Binomial": lambda: Binomial(10, T([.3, .9])), "Binomial2": lambda: Binomial(T([50., 80., 7.]), T([.3, .9, 0.])), "NegBin": lambda: NegativeBinomial(T([3., 5.]), T([.3, .6])),
 "Poisson": lambda: Poisson(T([.5, 4., 25., 0.])), "ContBern": lambda: ContinuousBernoulli(T([.2, .5, .9])), "VonMises": lambda: VonMises(T([0., 1.]), T([1., 4.])),
 "GenPareto": lambda: GeneralizedPareto(T([0., 1., 0.]), T([1., 2., 1.]), T([.1, -.3, 0.])), "LogNormal": lambda: LogNormal(T([0., .5]), T([1., .3])), "LogisticNormal": lambda: LogisticNormal(T([0., .5]), T([1., .3])),
 "HalfNormal": lambda: HalfNormal(T([1., 2.])), "HalfCauchy": lambda: HalfCauchy(T([1., 2.])), "Gumbel": lambda: Gumbel(T([0., 1.]), T([1., 2.])), "Pareto": lambda: Pareto(T([1., 2.]), T([3., 1.])),
 "Weibull": lambda: Weibull(T([1., 2.]), T([1.5, .7])), "Kumaraswamy": lambda: Kumaraswamy(T([1., 2.]), T([1.5, .7])), "InverseGamma": lambda: InverseGamma(T([3., 2.]), T([1.5, .7])),
 "RelaxedBernoulli": lambda: RelaxedBernoulli(T([2.2]), T([.1, .9])), "RelaxedOneHot": lambda: RelaxedOneHotCategorical(T([2.2]), T([.1, .5, .4])),
 "MVN": lambda: MultivariateNormal(T([0., 1.]), T([[2., .5], [.5, 1.]])), "MVNp": lambda: MultivariateNormal(T([0., 1.]), precision_matrix=T([[2., .5], [.5, 1.]])), "MVNt": lambda: MultivariateNormal(torch.zeros(3, 2), scale_tril=T([[2., 0.], [.5, 1.]])),
 "LowRank": lambda: LowRankMultivariateNormal(torch.zeros(3), T([[1.], [0.], [2.]]), T([1., 2., .5])), "Wishart": lambda: Wishart(T(5.), T([[2., .5], [.5, 1.]])), "LKJ": lambda: LKJCholesky(3, .5),
 "Independent": lambda: Independent(Normal(torch.zeros(2, 3), torch.ones(2, 3)), 1), "Mixture": lambda: MixtureSameFamily(Categorical(T([.3, .7])), Normal(T([-1., 1.]), T([.5, 1.]))),
 "MixtureMV": lambda: MixtureSameFamily(Categorical(torch.ones(2, 3)), Independent(Normal(torch.arange(12.).view(2, 3, 2), 1.), 1)),
 "Transformed": lambda: TransformedDistribution(Normal(T([0., 1.]), 1.), [AffineTransform(1., 2.), SigmoidTransform()]),
}
def main():
    for name, make in cases.items():
        print("====", name)
        say("repr", lambda: make())
        try: d = make()
        except Exception: continue
        say("shapes", lambda: (d.batch_shape, d.event_shape, d.support, d.has_rsample, d.has_enumerate_support, type(d).__module__))
        for p in ("mean", "mode", "variance", "stddev"): say(p, lambda: getattr(d, p))
        torch.manual_seed(1); say("sample", lambda: d.sample()); say("sample", lambda: d.sample((2,)))
        torch.manual_seed(2); say("rsample", lambda: d.rsample((3,)))
        torch.manual_seed(3); x = None
        try: x = d.sample((2,))
        except Exception as e: pass
        if x is not None:
            say("log_prob", lambda: d.log_prob(x))
            if name not in ("Gamma", "Chi2", "InverseGamma"): say("cdf", lambda: d.cdf(x))
            say("icdf", lambda: d.icdf(torch.full(d.batch_shape, .3)))
        say("entropy", lambda: d.entropy()); say("perplexity", lambda: d.perplexity()); say("enumerate", lambda: d.enumerate_support())
        say("expand", lambda: (d.expand((4,) + d.batch_shape), d.expand((4,) + d.batch_shape).sample().shape))
        say("wrong value", lambda: d.log_prob(torch.full(d.batch_shape + d.event_shape, -7.5)))
        say("wrong shape", lambda: d.log_prob(torch.ones(7, 5))); say("no tensor", lambda: d.log_prob("a"))
        say("kl self", lambda: kl_divergence(d, make()))
        say("params", lambda: {k: getattr(d, k) for k in d.arg_constraints})
        say("constraints", lambda: d.arg_constraints)
main()
