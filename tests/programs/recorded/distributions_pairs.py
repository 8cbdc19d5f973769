"""Divergences, refusals, transforms, constraints and gradients. PyTorch 2.15 recorded `distributions_pairs.txt` from this file."""

import itertools, warnings
import torch
from torch.distributions import *
import torch.distributions as D
from torch.distributions import constraints, transforms as tr
warnings.simplefilter("ignore")
def say(name, f):
    try: r = str(f())
    except Exception as e: r = f"{type(e).__name__}: {e}"
    print(name, "->", r)
T = torch.tensor
ds = [Bernoulli(T([.3, .6])), Beta(T([1.5, 2.]), T([2., .7])), Binomial(5, T([.3, .6])), Categorical(T([.3, .7])), Cauchy(T([0., 1.]), T([1., 2.])), ContinuousBernoulli(T([.3, .6])), Dirichlet(T([1., 2.])), Exponential(T([.5, 2.])), Gamma(T([1.5, 3.]), T([1., 2.])), Geometric(T([.3, .6])), Gumbel(T([0., .5]), T([1., 2.])), HalfNormal(T([1., 2.])), Laplace(T([0., 1.]), T([1., .5])), Normal(T([0., 1.]), T([1., 2.])), OneHotCategorical(T([.3, .7])), Pareto(T([1., 2.]), T([3., 2.5])), Poisson(T([.5, 3.])), Uniform(T([.1, .2]), T([.5, .9])), Uniform(T([2., 3.]), T([5., 9.])), StudentT(T([3., 4.])), LogNormal(T([0., 1.]), T([1., .5])), Chi2(T([2., 3.])), Independent(Normal(T([0., 1.]), T([1., 2.])), 1), MultivariateNormal(T([0., 1.]), T([[2., .5], [.5, 1.]])), LowRankMultivariateNormal(T([.5, 0.]), T([[1.], [2.]]), T([1., .5])), MultivariateNormal(torch.zeros(3, 2), torch.eye(2) * 2)]
for p, q in itertools.product(ds, ds):
    say(f"kl {type(p).__name__} {type(q).__name__}", lambda: kl_divergence(p, q))
print("==== errors")
for f in (lambda: Normal(0., -1.), lambda: Normal(T([0., 1.]), T([1., -2.])), lambda: Normal("a", 1.), lambda: Uniform(1., 0.), lambda: Bernoulli(), lambda: Bernoulli(.3, logits=.1), lambda: Bernoulli(1.5), lambda: Categorical(T(1.)), lambda: Categorical(T([-1., 2.])), lambda: Categorical(logits=T(1.)), lambda: Dirichlet(T(1.)), lambda: Beta(0., 1.), lambda: Gamma(-1., 1.), lambda: Poisson(-1.), lambda: Geometric(0.), lambda: Geometric(T([0., .5])), lambda: Multinomial(T([1, 2]), T([.5, .5])), lambda: MultivariateNormal(T(0.), torch.eye(2)), lambda: MultivariateNormal(torch.zeros(2)), lambda: MultivariateNormal(torch.zeros(2), -torch.eye(2)), lambda: MultivariateNormal(torch.zeros(2), T([1.])), lambda: MultivariateNormal(torch.zeros(2), scale_tril=T([1.])), lambda: MultivariateNormal(torch.zeros(3), torch.eye(2)), lambda: MultivariateNormal(torch.zeros(2), T([[1., .5], [0., 1.]])), lambda: LKJCholesky(1), lambda: Wishart(1., torch.eye(3)), lambda: Independent(Normal(0., 1.), 1), lambda: MixtureSameFamily(Normal(0., 1.), Normal(0., 1.)), lambda: MixtureSameFamily(Categorical(torch.ones(3)), Normal(torch.zeros(2), 1.)), lambda: MixtureSameFamily(Categorical(torch.ones(3)), 1), lambda: TransformedDistribution(Normal(0., 1.), 1), lambda: TransformedDistribution(Normal(0., 1.), [1]), lambda: TransformedDistribution(Normal(0., 1.), StickBreakingTransform()), lambda: Normal(0., 1.).log_prob(T([float("nan")])), lambda: Bernoulli(T([.5])).log_prob(T([.5])), lambda: Categorical(torch.ones(3)).log_prob(T(3)), lambda: Uniform(0., 1.).log_prob(T(2.)), lambda: Normal(0., -1., validate_args=False), lambda: Normal(torch.zeros(2), 1.).log_prob(torch.zeros(3)), lambda: Normal(0., 1.).enumerate_support(), lambda: Bernoulli(.5).rsample(), lambda: Distribution().log_prob(1), lambda: Distribution(), lambda: Distribution(validate_args=False), lambda: Distribution.set_default_validate_args(3), lambda: Normal(0., 1.).sample(3), lambda: Normal(0., 1.).sample([2, 2]).shape, lambda: Normal(0., 1.).sample_n(2).shape, lambda: Binomial(T([2, 3]), .5).entropy(), lambda: Binomial(T([2, 3]), .5).enumerate_support(), lambda: RelaxedBernoulli(T(1.)), lambda: Dirichlet(T([-1., 1.])), lambda: OneHotCategorical(T([.5, .5])).log_prob(T([1., 1.])), lambda: Exponential(T([1., 0.])), lambda: HalfNormal(-1.), lambda: Pareto(1., -1.), lambda: VonMises(0., 1.), lambda: Normal(T([1]), T([1])), lambda: Normal(1, 2).loc, lambda: Normal(T([0.], dtype=torch.float64), 1).sample().dtype, lambda: constraints.dependent.check(1), lambda: biject_to(constraints.lower_cholesky), lambda: transform_to(constraints.boolean), lambda: biject_to.register(3, 4)):
    say("e", f)
