"""Functions that are methods or modules in most programs: cells of recurrent networks, symbolic numbers, rare layers."""

import builtins
import math

import _torch


def _next(mode, input, states, w_ih, w_hh, b_ih, b_hh):
    return _torch._rnn_cell(mode, input, states, w_ih, w_hh, b_ih, b_hh)


def lstm_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    """The next hidden state and the next cell state."""
    return tuple(_next("LSTM", input, list(hx), w_ih, w_hh, b_ih, b_hh))


def gru_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    return _next("GRU", input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


def rnn_tanh_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    return _next("RNN_TANH", input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


def rnn_relu_cell(input, hx, w_ih, w_hh, b_ih=None, b_hh=None):
    return _next("RNN_RELU", input, [hx], w_ih, w_hh, b_ih, b_hh)[0]


def binomial(count, prob, generator=None):
    """How many of `count` trials succeed, each with probability `prob`."""
    from torch.distributions import _sampling

    if generator is not None:
        raise NotImplementedError("torch.binomial with a generator")
    if not count.is_floating_point() or not prob.is_floating_point():
        wrong = count if not count.is_floating_point() else prob
        raise ValueError(f"binomial only supports floating-point dtypes for {'count' if wrong is count else 'prob'}, got: "
                         f"{wrong.type().split('.')[-1].removesuffix('Tensor')}")
    return _sampling.binomial(count, prob)


def conv_tbc(input, weight, bias, pad=0):
    """A convolution over sequences of shape (time, batch, channels)."""
    return _torch.conv1d(input.permute(1, 2, 0), weight.permute(2, 1, 0), bias, padding=pad).permute(2, 0, 1)


def convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups):
    n = input.dim() - 2
    if transposed:
        call = getattr(_torch, f"conv_transpose{n}d", None) or getattr(_nn(), f"conv_transpose{n}d")
        return call(input, weight, bias, stride, padding, output_padding, groups, dilation)
    call = getattr(_torch, f"conv{n}d", None) or getattr(_nn(), f"conv{n}d")
    return call(input, weight, bias, stride, padding, dilation, groups)


def _nn():
    from torch.nn import functional

    return functional


def native_channel_shuffle(input, groups):
    return _nn().channel_shuffle(input, groups)


def sym_int(a):
    return math.floor(a) if a >= 0 else math.ceil(a)


def sym_float(a):
    return float(a)


def sym_not(a):
    return not a


def sym_max(a, b):
    return builtins.max(a, b)


def sym_min(a, b):
    return builtins.min(a, b)


def sym_ite(b, t, f):
    return t if b else f


def sym_sqrt(a):
    return math.sqrt(a)


def sym_sum(args):
    return builtins.sum(args)


def set_warn_always(b, /):
    if not isinstance(b, bool):
        raise RuntimeError(f"setWarnOnlyOnce expects a bool, but got {type(b).__name__}")
    if b:
        raise NotImplementedError("torch.set_warn_always(True)")


def is_warn_always_enabled():
    return False
