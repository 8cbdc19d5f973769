"""Transforms of images, as tensors (..., C, H, W) or as images."""

from torchvision.transforms import functional
from torchvision.transforms._classes import *

_ELSEWHERE = "ElasticTransform LinearTransformation RandomPerspective"
# Few programs use them, so that their file is loaded when one does.
_AUGMENT = "AugMix AutoAugment AutoAugmentPolicy RandAugment TrivialAugmentWide autoaugment"


def __getattr__(name):
    if name in _AUGMENT.split():
        import importlib

        module = importlib.import_module("torchvision.transforms.autoaugment")
        return module if name == "autoaugment" else getattr(module, name)
    if name in _ELSEWHERE.split():
        raise NotImplementedError(f"torchvision.transforms.{name} isn't here. docs/torchvision.md lists the transforms that are.")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
