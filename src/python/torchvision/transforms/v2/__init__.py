"""The second version of the transforms. Each takes any number of arguments, nested in lists, tuples and dictionaries; the first
image among them is transformed, and everything else is returned as it came."""

import enum
import warnings

import numpy as np
import torch
from torch import nn

from torchvision._image import is_image
from torchvision.transforms import _classes as v1
from torchvision.transforms import functional
from torchvision.transforms.functional import InterpolationMode

__all__ = """
Transform Compose Identity ToTensor ToImage ToPureTensor PILToTensor ToPILImage ToDtype ConvertImageDtype Normalize Resize
CenterCrop Pad Lambda RandomApply RandomChoice RandomOrder RandomCrop RandomHorizontalFlip RandomVerticalFlip RandomResizedCrop
FiveCrop TenCrop ColorJitter RandomRotation RandomAffine Grayscale RGB RandomGrayscale RandomErasing GaussianBlur GaussianNoise
RandomInvert RandomPosterize RandomSolarize RandomAdjustSharpness RandomAutocontrast RandomEqualize CutMix MixUp
InterpolationMode
""".split()


def _is_input(x):
    return isinstance(x, (torch.Tensor, np.ndarray)) or is_image(x)


def _first(tree, change):
    """`tree` with its first image changed, and whether there was one."""
    if _is_input(tree):
        return change(tree), True
    if isinstance(tree, dict):
        items, found = _first_of(tree.values(), change)
        return dict(zip(tree, items)), found
    if type(tree) in (list, tuple):
        items, found = _first_of(tree, change)
        return type(tree)(items), found
    return tree, False


def _first_of(items, change):
    out, found = [], False
    for item in items:
        if not found:
            item, found = _first(item, change)
        out.append(item)
    return out, found


class Transform(nn.Module):
    """The base class: `transform(image, params)` changes the image. `params` is what `make_params` drew."""

    def make_params(self, flat_inputs):
        return {}

    def transform(self, inpt, params):
        raise NotImplementedError(f"{type(self).__name__} has no transform")

    def forward(self, *inputs):
        tree = inputs if len(inputs) > 1 else inputs[0]
        return _first(tree, lambda image: self.transform(image, self.make_params([image])))[0]

    def extra_repr(self):
        shown = (bool, int, float, str, tuple, list, enum.Enum)
        own = [(name, value) for name, value in self.__dict__.items() if not name.startswith("_") and name != "training"]
        own = [(name, value.value if isinstance(value, enum.Enum) else value) for name, value in own if isinstance(value, shown)]
        return ", ".join(f"{name}={value}" for name, value in own)


def _second(first):
    """The second version of a transform of the first, which draws the same numbers."""

    class Second(Transform, first):
        def transform(self, inpt, params):
            return first.forward(self, inpt)

        __repr__ = nn.Module.__repr__

    Second.__name__ = Second.__qualname__ = first.__name__
    Second.__module__ = __name__
    Second.__doc__ = first.__doc__
    return Second


CenterCrop = _second(v1.CenterCrop)
ColorJitter = _second(v1.ColorJitter)
ConvertImageDtype = _second(v1.ConvertImageDtype)
FiveCrop = _second(v1.FiveCrop)
GaussianBlur = _second(v1.GaussianBlur)
Grayscale = _second(v1.Grayscale)
Pad = _second(v1.Pad)
RandomAdjustSharpness = _second(v1.RandomAdjustSharpness)
RandomAffine = _second(v1.RandomAffine)
RandomAutocontrast = _second(v1.RandomAutocontrast)
RandomEqualize = _second(v1.RandomEqualize)
RandomErasing = _second(v1.RandomErasing)
RandomGrayscale = _second(v1.RandomGrayscale)
RandomHorizontalFlip = _second(v1.RandomHorizontalFlip)
RandomInvert = _second(v1.RandomInvert)
RandomPosterize = _second(v1.RandomPosterize)
RandomResizedCrop = _second(v1.RandomResizedCrop)
RandomRotation = _second(v1.RandomRotation)
RandomSolarize = _second(v1.RandomSolarize)
RandomVerticalFlip = _second(v1.RandomVerticalFlip)
TenCrop = _second(v1.TenCrop)


class Resize(_second(v1.Resize)):
    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__([size] if isinstance(size, int) else list(size), interpolation, max_size, antialias)


