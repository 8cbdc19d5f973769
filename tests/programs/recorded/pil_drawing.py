"""Drawing. Pillow 13.0.0 recorded `pil_drawing.txt` from this file."""

import zlib

import numpy as np
from PIL import Image, ImageDraw


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
def drawn(f, mode="RGB", size=(40, 30)):
    image = Image.new(mode, size)
    f(ImageDraw.Draw(image))
    return image


state = 5


def number(n):
    global state
    state = (state * 1103515245 + 12345) % 2**31
    return state // 65536 % n


for i in range(14):
    x0, y0, x1, y1 = number(50) - 5, number(40) - 5, number(50) - 5, number(40) - 5
    say(f"line {i}", lambda: [show(drawn(lambda d: d.line((x0, y0, x1, y1, y0, x1), fill=(9, 8, 7), width=w))) for w in (0, 1, 2, 3, 6)])
    box = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    say(f"ellipse {i}", lambda: [show(drawn(lambda d: d.ellipse(box, "red", "blue", w))) for w in (0, 1, 2, 5)])
    say(f"outline {i}", lambda: [show(drawn(lambda d: d.ellipse(box, outline="blue", width=w))) for w in (1, 3)])
    say(f"rectangle {i}", lambda: [show(drawn(lambda d: d.rectangle(box, "red", "white", w))) for w in (0, 1, 2, 5)])
for i in range(24):
    points = [(number(46) - 3, number(36) - 3) for _ in range(3 + i % 5)]
    say(f"polygon {i}", lambda: [show(drawn(lambda d: d.polygon(points, "red"))), show(drawn(lambda d: d.polygon(points, "red", "blue")))])
say("flat polygon", lambda: drawn(lambda d: d.polygon([(1, 1), (5, 1), (9, 1), (9, 6), (5, 6), (1, 6)], "red")))
say("points", lambda: drawn(lambda d: d.point([(1, 2), (3, 4), (99, 99)], "green")))
say("points flat", lambda: drawn(lambda d: d.point([1, 2, 3, 4])))
say("circle", lambda: drawn(lambda d: d.circle((15, 15), 9, "yellow", "black", 2)))
for mode, color in (("L", 200), ("1", 1), ("F", 2.5), ("I", 70000), ("RGBA", (1, 2, 3, 4)), ("RGBA", "red"), ("LA", (5, 6)), ("L", None)):
    say(f"draw {mode} {color}", lambda: drawn(lambda d: d.rectangle((2, 2, 9, 9), fill=color), mode))
say("inverted", lambda: drawn(lambda d: d.rectangle((9, 9, 2, 2))))
say("odd", lambda: drawn(lambda d: d.line((1, 2, 3))))
say("mode", lambda: ImageDraw.Draw(gray, "RGB"))
