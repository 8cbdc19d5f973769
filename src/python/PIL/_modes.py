"""The modes of images, the names of what can be done to them, and colors as pixels."""

import enum


class Transpose(enum.IntEnum):
    FLIP_LEFT_RIGHT = 0
    FLIP_TOP_BOTTOM = 1
    ROTATE_90 = 2
    ROTATE_180 = 3
    ROTATE_270 = 4
    TRANSPOSE = 5
    TRANSVERSE = 6


class Transform(enum.IntEnum):
    AFFINE = 0
    EXTENT = 1
    PERSPECTIVE = 2
    QUAD = 3
    MESH = 4


class Resampling(enum.IntEnum):
    NEAREST = 0
    BOX = 4
    BILINEAR = 2
    HAMMING = 5
    BICUBIC = 3
    LANCZOS = 1
    MKS2013 = 6
    MKS2021 = 7


class Dither(enum.IntEnum):
    NONE = 0
    ORDERED = 1
    RASTERIZE = 2
    FLOYDSTEINBERG = 3


class Palette(enum.IntEnum):
    WEB = 0
    ADAPTIVE = 1


# The bands of each mode, and the dtype of its pixels. In a mode with a small "a", colors are already multiplied by it.
_BANDS = {
    "1": ("1",),
    "L": ("L",),
    "P": ("P",),
    "I": ("I",),
    "F": ("F",),
    "I;16": ("I",),
    "LA": ("L", "A"),
    "La": ("L", "a"),
    "RGB": ("R", "G", "B"),
    "RGBA": ("R", "G", "B", "A"),
    "RGBa": ("R", "G", "B", "a"),
    "HSV": ("H", "S", "V"),
}
_DTYPES = {"I": "int32", "F": "float32", "I;16": "uint16"}
_TYPES = {"1": "|b1", "I": "<i4", "F": "<f4", "I;16": "<u2"}
_NOT_HERE = ("CMYK", "YCbCr", "LAB", "PA", "RGBX", "I;16B", "I;16L", "I;16N")
_PREMULTIPLIED = {"LA": "La", "RGBA": "RGBa"}


def _known(mode):
    if mode in _BANDS:
        return mode
    if mode in _NOT_HERE:
        raise NotImplementedError(f"images of mode {mode} aren't here; the modes are {', '.join(_BANDS)}")
    raise ValueError("unrecognized image mode")


def _dtype(mode):
    return _DTYPES.get(mode, "uint8")


def getmodebands(mode):
    """How many bands an image of this mode has."""
    return len(_BANDS[_known(mode)])


def getmodebandnames(mode):
    return _BANDS[_known(mode)]


def getmodebase(mode):
    """"L" for modes of gray, "RGB" for those of color."""
    return "RGB" if mode in ("P", "HSV") or len(_BANDS[_known(mode)]) > 2 else "L"


def getmodetype(mode):
    return _known(mode) if mode in ("1", "P", "I", "F") else "L"


def _checked_size(size):
    if not isinstance(size, (list, tuple)):
        raise ValueError("Size must be a list or tuple")
    if len(size) != 2:
        raise ValueError("Size must be a sequence of length 2")
    if size[0] < 0 or size[1] < 0:
        raise ValueError("Width and height must be >= 0")
    return int(size[0]), int(size[1])


def _byte(value):
    return min(max(int(value), 0), 255)


def _ink(color, mode):
    """A color as the value of a pixel: a number, or a list of one for each band."""
    bands = len(_BANDS[mode])
    if isinstance(color, str):
        from PIL import ImageColor

        color = ImageColor.getcolor(color, mode)
    several = isinstance(color, (tuple, list))
    if mode in ("F", "I", "I;16"):
        if several:
            if len(color) != 1:
                raise TypeError("color must be int or single-element tuple" if mode != "F" else "must be real number, not tuple")
            (color,) = color
        return float(color) if mode == "F" else int(color)
    if bands == 1:
        if several:
            if len(color) != 1:
                raise TypeError("color must be int or single-element tuple")
            (color,) = color
        if not hasattr(color, "__index__") and not isinstance(color, float):
            raise TypeError("color must be int or single-element tuple")
        return _byte(color)
    what = "one or two elements" if bands == 2 else "one, three or four elements"
    if several:
        given = list(color)
        if len(given) == 1:
            (color,) = given
        elif bands == 2 and len(given) == 2:
            return [_byte(v) for v in given]
        elif bands > 2 and len(given) in (3, 4):
            return [_byte(v) for v in given + [255] * (4 - len(given))][:bands]
        else:
            raise TypeError(f"color must be int, or tuple of {what}")
    if not hasattr(color, "__index__") and not isinstance(color, float):
        raise TypeError(f"color must be int, or tuple of {what}")
    color = int(color)
    if bands == 2:
        return [color & 255, color >> 24 & 255 if not several else 255]
    if several:
        return [_byte(color), 0, 0, 255][:bands]
    # A single number is read as a pixel of 32 bits, red in the lowest.
    return [color >> 8 * i & 255 for i in range(bands)]
