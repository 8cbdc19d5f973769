"""Methods of images that change their size, or where their pixels are."""

import math

import numpy as np

from PIL import _kernels
from PIL._modes import _PREMULTIPLIED, Resampling, Transform, Transpose


# It has the name of the class that it's a part of, because Python says that name in errors about arguments.
class Image:
    def resize(self, size, resample=None, box=None, reducing_gap=None):
        """The image at `size` (width, height)."""
        if resample is None:
            resample = Resampling.BICUBIC
        if resample in (6, 7):
            raise NotImplementedError("the filters MKS2013 and MKS2021 aren't here")
        if resample not in (0, 1, 2, 3, 4, 5):
            names = ("NEAREST", "LANCZOS", "BILINEAR", "BICUBIC", "BOX", "HAMMING", "MKS2013", "MKS2021")
            names = [f"Image.Resampling.{name} ({int(Resampling[name])})" for name in names]
            raise ValueError(f"Unknown resampling filter ({resample}). Use {', '.join(names[:-1])} or {names[-1]}")
        if reducing_gap is not None and reducing_gap < 1.0:
            raise ValueError("reducing_gap must be 1.0 or greater")
        whole = (0, 0, *self.size)
        box = whole if box is None else tuple(box)
        size = tuple(int(v) for v in size)
        if self.size == size and box == whole:
            return self.copy()
        if self.mode in ("1", "P"):
            resample = Resampling.NEAREST
        if self.mode in _PREMULTIPLIED and resample != Resampling.NEAREST:
            made = self.convert(_PREMULTIPLIED[self.mode]).resize(size, resample, box, reducing_gap)
            return made.convert(self.mode)
        if size[0] < 1 or size[1] < 1:
            raise ValueError("height and width must be > 0")
        if box[0] < 0 or box[1] < 0:
            raise ValueError("box offset can't be negative")
        if box[2] > self.width or box[3] > self.height:
            raise ValueError("box can't exceed original image size")
        if box[2] - box[0] < 0 or box[3] - box[1] < 0:
            raise ValueError("box can't be empty")
        # Pillow's numbers of a box are of single precision.
        box = tuple(float(np.float32(v)) for v in box)
        source = self
        if reducing_gap is not None and resample != Resampling.NEAREST:
            across, down = (int((box[i + 2] - box[i]) / size[i] / reducing_gap) or 1 for i in (0, 1))
            if across > 1 or down > 1:
                around = self._around(size, resample, box)
                source = self.reduce((across, down), box=around)
                box = tuple((v - around[i % 2]) / (across, down)[i % 2] for i, v in enumerate(box))
        if resample == Resampling.NEAREST:
            into = np.zeros((size[1], size[0], source._deep.shape[2]), dtype=source._a.dtype)
            return source._like(source._flat(_kernels.nearest(source._deep, size, box, into)))
        return source._like(source._flat(_kernels.resample(source._deep, size, int(resample), box)))

    def _around(self, size, resample, box):
        """`box` with the pixels around it that the filter reads."""
        reach = _kernels.FILTERS[int(resample)][0] - 0.5
        x, y = (reach * ((box[i + 2] - box[i]) / size[i]) for i in (0, 1))
        ends = min(self.width, math.ceil(box[2] + x)), min(self.height, math.ceil(box[3] + y))
        return (max(0, int(box[0] - x)), max(0, int(box[1] - y)), *ends)

    def reduce(self, factor, box=None):
        """The image with blocks of `factor` (a number, or across and down) averaged."""
        if not isinstance(factor, (list, tuple)):
            factor = (factor, factor)
        if tuple(factor) == (1, 1):
            return self.crop(box)
        box = (0, 0, *self.size) if box is None else tuple(box)
        if self.mode in _PREMULTIPLIED:
            return self.convert(_PREMULTIPLIED[self.mode]).reduce(factor, box).convert(self.mode)
        if self.mode in ("1", "P", "I;16"):
            raise ValueError("image has wrong mode")
        if factor[0] < 1 or factor[1] < 1:
            raise ValueError("scale must be > 0")
        if box[0] < 0 or box[1] < 0:
            raise ValueError("box offset can't be negative")
        if box[2] > self.width or box[3] > self.height:
            raise ValueError("box can't exceed original image size")
        if box[2] <= box[0] or box[3] <= box[1]:
            raise ValueError("box can't be empty")
        part = self._deep[box[1] : box[3], box[0] : box[2]]
        return self._like(self._flat(_kernels.reduced(part, *factor)))

    def thumbnail(self, size, resample=Resampling.BICUBIC, reducing_gap=2.0):
        """Makes the image itself no larger than `size`, in its own shape."""
        x, y = (math.floor(v) for v in size)
        if x >= self.width and y >= self.height:
            return
        aspect = self.width / self.height

        def nearest(number, how_far):
            return max(min(math.floor(number), math.ceil(number), key=how_far), 1)

        if x / y >= aspect:
            x = nearest(y * aspect, lambda n: abs(aspect - n / y))
        else:
            y = nearest(x / aspect, lambda n: 0 if n == 0 else abs(aspect - x / n))
        if (x, y) != self.size:
            self._a = self.resize((x, y), resample, reducing_gap=reducing_gap)._a

    def transpose(self, method):
        """The image flipped or turned in steps of 90 degrees."""
        a = self._a
        if method not in tuple(Transpose):
            raise ValueError("No such transpose operation")
        if method in (Transpose.ROTATE_90, Transpose.ROTATE_270, Transpose.TRANSPOSE, Transpose.TRANSVERSE):
            a = a.swapaxes(0, 1)
        if method in (Transpose.FLIP_LEFT_RIGHT, Transpose.ROTATE_180, Transpose.ROTATE_270, Transpose.TRANSVERSE):
            a = np.flip(a, 1)
        if method in (Transpose.FLIP_TOP_BOTTOM, Transpose.ROTATE_180, Transpose.ROTATE_90, Transpose.TRANSVERSE):
            a = np.flip(a, 0)
        return self._like(np.ascontiguousarray(a))

    def rotate(self, angle, resample=Resampling.NEAREST, expand=False, center=None, translate=None, fillcolor=None):
        """The image turned counter-clockwise by `angle` degrees around its middle or `center` (x, y)."""
        angle = angle % 360.0
        if not (center or translate):
            if angle == 0:
                return self.copy()
            if angle == 180:
                return self.transpose(Transpose.ROTATE_180)
            if angle in (90, 270) and (expand or self.width == self.height):
                return self.transpose(Transpose.ROTATE_90 if angle == 90 else Transpose.ROTATE_270)
        w, h = self.size
        tx, ty = translate or (0, 0)
        cx, cy = (w / 2, h / 2) if center is None else center
        turn = -math.radians(angle)
        cos, sin = round(math.cos(turn), 15), round(math.sin(turn), 15)
        back = round(-math.sin(turn), 15)
        c = cos * (-cx - tx) + sin * (-cy - ty) + 0.0 + cx
        f = back * (-cx - tx) + cos * (-cy - ty) + 0.0 + cy
        if expand:
            corners = [(cos * x + sin * y + c, back * x + cos * y + f) for x, y in ((0, 0), (w, 0), (w, h), (0, h))]
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            nw, nh = math.ceil(max(xs)) - math.floor(min(xs)), math.ceil(max(ys)) - math.floor(min(ys))
            x, y = -(nw - w) / 2.0, -(nh - h) / 2.0
            c, f = cos * x + sin * y + c, back * x + cos * y + f
            w, h = nw, nh
        return self.transform((w, h), Transform.AFFINE, (cos, sin, c, back, cos, f), resample, fillcolor=fillcolor)

    def transform(self, size, method, data=None, resample=Resampling.NEAREST, fill=1, fillcolor=None):
        """The image at `size`, whose pixels come from where `method` and `data` say."""
        if self.mode in _PREMULTIPLIED and resample != Resampling.NEAREST:
            made = self.convert(_PREMULTIPLIED[self.mode]).transform(size, method, data, resample, fill, fillcolor)
            return made.convert(self.mode)
        if data is None:
            raise ValueError("missing method data")
        if method == Transform.MESH or not isinstance(method, int):
            raise NotImplementedError("transform has AFFINE, EXTENT, PERSPECTIVE and QUAD here")
        if resample in (1, 4, 5):
            names = {4: "Image.Resampling.BOX", 5: "Image.Resampling.HAMMING", 1: "Image.Resampling.LANCZOS"}
            kinds = "Image.Resampling.NEAREST (0), Image.Resampling.BILINEAR (2) or Image.Resampling.BICUBIC (3)"
            raise ValueError(f"{names[resample]} ({int(resample)}) cannot be used. Use {kinds}")
        if resample not in (0, 2, 3):
            kinds = "Image.Resampling.NEAREST (0), Image.Resampling.BILINEAR (2) or Image.Resampling.BICUBIC (3)"
            raise ValueError(f"Unknown resampling filter ({resample}). Use {kinds}")
        if self.mode == "I;16" and resample != Resampling.NEAREST:
            raise NotImplementedError("images of 16 bits are transformed with NEAREST only; convert('I') makes one that isn't")
        made = self._blank(size, fillcolor)
        width, height = made.size
        number = 0 if self.mode in ("1", "P") else int(resample)
        into = made._deep
        if width and height and self.width and self.height:
            if method == Transform.EXTENT:
                x0, y0, x1, y1 = data
                method, data = Transform.AFFINE, ((x1 - x0) / width, 0, x0, 0, (y1 - y0) / height, y0)
            if method == Transform.AFFINE and number == 0:
                into = _kernels.affine_nearest(self._deep, data[:6], into)
            else:
                if method == Transform.AFFINE:
                    x, y = _kernels.affine_points(data[:6], height, width)
                elif method == Transform.PERSPECTIVE:
                    x, y = _kernels.perspective_points(data[:8], height, width)
                else:
                    x, y = _kernels.quad_points(_quad(data, width, height), height, width)
                into = _kernels.sampled(self._deep, x, y, number, into)
        return self._like(self._flat(into))


def _quad(data, width, height):
    """The numbers of the transform that maps the corners NW, SW, SE and NE onto a rectangle."""
    nw, sw, se, ne = data[:2], data[2:4], data[4:6], data[6:8]
    x, y = 1.0 / width, 1.0 / height
    out = []
    for i in (0, 1):
        out += [nw[i], (ne[i] - nw[i]) * x, (sw[i] - nw[i]) * y, (se[i] - sw[i] - ne[i] + nw[i]) * x * y]
    return out
