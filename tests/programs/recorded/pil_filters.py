"""Filters. Pillow 13.0.0 recorded `pil_filters.txt` from this file."""

import zlib

import numpy as np
from PIL import Image, ImageFilter


def show(x):
    if isinstance(x, Image.Image):
        return [x.mode, x.size, zlib.crc32(x.tobytes())]
    return x


def say(name, f):
    try:
        r = show(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r)


pixels = ((np.arange(17 * 21 * 4) * 7919 + np.arange(17 * 21 * 4) // 13 * 31) % 251).astype(np.uint8).reshape(17, 21, 4)
rgba = Image.fromarray(pixels)
rgb = Image.fromarray(np.ascontiguousarray(pixels[:, :, :3]))
gray = Image.fromarray(np.ascontiguousarray(pixels[:, :, 0]))
smooth = Image.fromarray((np.arange(20)[:, None] * 8 + np.arange(26)[None, :] * 3 + 15).astype(np.uint8))
bit = gray.convert("1")
images = {"rgba": rgba, "rgb": rgb, "gray": gray, "bit": bit, "real": gray.convert("F")}
names = "BLUR CONTOUR DETAIL EDGE_ENHANCE EDGE_ENHANCE_MORE EMBOSS FIND_EDGES SHARPEN SMOOTH SMOOTH_MORE".split()
for name, image in (("rgb", rgb), ("smooth", smooth), ("small", rgb.crop((0, 0, 2, 2)))):
    for kind in names:
        say(f"{kind} {name}", lambda: image.filter(getattr(ImageFilter, kind)))
    for radius in (0, 0.4, 2, 3.7, (1, 0.5), 12):
        say(f"gauss {radius} {name}", lambda: image.filter(ImageFilter.GaussianBlur(radius)))
        say(f"box {radius} {name}", lambda: image.filter(ImageFilter.BoxBlur(radius)))
    for kind in ("MedianFilter", "MinFilter", "MaxFilter"):
        say(f"{kind} {name}", lambda: [show(image.filter(getattr(ImageFilter, kind)(size))) for size in (3, 5)])
    say(f"unsharp {name}", lambda: [show(image.filter(f)) for f in (ImageFilter.UnsharpMask(), ImageFilter.UnsharpMask(1, 80, 0))])
say("kernel", lambda: rgb.filter(ImageFilter.Kernel((3, 3), (1, 2, 3, 4, 5, 6, 7, 8, 9))))
say("kernel scale", lambda: rgb.filter(ImageFilter.Kernel((3, 3), (0, 1, 0, 1, -4, 1, 0, 0.5, 0), 0.7, 128)))
say("kernel 5", lambda: rgb.filter(ImageFilter.Kernel((5, 5), range(25), 200, 3)))
say("kernel short", lambda: ImageFilter.Kernel((3, 3), (1, 2)))
say("kernel size", lambda: rgb.filter(ImageFilter.Kernel((4, 4), range(16))))
say("rank", lambda: rgb.filter(ImageFilter.RankFilter(3, 2)))
say("rank even", lambda: ImageFilter.RankFilter(4, 2))
say("rank bad", lambda: ImageFilter.RankFilter(3, 9))
say("radius", lambda: ImageFilter.BoxBlur(-1))
say("filter nothing", lambda: rgb.filter(3))
say("filter bit", lambda: gray.convert("P").filter(ImageFilter.BLUR))
