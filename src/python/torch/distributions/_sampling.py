"""Draws that PyTorch makes in C++, element by element, using its generator's numbers in its order."""

import math

import _torch
import torch


def _on_cpu(tensor, name):
    if tensor.device.type != "cpu":
        raise NotImplementedError(f"{name} on {tensor.device.type}")


def _uniform(generator=None):
    return torch.rand((), dtype=torch.float64, generator=generator).item()


def _normal():
    return torch.randn((), dtype=torch.float64).item()


def _gamma(alpha, d):
    """Marsaglia and Tsang (2000). `d` is `alpha - 1/3`, where `alpha` has already been raised above 1."""
    scale = 1.0
    if alpha == 0:
        return 0.0
    if alpha < 1:
        scale = (1 - _uniform()) ** (1.0 / alpha)
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x = _normal()
        y = 1.0 + c * x
        while y <= 0:
            x = _normal()
            y = 1.0 + c * x
        v = y * y * y
        u = 1 - _uniform()
        xx = x * x
        # The constant is a float32 in PyTorch.
        if u < 1.0 - 0.033100001513957977 * xx * xx or math.log(u) < 0.5 * xx + d * (1.0 - v + math.log(v)):
            return scale * d * v


def _gammas(alpha):
    raised = torch.where(alpha < 1, alpha + 1, alpha) - torch.tensor(1 / 3, dtype=torch.float32).to(alpha.dtype)
    return [_gamma(a, d) for a, d in zip(alpha.double().flatten().tolist(), raised.double().flatten().tolist())]


def _refuse_gradient(tensor, name):
    if tensor.requires_grad and torch.is_grad_enabled():
        raise NotImplementedError(f"derivative for {name}")


def standard_gamma(alpha):
    _on_cpu(alpha, "torch._standard_gamma")
    _refuse_gradient(alpha, "aten::_standard_gamma")
    alpha = alpha.detach()
    drawn = torch.tensor(_gammas(alpha), dtype=torch.float64).view(alpha.shape)
    return drawn.to(alpha.dtype).clamp(min=torch.finfo(alpha.dtype).tiny)


def dirichlet(alpha):
    _on_cpu(alpha, "torch._sample_dirichlet")
    _refuse_gradient(alpha, "aten::_sample_dirichlet")
    alpha = alpha.detach()
    # In float64, so that small numbers don't underflow.
    drawn = torch.tensor(_gammas(alpha.double()), dtype=torch.float64).view(alpha.shape)
    drawn = drawn.clamp(min=torch.finfo(torch.float64).tiny)
    limits = torch.finfo(alpha.dtype)
    return (drawn / drawn.sum(-1, True)).to(alpha.dtype).clamp(min=limits.tiny, max=1 - limits.eps / 2)


def _poisson(rate, generator):
    if rate == 0:
        return 0
    if rate < 10:
        limit, count, product = math.exp(-rate), 0, _uniform(generator)
        while product > limit:
            count += 1
            product *= _uniform(generator)
        return count
    # The transformed rejection method (Hörmann, 1993).
    root, log = math.sqrt(rate), math.log(rate)
    b = 0.931 + 2.53 * root
    a = -0.059 + 0.02483 * b
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4)
    accepted = 0.9277 - 3.6224 / (b - 2)
    while True:
        u = _uniform(generator) - 0.5
        v = _uniform(generator)
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + rate + 0.43)
        if us >= 0.07 and v <= accepted:
            return k
        if k < 0 or (us < 0.013 and v > us):
            continue
        if math.log(v) + math.log(inverse_alpha) - math.log(a / (us * us) + b) <= -rate + k * log - math.lgamma(k + 1):
            return k


def poisson(input, generator=None):
    if not isinstance(input, torch.Tensor):
        raise TypeError(f"poisson(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
    if generator is not None and not isinstance(generator, torch.Generator):
        raise TypeError("poisson(): argument 'generator' (position 2) must be torch.Generator, not "
                        f"{type(generator).__name__}")
    _on_cpu(input, "torch.poisson")
    if not input.is_floating_point():
        raise NotImplementedError(f"\"poisson_cpu\" not implemented for '{_NAMES.get(input.dtype, input.dtype)}'")
    rates = input.detach().double().flatten().tolist()
    drawn = []
    for rate in rates:
        if not rate >= 0:
            raise RuntimeError("invalid Poisson rate, expected rate to be non-negative")
        drawn.append(float(_poisson(rate, generator)))
    # Times zero: a count doesn't change with its rate, and PyTorch says so with a gradient of zeros.
    counts = torch.tensor(drawn, dtype=input.dtype).view(input.shape)
    return _torch._under_node(counts + input * 0, "PoissonBackward0") if input.requires_grad else counts


_NAMES = {torch.bool: "Bool", torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int",
          torch.int64: "Long", torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble"}


def _stirling_tail(k):
    """The remainder of Stirling's formula for `log(k!)`."""
    if k <= 9:
        return math.lgamma(k + 1) - ((k + 0.5) * math.log(k + 1) - (k + 1) + 0.5 * math.log(2 * math.pi))
    square = (k + 1) * (k + 1)
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1)


def _btrs(count, prob):
    """Hörmann's transformed rejection for binomials (1993)."""
    spread = math.sqrt(count * prob * (1 - prob))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * prob
    c = count * prob + 0.5
    accepted = 0.92 - 4.2 / b
    odds = prob / (1 - prob)
    alpha = (2.83 + 5.1 / b) * spread
    m = math.floor((count + 1) * prob)
    while True:
        u = _uniform() - 0.5
        v = _uniform()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c)
        if k < 0 or k > count:
            continue
        if us >= 0.07 and v <= accepted:
            return k
        bound = ((m + 0.5) * math.log((m + 1) / (odds * (count - m + 1)))
                 + (count + 1) * math.log((count - m + 1) / (count - k + 1))
                 + (k + 0.5) * math.log(odds * (count - k + 1) / (k + 1))
                 + _stirling_tail(m) + _stirling_tail(count - m) - _stirling_tail(k) - _stirling_tail(count - k))
        if math.log(v * alpha / (a / (us * us) + b)) <= bound:
            return k


def _binomial(count, prob):
    if count <= 0 or prob <= 0:
        return 0.0
    if prob >= 1:
        return count
    if prob > 0.5:
        return count - _binomial(count, 1.0 - prob)
    if count * prob >= 10:
        return float(_btrs(count, prob))
    # Sums of geometric waiting times.
    waited, successes, log = 0.0, 0, math.log1p(-prob)
    while True:
        u = _uniform()
        waited += math.ceil(math.log(u) / log) if u > 0 else math.inf
        if waited > count:
            return float(successes)
        successes += 1


def binomial(count, prob):
    _on_cpu(prob, "torch.binomial")
    count, prob = torch.broadcast_tensors(count, prob)
    drawn = [_binomial(n, p) for n, p in zip(count.double().flatten().tolist(), prob.detach().double().flatten().tolist())]
    return torch.tensor(drawn, dtype=prob.dtype).view(prob.shape)


def cauchy(shape, dtype, device):
    return torch.empty(shape, dtype=dtype, device=device).cauchy_()


# By these names, torch has them.
_standard_gamma, _sample_dirichlet = standard_gamma, dirichlet
