"""How the images of a model's weights are prepared."""

import torch
from torch import nn

from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode


class ImageClassification(nn.Module):
    """Resizes the shorter side, crops the middle, and normalizes: any image to (3, crop_size, crop_size)."""

    def __init__(
        self,
        *,
        crop_size,
        resize_size=256,
        mean=(0.485, 0.456, 0.406),
        std=(0.229, 0.224, 0.225),
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        super().__init__()
        self.crop_size = [crop_size]
        self.resize_size = [resize_size]
        self.mean = list(mean)
        self.std = list(std)
        self.interpolation = interpolation
        self.antialias = antialias

    def forward(self, img):
        img = F.resize(img, self.resize_size, interpolation=self.interpolation, antialias=self.antialias)
        img = F.center_crop(img, self.crop_size)
        if not isinstance(img, torch.Tensor):
            img = F.pil_to_tensor(img)
        return F.normalize(F.convert_image_dtype(img, torch.float), self.mean, self.std)

    def __repr__(self):
        names = "crop_size", "resize_size", "mean", "std", "interpolation"
        return "\n".join(["ImageClassification(", *(f"    {name}={getattr(self, name)}" for name in names), ")"])
