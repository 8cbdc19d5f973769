"""Modes, sizes and places. Pillow 13.0.0 recorded `pil_images.txt` from this file."""

import warnings
import zlib

import numpy as np
from PIL import Image

warnings.simplefilter("ignore")


def show(x):
    if isinstance(x, Image.Image):
        return [x.mode, x.size, zlib.crc32(x.tobytes()), x.getpixel((0, 0)) if x.width and x.height else None]
    if isinstance(x, (tuple, list)) and x and isinstance(x[0], Image.Image):
        return [show(y) for y in x]
    if isinstance(x, np.ndarray):
        x = x.astype(np.int64) if x.dtype == bool else x
        return [str(x.dtype), x.shape, zlib.crc32(np.ascontiguousarray(x).tobytes())]
    return x


def say(name, f):
    try:
        r = show(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r)


pixels = ((np.arange(23 * 31 * 4) * 7919 + np.arange(23 * 31 * 4) // 13 * 31) % 251).astype(np.uint8).reshape(23, 31, 4)
rgba = Image.fromarray(pixels)
rgb = Image.fromarray(np.ascontiguousarray(pixels[:, :, :3]))
gray = Image.fromarray(np.ascontiguousarray(pixels[:, :, 0]))
la = Image.fromarray(np.ascontiguousarray(pixels[:, :, :2]))
smooth = Image.fromarray((np.arange(20)[:, None] * 11 + np.arange(26)[None, :] * 3).astype(np.uint8))
real = Image.fromarray((np.arange(63).reshape(7, 9) * 4.5 - 30).astype(np.float32))
whole = Image.fromarray((np.arange(63).reshape(7, 9) * 77 - 900).astype(np.int32))
deep = Image.fromarray((np.arange(63).reshape(7, 9) * 1000).astype(np.uint16))
bit = Image.fromarray(np.arange(63).reshape(7, 9) % 3 == 0)
images = {"rgba": rgba, "rgb": rgb, "gray": gray, "la": la, "real": real, "whole": whole, "deep": deep, "bit": bit}

for name, image in images.items():
    print(name, show(image), image.getbands(), image.width, image.height, image.format, image.info, image.getbbox())
    say(name + " extrema", image.getextrema)
    if name != "deep":
        say(name + " histogram", lambda: zlib.crc32(str(image.histogram()).encode()))
    say(name + " array", lambda: np.array(image))
    say(name + " interface", lambda: sorted((k, v) for k, v in image.__array_interface__.items() if k != "data"))
    for mode in ("1", "L", "LA", "RGB", "RGBA", "I", "F", "HSV"):
        if (name, mode) not in (("deep", "1"), ("deep", "RGB"), ("deep", "RGBA"), ("deep", "LA"), ("deep", "HSV"), ("real", "LA")):
            say(f"{name} to {mode}", lambda: image.convert(mode))
    for number in range(6):
        say(f"{name} resize {number}", lambda: image.resize((13, 17), number))
    say(name + " larger", lambda: image.resize((40, 35)))
    say(name + " box", lambda: image.resize((5, 6), Image.BILINEAR, box=(1.5, 0.25, 8, 6.5)))
    say(name + " reduce", lambda: image.reduce((2, 3)))
    for number in (0,) if name == "deep" else (0, 2, 3):
        say(f"{name} rotate {number}", lambda: image.rotate(33, number, expand=True))
    say(name + " crop", lambda: image.crop((-2, 3, 8, 30)))
    say(name + " blend", lambda: Image.blend(image, image.transpose(Image.FLIP_LEFT_RIGHT), 0.3))
    say(name + " split", image.split)
    say(name + " point", lambda: image.point(lambda v: v * 2 + 10))
    say(name + " bytes", lambda: Image.frombytes(image.mode, image.size, image.tobytes()) == image)

print(repr(rgb).split(" at ")[0], Image.new("1", (2, 2)) == Image.new("1", (2, 2)), gray == rgb)
say("hsv back", lambda: rgb.convert("HSV").convert("RGB"))
say("1 without dither", lambda: rgb.convert("1", dither=Image.Dither.NONE))
say("1 with dither", lambda: smooth.convert("1"))
say("gray to P", lambda: gray.convert("P").convert("RGB"))
say("bad mode", lambda: rgb.convert("XYZ"))
for method in Image.Transpose:
    say(f"transpose {method.name}", lambda: rgb.transpose(method))
for factor in (1, 2, 3, 5, (7, 1), (1, 4), 50):
    say(f"reduce {factor}", lambda: rgb.reduce(factor))
say("reduce box", lambda: rgb.reduce(3, box=(2, 1, 30, 20)))
say("reduce 0", lambda: rgb.reduce(0))
for size in ((10, 10), (100, 100), (31, 5), (7, 40), (1, 1)):
    def thumb():
        copy = rgb.copy()
        copy.thumbnail(size)
        return copy
    say(f"thumbnail {size}", thumb)
say("gap", lambda: rgb.resize((4, 3), Image.LANCZOS, reducing_gap=1.5))
say("gap small", lambda: rgb.resize((4, 3), reducing_gap=0.5))
say("bad filter", lambda: rgb.resize((3, 3), 9))
say("empty size", lambda: rgb.resize((0, 3)))
say("bad box", lambda: rgb.resize((3, 3), box=(0, 0, 99, 3)))
say("same", lambda: rgb.resize(rgb.size) is rgb)

for angle in (0, 45, 90, 180, 270, 360, -30, 12.5):
    for expand in (False, True):
        say(f"rotate {angle} {expand}", lambda: rgb.rotate(angle, expand=expand))
say("rotate center", lambda: rgb.rotate(20, Image.BILINEAR, center=(3, 4), translate=(2, 1), fillcolor=(1, 2, 3)))
say("rotate red", lambda: rgb.rotate(20, fillcolor="red"))
say("affine", lambda: rgb.transform((20, 20), Image.AFFINE, (1.2, 0.1, -2, 0.3, 0.9, 1)))
say("affine bilinear", lambda: rgb.transform((20, 20), Image.AFFINE, (1.2, 0.1, -2, 0.3, 0.9, 1), Image.BILINEAR))
say("affine scale", lambda: gray.transform((20, 20), Image.AFFINE, (0.7, 0, 1, 0, 0.6, -2)))
say("extent", lambda: rgb.transform((9, 8), Image.EXTENT, (2, 3, 20, 17), Image.BICUBIC))
say("perspective", lambda: rgb.transform((20, 20), Image.PERSPECTIVE, (1, 0.1, 0, 0.1, 1, 0, 0.001, 0.002), Image.BILINEAR))
say("perspective nearest", lambda: rgb.transform((20, 20), Image.PERSPECTIVE, (1, 0.1, 0, 0.1, 1, 0, 0.001, 0.002)))
say("quad", lambda: rgb.transform((20, 20), Image.QUAD, (1, 2, 3, 20, 28, 21, 25, 0), Image.BICUBIC))
say("no data", lambda: rgb.transform((2, 2), Image.AFFINE))
say("box filter", lambda: rgb.transform((2, 2), Image.AFFINE, (1, 0, 0, 0, 1, 0), Image.BOX))
for array in (np.asarray(rgb), np.array(rgb), np.asarray(rgb, dtype=np.float32)):
    print(array.flags.writeable)
print(Image.BICUBIC, repr(Image.Resampling.BICUBIC))
