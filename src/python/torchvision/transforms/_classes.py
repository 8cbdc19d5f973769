"""Transforms as objects. Random ones draw from torch's generator in the order of the real package."""

import math
import numbers
import random

import torch
from torch import nn

from torchvision.transforms import functional as F
from torchvision.transforms.functional import InterpolationMode

__all__ = """
Compose ToTensor PILToTensor ConvertImageDtype ToPILImage Normalize Resize CenterCrop Pad Lambda RandomApply RandomChoice
RandomOrder RandomCrop RandomHorizontalFlip RandomVerticalFlip RandomResizedCrop FiveCrop TenCrop ColorJitter RandomRotation
RandomAffine Grayscale RandomGrayscale RandomErasing GaussianBlur RandomInvert RandomPosterize RandomSolarize
RandomAdjustSharpness RandomAutocontrast RandomEqualize InterpolationMode
""".split()


def _uniform(low, high):
    return float(torch.empty(1).uniform_(float(low), float(high)).item())


def _below(n):
    return torch.randint(0, n, size=(1,)).item()


def _lines(title, transforms):
    return "\n".join([f"{title}(", *(f"    {t}" for t in transforms), ")"])


def _size_of(size, message):
    if isinstance(size, numbers.Number):
        return int(size), int(size)
    if len(size) == 1:
        return size[0], size[0]
    if len(size) != 2:
        raise ValueError(message)
    return size


def _fill_for(img, fill):
    """For a tensor, a fill for each channel."""
    if not isinstance(img, torch.Tensor):
        return fill
    channels = F.get_image_num_channels(img)
    return [float(fill)] * channels if isinstance(fill, (int, float)) else [float(f) for f in fill]


class Compose:
    """Applies `transforms` one after another."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        return _lines("Compose", self.transforms)


class ToTensor:
    """An image or a uint8 array (H, W, C) to a float tensor (C, H, W) from 0 to 1."""

    def __call__(self, pic):
        return F.to_tensor(pic)

    def __repr__(self):
        return "ToTensor()"


class PILToTensor:
    """An image to a uint8 tensor (C, H, W)."""

    def __call__(self, pic):
        return F.pil_to_tensor(pic)

    def __repr__(self):
        return "PILToTensor()"


class ConvertImageDtype(nn.Module):
    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def forward(self, image):
        return F.convert_image_dtype(image, self.dtype)


class ToPILImage:
    def __init__(self, mode=None):
        self.mode = mode

    def __call__(self, pic):
        return F.to_pil_image(pic, self.mode)

    def __repr__(self):
        return "ToPILImage(" + (f"mode={self.mode}" if self.mode is not None else "") + ")"


class Normalize(nn.Module):
    def __init__(self, mean, std, inplace=False):
        super().__init__()
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def forward(self, tensor):
        return F.normalize(tensor, self.mean, self.std, self.inplace)

    def __repr__(self):
        return f"Normalize(mean={self.mean}, std={self.std})"


class Resize(nn.Module):
    def __init__(self, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
        super().__init__()
        if not isinstance(size, (int, list, tuple)):
            raise TypeError(f"Size should be int or sequence. Got {type(size)}")
        if not isinstance(size, int) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        self.size = size
        self.interpolation = InterpolationMode[F._NUMBERED[interpolation]] if isinstance(interpolation, int) else interpolation
        self.max_size = max_size
        self.antialias = antialias

    def forward(self, img):
        return F.resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def __repr__(self):
        detail = f"size={self.size}, interpolation={self.interpolation.value}, max_size={self.max_size}"
        return f"Resize({detail}, antialias={self.antialias})"


class CenterCrop(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = _size_of(size, "Please provide only two dimensions (h, w) for size.")

    def forward(self, img):
        return F.center_crop(img, self.size)

    def __repr__(self):
        return f"CenterCrop(size={self.size})"


class Pad(nn.Module):
    def __init__(self, padding, fill=0, padding_mode="constant"):
        super().__init__()
        if not isinstance(padding, (numbers.Number, tuple, list)):
            raise TypeError("Got inappropriate padding arg")
        if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
            raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
        if not isinstance(padding, numbers.Number) and len(padding) not in (1, 2, 4):
            raise ValueError(
                f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple"
            )
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def forward(self, img):
        return F.pad(img, self.padding, self.fill, self.padding_mode)

    def __repr__(self):
        return f"Pad(padding={self.padding}, fill={self.fill}, padding_mode={self.padding_mode})"


class Lambda:
    def __init__(self, lambd):
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img):
        return self.lambd(img)

    def __repr__(self):
        return "Lambda()"


class RandomApply(nn.Module):
    """All of `transforms`, or none of them."""

    def __init__(self, transforms, p=0.5):
        super().__init__()
        self.transforms = transforms
        self.p = p

    def forward(self, img):
        if self.p < torch.rand(1):
            return img
        for transform in self.transforms:
            img = transform(img)
        return img

    def __repr__(self):
        return "\n".join(["RandomApply(", f"    p={self.p}", *(f"    {t}" for t in self.transforms), ")"])


class RandomChoice:
    """One of `transforms`, drawn from Python's generator."""

    def __init__(self, transforms, p=None):
        if p is not None and len(p) != len(transforms):
            raise ValueError("p and transforms should have the same length")
        self.transforms = transforms
        self.p = p

    def __call__(self, *args):
        return random.choices(self.transforms, weights=self.p)[0](*args)

    def __repr__(self):
        return _lines("RandomChoice", self.transforms) + f"(p={self.p})"


