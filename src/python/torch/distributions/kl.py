"""The Kullback-Leibler divergence of pairs of distributions.  For two distributions of the same kind, by their own
formula; for different kinds, as `-H(p) - E_p[log q]`, where `E_p[log q]` needs only a few moments of `p`."""

import math
import warnings

import torch
from torch.nn.functional import softplus

from ._composite import Gumbel, HalfNormal, Independent, Pareto, TransformedDistribution
from ._discrete import (Bernoulli, Binomial, Categorical, ContinuousBernoulli, Geometric, OneHotCategorical, Poisson)
from ._gammas import Beta, Dirichlet, Gamma
from ._location import Cauchy, Exponential, Laplace, Normal, Uniform
from ._matrices import (LowRankMultivariateNormal, MultivariateNormal, _log_diagonal, lowrank_logdet, lowrank_mahalanobis,
                        mahalanobis, solve_lower)
from .distribution import Distribution, ExponentialFamily
from .utils import _sum_rightmost, euler_constant

__all__ = ["register_kl", "kl_divergence"]

_KL_REGISTRY = {}
_KL_MEMOIZE = {}


def register_kl(type_p, type_q):
    """Registers the decorated function for pairs of these types and of types derived from them."""
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(kind, type) and issubclass(kind, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def decorator(function):
        _KL_REGISTRY[type_p, type_q] = function
        _KL_MEMOIZE.clear()
        return function

    return decorator


def _closest(matches, order):
    """Among pairs of types, the one whose first type (in this order) is most derived, then its second."""
    best = matches[0]
    for match in matches[1:]:
        for i in order:
            if match[i] is not best[i]:
                if issubclass(match[i], best[i]):
                    best = match
                break
    return best


def _dispatch(type_p, type_q):
    matches = [(p, q) for p, q in _KL_REGISTRY if issubclass(type_p, p) and issubclass(type_q, q)]
    if not matches:
        return NotImplemented
    left, right = _closest(matches, (0, 1)), _closest(matches, (1, 0))
    if _KL_REGISTRY[left] is not _KL_REGISTRY[right]:
        warnings.warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({left[0].__name__}, "
            f"{right[1].__name__})", RuntimeWarning, stacklevel=3)
    return _KL_REGISTRY[left]


def kl_divergence(p, q):
    key = type(p), type(q)
    if key not in _KL_MEMOIZE:
        _KL_MEMOIZE[key] = _dispatch(*key)
    function = _KL_MEMOIZE[key]
    if function is NotImplemented:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
        )
    return function(p, q)


# ---- two of one kind ----


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p, q):
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    one[q.probs == 0] = math.inf
    one[p.probs == 0] = 0
    none = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    none[q.probs == 1] = math.inf
    none[p.probs == 1] = 0
    return one + none


@register_kl(Beta, Beta)
def _beta(p, q):
    sum_p, sum_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    result = q.concentration1.lgamma() + q.concentration0.lgamma() + sum_p.lgamma()
    result = result - (p.concentration1.lgamma() + p.concentration0.lgamma() + sum_q.lgamma())
    for a, b in ((p.concentration1, q.concentration1), (p.concentration0, q.concentration0)):
        result = result + (a - b) * torch.digamma(a)
    return result + (sum_q - sum_p) * torch.digamma(sum_p)


@register_kl(Binomial, Binomial)
def _binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    kl = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    kl[p.total_count > q.total_count] = math.inf
    return kl


@register_kl(Categorical, Categorical)
def _categorical(p, q):
    terms = p.probs * (p.logits - q.logits)
    terms[(q.probs == 0).expand_as(terms)] = math.inf
    terms[(p.probs == 0).expand_as(terms)] = 0
    return terms.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p, q):
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p, q):
    result = p.mean * (p.logits - q.logits) + (p._log_norm() + torch.log1p(-p.probs))
    return result + (-q._log_norm() - torch.log1p(-q.probs))


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p, q):
    a, b = p.concentration, q.concentration
    result = a.sum(-1).lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return result + ((a - b) * (a.digamma() - a.sum(-1).digamma().unsqueeze(-1))).sum(-1)


