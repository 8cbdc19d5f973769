"""The functions of `functional` for images of PIL: what PIL itself computes."""

import numpy as np
from PIL import Image, ImageEnhance, ImageOps

_NUMBERS = {"nearest": 0, "nearest-exact": 0, "bilinear": 2, "bicubic": 3, "box": 4, "hamming": 5, "lanczos": 1}


def _fill(fill, img):
    """`fill` as a color of `img`: one value, or one for each band."""
    bands = len(img.getbands())
    if fill is None:
        fill = 0
    if isinstance(fill, (tuple, list)):
        if len(fill) != bands:
            what = f"({len(fill)} != {bands})"
            raise ValueError(f"The number of elements in 'fill' does not match the number of channels of the image {what}")
        return tuple(fill) if img.mode == "F" else tuple(int(v) for v in fill)
    if img.mode != "F":
        fill = int(fill)
    return (fill,) * bands if bands > 1 else fill


def resize(img, size, mode):
    """`size`: (height, width)."""
    return img.resize((size[1], size[0]), _NUMBERS[mode])


def pad(img, sides, fill, padding_mode):
    """`sides`: left, top, right and bottom."""
    left, top, right, bottom = sides
    if padding_mode == "constant":
        fill = _fill(fill, img)
        return ImageOps.expand(img, border=(left, top, right, bottom), fill=fill)
    array = np.asarray(img)
    # A negative number crops.
    rows = array[max(0, -top) : array.shape[0] - max(0, -bottom), max(0, -left) : array.shape[1] - max(0, -right)]
    across = _beyond(rows.shape[1], max(0, left), max(0, right), padding_mode)
    down = _beyond(rows.shape[0], max(0, top), max(0, bottom), padding_mode)
    out = Image.fromarray(np.ascontiguousarray(rows[down][:, across]))
    if img.mode == "P":
        out.putpalette(img.getpalette())
    return out


def _beyond(size, before, after, padding_mode):
    """Which of `size` pixels are at each place from `before` the first to `after` the last."""
    at = np.arange(-before, size + after)
    if padding_mode == "edge" or size == 1:
        return np.clip(at, 0, size - 1)
    # There and back again: with the border pixel twice (symmetric), or once (reflect).
    twice = padding_mode == "symmetric"
    period = 2 * size if twice else 2 * size - 2
    at = at % period
    return np.where(at < size, at, period - at - (1 if twice else 0))


def crop(img, top, left, height, width):
    return img.crop((left, top, left + width, top + height))


def hflip(img):
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def vflip(img):
    return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def rotate(img, angle, mode, expand, center, fill):
    return img.rotate(angle, _NUMBERS[mode], expand, center, fillcolor=_fill(fill, img))


def affine(img, matrix, mode, fill):
    """`matrix`: six numbers that map where a pixel goes to where it comes from."""
    return img.transform(img.size, Image.Transform.AFFINE, matrix, _NUMBERS[mode], fillcolor=_fill(fill, img))


def rgb_to_grayscale(img, num_output_channels=1):
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    gray = img.convert("L")
    return gray if num_output_channels == 1 else Image.merge("RGB", (gray, gray, gray))


def adjust_brightness(img, brightness_factor):
    return ImageEnhance.Brightness(img).enhance(brightness_factor)


def adjust_contrast(img, contrast_factor):
    return ImageEnhance.Contrast(img).enhance(contrast_factor)


def adjust_saturation(img, saturation_factor):
    return ImageEnhance.Color(img).enhance(saturation_factor)


def adjust_sharpness(img, sharpness_factor):
    return ImageEnhance.Sharpness(img).enhance(sharpness_factor)


def adjust_hue(img, hue_factor):
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    # Hues are on a circle of 256 steps.
    hue = hue.point([(v + int(hue_factor * 255)) % 256 for v in range(256)])
    return Image.merge("HSV", (hue, saturation, value)).convert(img.mode)


def invert(img):
    return ImageOps.invert(img)


def posterize(img, bits):
    return ImageOps.posterize(img, bits)


def solarize(img, threshold):
    return ImageOps.solarize(img, threshold)


def autocontrast(img):
    return ImageOps.autocontrast(img)


def equalize(img):
    return ImageOps.equalize(img)
