"""Ready-made operations on images."""

from PIL import Image


def _mapped(image, table, palette=False):
    """The image with its values looked up in 256 entries, the same for each band, or in as many for each."""
    if image.mode == "P":
        if not palette:
            raise NotImplementedError("mode P support coming soon")
        out = image.copy()
        out.putpalette([table[v] for v in image.getpalette()])
        return out
    if image.mode not in ("L", "RGB"):
        raise OSError(f"not supported for mode {image.mode}")
    if len(table) == 256:
        table = list(table) * len(image.getbands())
    return image.point(table)


def _four(border):
    if not isinstance(border, tuple):
        return (border,) * 4
    if len(border) not in (2, 4):
        raise ValueError("border must be an integer, or a tuple of two or four elements")
    return border * 2 if len(border) == 2 else border


def autocontrast(image, cutoff=0, ignore=None, mask=None, preserve_tone=False):
    """Each band stretched from 0 to 255, without the `cutoff` percent (or low and high) of its darkest and lightest pixels."""
    histogram = (image.convert("L") if preserve_tone else image).histogram(mask)
    table = []
    for start in range(0, len(histogram), 256):
        counts = histogram[start : start + 256]
        for value in () if ignore is None else [ignore] if isinstance(ignore, int) else ignore:
            counts[value] = 0
        if cutoff:
            ends = cutoff if isinstance(cutoff, tuple) else (cutoff, cutoff)
            total = sum(counts)
            for percent, order in zip(ends, (range(256), range(255, -1, -1))):
                left = int(total * percent // 100)
                for value in order:
                    taken = min(left, counts[value])
                    counts[value] -= taken
                    left -= taken
                    if left <= 0:
                        break
        there = [value for value in range(256) if counts[value]]
        low, high = (there[0], there[-1]) if there else (255, 0)
        if high <= low:
            table += range(256)
            continue
        scale = 255.0 / (high - low)
        table += [min(max(int(v * scale + -low * scale), 0), 255) for v in range(256)]
    return _mapped(image, table)


def equalize(image, mask=None):
    """Each band with its values spread evenly."""
    if image.mode == "P":
        image = image.convert("RGB")
    histogram = image.histogram(mask)
    table = []
    for start in range(0, len(histogram), 256):
        counts = histogram[start : start + 256]
        there = [n for n in counts if n]
        step = (sum(there) - there[-1]) // 255 if len(there) > 1 else 0
        if not step:
            table += range(256)
            continue
        n = step // 2
        for value in range(256):
            table.append(n // step)
            n += counts[value]
    return _mapped(image, table)


def posterize(image, bits):
    """Only the highest `bits` of each value."""
    if not 1 <= bits <= 8:
        raise ValueError("bits must be between or equal to 1 and 8")
    return _mapped(image, [v & ~(2 ** (8 - bits) - 1) for v in range(256)], palette=True)


def solarize(image, threshold=128):
    """Values of `threshold` or more inverted."""
    return _mapped(image, [v if v < threshold else 255 - v for v in range(256)], palette=True)


def invert(image):
    table = list(range(255, -1, -1))
    return image.point(table) if image.mode == "1" else _mapped(image, table, palette=True)


def grayscale(image):
    return image.convert("L")


def mirror(image):
    """Left and right exchanged."""
    return image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def flip(image):
    """Top and bottom exchanged."""
    return image.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def scale(image, factor, resample=Image.Resampling.BICUBIC):
    """The image `factor` times as large."""
    if factor == 1:
        return image.copy()
    if factor <= 0:
        raise ValueError("the factor must be greater than 0")
    return image.resize((round(factor * image.width), round(factor * image.height)), resample)


def crop(image, border=0):
    """The image without its border."""
    left, top, right, bottom = _four(border)
    return image.crop((left, top, image.width - right, image.height - bottom))


def _in_shape(image, size, larger):
    """`size`, with one side changed to the image's own shape: the image is inside it, or covers it if `larger`."""
    own, wanted = image.width / image.height, size[0] / size[1]
    if own == wanted:
        return size
    if (own > wanted) != larger:
        return size[0], round(image.height / image.width * size[0])
    return round(image.width / image.height * size[1]), size[1]


def contain(image, size, method=Image.Resampling.BICUBIC):
    """The image as large as fits into `size`."""
    if 0 in (image.height, size[1]):
        return Image.new(image.mode, (size[0] if size[1] else 0, 0))
    size = _in_shape(image, size, False)
    return Image.new(image.mode, size) if min(size) == 0 else image.resize(size, method)


def cover(image, size, method=Image.Resampling.BICUBIC):
    """The image as small as covers `size`."""
    if 0 in (image.height, size[1]):
        return Image.new(image.mode, (size[0] if size[1] else 0, 0))
    return image.resize(_in_shape(image, size, True), method)


def _filled(image, size, color):
    out = Image.new(image.mode, size)
    if image.mode == "P":
        out.putpalette(image.getpalette())
    if color:
        out.paste(color, (0, 0, *size))
    return out


def pad(image, size, method=Image.Resampling.BICUBIC, color=None, centering=(0.5, 0.5)):
    """The image as large as fits into `size`, with `color` around it."""
    resized = contain(image, size, method)
    if resized.size == tuple(size):
        return resized
    out = _filled(resized, size, color)
    if resized.width != size[0]:
        out.paste(resized, (round((size[0] - resized.width) * max(0, min(centering[0], 1))), 0))
    else:
        out.paste(resized, (0, round((size[1] - resized.height) * max(0, min(centering[1], 1)))))
    return out


def expand(image, border=0, fill=0):
    """The image with a border of the color `fill`: everywhere the same, (across, down), or left, top, right, bottom."""
    left, top, right, bottom = _four(border)
    out = _filled(image, (left + image.width + right, top + image.height + bottom), fill)
    out.paste(image, (left, top))
    return out


def fit(image, size, method=Image.Resampling.BICUBIC, bleed=0.0, centering=(0.5, 0.5)):
    """The image cropped to the shape of `size`, and resized to it. `bleed`: the share of each side to leave out before."""
    if min(size) == 0:
        return Image.new(image.mode, size)
    across, down = (c if 0.0 <= c <= 1.0 else 0.5 for c in centering)
    bleed = bleed if 0.0 <= bleed < 0.5 else 0.0
    left, top = bleed * image.width, bleed * image.height
    width, height = image.width - left * 2, image.height - top * 2
    if height == 0:
        return Image.new(image.mode, size)
    wanted = size[0] / size[1]
    part = [width, height]
    if width / height > wanted:
        part[0] = wanted * height
    elif width / height < wanted:
        part[1] = width / wanted
    x, y = left + (width - part[0]) * across, top + (height - part[1]) * down
    return image.resize(size, method, box=(x, y, x + part[0], y + part[1]))


def colorize(image, black, white, mid=None, blackpoint=0, whitepoint=255, midpoint=127):
    """A gray image in RGB, with its values mapped to a row of colors from `black` (over `mid`) to `white`."""
    if image.mode != "L":
        raise ValueError(f"mode must be L, not {image.mode}")
    if not 0 <= blackpoint <= whitepoint <= 255:
        raise ValueError(
            "blackpoint and whitepoint must each be between or equal to 0 and 255, with blackpoint less than or equal to "
            "whitepoint"
        )
    if mid is not None and not blackpoint <= midpoint <= whitepoint:
        raise ValueError("midpoint must be between or equal to blackpoint and whitepoint")
    stops = [(blackpoint, black)] + ([] if mid is None else [(midpoint, mid)]) + [(whitepoint, white)]
    stops = [(at, Image._ink(color, "RGB")) for at, color in stops]
    table = []
    for band in range(3):
        row = [stops[0][1][band]] * blackpoint
        for (start, first), (end, last) in zip(stops, stops[1:]):
            row += [first[band] + i * (last[band] - first[band]) // (end - start) for i in range(end - start)]
        table += row + [stops[-1][1][band]] * (256 - whitepoint)
    return _mapped(image.convert("RGB"), table)


def exif_transpose(image, *, in_place=False):
    """The image as it is, if its file doesn't say how the camera was held."""
    if "exif" in image.info:
        raise NotImplementedError("this file says how its image is turned (Exif), which can't be read here")
    return None if in_place else image.copy()


def __getattr__(name):
    if name in ("deform", "sepia"):
        raise NotImplementedError(f"PIL.ImageOps.{name} isn't here")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
