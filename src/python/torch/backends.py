"""Which backends are available, and how precisely they compute."""

import sys
import warnings

import _torch


def _node(backend, op):
    """The property with the precision of a backend's operators for float32."""
    return property(lambda self: _torch._get_fp32_precision(backend, op),
                    lambda self, precision: _set_node(backend, op, precision))


def _set_node(backend, op, precision):
    if not isinstance(precision, str):
        raise TypeError("_set_fp32_precision_setter(): incompatible function arguments. The following argument types are "
                        "supported:\n    1. (arg0: str, arg1: str, arg2: str) -> str\n\nInvoked with: "
                        f"{backend!r}, {op!r}, {precision!r}")
    _torch._set_fp32_precision(backend, op, precision)


class _Float32:
    """An operator's node."""

    def __init__(self, backend, op):
        self.__dict__.update(_backend=backend, _op=op)

    def __getattr__(self, name):
        if name == "fp32_precision":
            return _torch._get_fp32_precision(self._backend, self._op)
        raise AttributeError("Unknown attribute " + name)

    def __setattr__(self, name, value):
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        _set_node(self._backend, self._op, value)


def _flags(owner, defaults):
    """A context manager that sets every name in `defaults` on `owner`, to the given value or the default, and restores
    all of them."""
    import contextlib

    @contextlib.contextmanager
    def flags(**values):
        for name in values:
            if name not in defaults:
                raise TypeError(f"flags() got an unexpected keyword argument '{name}'")
        before = {name: getattr(owner, name) for name in defaults}
        for name, default in defaults.items():
            setattr(owner, name, values.get(name, default))
        try:
            yield
        finally:
            for name, value in before.items():
                setattr(owner, name, value)

    return flags


class _Backend:
    def __init__(self, name, **values):
        self._name = name
        self.__dict__.update(values)

    def __repr__(self):
        return f"<module 'torch.backends.{self._name}'>"


class _Mps(_Backend):
    def is_available(self):
        return _torch._machine()[1]

    def is_built(self):
        return _torch._machine()[1]

    is_macos_or_newer = lambda self, major, minor: self.is_available()


def _attention_switch(name):
    """A function that says whether a way of computing attention is allowed, and one that sets it."""
    def enabled(self):
        from torch.nn._attention import BACKENDS
        return BACKENDS[name]

    def enable(self, enabled):
        from torch.nn._attention import BACKENDS
        BACKENDS[name] = bool(enabled)

    return enabled, enable


class _Cuda(_Backend):
    def is_built(self):
        return _torch._machine()[2]

    flash_sdp_enabled, enable_flash_sdp = _attention_switch("flash")
    mem_efficient_sdp_enabled, enable_mem_efficient_sdp = _attention_switch("mem_efficient")
    math_sdp_enabled, enable_math_sdp = _attention_switch("math")
    cudnn_sdp_enabled, enable_cudnn_sdp = _attention_switch("cudnn")

    def sdp_kernel(self, enable_flash=True, enable_math=True, enable_mem_efficient=True, enable_cudnn=True):
        from torch.nn.attention import _names, sdpa_kernel

        warnings.warn(
            "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager will be removed. Please see "
            "`torch.nn.attention.sdpa_kernel()` for the new context manager, with updated signature.",
            FutureWarning, stacklevel=2,
        )
        chosen = {"flash": enable_flash, "mem_efficient": enable_mem_efficient, "math": enable_math, "cudnn": enable_cudnn}
        return sdpa_kernel([_names[name] for name, on in chosen.items() if on])


def _reduction(value, name):
    """`(reduced, split)` from the value that a program assigns to one of the two switches."""
    def flag(value, which):
        if isinstance(value, bool):
            return value
        raise TypeError(f"{name} expects a bool for {which}, but got {type(value)!r}")

    if isinstance(value, bool):
        return value, True
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{name} expects a bool or a tuple/list of bools, but got {type(value)!r}")
    if not value:
        raise TypeError(f"{name} expects at least one boolean argument")
    if len(value) > 2:
        raise TypeError(f"{name} expects at most two boolean arguments")
    reduced = flag(value[0], "allow_reduced_precision")
    return reduced, flag(value[1], "allow_splitk") if len(value) == 2 else True