class Normalize(_second(v1.Normalize)):
    def __init__(self, mean, std, inplace=False):
        super().__init__(list(mean), list(std), inplace)


class RandomCrop(_second(v1.RandomCrop)):
    @staticmethod
    def get_params(img, output_size):
        """As in the first version, but a side that fits exactly draws no number."""
        _, h, w = functional.get_dimensions(img)
        th, tw = output_size
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        top = v1._below(h - th + 1) if h > th else 0
        return top, v1._below(w - tw + 1) if w > tw else 0, th, tw


class Identity(Transform):
    def transform(self, inpt, params):
        return inpt


class Lambda(Transform):
    """Calls `lambd` with each image and array, or with each value of the given `types`."""

    def __init__(self, lambd, *types):
        super().__init__()
        self.lambd = lambd
        self.types = types or (object,)

    def forward(self, *inputs):
        return self._each(inputs if len(inputs) > 1 else inputs[0])

    def _each(self, tree):
        if isinstance(tree, dict):
            return {key: self._each(value) for key, value in tree.items()}
        if type(tree) in (list, tuple):
            return type(tree)(map(self._each, tree))
        return self.lambd(tree) if isinstance(tree, self.types) else tree

    def extra_repr(self):
        name = getattr(self.lambd, "__name__", None)
        return ", ".join(([name] if name else []) + [f"types={[t.__name__ for t in self.types]}"])


class ToImage(Transform):
    """An image or an array (H, W, C) to a tensor (C, H, W) of the same dtype."""

    def transform(self, inpt, params):
        if isinstance(inpt, torch.Tensor):
            return inpt
        return functional._array_as_tensor(inpt) if isinstance(inpt, np.ndarray) else functional.pil_to_tensor(inpt)


class ToPureTensor(Identity):
    pass


class PILToTensor(Transform):
    def transform(self, inpt, params):
        return functional.pil_to_tensor(inpt) if is_image(inpt) and not isinstance(inpt, torch.Tensor) else inpt


class ToPILImage(Transform):
    def __init__(self, mode=None):
        super().__init__()
        self.mode = mode

    def transform(self, inpt, params):
        return functional.to_pil_image(inpt, self.mode)


class ToTensor(Transform):
    def __init__(self):
        warnings.warn(
            "The transform `ToTensor()` is deprecated and will be removed in a future release. Instead, please use "
            "`v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])`.Output is equivalent up to float precision."
        )
        super().__init__()

    def transform(self, inpt, params):
        return inpt if isinstance(inpt, torch.Tensor) else functional.to_tensor(inpt)


class ToDtype(Transform):
    """Another dtype; with `scale`, floats go from 0 to 1 and integers up to their largest value."""

    def __init__(self, dtype, scale=False):
        super().__init__()
        if not isinstance(dtype, torch.dtype):
            raise TypeError(f"dtype must be a torch.dtype here, got {type(dtype)} instead")
        self.dtype = dtype
        self.scale = scale

    def transform(self, inpt, params):
        if not isinstance(inpt, torch.Tensor):
            return inpt
        return functional.convert_image_dtype(inpt, self.dtype) if self.scale else inpt.to(self.dtype)


class RGB(Transform):
    def transform(self, inpt, params):
        return functional.rgb_to_grayscale(inpt, 3) if functional.get_image_num_channels(inpt) == 1 else inpt


class GaussianNoise(Transform):
    """Adds noise to a float tensor."""

    def __init__(self, mean=0.0, sigma=0.1, clip=True):
        super().__init__()
        self.mean = mean
        self.sigma = sigma
        self.clip = clip

    def transform(self, inpt, params):
        if not isinstance(inpt, torch.Tensor) or not inpt.is_floating_point():
            raise ValueError("Input tensor is expected to be in float dtype")
        if self.sigma < 0:
            raise ValueError(f"sigma shouldn't be negative. Got {self.sigma}")
        out = inpt + (self.mean + torch.randn_like(inpt) * self.sigma)
        return out.clamp(0, 1) if self.clip else out


# ---- containers ------------------------------------------------------------------------------------------------------


class _Container(Transform):
    def __init__(self, transforms):
        super().__init__()
        if not isinstance(transforms, (list, tuple, nn.ModuleList)):
            raise TypeError("Argument transforms should be a sequence of callables")
        self.transforms = transforms

    def extra_repr(self):
        return "\n".join(f"    {t}" for t in self.transforms)

    def _all(self, inputs, transforms):
        for transform in transforms:
            out = transform(*inputs)
            inputs = out if len(inputs) > 1 else (out,)
        return inputs if len(inputs) > 1 else inputs[0]