print("==== transforms")
x = T([[.3, -.5, 1.2], [2., .1, -1.]])
for t in (ExpTransform(), PowerTransform(2.), SigmoidTransform(), SoftplusTransform(), TanhTransform(), AbsTransform(), AffineTransform(1., -2.), AffineTransform(T([1., 2., 3.]), T([1., -1., 2.]), event_dim=1), CorrCholeskyTransform(), SoftmaxTransform(), StickBreakingTransform(), ReshapeTransform((3,), (3, 1)), IndependentTransform(ExpTransform(), 1), ComposeTransform([AffineTransform(0., 2.), SigmoidTransform()]), CatTransform([ExpTransform(), SigmoidTransform()], 1, [1, 2]), StackTransform([ExpTransform(), SigmoidTransform(), TanhTransform()], 1), CumulativeDistributionTransform(Normal(0., 1.)), ExpTransform().inv, identity_transform, ExpTransform(cache_size=1)):
    print("--", type(t).__name__)
    v = x.abs() if isinstance(t, PowerTransform) else x
    if t == ExpTransform().inv: v = x.abs()
    say("repr", lambda: t); say("domain", lambda: (t.domain, t.codomain, t.bijective)); say("sign", lambda: t.sign); say("event_dim", lambda: t.event_dim)
    say("call", lambda: t(v)); say("inv", lambda: t.inv(t(v))); say("jac", lambda: t.log_abs_det_jacobian(v, t(v))); say("shape", lambda: (t.forward_shape(v.shape), t.inverse_shape(t(v).shape)))
    say("inv repr", lambda: t.inv); say("eq", lambda: (t == t, t.inv.inv is t, t == ExpTransform(), t.with_cache(1)))
m = T([[1., 0.], [.5, 2.]])
for t in (LowerCholeskyTransform(), PositiveDefiniteTransform()): say(type(t).__name__, lambda: (t(m), t.inv(t(m)), t.domain, t.codomain))
for c in (constraints.real, constraints.positive, constraints.nonnegative, constraints.unit_interval, constraints.simplex, constraints.interval(2., 5.), constraints.greater_than(3.), constraints.less_than(3.), constraints.greater_than_eq(3), constraints.half_open_interval(0., 2.), constraints.corr_cholesky, constraints.lower_cholesky, constraints.positive_definite, constraints.real_vector, constraints.boolean, constraints.one_hot, constraints.nonnegative_integer, constraints.positive_integer, constraints.integer_interval(0, 3), constraints.multinomial(3), constraints.square, constraints.symmetric, constraints.lower_triangular, constraints.positive_semidefinite, constraints.cat([constraints.real, constraints.positive], 0, [1, 1]), constraints.stack([constraints.real, constraints.positive], 0), constraints.dependent, constraints.independent(constraints.positive, 1)):
    say("c", lambda: c); say("c", lambda: (c.is_discrete, c.event_dim)); say("check", lambda: c.check(T([[1., 0.], [0., 1.]]))); say("biject", lambda: biject_to(c)); say("transform", lambda: transform_to(c)(T([[.1, .2], [.3, .4]])))
print("==== gradients")
for make, n in ((lambda a: Normal(a, a.abs()), 2), (lambda a: LogNormal(a, a), 2), (lambda a: Laplace(a, a), 2), (lambda a: Cauchy(a, a), 2), (lambda a: Gumbel(a, a), 2), (lambda a: Uniform(a, a + 2), 2), (lambda a: Exponential(a), 2), (lambda a: Weibull(a, a), 2), (lambda a: Kumaraswamy(a, a), 2), (lambda a: RelaxedBernoulli(T(.7), logits=a), 2), (lambda a: RelaxedOneHotCategorical(T(.7), logits=a), 2), (lambda a: MultivariateNormal(a, torch.diag(a)), 2), (lambda a: OneHotCategoricalStraightThrough(logits=a), 2), (lambda a: LowRankMultivariateNormal(a, a.unsqueeze(1), a), 2)):
    torch.manual_seed(5)
    a = T([.6, 1.4], requires_grad=True)
    def f():
        d = make(a); s = d.rsample(); s.pow(2).sum().backward(); return s, a.grad
    say("rsample", f)
for make, v in ((lambda a: Categorical(logits=a), T(1)), (lambda a: Bernoulli(logits=a), T([1., 0.])), (lambda a: Gamma(a, a), T([1., 2.])), (lambda a: Beta(a, a), T([.1, .2])), (lambda a: Dirichlet(a), T([.4, .6])), (lambda a: Poisson(a), T([1., 2.])), (lambda a: StudentT(a, a, a), T([1., 2.])), (lambda a: NegativeBinomial(a, logits=a), T([1., 2.])), (lambda a: MultivariateNormal(a, torch.diag(a)), T([1., 2.])), (lambda a: VonMises(a, a), T([1., 2.])), (lambda a: MixtureSameFamily(Categorical(logits=a), Normal(a, a)), T(.5))):
    a = T([.6, 1.4], requires_grad=True)
    def f():
        make(a).log_prob(v).sum().backward(); return a.grad
    say("log_prob", f)
probs = T([.2, .8], requires_grad=True); torch.manual_seed(0); m = Categorical(probs); action = m.sample(); loss = -m.log_prob(action) * 2; loss.backward(); print(action, loss, probs.grad)
from torch.distributions.normal import Normal as N2; from torch.distributions.categorical import Categorical as C2; import torch.distributions.multivariate_normal as mv
print(N2 is Normal, C2 is Categorical, mv.MultivariateNormal is MultivariateNormal, torch.distributions.Normal is Normal, len(D.__all__))
