"""Images. Every image keeps its pixels in a numpy array; results equal Pillow's byte for byte."""

import io
import math
import os
import warnings

import numpy as np

from PIL import UnidentifiedImageError, _geometry, _kernels, _png
from PIL._modes import (
    _BANDS,
    _NOT_HERE,
    _TYPES,
    Dither,
    Palette,
    Resampling,
    Transform,
    Transpose,
    _byte,
    _checked_size,
    _dtype,
    _ink,
    _known,
    getmodebandnames,
    getmodebands,
    getmodebase,
    getmodetype,
)


for _members in (Transpose, Transform, Resampling, Dither, Palette):
    _members.__module__ = __name__
    for _member in _members:
        globals()[_member.name] = _member.value


class Image(_geometry.Image):
    """An image. `Image.new`, `Image.open` and `Image.fromarray` make one."""

    format = None
    format_description = None

    def __init__(self):
        self._mode, self._a, self._palette, self.info = "", np.zeros((0, 0), dtype="uint8"), None, {}
        self.readonly = 0

    @classmethod
    def _of(cls, mode, pixels, like=None):
        """An image of `pixels`, with the palette (if its mode has one) and the info of `like`."""
        made = Image()
        made._mode, made._a = mode, pixels
        if like is not None:
            made.info = dict(like.info)
            made._palette = list(like._palette) if mode == "P" and like._palette is not None else None
        if mode == "P" and made._palette is None:
            made._palette = [v for i in range(256) for v in (i, i, i)]
        return made

    def _like(self, pixels):
        return Image._of(self._mode, pixels, self)

    def _blank(self, size, color):
        return new(self._mode, size, color)

    @property
    def mode(self):
        return self._mode

    @property
    def width(self):
        return self._a.shape[1]

    @property
    def height(self):
        return self._a.shape[0]

    @property
    def size(self):
        return (self._a.shape[1], self._a.shape[0])

    @property
    def _deep(self):
        """The pixels as (H, W, C)."""
        return self._a if self._a.ndim == 3 else self._a[:, :, None]

    def _flat(self, deep):
        """The opposite of `_deep`."""
        return deep if self._a.ndim == 3 else deep[:, :, 0]

    @property
    def has_transparency_data(self):
        return self.mode in ("LA", "La", "RGBA", "RGBa") or "transparency" in self.info

    def __enter__(self):
        return self

    def __exit__(self, *args):
        self.close()

    def close(self):
        """There is nothing to close: a file is read as a whole."""

    def load(self):
        """Pixels by their place: `image.load()[x, y]`."""
        return PixelAccess(self)

    def verify(self):
        """A file was read, and checked, when it was opened."""

    def tell(self):
        return 0

    def seek(self, frame):
        if frame != 0:
            raise EOFError("no more images in file")

    def __eq__(self, other):
        if type(self) is not type(other):
            return False
        same = (self.mode, self.size, self.info, self._palette) == (other.mode, other.size, other.info, other._palette)
        return same and self.tobytes() == other.tobytes()

    __hash__ = None

    def __repr__(self):
        kind = type(self)
        return f"<{kind.__module__}.{kind.__name__} image mode={self.mode} size={self.width}x{self.height} at 0x{id(self):X}>"

    def _repr_png_(self):
        """The image as a PNG file, for notebooks; None where PNG has no such mode."""
        file = io.BytesIO()
        try:
            self.save(file, "PNG")
        except OSError:
            return None
        return file.getvalue()

    @property
    def _typed(self):
        return self._a != 0 if self.mode == "1" else self._a

    @property
    def __array_interface__(self):
        typed = self._typed
        return {
            "version": 3,
            "data": typed.tobytes(),
            "shape": tuple(typed.shape),
            "typestr": _TYPES.get(self.mode, "|u1"),
        }

    def __array__(self, dtype=None, copy=None):
        made = self._typed.copy() if dtype is None else self._typed.astype(dtype)
        # `numpy.asarray` shows the image's own pixels, which can't be written; `numpy.array` copies what it gets.
        made.setflags(write=bool(copy) or dtype is not None)
        return made

    def __getstate__(self):
        return [self.info, self.mode, self.size, self.getpalette(), self.tobytes()]

    def __setstate__(self, state):
        info, mode, size, palette, data = state
        other = frombytes(mode, size, data)
        self.info, self._mode, self._a, self._palette, self.readonly = info, mode, other._a, palette, 0

    def copy(self):
        return self._like(self._a.copy())

    __copy__ = copy

    # ---- pixels ------------------------------------------------------------------------------------------------------

    def tobytes(self, encoder_name="raw", *args):
        """The pixels, row by row. In mode "1", eight to a byte."""
        if encoder_name != "raw" or (args and args != (self.mode,) and args != ("raw", self.mode)):
            raise NotImplementedError("tobytes gives the pixels as they are; other encoders aren't here")
        return _png.packed_bits(self._a) if self.mode == "1" else np.ascontiguousarray(self._a).tobytes()

    def frombytes(self, data, decoder_name="raw", *args):
        """Replaces all pixels."""
        self._a = frombytes(self.mode, self.size, data, decoder_name, *args)._a

    def _place(self, xy):
        x, y = xy
        x, y = int(x), int(y)
        x, y = (x + self.width if x < 0 else x), (y + self.height if y < 0 else y)
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError("image index out of range")
        return y, x

    def getpixel(self, xy):
        """The value at (x, y): a number, or a tuple of one for each band."""
        value = self._a[self._place(xy)].tolist()
        return tuple(value) if isinstance(value, list) else value

    def putpixel(self, xy, value):
        if self.mode == "P" and isinstance(value, (list, tuple)) and len(value) in (3, 4):
            value = self._palette_index(value)
        self._a[self._place(xy)] = np.array(_ink(value, self.mode), dtype=_dtype(self.mode))

    def _palette_index(self, color):
        color = list(color[:3])
        entries = [self._palette[i : i + 3] for i in range(0, len(self._palette), 3)]
        if color in entries:
            return entries.index(color)
        if len(entries) >= 256:
            raise ValueError("cannot allocate more than 256 colors")
        self._palette += color
        return len(entries)

    def get_flattened_data(self, band=None):
        """The value of every pixel, row by row, as a tuple."""
        if band is not None and not 0 <= band < len(self.getbands()):
            raise ValueError("band index out of range")
        pixels = self._a if band is None or self._a.ndim == 2 else self._a[:, :, band]
        if pixels.ndim == 2:
            return tuple(pixels.reshape(-1).tolist())
        return tuple(map(tuple, pixels.reshape(-1, pixels.shape[2]).tolist()))

    def getdata(self, band=None):
        """`get_flattened_data` by its older name, as a list."""
        warnings.warn(
            "Image.Image.getdata is deprecated and will be removed in Pillow 14 (2027-10-15). Use get_flattened_data instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        return list(self.get_flattened_data(band))

    def putdata(self, data, scale=1.0, offset=0.0):
        """Sets pixels, row by row, to `data` * `scale` + `offset`, until either ends."""
        data = list(data)
        if len(data) > self.width * self.height:
            raise TypeError("too many data entries")
        if (scale, offset) != (1.0, 0.0):
            data = [v * scale + offset for v in data]
        values = np.array([_ink(v, self.mode) for v in data], dtype=_dtype(self.mode))
        flat = self._deep.reshape(self.width * self.height, -1).copy()
        flat[: len(data)] = values.reshape(len(data), -1)
        self._a = flat.reshape(self._a.shape)

    def getbands(self):
        return _BANDS[self.mode]

    def getpalette(self, rawmode="RGB"):
        """The palette as a list of numbers, three for each color."""
        if rawmode not in ("RGB", None):
            raise NotImplementedError(f"palettes are RGB here, not {rawmode}")
        return list(self._palette) if self.mode == "P" else None

    def putpalette(self, data, rawmode="RGB"):
        """Makes an image of mode L or P one of mode P with the colors of `data`, three numbers for each."""
        if self.mode not in ("L", "P"):
            raise ValueError("illegal image mode")
        if rawmode != "RGB":
            raise NotImplementedError(f"palettes are RGB here, not {rawmode}")
        self._mode, self._palette = "P", [int(v) for v in data]

    def getextrema(self):
        """The smallest and largest value, or a tuple of them for each band."""
        if self._a.size == 0:
            raise ValueError("an image without pixels has no extrema")
        if self._a.ndim == 2:
            return (self._a.min().item(), self._a.max().item())
        return tuple((self._a[:, :, i].min().item(), self._a[:, :, i].max().item()) for i in range(self._a.shape[2]))

    def getbbox(self, *, alpha_only=True):
        """The smallest box around what isn't 0 (or, with an alpha channel, transparent); None if there is nothing."""
        a = self._a
        if a.ndim == 3:
            a = a[:, :, -1] if alpha_only and self.mode in ("LA", "RGBA", "La", "RGBa") else a.max(-1)
        full = a != 0
        rows, columns = np.nonzero(full.any(axis=1))[0].tolist(), np.nonzero(full.any(axis=0))[0].tolist()
        return (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1) if rows else None

    def getcolors(self, maxcolors=256):
        """A list of (count, color), or None if there are more than `maxcolors`. Ordered by color."""
        if self._a.ndim == 2:
            values, counts = np.unique(self._a.reshape(-1), return_counts=True)
            found = list(zip(counts.tolist(), values.tolist()))
            return found if len(found) <= maxcolors else None
        bands = self._a.shape[2]
        packed = sum(self._a[:, :, i].astype("int64") << 8 * (bands - 1 - i) for i in range(bands))
        values, counts = np.unique(packed.reshape(-1), return_counts=True)
        if len(values) > maxcolors:
            return None
        colors = [tuple(v >> 8 * (bands - 1 - i) & 255 for i in range(bands)) for v in values.tolist()]
        return list(zip(counts.tolist(), colors))

    def histogram(self, mask=None, extrema=None):
        """How often each value occurs: 256 counts for each band."""
        chosen = None
        if mask is not None:
            if mask.size != self.size:
                raise ValueError("mask and image must have the same size" if mask.mode in ("1", "L") else "bad transparency mask")
            if mask.mode not in ("1", "L"):
                raise ValueError("bad transparency mask")
            chosen = mask._a != 0
        if self.mode == "I;16":
            raise NotImplementedError("images of 16 bits have no histogram here; convert('I') makes one that has")
        if self.mode in ("I", "F"):
            low, high = self.getextrema() if extrema is None else extrema
            values = self._a.astype("float64")
            values = values.reshape(-1) if chosen is None else values[chosen]
            if low == high:
                return [0] * 256
            at = np.floor((values - low) * (255.0 / (high - low))).astype("int64")
            return np.bincount(at[(at >= 0) & (at < 256)], minlength=256).tolist()
        out = []
        for i in range(self._deep.shape[2]):
            band = self._deep[:, :, i]
            band = band.reshape(-1) if chosen is None else band[chosen]
            out += np.bincount(band.astype("int64"), minlength=256).tolist()
        return out

    def entropy(self, mask=None, extrema=None):
        counts = self.histogram(mask, extrema)
        total = sum(counts)
        return -sum(n / total * math.log2(n / total) for n in counts if n) + 0.0

    def getprojection(self):
        """For each column, and for each row, whether anything in it isn't 0."""
        full = self._deep.max(-1) != 0
        return [int(v) for v in full.any(axis=0).tolist()], [int(v) for v in full.any(axis=1).tolist()]

    # ---- bands -------------------------------------------------------------------------------------------------------

    def split(self):
        """An image of mode L for each band."""
        if self._a.ndim == 2:
            return (self.copy(),)
        return tuple(self.getchannel(i) for i in range(self._a.shape[2]))

    def getchannel(self, channel):
        """One band, by its number or name."""
        if isinstance(channel, str):
            if channel not in self.getbands():
                raise ValueError(f'The image has no channel "{channel}"')
            channel = self.getbands().index(channel)
        if not 0 <= channel < len(self.getbands()):
            raise ValueError("band index out of range")
        if self._a.ndim == 2:
            return self.copy()
        return Image._of("L", self._a[:, :, channel].copy(), self)

    def putalpha(self, alpha):
        """Sets the alpha channel to a number or an image of mode L or 1, and adds it if there is none."""
        if self.mode not in ("LA", "RGBA"):
            made = self.convert(getmodebase(self.mode) + "A")
            self._mode, self._a, self._palette = made._mode, made._a, None
        if isinstance(alpha, Image):
            if alpha.mode not in ("1", "L"):
                raise ValueError("illegal image mode")
            if alpha.size != self.size:
                raise ValueError("images do not match")
            band = alpha._a
        else:
            band = np.full(self._a.shape[:2], _byte(alpha), dtype="uint8")
        self._a = np.concatenate([self._a[:, :, :-1], band[:, :, None]], -1)

    def convert(self, mode=None, matrix=None, dither=None, palette=Palette.WEB, colors=256):
        """The image in another mode."""
        if matrix is not None:
            raise NotImplementedError("convert(matrix=) isn't here")
        if mode is None:
            mode = self.mode
            if mode == "P":
                mode = "RGBA" if "transparency" in self.info else "RGB"
        if mode == self.mode:
            return self.copy()
        if mode not in _BANDS and mode not in _NOT_HERE:
            raise ValueError("image has wrong mode")
        _known(mode)
        pixels = self._converted(mode, Dither.FLOYDSTEINBERG if dither is None else dither)
        made = Image._of(mode, pixels, self)
        hidden = made.info.get("transparency")
        if hidden is not None and mode not in ("P", "1", "I", "F", "I;16", "HSV"):
            del made.info["transparency"]
            if mode in ("L", "RGB") and isinstance(hidden, bytes):
                warnings.warn("Palette images with Transparency expressed in bytes should be converted to RGBA images")
            elif mode in ("L", "RGB") and self.mode in ("L", "RGB", "P"):
                # The transparent color goes on as one of the new mode.
                pixel = Image._of(self.mode, np.array(hidden, dtype="uint8").reshape((1, 1) + self._a.shape[2:]), self)
                del pixel.info["transparency"]
                made.info["transparency"] = pixel.convert(mode).getpixel((0, 0))
        return made

    def _converted(self, mode, dither):
        """The pixels in `mode`, another one than the image's."""
        a, old = self._a, self.mode
        if mode == "P":
            if old in ("1", "L"):
                return a.copy()
            raise NotImplementedError("colors can't be gathered into a palette here: only images of mode L or 1 become P")
        if old == "P":
            table = np.zeros((256, 3), dtype="uint8")
            given = np.array(self._palette[:768], dtype="uint8").reshape(-1, 3)
            table[: len(given)] = given
            color = table[a.astype("int64")]
            if mode == "RGB":
                return color
            if mode in ("RGBA", "LA"):
                alpha = np.full((256,), 255, dtype="uint8")
                hidden = self.info.get("transparency")
                if isinstance(hidden, bytes):
                    alpha[: len(hidden)] = np.frombuffer(hidden, dtype="uint8")
                elif hidden is not None:
                    alpha[hidden] = 0
                base = color if mode == "RGBA" else Image._of("RGB", color)._converted("L", dither)[:, :, None]
                return np.concatenate([base, alpha[a.astype("int64")][:, :, None]], -1)
            return Image._of("RGB", color)._converted(mode, dither)
        if old == "HSV":
            color = _kernels.hsv_to_rgb(a)
            return color if mode == "RGB" else Image._of("RGB", color)._converted(mode, dither)
        if old in ("La", "RGBa"):
            if mode != old.upper():
                raise ValueError("conversion from " + old + " to " + mode + " not supported")
            alpha = a[:, :, -1:].astype("int64")
            color = a[:, :, :-1].astype("int64")
            safe = np.where(alpha == 0, 1, alpha)
            color = np.where((alpha == 0) | (alpha == 255), color, np.minimum(255 * color // safe, 255))
            return np.concatenate([color.astype("uint8"), a[:, :, -1:]], -1)
        if mode in ("La", "RGBa"):
            full = self if old == mode.upper() else self.convert(mode.upper())
            color, alpha = full._a[:, :, :-1].astype("int64"), full._a[:, :, -1:]
            return np.concatenate([_kernels.over255(color * alpha.astype("int64")).astype("uint8"), alpha], -1)
        if old in ("F", "I", "I;16"):
            return self._from_numbers(mode, dither)
        return self._from_bytes(mode, dither)

    def _from_numbers(self, mode, dither):
        a, old = self._a, self.mode
        if mode == "F" or (mode == "I" and old == "I;16"):
            return a.astype(_dtype(mode))
        if mode == "I":
            return np.clip(a.astype("float64"), -(2.0**31), 2.0**31 - 1).astype("int32")
        if mode == "I;16":
            return np.clip(a.astype("int64"), 0, 65535).astype("uint16")
        # Numbers beyond a byte are cut to it.
        gray = np.clip(a.astype("int64") if old == "I;16" else a, 0, 255).astype("int64").astype("uint8")
        return gray if mode == "L" else Image._of("L", gray)._converted(mode, dither)

    def _from_bytes(self, mode, dither):
        a, old = self._a, self.mode
        if old == "1":
            a = np.where(a != 0, 255, 0).astype("uint8")
        gray_only = old in ("1", "L", "LA")
        if mode in ("1", "L", "LA", "I", "I;16", "F"):
            if gray_only:
                exact = None
                gray = a if a.ndim == 2 else a[:, :, 0]
            else:
                r, g, b = (a[:, :, i].astype("int64") for i in range(3))
                exact = r * 299 + g * 587 + b * 114
                gray = (r * 19595 + g * 38470 + b * 7471 + 32768 >> 16).astype("uint8")
            if mode == "L":
                return gray.copy()
            if mode == "LA":
                alpha = a[:, :, -1] if old in ("LA", "RGBA") else self._opaque()
                if old == "RGB":
                    # Where a color is transparent, Pillow leaves its red as the gray.
                    gray = np.where(alpha == 0, a[:, :, 0], gray)
                return np.stack([gray, alpha], -1)
            if mode == "F":
                # In single precision, as all of Pillow's floats.
                return gray.astype("float32") if exact is None else exact.astype("float32") / np.float32(1000.0)
            if mode in ("I", "I;16"):
                return gray.astype(_dtype(mode))
            if old == "1":
                return gray.copy()
            if dither:
                return _kernels.dithered(gray if exact is None else exact // 1000)
            on = gray >= 128 if exact is None else exact >= 128000
            return np.where(on, 255, 0).astype("uint8")
        if gray_only:
            gray = a if a.ndim == 2 else a[:, :, 0]
            color = np.stack([gray, gray, gray], -1)
        else:
            color = a[:, :, :3]
        if mode == "RGB":
            return color.copy()
        if mode == "HSV":
            return _kernels.rgb_to_hsv(color)
        alpha = a[:, :, -1] if old in ("LA", "RGBA") else self._opaque()
        return np.concatenate([color, alpha[:, :, None]], -1)

    def _opaque(self):
        """The alpha channel of an image that has none: only its transparent color, if it has one, is 0."""
        alpha = np.full(self._a.shape[:2], 255, dtype="uint8")
        hidden = self.info.get("transparency")
        if hidden is not None and not isinstance(hidden, bytes):
            same = self._a == hidden if self._a.ndim == 2 else (self._a[:, :, :3] == np.array(hidden)).all(axis=-1)
            alpha[same] = 0
        return alpha

    def quantize(self, *args, **kwargs):
        raise NotImplementedError("colors can't be gathered into a palette here, so there is no quantize")

    def point(self, lut, mode=None):
        """The image with each value replaced: by a function of it, or by a table with 256 values for each band."""
        if self.mode in ("I", "I;16", "F"):
            if not callable(lut):
                raise ValueError("point operation not supported for this mode")
            # A line through two points: only such functions are possible without a table.
            scale, offset = _line_of(lut)
            return self._like(_stored_numbers(self._a.astype("float64") * scale + offset, self.mode))
        bands = self._deep.shape[2]
        table = [lut(i) for i in range(256)] * bands if callable(lut) else list(lut)
        if mode is not None and mode != self.mode and (mode not in ("1", "L") or self._a.ndim == 3):
            raise ValueError("point operation not supported for this mode")
        if len(table) != 256 * bands:
            raise ValueError("wrong number of lut entries")
        table = np.array([_byte(round(v)) for v in table], dtype="uint8").reshape(bands, 256)
        if self.mode == "1" or mode == "1":
            table = np.where(table != 0, 255, 0).astype("uint8")
        deep = self._deep.astype("int64")
        made = np.stack([table[i][deep[:, :, i]] for i in range(bands)], -1)
        return Image._of(mode or self.mode, self._flat(made), self)

    # ---- sizes and places --------------------------------------------------------------------------------------------

    def crop(self, box=None):
        """The part of the image in `box`: left, upper, right, lower. What is outside the image is 0."""
        if box is None or tuple(box) == (0, 0, *self.size):
            return self.copy()
        if box[2] < box[0]:
            raise ValueError("Coordinate 'right' is less than 'left'")
        if box[3] < box[1]:
            raise ValueError("Coordinate 'lower' is less than 'upper'")
        x0, y0, x1, y1 = (int(round(v)) for v in box)
        out = np.zeros((y1 - y0, x1 - x0) + tuple(self._a.shape[2:]), dtype=self._a.dtype)
        left, top, right, bottom = max(x0, 0), max(y0, 0), min(x1, self.width), min(y1, self.height)
        if left < right and top < bottom:
            out[top - y0 : bottom - y0, left - x0 : right - x0] = self._a[top:bottom, left:right]
        return self._like(out)

    def paste(self, im, box=None, mask=None):
        """Puts an image or a color into `box`, where `mask` (mode 1, L, LA or RGBA) lets it through."""
        if isinstance(box, Image):
            if mask is not None:
                raise ValueError("If using second argument as mask, third argument must be None")
            box, mask = None, box
        box = (0, 0) if box is None else tuple(box)
        if len(box) == 2:
            sized = im if isinstance(im, Image) else mask
            if not isinstance(sized, Image):
                raise ValueError("cannot determine region size; use 4-item box")
            box += (box[0] + sized.width, box[1] + sized.height)
        x0, y0, x1, y1 = (int(v) for v in box)
        size = (x1 - x0, y1 - y0)
        if isinstance(im, Image):
            if im.size != size:
                raise ValueError("images do not match")
            source = im.convert(self.mode)._a if im.mode != self.mode else im._a
        else:
            source = _ink(im, self.mode)
        if mask is not None and mask.size != size:
            raise ValueError("images do not match")
        left, top, right, bottom = max(x0, 0), max(y0, 0), min(x1, self.width), min(y1, self.height)
        if left >= right or top >= bottom:
            return
        here = slice(top, bottom), slice(left, right)
        there = slice(top - y0, bottom - y0), slice(left - x0, right - x0)
        self._a = self._a.copy()
        if isinstance(im, Image):
            new = source[there]
        else:
            new = np.zeros_like(self._a[here])
            new[:] = np.array(source, dtype=self._a.dtype)
        if mask is not None:
            new = self._through(self._a[here], new, mask, there, not isinstance(im, Image))
        self._a[here] = new

    def _through(self, old, new, mask, part, filled):
        """`new` where `mask` is 255, `old` where it is 0, and a mixture between."""
        if mask.mode not in ("1", "L", "LA", "RGBA", "La", "RGBa"):
            raise ValueError("bad transparency mask")
        alpha = mask._a[part] if mask._a.ndim == 2 else mask._a[part][:, :, -1]
        deep = old.ndim == 3
        if mask.mode == "1":
            shown = alpha != 0
            return np.where(shown[:, :, None] if deep else shown, new, old)
        if self.mode in ("I", "F", "I;16"):
            raise NotImplementedError(f"a {self.mode} image takes only masks of mode 1 here")
        share = alpha.astype("int64")
        share = share[:, :, None] if deep else share
        if filled and self.mode in ("LA", "RGBA"):
            # A color that is filled in shows fully where nothing was, except in the alpha channel.
            bands = old.shape[2]
            bare = (old[:, :, -1:] == 0) & (share != 0) & (np.arange(bands) < bands - 1)
            share = np.where(bare, 255, share)
        mixed = _kernels.over255(old.astype("int64") * (255 - share) + new.astype("int64") * share)
        return mixed.astype("uint8")

    def alpha_composite(self, im, dest=(0, 0), source=(0, 0)):
        """Puts `im` over this image, as far as it's opaque."""
        if not isinstance(source, (list, tuple)):
            raise ValueError("Source must be a list or tuple")
        if not isinstance(dest, (list, tuple)):
            raise ValueError("Destination must be a list or tuple")
        if len(source) not in (2, 4):
            raise ValueError("Source must be a sequence of length 2 or 4")
        if len(dest) != 2:
            raise ValueError("Destination must be a sequence of length 2")
        if min(source) < 0:
            raise ValueError("Source must be non-negative")
        over = im.crop(tuple(source) if len(source) == 4 else tuple(source) + im.size)
        box = (dest[0], dest[1], dest[0] + over.width, dest[1] + over.height)
        self.paste(alpha_composite(self.crop(box), over), box)

    def filter(self, filter):
        """The image through a filter of `ImageFilter`."""
        if callable(filter):
            filter = filter()
        if not hasattr(filter, "filter"):
            raise TypeError("filter argument should be ImageFilter.Filter instance or class")
        if self.mode in ("1", "P", "I", "F", "I;16"):
            if self.mode in ("1", "P"):
                raise ValueError("cannot filter palette images" if self.mode == "P" else "image has wrong mode")
            raise NotImplementedError(f"images of mode {self.mode} can't be filtered here; convert('L') makes one that can")
        return self._like(self._flat(filter._filtered(self._deep)))

    # ---- files -------------------------------------------------------------------------------------------------------

    def save(self, fp, format=None, **params):
        """Writes a PNG file, to a path or an open binary file."""
        written = hasattr(fp, "write")
        name = "" if written else os.fspath(fp)
        ext = os.path.splitext(name)[1].lower()
        if format is None:
            if ext in _EXTENSIONS:
                format = _EXTENSIONS[ext]
            else:
                raise ValueError(f"unknown file extension: {ext}")
        if format.upper() in set(_EXTENSIONS.values()) - {"PNG"}:
            raise NotImplementedError(f"only PNG files can be written here, not {format.upper()}")
        if format.upper() != "PNG":
            raise KeyError(format.upper())
        if self.mode not in ("1", "L", "LA", "P", "RGB", "RGBA", "I", "I;16"):
            raise OSError(f"cannot write mode {self.mode} as PNG")
        depth = 1 if self.mode == "1" else 16 if self.mode in ("I", "I;16") else 8
        pixels = np.clip(self._a, 0, 65535) if self.mode == "I" else self._a
        palette = None
        if self.mode == "P":
            if "transparency" in self.info:
                raise NotImplementedError("a transparent palette can't be written here; image.convert('RGBA') can")
            palette = [min(v, 255) for v in self._palette[:768]]
        data = _png.encode(pixels, depth, palette, params.get("compress_level", -1))
        if written:
            fp.write(data)
            return
        with _open_file(name, "wb") as f:
            f.write(data)

    def show(self, title=None):
        """Draws the image as a figure."""
        import matplotlib.pyplot as plt

        gray = self.mode in ("1", "L", "I", "F", "I;16")
        plt.figure()
        if gray:
            bounds = (0, 255) if self.mode in ("1", "L") else self.getextrema()
            plt.imshow(self._a, cmap="gray", vmin=bounds[0], vmax=bounds[1])
        else:
            plt.imshow(self.convert("RGB" if self.mode != "RGBA" else "RGBA")._a)
        plt.axis("off")
        if title is not None:
            plt.title(title)
        plt.show()


_open_file = open

# What files are called, and their format.
_EXTENSIONS = {
    ".png": "PNG",
    ".jpg": "JPEG",
    ".jpeg": "JPEG",
    ".gif": "GIF",
    ".bmp": "BMP",
    ".tif": "TIFF",
    ".tiff": "TIFF",
    ".webp": "WEBP",
    ".ppm": "PPM",
    ".pgm": "PPM",
    ".ico": "ICO",
    ".pdf": "PDF",
}

# How files of other formats begin.
_BEGINNINGS = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*\0", "TIFF"),
    (b"MM\0*", "TIFF"),
    (b"RIFF", "WEBP"),
    (b"P5", "PPM"),
    (b"P6", "PPM"),
)


class PixelAccess:
    """The pixels of an image, by (x, y)."""

    def __init__(self, image):
        self._image = image

    def __getitem__(self, xy):
        return self._image.getpixel(xy)

    def __setitem__(self, xy, value):
        self._image.putpixel(xy, value)


def _stored_numbers(values, mode):
    if mode == "F":
        return values.astype("float32")
    if mode == "I;16":
        return (values.astype("int64") & 65535).astype("uint16")
    return np.clip(values, -(2**31), 2**31 - 1).astype("int64").astype("int32")


def _line_of(function):
    """`scale` and `offset` of a function that is a line; other functions of large numbers aren't possible."""
    offset = function(0)
    scale = function(1) - offset
    for x in (2, 7, 1000, -3):
        if abs(function(x) - (scale * x + offset)) > 1e-6 * max(1.0, abs(scale * x)):
            raise NotImplementedError("point() of this mode takes functions of the form x * scale + offset")
    return scale, offset


def new(mode, size, color=0):
    """An image of one color."""
    width, height = _checked_size(size)
    _known(mode)
    extra = () if len(_BANDS[mode]) == 1 else (len(_BANDS[mode]),)
    pixels = np.zeros((height, width) + extra, dtype=_dtype(mode))
    made = Image._of(mode, pixels)
    if color is None:
        return made
    if mode == "P" and isinstance(color, (list, tuple)) and len(color) in (3, 4):
        made._palette, color = list(color[:3]), 0
    ink = _ink(color, mode)
    if ink:
        pixels[:] = np.array(ink, dtype=_dtype(mode))
    return made


def frombytes(mode, size, data, decoder_name="raw", *args):
    """An image of pixels in bytes, row by row."""
    width, height = _checked_size(size)
    _known(mode)
    if decoder_name != "raw" or (args and args[0] not in (mode, (mode,))):
        raise NotImplementedError("frombytes reads pixels as tobytes gives them; other decoders aren't here")
    bands = len(_BANDS[mode])
    data = bytes(data)
    row = (width + 7) // 8 if mode == "1" else width * bands * {"int32": 4, "float32": 4, "uint16": 2, "uint8": 1}[_dtype(mode)]
    if width and height:
        if len(data) < row * height:
            raise ValueError("not enough image data")
        if len(data) > row * height:
            raise ValueError("cannot decode image data")
    if mode == "1":
        packed = np.frombuffer(data, dtype="uint8").reshape(height, row).astype("int64")
        bits = (packed[:, :, None] >> np.arange(7, -1, -1)) & 1
        return Image._of("1", (bits.reshape(height, row * 8)[:, :width] * 255).astype("uint8"))
    pixels = np.frombuffer(data, dtype=_dtype(mode)).copy()
    return Image._of(mode, pixels.reshape((height, width) if bands == 1 else (height, width, bands)))


def frombuffer(mode, size, data, decoder_name="raw", *args):
    """`frombytes`; the image has its own copy of the pixels."""
    return frombytes(mode, size, data, decoder_name, *args[:1])


# The mode of an array, by the shape of a pixel and its type.
_OF_ARRAYS = {
    ((), "|b1"): "1",
    ((), "|u1"): "L",
    ((2,), "|u1"): "LA",
    ((3,), "|u1"): "RGB",
    ((4,), "|u1"): "RGBA",
    ((), "|i1"): "I",
    ((), "<u2"): "I;16",
    ((), "<i2"): "I",
    ((), "<u4"): "I",
    ((), "<i4"): "I",
    ((), "<f4"): "F",
    ((), "<f8"): "F",
}
_ALSO = {"L": ("P",), "RGB": ("HSV",), "RGBA": ("RGBa",), "LA": ("La",)}


def fromarray(obj, mode=None):
    """The image of an array: (H, W), or (H, W, 2, 3 or 4) of uint8."""
    array = obj if isinstance(obj, np.ndarray) else np.asarray(obj)
    shape, kind = tuple(array.shape), array.__array_interface__["typestr"]
    found = _OF_ARRAYS.get((shape[2:], kind))
    if found is None:
        raise TypeError(f"Cannot handle this data type: {(1, 1) + shape[2:]}, {kind}")
    if mode is not None:
        _known(mode)
        if mode != found and mode not in _ALSO.get(found, ()):
            raise ValueError("Invalid mode for data type")
    if len(shape) == 1:
        array = array.reshape(-1, 1)
    if found == "1":
        pixels = np.where(array, 255, 0).astype("uint8")
    else:
        pixels = np.array(array).astype(_dtype(found))
    return Image._of(mode or found, np.ascontiguousarray(pixels))


def open(fp, mode="r", formats=None):
    """The image of a PNG file: a path, or an open binary file."""
    if mode != "r":
        raise ValueError(f"bad mode {mode!r}")
    if isinstance(fp, io.StringIO):
        raise ValueError("StringIO cannot be used to open an image. Binary data must be used instead.")
    name = ""
    if hasattr(fp, "read"):
        data = fp.read()
    else:
        name = os.fspath(fp)
        with _open_file(name, "rb") as f:
            data = f.read()
    for beginning, kind in _BEGINNINGS:
        if data.startswith(beginning):
            raise NotImplementedError(f"{name or 'this'} is a {kind} file; only PNG files can be read here")
    if not data.startswith(_png.MAGIC):
        raise UnidentifiedImageError(f"cannot identify image file {(name or fp)!r}")
    try:
        file = _png.File(data)
    except NotImplementedError:
        raise
    except RuntimeError as why:
        raise OSError(str(why)) from None
    from PIL.PngImagePlugin import PngImageFile

    return PngImageFile(file, name)


def merge(mode, bands):
    """One image of several, each of which becomes a band."""
    if getmodebands(mode) != len(bands):
        raise ValueError("wrong number of bands")
    for band in bands[1:]:
        if band.mode != getmodetype(mode):
            raise ValueError("mode mismatch")
        if band.size != bands[0].size:
            raise ValueError("size mismatch")
    if len(bands) == 1:
        return bands[0].copy()
    return Image._of(mode, np.stack([band._a for band in bands], -1), bands[0])


def blend(im1, im2, alpha):
    """`im1` * (1 - `alpha`) + `im2` * `alpha`, cut to what the mode can hold."""
    if im1.mode in ("1", "P", "I", "F", "I;16"):
        raise ValueError("image has wrong mode")
    if im1.mode != im2.mode or im1.size != im2.size:
        raise ValueError("images do not match")
    if alpha in (0.0, 1.0):
        return im1._like((im2 if alpha else im1)._a.copy())
    first, second = im1._a.astype("float32"), im2._a.astype("float32")
    mixed = first + np.float32(alpha) * (second - first)
    return im1._like(np.clip(mixed, 0, 255).astype("int64").astype("uint8"))


def composite(image1, image2, mask):
    """`image1` where `mask` is 255, `image2` where it is 0."""
    out = image2.copy()
    out.paste(image1, None, mask)
    return out


def alpha_composite(im1, im2):
    """`im2` over `im1`, both of mode RGBA."""
    if im1.mode not in ("RGBA", "LA"):
        raise ValueError("image has wrong mode")
    if im1.mode != im2.mode or im1.size != im2.size:
        raise ValueError("images do not match")
    below, above = im1._a.astype("int64"), im2._a.astype("int64")
    alpha, under = above[:, :, -1:], below[:, :, -1:]
    share = under * (255 - alpha)
    total = alpha * 255 + share
    part = alpha * 255 * 255 * 128 // np.where(total == 0, 1, total)
    sums = above[:, :, :-1] * part + below[:, :, :-1] * (255 * 128 - part) + (128 << 7)
    color = (((sums >> 8) + sums) >> 8) >> 7
    opacity = total + 128
    opacity = ((opacity >> 8) + opacity) >> 8
    out = np.where(alpha == 0, below, np.concatenate([color, opacity], -1))
    return im1._like(out.astype("uint8"))


def eval(image, *args):
    """The image with a function of each value."""
    return image.point(args[0])


def linear_gradient(mode):
    """256 times 256 pixels, from black at the top to white at the bottom."""
    gray = np.repeat(np.arange(256).astype("uint8"), 256).reshape(256, 256)
    made = Image._of("L", gray)
    return made if mode == "L" else made.convert(mode)


def __getattr__(name):
    if name in ("effect_noise", "effect_mandelbrot", "radial_gradient", "fromarrow", "fromqimage", "Exif", "register_open"):
        raise NotImplementedError(f"PIL.Image.{name} isn't here")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