class Compose(_Container):
    def __init__(self, transforms):
        super().__init__(transforms)
        if not transforms:
            raise ValueError("Pass at least one transform")

    def forward(self, *inputs):
        return self._all(inputs, self.transforms)


class RandomApply(_Container):
    def __init__(self, transforms, p=0.5):
        super().__init__(transforms)
        if not 0.0 <= p <= 1.0:
            raise ValueError("`p` should be a floating point value in the interval [0.0, 1.0].")
        self.p = p

    def forward(self, *inputs):
        return self._all(inputs, self.transforms if torch.rand(1) < self.p else ())


class RandomChoice(_Container):
    def __init__(self, transforms, p=None):
        super().__init__(transforms)
        p = [1] * len(transforms) if p is None else p
        if len(p) != len(transforms):
            raise ValueError(f"Length of p doesn't match the number of transforms: {len(p)} != {len(transforms)}")
        self.p = [chance / sum(p) for chance in p]

    def forward(self, *inputs):
        return self.transforms[int(torch.multinomial(torch.tensor(self.p), 1))](*inputs)


class RandomOrder(_Container):
    def forward(self, *inputs):
        return self._all(inputs, [self.transforms[i] for i in torch.randperm(len(self.transforms)).tolist()])


# ---- batches ---------------------------------------------------------------------------------------------------------


class _Mixed(Transform):
    """Mixes each image of a batch (N, C, H, W) with its neighbor, and their labels (N,) or (N, classes) alike."""

    def __init__(self, *, alpha=1.0, num_classes=None, labels_getter=None):
        super().__init__()
        if labels_getter not in (None, "default"):
            raise NotImplementedError("a labels_getter isn't here: call it with (images, labels)")
        self.alpha = float(alpha)
        self.num_classes = num_classes
        self._dist = torch.distributions.Beta(torch.tensor([self.alpha]), torch.tensor([self.alpha]))

    def forward(self, *inputs):
        pair = inputs if len(inputs) > 1 else inputs[0]
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(f"{type(self).__name__} is called with a batch of images and their labels")
        images, labels = pair
        if images.ndim != 4:
            raise ValueError("Expected a batched input with 4 dims")
        if labels.ndim == 1 and self.num_classes is None:
            raise ValueError("num_classes must be passed if the labels are index-based (1D)")
        if labels.ndim == 1:
            labels = nn.functional.one_hot(labels, num_classes=self.num_classes)
        images, share = self.mix(images, float(self._dist.sample(())))
        labels = labels.float() if not labels.is_floating_point() else labels
        return type(pair)((images, labels.roll(1, 0).mul(1.0 - share).add_(labels.mul(share))))


class MixUp(_Mixed):
    def mix(self, images, share):
        return images.roll(1, 0).mul(1.0 - share).add_(images.mul(share)), share


class CutMix(_Mixed):
    def mix(self, images, share):
        height, width = images.shape[-2:]
        x, y = v1._below(width), v1._below(height)
        ratio = 0.5 * (1.0 - share) ** 0.5
        half_w, half_h = int(ratio * width), int(ratio * height)
        x1, y1 = max(x - half_w, 0), max(y - half_h, 0)
        x2, y2 = min(x + half_w, width), min(y + half_h, height)
        out = images.clone()
        out[..., y1:y2, x1:x2] = images.roll(1, 0)[..., y1:y2, x1:x2]
        return out, float(1.0 - (x2 - x1) * (y2 - y1) / (width * height))


_ELSEWHERE = """
AugMix AutoAugment ClampBoundingBoxes ConvertBoundingBoxFormat ElasticTransform JPEG LinearTransformation RandAugment
RandomChannelPermutation RandomIoUCrop RandomPerspective RandomPhotometricDistort RandomResize RandomShortestSize
RandomZoomOut SanitizeBoundingBoxes ScaleJitter TrivialAugmentWide UniformTemporalSubsample
""".split()


def __getattr__(name):
    if name in _ELSEWHERE:
        raise NotImplementedError(
            f"torchvision.transforms.v2.{name} isn't here. docs/torchvision.md lists the transforms that are."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
