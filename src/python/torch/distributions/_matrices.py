"""Distributions of vectors that depend on each other, and of matrices."""

import math
import warnings

import torch

from . import constraints
from ._gammas import Beta, Chi2
from .distribution import Distribution, ExponentialFamily
from .utils import _standard_normal, broadcast_all, lazy_property


def solve_lower(lower, other):
    """Solves with a lower triangular matrix."""
    return torch.linalg.solve_triangular(lower, other, upper=False)


def _log_diagonal(lower):
    """The sum of the logarithms of the diagonal: half the log-determinant of `lower @ lower.T`."""
    return lower.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _times(matrix, vector):
    return torch.matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


def mahalanobis(lower, vector):
    """`x.T @ inv(lower @ lower.T) @ x`, with batches that broadcast."""
    batch = torch.broadcast_shapes(lower.shape[:-2], vector.shape[:-1])
    n = vector.shape[-1]
    solved = solve_lower(lower.expand(batch + (n, n)), vector.expand(batch + (n,)).unsqueeze(-1))
    return solved.squeeze(-1).pow(2).sum(-1)


def _identity(like, n):
    return torch.eye(n, dtype=like.dtype, device=like.device)


def _inverse_of(lower):
    """The inverse of `lower @ lower.T`."""
    inverse = solve_lower(lower, _identity(lower, lower.shape[-1]).expand(lower.shape))
    return inverse.mT @ inverse


def _from_precision(precision):
    """The Cholesky factor of the inverse of `precision`."""
    flipped = torch.linalg.cholesky(torch.flip(precision, (-2, -1)))
    upper = torch.transpose(torch.flip(flipped, (-2, -1)), -2, -1)
    return solve_lower(upper, _identity(precision, precision.shape[-1]).expand(precision.shape))


class _ByCovariance:
    """A covariance given directly, or by its inverse or its Cholesky factor."""

    @lazy_property
    def scale_tril(self):
        return self._unbroadcasted_scale_tril.expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self):
        lower = self._unbroadcasted_scale_tril
        return torch.matmul(lower, lower.mT).expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self):
        return _inverse_of(self._unbroadcasted_scale_tril).expand(self._matrix_shape())

    def _factor(self, covariance_matrix, precision_matrix, scale_tril):
        if scale_tril is not None:
            return scale_tril
        if covariance_matrix is not None:
            return torch.linalg.cholesky(covariance_matrix)
        return _from_precision(precision_matrix)


class MultivariateNormal(_ByCovariance, Distribution):
    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        named = [name for name, value in given.items() if value is not None]
        if len(named) != 1:
            raise ValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        [name] = named
        matrix = given[name]
        if matrix.dim() < 2:
            raise ValueError(
                f"{name} {'matrix ' if name == 'scale_tril' else ''}must be at least two-dimensional, with optional leading "
                "batch dimensions"
            )
        batch_shape = torch.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = self._factor(covariance_matrix, precision_matrix, scale_tril)

    def _matrix_shape(self):
        return self._batch_shape + self._event_shape + self._event_shape

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(MultivariateNormal, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril
        return self._expand_as(MultivariateNormal, batch_shape, new,
                               ("loc", "covariance_matrix", "scale_tril", "precision_matrix"))

    mean = mode = property(lambda self: self.loc)

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape=torch.Size()):
        noise = _standard_normal(self._extended_shape(sample_shape), self.loc.dtype, self.loc.device)
        return self.loc + _times(self._unbroadcasted_scale_tril, noise)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        lower = self._unbroadcasted_scale_tril
        distance = mahalanobis(lower, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + distance) - _log_diagonal(lower)

    def entropy(self):
        half = _log_diagonal(self._unbroadcasted_scale_tril)
        entropy = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + half
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)


def _capacitance(w, d):
    """The Cholesky factor of `I + W.T @ inv(D) @ W`."""
    k = torch.matmul(w.mT / d.unsqueeze(-2), w)
    return torch.linalg.cholesky(k + _identity(k, w.size(-1)))


def lowrank_logdet(w, d, capacitance_tril):
    return 2 * _log_diagonal(capacitance_tril) + d.log().sum(-1)


def lowrank_mahalanobis(w, d, x, capacitance_tril):
    """By the Woodbury identity."""
    return (x.pow(2) / d).sum(-1) - mahalanobis(capacitance_tril, _times(w.mT / d.unsqueeze(-2), x))