class RandomOrder:
    """All of `transforms`, in an order drawn from Python's generator."""

    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, img):
        order = list(range(len(self.transforms)))
        random.shuffle(order)
        for i in order:
            img = self.transforms[i](img)
        return img

    def __repr__(self):
        return _lines("RandomOrder", self.transforms)


class RandomCrop(nn.Module):
    @staticmethod
    def get_params(img, output_size):
        """Top, left, height and width of a random crop."""
        _, h, w = F.get_dimensions(img)
        th, tw = output_size
        if h < th or w < tw:
            raise ValueError(f"Required crop size {(th, tw)} is larger than input image size {(h, w)}")
        if (w, h) == (tw, th):
            return 0, 0, h, w
        i = _below(h - th + 1)
        return i, _below(w - tw + 1), th, tw

    def __init__(self, size, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
        super().__init__()
        self.size = tuple(_size_of(size, "Please provide only two dimensions (h, w) for size."))
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def forward(self, img):
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        _, height, width = F.get_dimensions(img)
        if self.pad_if_needed and width < self.size[1]:
            img = F.pad(img, [self.size[1] - width, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and height < self.size[0]:
            img = F.pad(img, [0, self.size[0] - height], self.fill, self.padding_mode)
        return F.crop(img, *self.get_params(img, self.size))

    def __repr__(self):
        return f"{type(self).__name__}(size={self.size}, padding={self.padding})"


class _WithChance(nn.Module):
    """Applies `change` with probability `p`."""

    def __init__(self, p=0.5):
        super().__init__()
        self.p = p

    def forward(self, img):
        return self.change(img) if torch.rand(1).item() < self.p else img

    def __repr__(self):
        return f"{type(self).__name__}(p={self.p})"


class RandomHorizontalFlip(_WithChance):
    def change(self, img):
        return F.hflip(img)


class RandomVerticalFlip(_WithChance):
    def change(self, img):
        return F.vflip(img)


class RandomInvert(_WithChance):
    def change(self, img):
        return F.invert(img)


class RandomAutocontrast(_WithChance):
    def change(self, img):
        return F.autocontrast(img)


class RandomEqualize(_WithChance):
    def change(self, img):
        return F.equalize(img)


class RandomPosterize(_WithChance):
    def __init__(self, bits, p=0.5):
        super().__init__(p)
        self.bits = bits

    def change(self, img):
        return F.posterize(img, self.bits)

    def __repr__(self):
        return f"RandomPosterize(bits={self.bits},p={self.p})"


class RandomSolarize(_WithChance):
    def __init__(self, threshold, p=0.5):
        super().__init__(p)
        self.threshold = threshold

    def change(self, img):
        return F.solarize(img, self.threshold)

    def __repr__(self):
        return f"RandomSolarize(threshold={self.threshold},p={self.p})"


class RandomAdjustSharpness(_WithChance):
    def __init__(self, sharpness_factor, p=0.5):
        super().__init__(p)
        self.sharpness_factor = sharpness_factor

    def change(self, img):
        return F.adjust_sharpness(img, self.sharpness_factor)

    def __repr__(self):
        return f"RandomAdjustSharpness(sharpness_factor={self.sharpness_factor},p={self.p})"


class RandomResizedCrop(nn.Module):
    """A crop of a random part of the area and a random shape, resized to `size`."""

    def __init__(
        self,
        size,
        scale=(0.08, 1.0),
        ratio=(3.0 / 4.0, 4.0 / 3.0),
        interpolation=InterpolationMode.BILINEAR,
        antialias=True,
    ):
        super().__init__()
        self.size = _size_of(size, "Please provide only two dimensions (h, w) for size.")
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation
        self.antialias = antialias

    @staticmethod
    def get_params(img, scale, ratio):
        """Top, left, height and width."""
        _, height, width = F.get_dimensions(img)
        log_ratio = torch.log(torch.tensor(ratio))
        for _ in range(10):
            area = height * width * _uniform(*scale)
            aspect = torch.exp(torch.empty(1).uniform_(log_ratio[0].item(), log_ratio[1].item())).item()
            w, h = int(round(math.sqrt(area * aspect))), int(round(math.sqrt(area / aspect)))
            if 0 < w <= width and 0 < h <= height:
                i = _below(height - h + 1)
                return i, _below(width - w + 1), h, w
        # Ten draws didn't fit: the largest crop in the middle whose shape is allowed.
        w, h = width, height
        if width / height < min(ratio):
            h = int(round(w / min(ratio)))
        elif width / height > max(ratio):
            w = int(round(h * max(ratio)))
        return (height - h) // 2, (width - w) // 2, h, w

    def forward(self, img):
        where = self.get_params(img, self.scale, self.ratio)
        return F.resized_crop(img, *where, self.size, self.interpolation, antialias=self.antialias)

    def __repr__(self):
        scale, ratio = (tuple(round(v, 4) for v in pair) for pair in (self.scale, self.ratio))
        return (
            f"RandomResizedCrop(size={self.size}, scale={scale}, ratio={ratio}, interpolation={self.interpolation.value}, "
            f"antialias={self.antialias})"
        )


class FiveCrop(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = _size_of(size, "Please provide only two dimensions (h, w) for size.")

    def forward(self, img):
        return F.five_crop(img, self.size)

    def __repr__(self):
        return f"FiveCrop(size={self.size})"


class TenCrop(nn.Module):
    def __init__(self, size, vertical_flip=False):
        super().__init__()
        self.size = _size_of(size, "Please provide only two dimensions (h, w) for size.")
        self.vertical_flip = vertical_flip

    def forward(self, img):
        return F.ten_crop(img, self.size, self.vertical_flip)

    def __repr__(self):
        return f"TenCrop(size={self.size}, vertical_flip={self.vertical_flip})"


class ColorJitter(nn.Module):
    """Random brightness, contrast, saturation and hue, in a random order."""

    def __init__(self, brightness=0, contrast=0, saturation=0, hue=0):
        super().__init__()
        self.brightness = self._interval(brightness, "brightness")
        self.contrast = self._interval(contrast, "contrast")
        self.saturation = self._interval(saturation, "saturation")
        self.hue = self._interval(hue, "hue", 0, (-0.5, 0.5), False)

    @staticmethod
    def _interval(value, name, center=1, bound=(0, float("inf")), clip=True):
        if isinstance(value, numbers.Number):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            value = [center - float(value), center + float(value)]
            if clip:
                value[0] = max(value[0], 0.0)
        elif isinstance(value, (tuple, list)) and len(value) == 2:
            value = [float(value[0]), float(value[1])]
        else:
            raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
        if not bound[0] <= value[0] <= value[1] <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}, but got {value}.")
        return None if value[0] == value[1] == center else tuple(value)

    @staticmethod
    def get_params(brightness, contrast, saturation, hue):
        """The order, and the four factors, None where there is nothing to do."""
        order = torch.randperm(4)
        return order, *(None if pair is None else _uniform(*pair) for pair in (brightness, contrast, saturation, hue))

    def forward(self, img):
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        adjust = F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue
        for i in order.tolist():
            if factors[i] is not None:
                img = adjust[i](img, factors[i])
        return img

    def __repr__(self):
        names = "brightness", "contrast", "saturation", "hue"
        return f"ColorJitter({', '.join(f'{name}={getattr(self, name)}' for name in names)})"


def _angles(value, name):
    if isinstance(value, numbers.Number):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        value = [-value, value]
    return [float(v) for v in value]


class RandomRotation(nn.Module):
    def __init__(self, degrees, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=0):
        super().__init__()
        self.degrees = _angles(degrees, "degrees")
        self.interpolation = interpolation
        self.expand = expand
        self.center = center
        self.fill = 0 if fill is None else fill

    @staticmethod
    def get_params(degrees):
        return _uniform(*degrees)

    def forward(self, img):
        fill = _fill_for(img, self.fill)
        return F.rotate(img, self.get_params(self.degrees), self.interpolation, self.expand, self.center, fill)

    def __repr__(self):
        text = f"RandomRotation(degrees={self.degrees}, interpolation={self.interpolation.value}, expand={self.expand}"
        text += f", center={self.center}" if self.center is not None else ""
        return text + (f", fill={self.fill}" if self.fill is not None else "") + ")"


class RandomAffine(nn.Module):
    def __init__(
        self,
        degrees,
        translate=None,
        scale=None,
        shear=None,
        interpolation=InterpolationMode.NEAREST,
        fill=0,
        center=None,
    ):
        super().__init__()
        self.degrees = _angles(degrees, "degrees")
        for t in translate or ():
            if not 0.0 <= t <= 1.0:
                raise ValueError("translation values should be between 0 and 1")
        for s in scale or ():
            if s <= 0:
                raise ValueError("scale values should be positive")
        self.translate = translate
        self.scale = scale
        self.shear = None if shear is None else _angles(shear, "shear")
        self.interpolation = interpolation
        self.fill = 0 if fill is None else fill
        self.center = center

    @staticmethod
    def get_params(degrees, translate, scale_ranges, shears, img_size):
        """Angle, translation (x, y), scale and shear (x, y); `img_size` is (width, height)."""
        angle = _uniform(*degrees)
        moved = (0, 0)
        if translate is not None:
            most = [float(t * size) for t, size in zip(translate, img_size)]
            moved = tuple(int(round(_uniform(-m, m))) for m in most)
        scale = 1.0 if scale_ranges is None else _uniform(*scale_ranges)
        x = y = 0.0
        if shears is not None:
            x = _uniform(shears[0], shears[1])
            if len(shears) == 4:
                y = _uniform(shears[2], shears[3])
        return angle, moved, scale, (x, y)

    def forward(self, img):
        _, height, width = F.get_dimensions(img)
        drawn = self.get_params(self.degrees, self.translate, self.scale, self.shear, (width, height))
        fill = _fill_for(img, self.fill)
        return F.affine(img, *drawn, interpolation=self.interpolation, fill=fill, center=self.center)

    def __repr__(self):
        text = f"RandomAffine(degrees={self.degrees}"
        for name in ("translate", "scale", "shear"):
            value = getattr(self, name)
            text += f", {name}={value}" if value is not None else ""
        if self.interpolation != InterpolationMode.NEAREST:
            text += f", interpolation={self.interpolation.value}"
        text += f", fill={self.fill}" if self.fill != 0 else ""
        return text + (f", center={self.center}" if self.center is not None else "") + ")"


class Grayscale(nn.Module):
    def __init__(self, num_output_channels=1):
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img):
        return F.rgb_to_grayscale(img, self.num_output_channels)

    def __repr__(self):
        return f"Grayscale(num_output_channels={self.num_output_channels})"


class RandomGrayscale(_WithChance):
    def __init__(self, p=0.1):
        super().__init__(p)

    def change(self, img):
        return F.rgb_to_grayscale(img, F.get_image_num_channels(img))


class RandomErasing(nn.Module):
    """Sets a random rectangle of a tensor to `value`: a number, one for each channel, or "random"."""

    def __init__(self, p=0.5, scale=(0.02, 0.33), ratio=(0.3, 3.3), value=0, inplace=False):
        super().__init__()
        if not isinstance(value, (numbers.Number, str, tuple, list)):
            raise TypeError("Argument value should be either a number or str or a sequence")
        if isinstance(value, str) and value != "random":
            raise ValueError("If value is str, it should be 'random'")
        if scale[0] < 0 or scale[1] > 1:
            raise ValueError("Scale should be between 0 and 1")
        if p < 0 or p > 1:
            raise ValueError("Random erasing probability should be between 0 and 1")
        self.p = p
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    @staticmethod
    def get_params(img, scale, ratio, value=None):
        """Top, left, height and width, and what to put there."""
        channels, height, width = img.shape[-3:]
        log_ratio = torch.log(torch.tensor(ratio))
        for _ in range(10):
            area = height * width * _uniform(*scale)
            aspect = torch.exp(torch.empty(1).uniform_(log_ratio[0].item(), log_ratio[1].item())).item()
            h, w = int(round(math.sqrt(area * aspect))), int(round(math.sqrt(area / aspect)))
            if h >= height or w >= width:
                continue
            if value is None:
                v = torch.empty([channels, h, w], dtype=torch.float32).normal_()
            else:
                v = torch.tensor(value)[:, None, None]
            i = _below(height - h + 1)
            return i, _below(width - w + 1), h, w, v
        return 0, 0, height, width, img

    def forward(self, img):
        if torch.rand(1) >= self.p:
            return img
        value = [float(self.value)] if isinstance(self.value, (int, float)) else self.value
        value = None if isinstance(value, str) else list(value)
        if value is not None and len(value) not in (1, img.shape[-3]):
            raise ValueError(
                "If value is a sequence, it should have either a single value or "
                f"{img.shape[-3]} (number of input channels)"
            )
        return F.erase(img, *self.get_params(img, self.scale, self.ratio, value), self.inplace)

    def __repr__(self):
        detail = f"p={self.p}, scale={self.scale}, ratio={self.ratio}, value={self.value}, inplace={self.inplace}"
        return f"RandomErasing({detail})"


class GaussianBlur(nn.Module):
    """Blurs with a deviation drawn from the interval `sigma`."""

    def __init__(self, kernel_size, sigma=(0.1, 2.0)):
        super().__init__()
        self.kernel_size = _size_of(kernel_size, "Kernel size should be a tuple/list of two integers")
        for size in self.kernel_size:
            if size <= 0 or size % 2 == 0:
                raise ValueError("Kernel size value should be an odd and positive number.")
        if isinstance(sigma, numbers.Number):
            if sigma <= 0:
                raise ValueError("If sigma is a single number, it must be positive.")
            sigma = (sigma, sigma)
        elif not 0.0 < sigma[0] <= sigma[1]:
            raise ValueError(f"sigma values should be positive and of the form (min, max). Got {sigma}")
        self.sigma = sigma

    @staticmethod
    def get_params(sigma_min, sigma_max):
        return _uniform(sigma_min, sigma_max)

    def forward(self, img):
        sigma = self.get_params(*self.sigma)
        return F.gaussian_blur(img, list(self.kernel_size), [sigma, sigma])

    def __repr__(self):
        return f"GaussianBlur(kernel_size={tuple(self.kernel_size)}, sigma={self.sigma})"