_HALVES = {"allow_fp16_reduced_precision_reduction": False, "allow_bf16_reduced_precision_reduction": True}


class _Matmul:
    """Settings of matrix products."""

    def __getattr__(self, name):
        if name == "allow_tf32":
            return _torch._cublas_tf32()
        if name == "allow_fp16_accumulation":
            return _torch._float16_throughout()
        if name == "fp32_precision":
            return _torch._get_fp32_precision("cuda", "matmul")
        if name in _HALVES:
            return _torch._half_reduction(_HALVES[name])[0]
        if name.removesuffix("_split_k") in _HALVES:
            return _torch._half_reduction(_HALVES[name.removesuffix("_split_k")])[1]
        raise AttributeError("Unknown attribute " + name)

    def __setattr__(self, name, value):
        if name == "allow_tf32":
            if not isinstance(value, bool):
                raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}")
            _torch._cublas_tf32(value)
        elif name == "allow_fp16_accumulation":
            if not isinstance(value, bool):
                raise RuntimeError(f"set_allow_fp16_accumulation_cublas expects a bool, but got {type(value).__name__}")
            _torch._float16_throughout(value)
        elif name == "fp32_precision":
            _set_node("cuda", "matmul", value)
        elif name in _HALVES:
            _torch._half_reduction(_HALVES[name], *_reduction(value, name))
        else:
            raise AttributeError("Unknown attribute " + name)


class _Cudnn(_Backend):
    """Settings that programs make. Every operator here is deterministic, and `enabled` decides which library's errors
    are raised."""

    benchmark = False
    benchmark_limit = 10
    deterministic = False
    conv = _Float32("cuda", "conv")
    rnn = _Float32("cuda", "rnn")
    fp32_precision = _node("cuda", "all")

    @property
    def enabled(self):
        return _torch._cudnn()

    @enabled.setter
    def enabled(self, value):
        _torch._cudnn(bool(value))

    @property
    def allow_tf32(self):
        return _torch._cudnn_tf32()

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        if not isinstance(allowed, bool):
            raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(allowed).__name__}")
        _torch._cudnn_tf32(allowed)

    def is_available(self):
        return _torch._machine()[2]

    def version(self):
        return 92600 if self.is_available() else None

    def flags(self, **values):
        return _flags(self, {"enabled": False, "benchmark": False, "benchmark_limit": 10, "deterministic": False,
                             "allow_tf32": True, "fp32_precision": "none"})(**values)


class _Mkldnn(_Backend):
    matmul = _Float32("mkldnn", "matmul")
    conv = _Float32("mkldnn", "conv")
    rnn = _Float32("mkldnn", "rnn")
    # Setting it sets the parent of all backends, as in PyTorch 2.15.
    fp32_precision = property(lambda self: _torch._get_fp32_precision("mkldnn", "all"),
                              lambda self, precision: _set_node("generic", "all", precision))

    def is_available(self):
        return True


class _Cpu(_Backend):
    def get_cpu_capability(self):
        return "DEFAULT"


class _Mha(_Backend):
    """The fast path of attention, which here only decides whether results at padded positions are zero."""

    _enabled = True

    def get_fastpath_enabled(self):
        return _Mha._enabled

    def set_fastpath_enabled(self, value):
        _Mha._enabled = value


mps = _Mps("mps")
cuda = _Cuda("cuda", matmul=_Matmul())
cudnn = _Cudnn("cudnn")
cpu = _Cpu("cpu")
mkldnn = _Mkldnn("mkldnn")
mkl = _Backend("mkl", is_available=lambda: True)
openmp = _Backend("openmp", is_available=lambda: True)
mha = _Mha("mha")


class _Backends(type(sys)):
    """This module, extended by a property."""

    fp32_precision = _node("generic", "all")


_module = _Backends(__name__, __doc__)
_module.__dict__.update({name: value for name, value in globals().items() if name != "_module"})
_module.flags = _flags(_module, {"fp32_precision": "none"})
sys.modules[__name__] = _module
# Programs also import them by name: `import torch.backends.cudnn as cudnn`.
sys.modules.update({f"{__name__}.{each._name}": each for each in (mps, cuda, cudnn, cpu, mkldnn, mkl, openmp, mha)})
