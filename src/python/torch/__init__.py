"""Tensors that know where they live.  The native half (tensors, operators, devices) is the module `_torch`. What
PyTorch has in Python is Python here."""

import builtins as _builtins
import math as _math

import _torch as _C
from _torch import *
from torch.torch_version import __version__

from torch._size import Size
from torch import return_types
from torch import _composed, _legacy, _modes, _tensor
from torch._modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch._functions import *
from torch._composed import *
from torch.random import default_generator, fork_rng, get_rng_state, manual_seed, set_rng_state

inf = _math.inf
nan = _math.nan
pi = _math.pi
e = _math.e
newaxis = None


class layout:
    """How a tensor's elements are laid out."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        from torch import serialization

        return serialization._get_layout, (repr(self),)


class memory_format(layout):
    """The order of a tensor's dimensions in memory."""

    def __reduce__(self):
        return self._name


strided = layout("strided")
jagged = layout("jagged")
sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc = (
    layout("sparse_" + name) for name in ("coo", "csr", "csc", "bsr", "bsc"))
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
legacy_contiguous_format = contiguous_format
_tensor._complete(Tensor, strided)
_composed.install()
globals().update((name, getattr(_composed, name)) for name in _composed._FUNCTIONS)

from _torch import _fft_c2c, _fft_c2r, _fft_r2c
from _torch import _frombuffer as frombuffer
from torch.storage import TypedStorage, UntypedStorage, is_storage

globals().update(storage._legacy_classes())

globals().update(_legacy.types("cpu"))

from torch import autograd
from torch import version
from torch import accelerator, backends, cuda, mps
import torch.nn as nn
import torch.optim as optim
import torch.utils as utils
import torch.utils.data
from torch import amp
from torch.amp import autocast, GradScaler, get_autocast_dtype, is_autocast_enabled
from torch import func, linalg
from torch.func import vmap


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Sets how tensors are printed. Options that aren't given don't change."""
    _C._set_printoptions(precision, threshold, edgeitems, linewidth, profile, sci_mode)


def typename(obj):
    if isinstance(obj, Tensor):
        return obj.type()
    module = obj.__module__ if hasattr(obj, "__module__") else type(obj).__module__
    name = obj.__qualname__ if hasattr(obj, "__qualname__") else type(obj).__qualname__
    return name if module in (None, "builtins", "__builtin__") else f"{module}.{name}"


def _assert(condition, message):
    """`assert` as a function, which a traced graph can call."""
    assert condition, message


def get_num_threads():
    return 1


def set_flush_denormal(mode, /):
    """Does nothing and returns False, as PyTorch does where a processor can't round numbers too small for full precision to
    zero."""
    if type(mode) is not type(True):
        raise RuntimeError(f"flush_denormal expects a bool, but got {type(mode).__name__}")
    return False


def set_num_threads(n):
    """The executor decides the number of threads."""
    if n <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")


def get_num_interop_threads():
    return 1


def set_num_interop_threads(n):
    """As `set_num_threads`."""


def compiled_with_cxx11_abi():
    return True


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Makes operations that PyTorch can't do deterministically raise an error, or warn. Every operation here is
    deterministic, so nothing else changes, except that new tensors without values are filled."""
    _C._set_deterministic_algorithms(mode, warn_only=warn_only)


def are_deterministic_algorithms_enabled():
    return get_deterministic_debug_mode() > 0


def is_deterministic_algorithms_warn_only_enabled():
    return _C._get_deterministic()[1]


def set_deterministic_debug_mode(debug_mode):
    """Another way to call `use_deterministic_algorithms`: with 0 or "default", 1 or "warn", or 2 or "error"."""
    # `int` is a dtype here.
    if not isinstance(debug_mode, (_builtins.int, str)):
        raise TypeError(f"debug_mode must be str or int, but got {type(debug_mode)}")
    if isinstance(debug_mode, str):
        names = ("default", "warn", "error")
        if debug_mode not in names:
            raise RuntimeError(f"invalid value of debug_mode, expected one of `default`, `warn`, `error`, but got {debug_mode}")
        debug_mode = names.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"invalid value of debug_mode, expected 0, 1, or 2, but got {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode():
    enabled, warn_only = _C._get_deterministic()
    return 0 if not enabled else 1 if warn_only else 2


