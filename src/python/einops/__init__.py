"""`einops`: rearranges, reduces and repeats tensors and arrays by patterns such as "b c h w -> b (h w) c"."""


class EinopsError(RuntimeError):
    """A pattern that can't be read, or that a shape doesn't fit."""


from .einops import asnumpy, einsum, parse_shape, rearrange, reduce, repeat  # noqa: E402
from .packing import pack, unpack  # noqa: E402

__all__ = ["EinopsError", "asnumpy", "einsum", "pack", "parse_shape", "rearrange", "reduce", "repeat", "unpack"]
__version__ = "0.8.2"
