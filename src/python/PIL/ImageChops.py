"""Arithmetic of two images of the same mode."""

import numpy as np

from PIL import Image


def _both(image1, image2):
    for image in (image1, image2):
        if image.mode in ("I", "F", "I;16"):
            raise ValueError("image has wrong mode")
    if image1.mode != image2.mode:
        raise ValueError("images do not match")
    # Only the area that both images cover is computed.
    height, width = min(image1.height, image2.height), min(image1.width, image2.width)
    return (image._a[:height, :width].astype("int64") for image in (image1, image2))


def _made(image, values):
    return image._like(np.clip(values, 0, 255).astype("uint8"))


def constant(image, value):
    return Image.new("L", image.size, value)


def duplicate(image):
    return image.copy()


def invert(image):
    return _made(image, 255 - image._a.astype("int64"))


def lighter(image1, image2):
    return _made(image1, np.maximum(*_both(image1, image2)))


def darker(image1, image2):
    return _made(image1, np.minimum(*_both(image1, image2)))


def difference(image1, image2):
    a, b = _both(image1, image2)
    return _made(image1, np.abs(a - b))


def multiply(image1, image2):
    a, b = _both(image1, image2)
    return _made(image1, a * b // 255)


def screen(image1, image2):
    a, b = _both(image1, image2)
    return _made(image1, 255 - (255 - a) * (255 - b) // 255)


def add(image1, image2, scale=1.0, offset=0):
    """(`image1` + `image2`) / `scale` + `offset`."""
    a, b = _both(image1, image2)
    return _made(image1, np.trunc((a + b) / scale + offset))


def subtract(image1, image2, scale=1.0, offset=0):
    """(`image1` - `image2`) / `scale` + `offset`."""
    a, b = _both(image1, image2)
    return _made(image1, np.trunc((a - b) / scale + offset))


def add_modulo(image1, image2):
    a, b = _both(image1, image2)
    return _made(image1, (a + b) & 255)


def subtract_modulo(image1, image2):
    a, b = _both(image1, image2)
    return _made(image1, (a - b) & 255)


def blend(image1, image2, alpha):
    return Image.blend(image1, image2, alpha)


def composite(image1, image2, mask):
    return Image.composite(image1, image2, mask)


def offset(image, xoffset, yoffset=None):
    """The image shifted by `xoffset` and `yoffset` pixels. Pixels that leave on one side come back on the other."""
    yoffset = xoffset if yoffset is None else yoffset
    return image._like(np.roll(image._a, (yoffset, xoffset), axis=(0, 1)))


def __getattr__(name):
    if name in ("soft_light", "hard_light", "overlay", "logical_and", "logical_or", "logical_xor"):
        raise NotImplementedError(f"PIL.ImageChops.{name} isn't here")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