class LowRankMultivariateNormal(Distribution):
    """A normal distribution whose covariance is `cov_factor @ cov_factor.T + diag(cov_diag)`."""

    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support = constraints.real_vector
    has_rsample = True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event_shape = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError("cov_factor must be at least two-dimensional, with optional leading batch dimensions")
        if cov_factor.shape[-2:-1] != event_shape:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event_shape[0]} x m")
        if cov_diag.shape[-1:] != event_shape:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event_shape}")
        try:
            wide, self.cov_factor, diagonal = torch.broadcast_tensors(loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1))
        except RuntimeError as problem:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, cov_diag {cov_diag.shape}"
            ) from problem
        self.loc, self.cov_diag = wide[..., 0], diagonal[..., 0]
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        self._capacitance_tril = _capacitance(cov_factor, cov_diag)
        super().__init__(self.loc.shape[:-1], event_shape, validate_args=validate_args)

    def _parts(self):
        return self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag

    def _matrix_shape(self):
        return self._batch_shape + self._event_shape + self._event_shape

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(LowRankMultivariateNormal, _instance)
        for name in ("_unbroadcasted_cov_factor", "_unbroadcasted_cov_diag", "_capacitance_tril"):
            setattr(new, name, getattr(self, name))
        return self._expand_as(LowRankMultivariateNormal, batch_shape, new, ("loc", "cov_diag", "cov_factor"))

    mean = mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self):
        w, d = self._parts()
        return (w.pow(2).sum(-1) + d).expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        # The matrix under the root has no eigenvalue below 1.
        w, d = self._parts()
        root = d.sqrt().unsqueeze(-1)
        k = torch.matmul(w / root, (w / root).mT)
        return (root * torch.linalg.cholesky(k + _identity(k, k.shape[-1]))).expand(self._matrix_shape())

    @lazy_property
    def covariance_matrix(self):
        w, d = self._parts()
        return (torch.matmul(w, w.mT) + torch.diag_embed(d)).expand(self._matrix_shape())

    @lazy_property
    def precision_matrix(self):
        w, d = self._parts()
        a = solve_lower(self._capacitance_tril, w.mT / d.unsqueeze(-2))
        return (torch.diag_embed(d.reciprocal()) - a.mT @ a).expand(self._matrix_shape())

    def rsample(self, sample_shape=torch.Size()):
        shape = self._extended_shape(sample_shape)
        w, d = self._parts()
        along = _standard_normal(shape[:-1] + self.cov_factor.shape[-1:], self.loc.dtype, self.loc.device)
        own = _standard_normal(shape, self.loc.dtype, self.loc.device)
        return self.loc + _times(w, along) + d.sqrt() * own

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        parts = self._parts()
        distance = lowrank_mahalanobis(*parts, value - self.loc, self._capacitance_tril)
        logdet = lowrank_logdet(*parts, self._capacitance_tril)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + logdet + distance)

    def entropy(self):
        logdet = lowrank_logdet(*self._parts(), self._capacitance_tril)
        entropy = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + logdet)
        return entropy if len(self._batch_shape) == 0 else entropy.expand(self._batch_shape)


def mvlgamma(a, p):
    """The logarithm of the multivariate gamma function."""
    steps = torch.arange(p, dtype=a.dtype, device=a.device) / 2
    return torch.lgamma(a.unsqueeze(-1) - steps).sum(-1) + p * (p - 1) / 4 * math.log(math.pi)


def _mvdigamma(a, p):
    return torch.digamma(a.unsqueeze(-1) - torch.arange(p, dtype=a.dtype, device=a.device).div(2)).sum(-1)


