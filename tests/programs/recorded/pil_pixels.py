"""Pixels, colors, pasting, arrays and files. Pillow 13.0.0 recorded `pil_pixels.txt` from this file."""

import io
import os
import pickle
import tempfile
import warnings
import zlib

import numpy as np
from PIL import Image, UnidentifiedImageError

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

for mode, color in (("RGB", 255), ("RGB", (1, 2, 3)), ("RGB", "orange"), ("RGB", "#123"), ("RGB", "hsl(120, 50%, 50%)"), ("RGBA", 0x04030201),
                    ("RGBA", (1, 2, 3)), ("RGBA", "#11223344"), ("L", 300), ("L", (7,)), ("L", "red"), ("1", 1), ("1", 0), ("F", 1.5), ("I", -7),
                    ("LA", (3, 4)), ("LA", 5), ("RGB", (1, 2)), ("L", (1, 2)), ("RGB", "nocolor"), ("RGB", None), ("XX", 0), ("L", (300,))):
    say(f"new {mode} {color}", lambda: Image.new(mode, (2, 1), color))
say("new size", lambda: Image.new("L", (-1, 2)))
say("new size 3", lambda: Image.new("L", (1, 2, 3)))
say("new number", lambda: Image.new("L", 5))
say("new empty", lambda: Image.new("RGB", (0, 4)))
say("pixel", lambda: [rgb.getpixel((3, 4)), gray.getpixel((-1, -1)), real.getpixel((0, 0)), bit.getpixel((0, 0))])
say("pixel outside", lambda: rgb.getpixel((31, 0)))


def put(image, value):
    copy = image.copy()
    copy.putpixel((1, 1), value)
    copy.load()[2, 2] = value
    return copy.getpixel((1, 1)), copy.load()[2, 2], show(copy)


for name, value in (("rgb", (9, 300, -4)), ("gray", 77), ("rgba", (1, 2, 3)), ("real", 2.5), ("whole", 70000), ("bit", 1), ("rgb", (1, 2)), ("rgb", 7)):
    say(f"put {name} {value}", lambda: put(images[name], value))


def filled(mode, data, *args):
    image = Image.new(mode, (2, 2))
    image.putdata(data, *args)
    return image.get_flattened_data()


say("putdata", lambda: filled("L", [1, 2, 300, 4]))
say("putdata few", lambda: filled("RGB", [(1, 2, 3), (4, 5, 6)]))
say("putdata scale", lambda: filled("F", [1, 2, 3, 4], 2, 0.5))
say("putdata many", lambda: filled("L", range(9)))
say("getdata", lambda: list(rgb.getdata())[:3])
say("flat band", lambda: rgb.get_flattened_data(1)[:5])
say("flat", lambda: gray.get_flattened_data()[:5])
say("colors", lambda: sorted(Image.new("RGB", (3, 3), "red").getcolors()))
say("colors many", lambda: rgb.getcolors())
say("colors gray", lambda: bit.getcolors())
say("channel", lambda: [rgb.getchannel("G"), rgba.getchannel(3)])
say("no channel", lambda: rgb.getchannel("Z"))
say("merge", lambda: Image.merge("RGB", rgb.split()[::-1]))
say("merge count", lambda: Image.merge("RGB", rgb.split()[:2]))
say("merge sizes", lambda: Image.merge("LA", (gray, smooth)))
say("bbox", lambda: [Image.new("L", (4, 4)).getbbox(), rgba.getbbox(alpha_only=False)])
say("projection", lambda: bit.getprojection())
say("entropy", lambda: round(gray.entropy(), 6))
say("masked histogram", lambda: sum(gray.histogram(gray.point(lambda v: 255 if v > 99 else 0))))

for alpha in (0, 1, 0.5, -0.4, 1.7):
    say(f"blend {alpha}", lambda: Image.blend(rgb, rgb.transpose(Image.ROTATE_180), alpha))
say("blend sizes", lambda: Image.blend(gray, smooth, 0.5))
say("blend modes", lambda: Image.blend(gray, rgb, 0.5))
say("composite", lambda: Image.composite(rgb, rgb.transpose(Image.ROTATE_180), gray))
say("composite 1", lambda: Image.composite(rgb, rgb.transpose(Image.ROTATE_180), gray.convert("1")))
say("composite rgba", lambda: Image.composite(rgba, rgba.transpose(Image.ROTATE_180), rgba))
say("over", lambda: Image.alpha_composite(rgba, rgba.transpose(Image.ROTATE_180)))
say("over modes", lambda: Image.alpha_composite(rgb, rgb))


