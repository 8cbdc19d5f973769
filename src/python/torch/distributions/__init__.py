"""Random variables with their densities, as in torch.distributions.  PyTorch has a module for every distribution. Here
they are grouped in a few modules, which can also be imported under PyTorch's names."""

import sys
import types

from . import _composite, _discrete, _gammas, _location, _matrices, constraints, transforms, utils
from ._composite import *
from ._discrete import *
from ._gammas import *
from ._location import *
from ._matrices import *
from .constraint_registry import biject_to, transform_to
from .distribution import Distribution, ExponentialFamily
from .kl import kl_divergence, register_kl
from .transforms import *

_MODULES = {
    "bernoulli": ("Bernoulli",), "beta": ("Beta",), "binomial": ("Binomial",), "categorical": ("Categorical",),
    "cauchy": ("Cauchy",), "chi2": ("Chi2",), "continuous_bernoulli": ("ContinuousBernoulli",), "dirichlet": ("Dirichlet",),
    "exp_family": ("ExponentialFamily",), "exponential": ("Exponential",), "fishersnedecor": ("FisherSnedecor",),
    "gamma": ("Gamma",), "generalized_pareto": ("GeneralizedPareto",), "geometric": ("Geometric",), "gumbel": ("Gumbel",),
    "half_cauchy": ("HalfCauchy",), "half_normal": ("HalfNormal",), "independent": ("Independent",),
    "inverse_gamma": ("InverseGamma",), "kumaraswamy": ("Kumaraswamy",), "laplace": ("Laplace",),
    "lkj_cholesky": ("LKJCholesky",), "log_normal": ("LogNormal",), "logistic_normal": ("LogisticNormal",),
    "lowrank_multivariate_normal": ("LowRankMultivariateNormal",), "mixture_same_family": ("MixtureSameFamily",),
    "multinomial": ("Multinomial",), "multivariate_normal": ("MultivariateNormal",),
    "negative_binomial": ("NegativeBinomial",), "normal": ("Normal",),
    "one_hot_categorical": ("OneHotCategorical", "OneHotCategoricalStraightThrough"), "pareto": ("Pareto",),
    "poisson": ("Poisson",), "relaxed_bernoulli": ("LogitRelaxedBernoulli", "RelaxedBernoulli"),
    "relaxed_categorical": ("ExpRelaxedCategorical", "RelaxedOneHotCategorical"), "studentT": ("StudentT",),
    "transformed_distribution": ("TransformedDistribution",), "uniform": ("Uniform",), "von_mises": ("VonMises",),
    "weibull": ("Weibull",), "wishart": ("Wishart",),
}


def _modules():
    for name, members in _MODULES.items():
        full = f"{__name__}.{name}"
        module = types.ModuleType(full)
        module.__all__ = list(members)
        for member in members:
            kind = next(getattr(m, member) for m in (_location, _gammas, _discrete, _composite, _matrices)
                        if hasattr(m, member))
            kind.__module__ = full
            setattr(module, member, kind)
        sys.modules[full] = module
        yield name, module


globals().update(_modules())

__all__ = sorted(
    {member for members in _MODULES.values() for member in members} - {"LogitRelaxedBernoulli", "ExpRelaxedCategorical"}
    | {"Distribution", "biject_to", "kl_divergence", "register_kl", "transform_to"}) + transforms.__all__