def set_float32_matmul_precision(precision):
    """Sets whether products of float32 may be computed in TF32, if the hardware has it ("high", "medium")."""
    if not isinstance(precision, str):
        raise RuntimeError(f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}")
    if precision not in ("highest", "high", "medium"):
        import warnings

        warnings.warn(f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision "
                      "call has no effect.", stacklevel=2)
        return
    _C._matmul_precision(precision)


def get_float32_matmul_precision():
    return _C._matmul_precision()


def get_device_module(device=None):
    name = torch_device_type(device)
    return cuda if name == "cuda" else mps if name == "mps" else __getattr__("cpu")


def torch_device_type(device):
    if device is None:
        current = accelerator.current_accelerator()
        return current.type if current is not None else "cpu"
    return globals()["device"](device).type


# Names that PyTorch has and this package doesn't: using one raises NotImplementedError. Names that programs check with
# hasattr aren't listed, so that the check is False.
_ABSENT = frozenset((
    "_inductor", "ao", "bits8", "chalf", "complex32", "contrib", "cpp", "embedding_bag", "export",
    "float8_e4m3fn", "float8_e5m2", "futures", "hash_tensor",
    "monitor", "onnx", "package", "qint32", "qint8",
    "quantization", "quantize_per_channel", "quantize_per_tensor", "quint8",
    "uint64",
))

# Functions that few programs use, each with the module that is loaded when a program first asks for one.
_LATER = dict.fromkeys((
    "affine_grid_generator alias_copy alpha_dropout_ as_strided_copy as_strided_scatter constant_pad_nd cosine_embedding_loss ctc_loss "
    "detach_copy diagonal_copy dropout_ empty_permuted expand_copy feature_alpha_dropout_ feature_dropout feature_dropout_ fill frexp "
    "frobenius_norm gcd gcd_ gradient hinge_embedding_loss native_dropout "
    "histogram histogramdd index_reduce instance_norm is_neg kaiser_window lcm lcm_ logcumsumexp margin_ranking_loss mode mvlgamma "
    "fake_quantize_per_channel_affine fake_quantize_per_tensor_affine nanmedian nanquantile narrow_copy "
    "native_group_norm native_layer_norm nextafter nonzero_static norm_except_dim nuclear_norm "
    "native_batch_norm adaptive_max_pool1d max_pool1d_with_indices "
    "permute_copy poisson_nll_loss put range resize_as_ resolve_neg segment_reduce select_copy slice_copy split_copy split_with_sizes_copy "
    "squeeze_copy t_copy transpose_copy triplet_margin_loss unbind_copy unfold_copy unsafe_chunk unsafe_split "
    "_check _check_index _check_not_implemented _check_type _check_value "
    "unsafe_split_with_sizes unsqueeze_copy view_as_complex_copy view_as_real_copy view_copy"
).split(), "_more")
_LATER.update(dict.fromkeys((
    "adaptive_avg_pool1d alpha_dropout avg_pool1d celu_ channel_shuffle conv3d conv_transpose3d "
    "feature_alpha_dropout max_pool1d max_pool3d pdist rms_norm rrelu rrelu_ selu_ threshold_"
).split(), "nn.functional"))
_LATER.update(dict.fromkeys((
    "binomial conv_tbc convolution gru_cell is_warn_always_enabled lstm_cell native_channel_shuffle rnn_relu_cell rnn_tanh_cell "
    "set_warn_always sym_float sym_int sym_ite sym_max sym_min sym_not sym_sqrt sym_sum"
).split(), "_cells"))
_LATER.update(dict.fromkeys(("cond", "while_loop"), "_higher_order_ops"))
_LATER["from_file"] = "storage"
_LATER["lobpcg"] = "_lobpcg"
_LATER["from_dlpack"] = "utils.dlpack"
_LATER.update(dict.fromkeys("poisson _sample_dirichlet _standard_gamma".split(), "distributions._sampling"))
_LATER.update(dict.fromkeys(("stft", "istft"), "_spectral"))
_LATER.update(dict.fromkeys(("i0", "igamma", "igammac", "polygamma"), "_special"))
_LATER.update(dict.fromkeys(("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"), "nn._spatial"))
_LATER.update(dict.fromkeys((
    "cholesky_inverse cholesky_solve geqrf lu lu_solve lu_unpack matrix_exp orgqr ormqr pca_lowrank svd_lowrank triangular_solve"
).split(), "_factors"))
_LATER.update(dict.fromkeys("cholesky eig lstsq matrix_rank qr solve symeig".split(), "_linalg_utils"))
_LATER.update(dict.fromkeys("is_anomaly_enabled is_anomaly_check_nan_enabled set_anomaly_enabled".split(), "autograd.anomaly_mode"))
_LATER.update(dict.fromkeys((
    "autocast_decrement_nesting autocast_increment_nesting clear_autocast_cache get_autocast_cpu_dtype get_autocast_gpu_dtype "
    "is_autocast_cache_enabled is_autocast_cpu_enabled set_autocast_cache_enabled set_autocast_cpu_dtype set_autocast_cpu_enabled "
    "set_autocast_dtype set_autocast_enabled set_autocast_gpu_dtype"
).split(), "amp"))
_TWINS = frozenset((
    "addmv_ as_strided_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ deg2rad_ detach_ fill_ i0_ index_put_ ldexp_ logit_ "
    "nan_to_num_ rad2deg_ round_ sinc_ xlogy_ zero_"
).split())