def pasted(base, *args):
    copy = base.copy()
    copy.paste(*args)
    return copy


say("paste", lambda: pasted(rgb, gray.resize((5, 5)), (3, 4)))
say("paste outside", lambda: pasted(rgb, gray.resize((9, 9)), (-3, 18)))
say("paste color", lambda: pasted(rgb, "blue", (1, 2, 9, 10)))
say("paste mask", lambda: pasted(rgb, (9, 8, 7), (0, 0), gray))
say("paste rgba", lambda: pasted(rgba, (9, 8, 7, 200), (0, 0), gray))
say("paste own", lambda: pasted(rgb, rgba, (0, 0), rgba))
say("paste short", lambda: pasted(rgb, rgba, rgba))
say("paste no size", lambda: pasted(rgb, 3))
say("paste sizes", lambda: pasted(rgb, gray, (0, 0, 3, 3)))
say("paste mask sizes", lambda: pasted(rgb, rgb, (0, 0), smooth))


def alpha(base, a):
    copy = base.copy()
    copy.putalpha(a)
    return copy


say("alpha", lambda: [alpha(rgb, 128), alpha(rgb, gray), alpha(gray, 7), alpha(rgba, gray)])
say("alpha bad", lambda: alpha(rgb, rgb))
say("crop bad", lambda: rgb.crop((5, 0, 3, 3)))
say("crop float", lambda: rgb.crop((0.6, 1.5, 3.4, 3)))
say("point table", lambda: rgb.point(list(range(255, -1, -1)) * 3))
say("point 1", lambda: gray.point(lambda v: v > 100, "1"))
say("point short", lambda: gray.point([1, 2]))
say("array types", lambda: [show(Image.fromarray(np.zeros((2, 3), t))) for t in ("uint8", "int32", "float32", "float64", "bool", "uint16", "int16")])
say("array bad", lambda: Image.fromarray(np.zeros((2, 3, 5), np.uint8)))
say("array bad type", lambda: Image.fromarray(np.zeros((2, 3, 3), np.float32)))
say("array int64", lambda: Image.fromarray(np.zeros((2, 3), np.int64)))
say("array strides", lambda: Image.fromarray(pixels[::2, ::-1, :3]))
say("array mode", lambda: Image.fromarray(pixels[:, :, 0], "P").mode)
say("array mode bad", lambda: Image.fromarray(pixels[:, :, 0], "RGB"))
say("bytes few", lambda: Image.frombytes("L", (3, 3), b"12"))
say("pickle", lambda: pickle.loads(pickle.dumps(rgb)) == rgb)
say("gradient", lambda: Image.linear_gradient("L"))

folder = tempfile.mkdtemp()
path = os.path.join(folder, "image.png")
for name in ("rgb", "rgba", "gray", "la", "deep", "bit"):
    images[name].save(path)
    with Image.open(path) as found:
        print("file", name, show(found), found.format, type(found).__name__, np.array_equal(np.array(found), np.array(images[name])))
indexed = Image.new("P", (4, 3))
indexed.putpalette([1, 2, 3, 40, 50, 60, 7, 8, 9])
indexed.putdata([0, 1, 2, 0, 1, 2, 2, 2, 0, 1, 1, 0])
file = io.BytesIO()
indexed.save(file, format="PNG")
file.seek(0)
found = Image.open(file)
print(found.mode, show(found.convert("RGB")), found.convert("L").get_flattened_data(), found.getpalette()[:9])
say("real png", lambda: real.save(io.BytesIO(), "PNG"))
say("no extension", lambda: rgb.save(os.path.join(folder, "image")))
say("png bytes", lambda: rgb._repr_png_()[:8])
with open(os.path.join(folder, "not.png"), "wb") as f:
    f.write(b"this is text")
try:
    Image.open(os.path.join(folder, "not.png"))
except UnidentifiedImageError as e:
    print(str(e).replace(folder, ""))
marked = Image.new("RGB", (2, 2))
marked.putdata([(9, 8, 7), (1, 2, 3), (9, 8, 7), (0, 0, 0)])
marked.info["transparency"] = (9, 8, 7)
for mode in ("RGBA", "LA", "L", "I", "1"):
    say(f"transparent to {mode}", lambda: [marked.convert(mode).get_flattened_data(), marked.convert(mode).info])
for hidden in (1, bytes([0, 99])):
    indexed.info["transparency"] = hidden
    for mode in ("RGBA", "LA", "RGB", "L", None):
        say(f"palette {hidden} to {mode}", lambda: [indexed.convert(mode).get_flattened_data(), indexed.convert(mode).info])
say("no file", lambda: Image.open("nowhere.png"))
