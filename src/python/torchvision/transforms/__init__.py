"""Transforms of images, as tensors (..., C, H, W) or as images."""

from torchvision.transforms import functional
from torchvision.transforms._classes import *

_ELSEWHERE = "AugMix AutoAugment AutoAugmentPolicy ElasticTransform LinearTransformation RandAugment RandomPerspective"


def __getattr__(name):
    if name in _ELSEWHERE.split() or name == "TrivialAugmentWide":
        raise NotImplementedError(f"torchvision.transforms.{name} isn't here. docs/torchvision.md lists the transforms that are.")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
