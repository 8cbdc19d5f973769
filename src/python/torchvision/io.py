"""Images of files as tensors. Only PNG files can be read."""

import enum

import torch
from PIL import Image, _png

from torchvision.transforms import functional as F

__all__ = ["ImageReadMode", "decode_image", "decode_png", "read_file", "read_image", "write_png"]


class ImageReadMode(enum.Enum):
    UNCHANGED = 0
    GRAY = 1
    GRAY_ALPHA = 2
    RGB = 3
    RGB_ALPHA = 4


_MODES = {ImageReadMode.GRAY: "L", ImageReadMode.RGB: "RGB", ImageReadMode.RGB_ALPHA: "RGBA"}


def read_file(path):
    """The bytes of a file, as a uint8 tensor."""
    import numpy as np

    with open(path, "rb") as f:
        return torch.from_numpy(np.array(np.frombuffer(f.read(), dtype="uint8")))


def _decoded(data, mode):
    if isinstance(mode, str):
        mode = ImageReadMode[mode.upper()]
    pixels = _png.decode(data)
    if mode == ImageReadMode.UNCHANGED:
        return F._array_as_tensor(pixels)
    if mode not in _MODES or pixels.shape[2:] == (2,):
        raise RuntimeError("images of gray with alpha can't be converted here")
    return F.pil_to_tensor(Image.fromarray(pixels).convert(_MODES[mode]))


def decode_image(input, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image of a PNG file: a path, or its bytes as a uint8 tensor. Returns uint8 (C, H, W)."""
    if not isinstance(input, torch.Tensor):
        return read_image(input, mode)
    return _decoded(input.numpy().tobytes(), mode)


decode_png = decode_image


def read_image(path, mode=ImageReadMode.UNCHANGED, apply_exif_orientation=False):
    """The image of a PNG file as a uint8 tensor (C, H, W)."""
    with open(path, "rb") as f:
        return _decoded(f.read(), mode)


def write_png(input, filename, compression_level=6):
    """Writes a uint8 tensor (1 or 3, H, W) to a PNG file."""
    if input.dtype != torch.uint8 or input.dim() != 3 or input.size(0) not in (1, 3):
        raise RuntimeError("write_png takes a uint8 tensor of 1 or 3 channels")
    with open(filename, "wb") as f:
        f.write(_png.encode(input.permute(1, 2, 0).contiguous().numpy()))


def __getattr__(name):
    if name in ("decode_jpeg", "encode_jpeg", "read_video", "write_jpeg", "write_video", "VideoReader"):
        raise NotImplementedError(f"torchvision.io.{name} isn't here: only PNG files can be read and written")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