@register_kl(Exponential, Exponential)
def _exponential(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p, q):
    """For two distributions of the same exponential family: the Bregman divergence of its log-normalizer."""
    if type(p) is not type(q):
        # PyTorch's message has these spaces in the middle as well.
        raise NotImplementedError("The cross KL-divergence between different exponential families cannot "
                                  + " " * 28 + "be computed using Bregman divergences")
    natural = [n.detach().requires_grad_() for n in p._natural_params]
    normalizer = p._log_normalizer(*natural)
    gradients = torch.autograd.grad(normalizer.sum(), natural, create_graph=True)
    result = q._log_normalizer(*q._natural_params) - normalizer
    for mine, other, gradient in zip(natural, q._natural_params, gradients):
        result = result - _sum_rightmost((other - mine) * gradient, len(q.event_shape))
    return result


@register_kl(Gamma, Gamma)
def _gamma(p, q):
    result = q.concentration * (p.rate / q.rate).log() + (torch.lgamma(q.concentration) - torch.lgamma(p.concentration))
    result = result + (p.concentration - q.concentration) * torch.digamma(p.concentration)
    return result + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(Gumbel, Gumbel)
def _gumbel(p, q):
    ratio, loc_q, loc_p = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    tail = torch.exp(loc_q + (1 + ratio).lgamma() - loc_p)
    return -ratio.log() - loc_q + loc_p + ratio * euler_constant + tail - (1 + euler_constant)


@register_kl(Geometric, Geometric)
def _geometric(p, q):
    return -p.entropy() - torch.log1p(-q.probs) / p.probs - q.logits


@register_kl(Normal, Normal)
def _normal(p, q):
    ratio = (p.scale / q.scale).pow(2)
    apart = ((p.loc - q.loc) / q.scale).pow(2)
    return 0.5 * (ratio + apart - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p, q):
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p, q):
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * torch.exp(-apart / p.scale) - 1


@register_kl(Pareto, Pareto)
def _pareto(p, q):
    alphas = q.alpha / p.alpha
    result = q.alpha * (p.scale / q.scale).log() - alphas.log() + alphas - 1
    result[p.support.lower_bound < q.support.lower_bound] = math.inf
    return result


@register_kl(Poisson, Poisson)
def _poisson(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p, q):
    result = ((q.high - q.low) / (p.high - p.low)).log()
    result[(q.low > p.low) | (q.high < p.high)] = math.inf
    return result


@register_kl(Cauchy, Cauchy)
def _cauchy(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), len(p.event_shape) - len(p.base_dist.event_shape))


@register_kl(Independent, Independent)
def _independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# ---- normal vectors ----


def _trace(matrix):
    """The trace of `matrix @ matrix.T`."""
    return matrix.pow(2).sum((-2, -1))


def _of_vectors(kind_p, kind_q, name):
    """Registers the divergence of normal vectors, each of which has a full or a low-rank covariance."""

    def divergence(p, q):
        if p.event_shape != q.event_shape:
            raise ValueError(f"KL-divergence between two {name} with" + " " * 26
                             + "different event shapes cannot be computed")
        low_p, low_q = kind_p is LowRankMultivariateNormal, kind_q is LowRankMultivariateNormal
        logdet_p = lowrank_logdet(*p._parts(), p._capacitance_tril) if low_p else (
            2 * _log_diagonal(p._unbroadcasted_scale_tril))
        # Square roots of p's covariance, whose squares add up to it.
        roots = [p._unbroadcasted_cov_factor, torch.diag_embed(p._unbroadcasted_cov_diag.sqrt())] if low_p else [
            p._unbroadcasted_scale_tril]
        apart = q.loc - p.loc
        if low_q:
            w, d = q._parts()
            logdet_q = lowrank_logdet(w, d, q._capacitance_tril)
            distance = lowrank_mahalanobis(w, d, apart, q._capacitance_tril)
            a = solve_lower(q._capacitance_tril, w.mT / d.unsqueeze(-2))
            trace = sum(_trace(root * d.rsqrt().unsqueeze(-1)) - _trace(a.matmul(root)) for root in roots)
        else:
            lower = q._unbroadcasted_scale_tril
            logdet_q = 2 * _log_diagonal(lower)
            distance = mahalanobis(lower, apart)
            trace = 0
            for root in roots:
                batch = torch.broadcast_shapes(lower.shape[:-2], root.shape[:-2])
                solved = solve_lower(lower.expand(batch + lower.shape[-2:]), root.expand(batch + root.shape[-2:]))
                trace = trace + _trace(solved)
        return 0.5 * (logdet_q - logdet_p + trace + distance - p.event_shape[0])

    register_kl(kind_p, kind_q)(divergence)


