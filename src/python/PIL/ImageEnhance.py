"""Brightness, contrast, color and sharpness: each mixes the image with one that has none of it."""

from PIL import Image, ImageFilter, ImageStat


class _Enhance:
    def __init__(self, image):
        self.image = image
        self.degenerate = self._without(image)

    def enhance(self, factor):
        """The image with `factor` times as much; 1.0 changes nothing."""
        return Image.blend(self.degenerate, self.image, factor)


def _with_alpha_of(image, made):
    if "A" in image.getbands():
        made.putalpha(image.getchannel("A"))
    return made


class Color(_Enhance):
    def _without(self, image):
        gray = "LA" if "A" in image.getbands() else "L"
        return image if image.mode == gray else image.convert(gray).convert(image.mode)


class Contrast(_Enhance):
    def _without(self, image):
        mean = int(ImageStat.Stat(image.convert("L")).mean[0] + 0.5)
        made = Image.new("L", image.size, mean)
        return _with_alpha_of(image, made if image.mode == "L" else made.convert(image.mode))


class Brightness(_Enhance):
    def _without(self, image):
        return _with_alpha_of(image, Image.new(image.mode, image.size, 0))


class Sharpness(_Enhance):
    def _without(self, image):
        return _with_alpha_of(image, image.filter(ImageFilter.SMOOTH))