def __getattr__(name):
    # Most programs never use these modules, so each is loaded when a program first does.
    if name == "compile":
        from torch._dynamo import compile

        return compile
    if name == "ops":
        from torch._ops import ops

        return ops
    if name in ("__config__", "_dynamo", "compiler", "cpu", "distributed", "distributions", "export", "fft", "foreach", "functional", "fx",
                "hub", "jit", "library", "masked", "multiprocessing", "nested", "onnx", "overrides", "profiler", "quasirandom", "signal",
                "sparse", "special", "testing", "torch_version", "types", "xpu"):
        import importlib

        return importlib.import_module("torch." + name)
    if name in ("load", "save", "serialization"):
        # These need pickle and re, which would be a fifth of the time for importing torch.
        import importlib

        serialization = importlib.import_module("torch.serialization")
        globals().update(serialization=serialization, load=serialization.load, save=serialization.save)
        return globals()[name]
    if name in _LATER:
        import importlib

        globals()[name] = _modes.loaded_later(getattr(importlib.import_module("torch." + _LATER[name]), name))
        return globals()[name]
    if name in ("has_mps", "has_cuda", "has_cudnn", "has_mkldnn"):
        import warnings

        part = name.removeprefix("has_")
        function = "is_built" if part in ("mps", "cuda") else "is_available"
        warnings.warn(f"'{name}' is deprecated, please use 'torch.backends.{part}.{function}()'", stacklevel=2)
        return getattr(getattr(backends, part), function)()
    if name.startswith("_foreach_"):
        from torch import foreach

        if name in foreach._PRIVATE:
            globals()[name] = foreach._PRIVATE[name]
            return globals()[name]
    if name in _TWINS:
        # `torch.x_(t)` is `t.x_()`.
        def twin(input, *args, **kwargs):
            return getattr(input, name)(*args, **kwargs)

        twin.__name__ = name
        globals()[name] = twin
        return twin
    if name in _ABSENT:
        raise NotImplementedError(f"torch.{name}")
    raise AttributeError(f"module 'torch' has no attribute '{name}'")


# For `from torch import *`, which doesn't see names that are loaded later.
__all__ = [name for name in globals() if not name.startswith("_")] + ["load", "save"]

_C._complete()