_of_vectors(MultivariateNormal, MultivariateNormal, "Multivariate Normals")
_of_vectors(LowRankMultivariateNormal, LowRankMultivariateNormal, "Low Rank Multivariate Normals")
_of_vectors(MultivariateNormal, LowRankMultivariateNormal, "(Low Rank) Multivariate Normals")
_of_vectors(LowRankMultivariateNormal, MultivariateNormal, "(Low Rank) Multivariate Normals")

# ---- two of different kinds ----


def _x_log_x(x):
    return torch.xlogy(x, x)


def _mean_log(p):
    """`E[log x]`."""
    if isinstance(p, Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, Exponential):
        return -euler_constant - p.rate.log()
    if isinstance(p, Gamma):
        return p.concentration.digamma() - p.rate.log()
    if isinstance(p, Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return (_x_log_x(p.high) - _x_log_x(p.low)) / (p.high - p.low) - 1


def _mean_exp(p, t):
    """`E[exp(-t x)]`."""
    if isinstance(p, Exponential):
        return p.rate / (p.rate + t)
    if isinstance(p, Gamma):
        return (1 + t / p.rate).pow(-p.concentration)
    if isinstance(p, Normal):
        return torch.exp(-t * p.loc + 0.5 * (t * p.scale).pow(2))
    return (torch.exp(-t * p.low) - torch.exp(-t * p.high)) / (t * (p.high - p.low))


def _to_exponential(p, q):
    return q.rate.log() - q.rate * p.mean


def _to_gamma(p, q):
    a = q.concentration
    return a * q.rate.log() - a.lgamma() + (a - 1) * _mean_log(p) - q.rate * p.mean


def _to_normal(p, q):
    square = p.variance + (p.mean - q.loc).pow(2)
    return -0.5 * (2 * math.pi * q.scale.pow(2)).log() - square / (2 * q.scale.pow(2))


def _to_gumbel(p, q):
    return -q.scale.log() - (p.mean - q.loc) / q.scale - torch.exp(q.loc / q.scale) * _mean_exp(p, 1 / q.scale)


def _to_pareto(p, q):
    return q.alpha.log() + q.alpha * q.scale.log() - (q.alpha + 1) * _mean_log(p)


def _to_beta(p, q):
    """`p` is uniform."""
    a, b = q.concentration1, q.concentration0
    width = p.high - p.low
    mean_log_rest = (_x_log_x(1 - p.low) - _x_log_x(1 - p.high)) / width - 1
    return (a - 1) * _mean_log(p) + (b - 1) * mean_log_rest + (a + b).lgamma() - a.lgamma() - b.lgamma()


def _to_uniform(p, q):
    return -(q.high - q.low).log()


def _to_continuous_bernoulli(p, q):
    return p.mean * q.logits + torch.log1p(-q.probs) + q._log_norm()


def _to_poisson(p, q):
    """`p` is a Bernoulli distribution, so only the values 0 and 1 count."""
    return p.probs * q.rate.log() - q.rate


def _to_laplace(p, q):
    """`p` is normal."""
    apart = p.loc - q.loc
    z = apart / p.scale
    distance = math.sqrt(2 / math.pi) * p.scale * torch.exp(-0.5 * z.pow(2)) + apart * torch.erf(math.sqrt(0.5) * z)
    return -(2 * q.scale).log() - distance / q.scale


def _below(p, q):
    return p.low < q.support.lower_bound


def _outside(p, q):
    return (p.high > q.support.upper_bound) | (p.low < q.support.lower_bound)


# From, to, `E_p[log q]`, and where `q` is 0 although `p` isn't.
_CROSS = [
    (Bernoulli, Poisson, _to_poisson, None),
    (Beta, ContinuousBernoulli, _to_continuous_bernoulli, None),
    (Beta, Exponential, _to_exponential, None),
    (Beta, Gamma, _to_gamma, None),
    (Beta, Normal, _to_normal, None),
    (Beta, Uniform, _to_uniform, lambda p, q: (q.low > p.support.lower_bound) | (q.high < p.support.upper_bound)),
    (ContinuousBernoulli, Exponential, _to_exponential, None),
    (ContinuousBernoulli, Normal, _to_normal, None),
    # This condition and that of its counterpart are PyTorch's.
    (ContinuousBernoulli, Uniform, _to_uniform,
     lambda p, q: (q.low >= p.support.lower_bound) | (q.high <= p.support.upper_bound)),
    (Exponential, Gamma, _to_gamma, None),
    (Exponential, Gumbel, _to_gumbel, None),
    (Exponential, Normal, _to_normal, None),
    (Gamma, Exponential, _to_exponential, None),
    (Gamma, Gumbel, _to_gumbel, None),
    (Gamma, Normal, _to_normal, None),
    (Gumbel, Normal, _to_normal, None),
    (Laplace, Normal, _to_normal, None),
    (Normal, Gumbel, _to_gumbel, None),
    (Normal, Laplace, _to_laplace, None),
    (Pareto, Exponential, _to_exponential, lambda p, q: p.alpha <= 1),
    (Pareto, Gamma, _to_gamma, lambda p, q: p.alpha <= 1),
    (Pareto, Normal, _to_normal, lambda p, q: p.alpha <= 2),
    (Uniform, Beta, _to_beta, _outside),
    (Uniform, ContinuousBernoulli, _to_continuous_bernoulli,
     lambda p, q: (p.high >= q.support.upper_bound) | (p.low <= q.support.lower_bound)),
    (Uniform, Exponential, _to_exponential, _below),
    (Uniform, Gamma, _to_gamma, _below),
    (Uniform, Gumbel, _to_gumbel, None),
    (Uniform, Normal, _to_normal, None),
    (Uniform, Pareto, _to_pareto, _below),
]


def _register_cross(kind_p, kind_q, mean_log, infinite):
    def divergence(p, q):
        result = -p.entropy() - mean_log(p, q)
        if infinite is not None:
            where = infinite(p, q)
            result = torch.where(where, math.inf, result)
        return result

    register_kl(kind_p, kind_q)(divergence)


for _row in _CROSS:
    _register_cross(*_row)

# Where `p` has values that `q` cannot have.
_INFINITE = {
    (Beta, Pareto): "concentration1", (ContinuousBernoulli, Pareto): "probs",
    **{(Exponential, q): "rate" for q in (Beta, ContinuousBernoulli, Pareto, Uniform)},
    **{(Gamma, q): "concentration" for q in (Beta, ContinuousBernoulli, Pareto, Uniform)},
    **{(p, q): "loc" for p in (Gumbel, Laplace, Normal)
       for q in (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)},
    **{(Pareto, q): "scale" for q in (Beta, ContinuousBernoulli, Uniform)},
    **{(Poisson, q): "rate" for q in (Bernoulli, Binomial)},
}


def _register_infinite(pair, name):
    register_kl(*pair)(lambda p, q: torch.full_like(getattr(p, name), math.inf))


for _pair, _name in _INFINITE.items():
    _register_infinite(_pair, _name)
