"""Images where there is no PIL: what datasets return without a transform, and `ToPILImage` makes."""

import numpy as np

_CHANNELS = {"L": 1, "RGB": 3, "RGBA": 4}


class _Image:
    """An image of 8 bits, mode "L", "RGB" or "RGBA", with the part of PIL's interface that courses use. It isn't PIL's class."""

    def __init__(self, pixels):
        """`pixels`: a uint8 array, (H, W) or (H, W, 3 or 4)."""
        pixels = np.asarray(pixels)
        shape = tuple(pixels.shape)
        if str(pixels.dtype) != "uint8" or len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in (3, 4)):
            raise TypeError(f"an image is a uint8 array (H, W), (H, W, 3) or (H, W, 4), not {pixels.dtype} {shape}")
        self._pixels = pixels
        self.mode = "L" if len(shape) == 2 else {3: "RGB", 4: "RGBA"}[shape[2]]
        self.size = (shape[1], shape[0])

    @property
    def width(self):
        return self.size[0]

    @property
    def height(self):
        return self.size[1]

    def getbands(self):
        return tuple(self.mode)

    def tobytes(self):
        return self._pixels.tobytes()

    def copy(self):
        return _Image(self._pixels.copy())

    def getpixel(self, xy):
        """The value at (x, y): a number, or a tuple of one for each channel."""
        pixel = self._pixels[xy[1], xy[0]]
        return int(pixel) if self.mode == "L" else tuple(int(v) for v in pixel)

    def __array__(self, dtype=None, copy=None):
        return self._pixels.copy() if dtype is None else self._pixels.astype(dtype)

    def convert(self, mode):
        """The image in another mode: "L", "RGB" or "RGBA"."""
        if mode not in _CHANNELS:
            raise ValueError(f"this image can be converted to L, RGB or RGBA, not to {mode!r}: PIL isn't here")
        if mode == self.mode:
            return self.copy()
        if mode == "L":
            r, g, b = (self._pixels[:, :, i].astype("int64") for i in range(3))
            # PIL's weights, in units of 1/65536.
            return _Image(((r * 19595 + g * 38470 + b * 7471 + 32768) // 65536).astype("uint8"))
        color = np.stack([self._pixels] * 3, -1) if self.mode == "L" else self._pixels[:, :, :3]
        if mode == "RGBA":
            color = np.concatenate([color, np.full(color.shape[:2] + (1,), 255, dtype="uint8")], -1)
        return _Image(color)

    def resize(self, size):
        """The image at `size` (width, height), by bilinear interpolation with antialiasing."""
        from torchvision.transforms import functional as F

        return F.resize(self, [size[1], size[0]])

    def save(self, path):
        """Writes a PNG file."""
        from torchvision import _png

        _png.write(path, self._pixels)

    def show(self, title=None):
        """Draws the image as a figure."""
        import matplotlib.pyplot as plt

        plt.figure()
        plt.imshow(self._pixels, cmap="gray" if self.mode == "L" else None)
        plt.axis("off")
        if title is not None:
            plt.title(title)
        plt.show()

    def __eq__(self, other):
        return isinstance(other, _Image) and (self.mode, self.size) == (other.mode, other.size) and (
            self.tobytes() == other.tobytes()
        )

    __hash__ = None

    def __repr__(self):
        return f"<torchvision image mode={self.mode} size={self.width}x{self.height}>"


def is_image(x):
    """Whether `x` has the interface of PIL's images."""
    return all(hasattr(x, name) for name in ("mode", "size", "tobytes", "convert"))


def pixels(image):
    """The array of an image: (H, W) or (H, W, C)."""
    if image.mode == "P" or image.mode not in ("1", "L", "RGB", "RGBA"):
        raise TypeError(f"an image of mode {image.mode!r} can't be read here; image.convert('RGB') makes one that can")
    if image.mode == "1":
        image = image.convert("L")
    if isinstance(image, _Image):
        return image._pixels
    width, height = image.size
    channels = len(image.getbands())
    flat = np.frombuffer(image.tobytes(), dtype="uint8")
    return flat.reshape((height, width) if channels == 1 else (height, width, channels))


def image_of(array):
    """The image of a uint8 array: PIL's if PIL is there, otherwise `_Image`."""
    try:
        from PIL import Image
    except ImportError:
        return _Image(array)
    return Image.fromarray(array)
