"""Images: transforms, data sets, models without weights."""

from torchvision import datasets, io, models, ops, transforms, utils

__version__ = "0.29.2"


def set_image_backend(backend):
    if backend != "PIL":
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'")


def get_image_backend():
    return "PIL"
