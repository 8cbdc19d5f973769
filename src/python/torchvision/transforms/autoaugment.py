"""Transforms that choose among many changes of an image, as in torchvision.transforms.autoaugment."""

import enum
import math

import torch
from torch import nn

from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode

__all__ = ["AutoAugmentPolicy", "AutoAugment", "RandAugment", "TrivialAugmentWide", "AugMix"]


def _apply_op(img, op_name, magnitude, interpolation, fill):
    how = {"interpolation": interpolation, "fill": fill}
    if op_name in ("ShearX", "ShearY"):
        angle = math.degrees(math.atan(magnitude))
        shear = [angle, 0.0] if op_name == "ShearX" else [0.0, angle]
        return F.affine(img, angle=0.0, translate=[0, 0], scale=1.0, shear=shear, center=[0, 0], **how)
    if op_name in ("TranslateX", "TranslateY"):
        moved = [int(magnitude), 0] if op_name == "TranslateX" else [0, int(magnitude)]
        return F.affine(img, angle=0.0, translate=moved, scale=1.0, shear=[0.0, 0.0], **how)
    if op_name == "Rotate":
        return F.rotate(img, magnitude, **how)
    adjust = {"Brightness": F.adjust_brightness, "Color": F.adjust_saturation, "Contrast": F.adjust_contrast,
              "Sharpness": F.adjust_sharpness}
    if op_name in adjust:
        return adjust[op_name](img, 1.0 + magnitude)
    if op_name == "Posterize":
        return F.posterize(img, int(magnitude))
    if op_name == "Solarize":
        return F.solarize(img, magnitude)
    plain = {"AutoContrast": F.autocontrast, "Equalize": F.equalize, "Invert": F.invert, "Identity": lambda same: same}
    if op_name in plain:
        return plain[op_name](img)
    raise ValueError(f"The provided operator {op_name} is not recognized.")


def _space(bins, shear, across, down, turn, share, most_bits, less_bits, without=()):
    """For each change its strengths, and whether its sign is drawn. The order decides which one a random number means."""
    signed = {"ShearX": shear, "ShearY": shear, "TranslateX": across, "TranslateY": down, "Rotate": turn, "Brightness": share,
              "Color": share, "Contrast": share, "Sharpness": share}
    made = {"Identity": (torch.tensor(0.0), False)}
    made.update((name, (torch.linspace(0.0, end, bins), True)) for name, end in signed.items())
    bits = most_bits - (torch.arange(bins) / ((bins - 1) / less_bits)).round().int()
    made["Posterize"] = (bits, False)
    made["Solarize"] = (torch.linspace(255.0, 0.0, bins), False)
    made.update((name, (torch.tensor(0.0), False)) for name in ("AutoContrast", "Equalize", "Invert"))
    return {name: strengths for name, strengths in made.items() if name not in without}


def _fills(img, fill, channels):
    if not isinstance(img, torch.Tensor) or fill is None:
        return fill
    return [float(fill)] * channels if isinstance(fill, (int, float)) else [float(f) for f in fill]


def _drawn(space):
    """One change at random: its name, its strengths and whether its sign is drawn."""
    name = list(space)[int(torch.randint(len(space), (1,)).item())]
    return (name, *space[name])


class AutoAugmentPolicy(enum.Enum):
    IMAGENET = "imagenet"
    CIFAR10 = "cifar10"
    SVHN = "svhn"


# Two changes each: the name, how often, and the strength's number.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: """
Posterize .4 8 Rotate .6 9; Solarize .6 5 AutoContrast .6 -; Equalize .8 - Equalize .6 -; Posterize .6 7 Posterize .6 6;
Equalize .4 - Solarize .2 4; Equalize .4 - Rotate .8 8; Solarize .6 3 Equalize .6 -; Posterize .8 5 Equalize 1 -;
Rotate .2 3 Solarize .6 8; Equalize .6 - Posterize .4 6; Rotate .8 8 Color .4 0; Rotate .4 9 Equalize .6 -;
Equalize 0 - Equalize .8 -; Invert .6 - Equalize 1 -; Color .6 4 Contrast 1 8; Rotate .8 8 Color 1 2; Color .8 8 Solarize .8 7;
Sharpness .4 7 Invert .6 -; ShearX .6 5 Equalize 1 -; Color .4 0 Equalize .6 -; Equalize .4 - Solarize .2 4;
Solarize .6 5 AutoContrast .6 -; Invert .6 - Equalize 1 -; Color .6 4 Contrast 1 8; Equalize .8 - Equalize .6 -""",
    AutoAugmentPolicy.CIFAR10: """
