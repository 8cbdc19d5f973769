"""Operations, enhancements, arithmetic, statistics and colors. Pillow 13.0.0 recorded `pil_operations.txt` from this file."""

import zlib

import numpy as np
from PIL import Image, ImageChops, ImageColor, ImageEnhance, ImageOps, ImageStat


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
for name, image in images.items():
    for kind in ("invert", "grayscale", "mirror", "flip", "autocontrast", "equalize", "solarize"):
        say(f"{kind} {name}", lambda: getattr(ImageOps, kind)(image))
    say(f"posterize {name}", lambda: ImageOps.posterize(image, 3))
    for kind in ("fit", "pad", "contain", "cover"):
        say(f"{kind} {name}", lambda: [show(getattr(ImageOps, kind)(image, size)) for size in ((8, 8), (30, 9), (5, 33), (21, 17))])
    say(f"expand {name}", lambda: [show(ImageOps.expand(image, border)) for border in (2, (1, 2), (1, 2, 3, 4))])
    say(f"crop {name}", lambda: ImageOps.crop(image, 2))
    say(f"scale {name}", lambda: [show(ImageOps.scale(image, factor)) for factor in (1, 0.5, 1.7)])
say("posterize 9", lambda: ImageOps.posterize(gray, 9))
say("expand color", lambda: ImageOps.expand(rgb, 3, "green"))
say("pad color", lambda: ImageOps.pad(rgb, (40, 20), color="#ff8800", centering=(0, 1)))
say("fit bleed", lambda: ImageOps.fit(rgb, (7, 9), Image.BILINEAR, 0.1, (0.2, 0.8)))
say("cutoff", lambda: [show(ImageOps.autocontrast(smooth, c)) for c in (1, 10, (2, 20), 60)])
say("ignore", lambda: [show(ImageOps.autocontrast(smooth, ignore=i)) for i in (15, [15, 16, 90])])
say("tone", lambda: ImageOps.autocontrast(rgb, 5, preserve_tone=True))
say("equalize smooth", lambda: ImageOps.equalize(smooth.resize((60, 60), 0)))
say("scale 0", lambda: ImageOps.scale(rgb, 0))
say("colorize", lambda: ImageOps.colorize(gray, "blue", "yellow"))
say("colorize mid", lambda: ImageOps.colorize(gray, "black", (255, 0, 0), "white", 20, 200, 99))
say("colorize rgb", lambda: ImageOps.colorize(rgb, "black", "white"))

for name, image in (("rgb", rgb), ("rgba", rgba), ("gray", gray)):
    for kind in ("Brightness", "Contrast", "Color", "Sharpness"):
        enhancer = getattr(ImageEnhance, kind)(image)
        say(f"{kind} {name}", lambda: [show(enhancer.enhance(f)) for f in (0, 0.3, 1, 1.8, -1)])
turned = rgb.transpose(Image.ROTATE_180)
for kind in ("lighter", "darker", "difference", "multiply", "screen", "add", "subtract", "add_modulo", "subtract_modulo"):
    say(kind, lambda: getattr(ImageChops, kind)(rgb, turned))
say("add scale", lambda: [show(ImageChops.add(rgb, turned, 1.7, -9)), show(ImageChops.subtract(rgb, turned, 2, 100))])
say("offset", lambda: [show(ImageChops.offset(rgb, 5)), show(ImageChops.offset(rgb, -3, 4))])
say("others", lambda: [show(ImageChops.invert(rgb)), show(ImageChops.constant(rgb, 9)), show(ImageChops.blend(rgb, turned, 0.2))])
say("modes", lambda: ImageChops.add(rgb, gray))
stat = ImageStat.Stat(rgb)
print(stat.count, stat.sum, stat.mean, stat.median, stat.extrema, [round(v, 6) for v in stat.rms + stat.var + stat.stddev])
say("stat", lambda: ImageStat.Stat(7))
for color in ("red", "#abc", "#abcd", "#a1b2c3", "#a1b2c3d4", "rgb(1, 2, 3)", "rgba(1,2,3,4)", "rgb(10%, 20%, 30%)", "hsv(200, 40%, 60%)", "hsl(10,20%,30%)",
              "RebeccaPurple", "no", "#12"):
    say(color, lambda: [ImageColor.getrgb(color), ImageColor.getcolor(color, "L"), ImageColor.getcolor(color, "RGBA"), ImageColor.getcolor(color, "LA")])