class Wishart(_ByCovariance, ExponentialFamily):
    """Sums of outer products of normal vectors."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self):
        return {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self.event_shape[-1] - 1)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = {"covariance_matrix": covariance_matrix, "precision_matrix": precision_matrix, "scale_tril": scale_tril}
        named = [name for name, value in given.items() if value is not None]
        if len(named) != 1:
            raise AssertionError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        matrix = given[named[0]]
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        if isinstance(df, torch.Tensor):
            batch_shape = torch.broadcast_shapes(matrix.shape[:-2], df.shape)
            self.df = df.expand(batch_shape)
        else:
            batch_shape = torch.Size(matrix.shape[:-2])
            self.df = torch.tensor(df, dtype=matrix.dtype, device=matrix.device)
        event_shape = matrix.shape[-2:]
        n = event_shape[-1]
        if self.df.le(n - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {n - 1}.")
        setattr(self, named[0], matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(n).any():
            warnings.warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.",
                          stacklevel=2)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        self._unbroadcasted_scale_tril = self._factor(covariance_matrix, precision_matrix, scale_tril)
        self._dist_chi2 = self._chi2()

    def _chi2(self):
        """The matrix for Bartlett's decomposition."""
        lower, n = self._unbroadcasted_scale_tril, self._event_shape[-1]
        steps = torch.arange(n, dtype=lower.dtype, device=lower.device).expand(self._batch_shape + (-1,))
        return Chi2(df=self.df.unsqueeze(-1) - steps)

    def _matrix_shape(self):
        return self._batch_shape + self._event_shape

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(Wishart, _instance)
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(torch.Size(batch_shape) + self.event_shape)
        new = self._expand_as(Wishart, batch_shape, new, ("df", "covariance_matrix", "scale_tril", "precision_matrix"))
        new._dist_chi2 = new._chi2()
        return new

    def _wide(self, value):
        return value.view(self._batch_shape + (1, 1))

    mean = property(lambda self: self._wide(self.df) * self.covariance_matrix)

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        return self._wide(torch.where(factor <= 0, math.nan, factor)) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        return self._wide(self.df) * (v.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _bartlett(self, sample_shape):
        n = self._event_shape[-1]
        roots = self._dist_chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=torch.finfo(roots.dtype).eps).diag_embed(dim1=-2, dim2=-1)
        i, j = torch.tril_indices(n, n, offset=-1)
        noise[..., i, j] = torch.randn(torch.Size(sample_shape) + self._batch_shape + (n * (n - 1) // 2,),
                                       dtype=noise.dtype, device=noise.device)
        lower = self._unbroadcasted_scale_tril @ noise
        return lower @ lower.mT

    def rsample(self, sample_shape=torch.Size(), max_try_correction=None):
        tries = 10 if max_try_correction is None else max_try_correction
        sample_shape = torch.Size(sample_shape)
        dims = [-(n + 1) for n in range(len(self._batch_shape))]
        sample = self._bartlett(sample_shape)
        # Here PyTorch 2.15 selects those that aren't singular, and draws them again.
        again = self.support.check(sample)
        if dims:
            again = again.amax(dims)
        if again.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
            for _ in range(tries):
                fresh = self._bartlett(again[again].shape)
                sample[again] = fresh
                singular = ~self.support.check(fresh)
                if dims:
                    singular = singular.amax(dims)
                again[again.clone()] = singular
                if not again.any():
                    break
        return sample

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, p, lower = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        batch = torch.broadcast_shapes(lower.shape[:-2], value.shape[:-2])
        lower_all = lower.expand(batch + (p, p))
        inner = solve_lower(lower_all, value.expand(batch + (p, p)))
        trace = solve_lower(lower_all, inner.mT).diagonal(dim1=-2, dim2=-1).sum(-1)
        return (-nu * (p * math.log(2) / 2 + _log_diagonal(lower)) - mvlgamma(nu / 2, p)
                + (nu - p - 1) / 2 * torch.linalg.slogdet(value).logabsdet - trace / 2)

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        return ((p + 1) * (p * math.log(2) / 2 + _log_diagonal(self._unbroadcasted_scale_tril)) + mvlgamma(nu / 2, p)
                - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p) + nu * p / 2)

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (-torch.linalg.slogdet(-2 * x).logabsdet + math.log(2) * p) + mvlgamma(half, p)


class LKJCholesky(Distribution):
    """Cholesky factors of random correlation matrices (Lewandowski, Kurowicka and Joe, 2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        steps = torch.arange(dim - 1, dtype=self.concentration.dtype, device=self.concentration.device)
        steps = torch.cat([steps.new_zeros((1,)), steps])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(steps + 0.5, marginal.unsqueeze(-1) - 0.5 * steps)
        super().__init__(self.concentration.size(), torch.Size((dim, dim)), validate_args)

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(LKJCholesky, _instance)
        new.dim = self.dim
        new._beta = self._beta.expand(torch.Size(batch_shape) + (self.dim,))
        return self._expand_as(LKJCholesky, batch_shape, new, ("concentration",))

    def sample(self, sample_shape=torch.Size()):
        """The onion method: each row is a point on a sphere, scaled by a beta variable."""
        y = self._beta.sample(sample_shape).unsqueeze(-1)
        normal = torch.randn(self._extended_shape(sample_shape), dtype=y.dtype, device=y.device).tril(-1)
        sphere = normal / normal.norm(dim=-1, keepdim=True)
        sphere[..., 0, :].fill_(0.0)
        w = torch.sqrt(y) * sphere
        rest = torch.clamp(1 - torch.sum(w**2, dim=-1), min=torch.finfo(w.dtype).tiny).sqrt()
        return w + torch.diag_embed(rest)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = torch.arange(2, self.dim + 1, device=self.concentration.device)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        unnormalized = torch.sum(order * diagonal.log(), dim=-1)
        n = self.dim - 1
        alpha = self.concentration + 0.5 * n
        normalizer = 0.5 * n * math.log(math.pi) + mvlgamma(alpha - 0.5, n) - torch.lgamma(alpha) * n
        return unnormalized - normalizer
