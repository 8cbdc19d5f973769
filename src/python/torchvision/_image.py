"""Images of `PIL`, as the transforms and data sets use them."""

from PIL import Image


def is_image(x):
    return isinstance(x, Image.Image)


def image_of(array, mode=None):
    return Image.fromarray(array, mode)