Invert .1 - Contrast .2 6; Rotate .7 2 TranslateX .3 9; Sharpness .8 1 Sharpness .9 3; ShearY .5 8 TranslateY .7 9;
AutoContrast .5 - Equalize .9 -; ShearY .2 7 Posterize .3 7; Color .4 3 Brightness .6 7; Sharpness .3 9 Brightness .7 9;
Equalize .6 - Equalize .5 -; Contrast .6 7 Sharpness .6 5; Color .7 7 TranslateX .5 8; Equalize .3 - AutoContrast .4 -;
TranslateY .4 3 Sharpness .2 6; Brightness .9 6 Color .2 8; Solarize .5 2 Invert 0 -; Equalize .2 - AutoContrast .6 -;
Equalize .2 - Equalize .6 -; Color .9 9 Equalize .6 -; AutoContrast .8 - Solarize .2 8; Brightness .1 3 Color .7 0;
Solarize .4 5 AutoContrast .9 -; TranslateY .9 9 TranslateY .7 9; AutoContrast .9 - Solarize .8 3; Equalize .8 - Invert .1 -;
TranslateY .7 9 AutoContrast .9 -""",
    AutoAugmentPolicy.SVHN: """
ShearX .9 4 Invert .2 -; ShearY .9 8 Invert .7 -; Equalize .6 - Solarize .6 6; Invert .9 - Equalize .6 -; Equalize .6 - Rotate .9 3;
ShearX .9 4 AutoContrast .8 -; ShearY .9 8 Invert .4 -; ShearY .9 5 Solarize .2 6; Invert .9 - AutoContrast .8 -;
Equalize .6 - Rotate .9 3; ShearX .9 4 Solarize .3 3; ShearY .8 8 Invert .7 -; Equalize .9 - TranslateY .6 6;
Invert .9 - Equalize .6 -; Contrast .3 3 Rotate .8 4; Invert .8 - TranslateY 0 2; ShearY .7 6 Solarize .4 8; Invert .6 - Rotate .8 4;
ShearY .3 7 TranslateX .9 3; ShearX .1 6 Invert .6 -; Solarize .7 2 TranslateY .6 7; ShearY .8 4 Invert .8 -;
ShearX .7 9 TranslateY .8 3; ShearY .8 5 AutoContrast .7 -; ShearX .7 2 Invert .1 -""",
}


def _steps(text):
    words = text.split()
    return tuple((name, float(often), None if number == "-" else int(number))
                 for name, often, number in (words[:3], words[3:]))


class AutoAugment(nn.Module):
    """Two changes, from a list of pairs that were found to help with a data set."""

    def __init__(self, policy=AutoAugmentPolicy.IMAGENET, interpolation=InterpolationMode.NEAREST, fill=None):
        super().__init__()
        if policy not in _POLICIES:
            raise ValueError(f"The provided policy {policy} is not recognized.")
        self.policy, self.interpolation, self.fill = policy, interpolation, fill
        self.policies = [_steps(pair) for pair in _POLICIES[policy].split(";")]

    def _augmentation_space(self, num_bins, image_size):
        height, width = image_size
        return _space(num_bins, 0.3, 150.0 / 331.0 * width, 150.0 / 331.0 * height, 30.0, 0.9, 8, 4, ("Identity",))

    @staticmethod
    def get_params(transform_num):
        return int(torch.randint(transform_num, (1,)).item()), torch.rand((2,)), torch.randint(2, (2,))

    def forward(self, img):
        channels, height, width = F.get_dimensions(img)
        fill = _fills(img, self.fill, channels)
        which, chances, signs = self.get_params(len(self.policies))
        space = self._augmentation_space(10, (height, width))
        for i, (name, often, number) in enumerate(self.policies[which]):
            if chances[i] <= often:
                strengths, signed = space[name]
                magnitude = 0.0 if number is None else float(strengths[number].item())
                magnitude = -magnitude if signed and signs[i] == 0 else magnitude
                img = _apply_op(img, name, magnitude, self.interpolation, fill)
        return img

    def __repr__(self):
        return f"{type(self).__name__}(policy={self.policy}, fill={self.fill})"


class RandAugment(nn.Module):
    """Some changes at random, all of one strength."""

    def __init__(self, num_ops=2, magnitude=9, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        super().__init__()
        self.num_ops, self.magnitude, self.num_magnitude_bins = num_ops, magnitude, num_magnitude_bins
        self.interpolation, self.fill = interpolation, fill

    def _augmentation_space(self, num_bins, image_size):
        height, width = image_size
        return _space(num_bins, 0.3, 150.0 / 331.0 * width, 150.0 / 331.0 * height, 30.0, 0.9, 8, 4, ("Invert",))

    def forward(self, img):
        channels, height, width = F.get_dimensions(img)
        fill = _fills(img, self.fill, channels)
        space = self._augmentation_space(self.num_magnitude_bins, (height, width))
        for _ in range(self.num_ops):
            name, strengths, signed = _drawn(space)
            magnitude = float(strengths[self.magnitude].item()) if strengths.ndim > 0 else 0.0
            if signed and torch.randint(2, (1,)):
                magnitude *= -1.0
            img = _apply_op(img, name, magnitude, self.interpolation, fill)
        return img

    def __repr__(self):
        return (f"{type(self).__name__}(num_ops={self.num_ops}, magnitude={self.magnitude}, "
                f"num_magnitude_bins={self.num_magnitude_bins}, interpolation={self.interpolation}, fill={self.fill})")


class TrivialAugmentWide(nn.Module):
    """One change at random, of a random strength."""

    def __init__(self, num_magnitude_bins=31, interpolation=InterpolationMode.NEAREST, fill=None):
        super().__init__()
        self.num_magnitude_bins, self.interpolation, self.fill = num_magnitude_bins, interpolation, fill

    def _augmentation_space(self, num_bins):
        return _space(num_bins, 0.99, 32.0, 32.0, 135.0, 0.99, 8, 6, ("Invert",))

    def forward(self, img):
        channels, _, _ = F.get_dimensions(img)
        name, strengths, signed = _drawn(self._augmentation_space(self.num_magnitude_bins))
        magnitude = 0.0
        if strengths.ndim > 0:
            magnitude = float(strengths[torch.randint(len(strengths), (1,), dtype=torch.long)].item())
        if signed and torch.randint(2, (1,)):
            magnitude *= -1.0
        return _apply_op(img, name, magnitude, self.interpolation, _fills(img, self.fill, channels))

    def __repr__(self):
        return (f"{type(self).__name__}(num_magnitude_bins={self.num_magnitude_bins}, interpolation={self.interpolation}, "
                f"fill={self.fill})")


class AugMix(nn.Module):
    """A mixture of the image and of several chains of changes."""

    _PARAMETER_MAX = 10

    def __init__(self, severity=3, mixture_width=3, chain_depth=-1, alpha=1.0, all_ops=True,
                 interpolation=InterpolationMode.BILINEAR, fill=None):
        super().__init__()
        if not 1 <= severity <= self._PARAMETER_MAX:
            raise ValueError(f"The severity must be between [1, {self._PARAMETER_MAX}]. Got {severity} instead.")
        self.severity, self.mixture_width, self.chain_depth, self.alpha = severity, mixture_width, chain_depth, alpha
        self.all_ops, self.interpolation, self.fill = all_ops, interpolation, fill

    def _augmentation_space(self, num_bins, image_size):
        height, width = image_size
        space = _space(num_bins, 0.3, width / 3.0, height / 3.0, 30.0, 0.9, 4, 4, ("Identity", "Invert"))
        # Here the changes of colors come last.
        colors = {name: space.pop(name) for name in ("Brightness", "Color", "Contrast", "Sharpness")}
        return {**space, **colors} if self.all_ops else space

    def _sample_dirichlet(self, params):
        return torch.distributions.Dirichlet(params).sample()

    def forward(self, orig_img):
        channels, height, width = F.get_dimensions(orig_img)
        fill = _fills(orig_img, self.fill, channels)
        img = orig_img if isinstance(orig_img, torch.Tensor) else F.pil_to_tensor(orig_img)
        space = self._augmentation_space(self._PARAMETER_MAX, (height, width))
        batch = img.view([1] * max(4 - img.ndim, 0) + list(img.shape))
        many = [batch.size(0)] + [1] * (batch.ndim - 1)

        def weights(count):
            return self._sample_dirichlet(torch.tensor([self.alpha] * count, device=batch.device).expand(many[0], -1))

        share = weights(2)
        chains = weights(self.mixture_width) * share[:, 1].view([many[0], -1])
        mixed = share[:, 0].view(many) * batch
        for i in range(self.mixture_width):
            changed = batch
            depth = self.chain_depth if self.chain_depth > 0 else int(torch.randint(low=1, high=4, size=(1,)).item())
            for _ in range(depth):
                name, strengths, signed = _drawn(space)
                magnitude = 0.0
                if strengths.ndim > 0:
                    magnitude = float(strengths[torch.randint(self.severity, (1,), dtype=torch.long)].item())
                if signed and torch.randint(2, (1,)):
                    magnitude *= -1.0
                changed = _apply_op(changed, name, magnitude, self.interpolation, fill)
            mixed.add_(chains[:, i].view(many) * changed)
        mixed = mixed.view(list(img.shape)).to(dtype=img.dtype)
        return mixed if isinstance(orig_img, torch.Tensor) else F.to_pil_image(mixed)

    def __repr__(self):
        return (f"{type(self).__name__}(severity={self.severity}, mixture_width={self.mixture_width}, chain_depth={self.chain_depth}, "
                f"alpha={self.alpha}, all_ops={self.all_ops}, interpolation={self.interpolation}, fill={self.fill})")
