"""Transforms as functions. They take tensors (..., C, H, W) and images of PIL, which PIL transforms."""

import enum
import functools
import math
import numbers

import numpy as np
import torch
import torch.nn.functional as nnf

from torchvision._image import image_of, is_image
from torchvision.transforms import _pil


class InterpolationMode(enum.Enum):
    NEAREST = "nearest"
    NEAREST_EXACT = "nearest-exact"
    BILINEAR = "bilinear"
    BICUBIC = "bicubic"
    BOX = "box"
    HAMMING = "hamming"
    LANCZOS = "lanczos"


# PIL's numbers, which older programs pass.
_NUMBERED = {0: "NEAREST", 2: "BILINEAR", 3: "BICUBIC", 4: "BOX", 5: "HAMMING", 1: "LANCZOS"}


def _mode(interpolation, img, allowed=("nearest", "bilinear")):
    """The name of the interpolation. `allowed` are those for tensors."""
    if isinstance(interpolation, int):
        interpolation = InterpolationMode[_NUMBERED[interpolation]]
    if not isinstance(interpolation, InterpolationMode):
        raise TypeError("Argument interpolation should be a InterpolationMode or a corresponding Pillow integer constant")
    if isinstance(img, torch.Tensor) and interpolation.value not in allowed:
        raise ValueError(f"this transform has no interpolation {interpolation.value!r} on tensors: {', '.join(allowed)}")
    return interpolation.value


def _is_tensor(img):
    """Whether `img` is a tensor, and not an image; anything else is an error."""
    if isinstance(img, torch.Tensor):
        if img.ndim < 2:
            raise TypeError("Tensor is not a torch image.")
        return True
    if not is_image(img):
        raise TypeError(f"img should be PIL Image. Got {type(img)}")
    return False


def _by_kind(of_images):
    """Lets a function of tensors take images as well: `of_images` does what it does."""

    def decorate(function):
        @functools.wraps(function)
        def both(img, *args, **kwargs):
            return (function if _is_tensor(img) else of_images)(img, *args, **kwargs)

        return both

    return decorate


def _as_tensors(img, *args, **kwargs):
    """Blurs an image as a tensor, as there is no such blur in PIL."""
    return to_pil_image(gaussian_blur(pil_to_tensor(img), *args, **kwargs), mode=img.mode)


# ---- what an image is ------------------------------------------------------------------------------------------------


def get_dimensions(img):
    """[channels, height, width]."""
    if isinstance(img, torch.Tensor):
        return [1 if img.ndim == 2 else img.shape[-3], *img.shape[-2:]]
    return [len(img.getbands()), img.size[1], img.size[0]]


def get_image_size(img):
    """[width, height]."""
    return get_dimensions(img)[:0:-1]


def get_image_num_channels(img):
    return get_dimensions(img)[0]


def _array_as_tensor(pic):
    if pic.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
    if pic.ndim == 2:
        pic = pic[:, :, None]
    return torch.from_numpy(np.ascontiguousarray(pic.transpose((2, 0, 1)))).contiguous()


def to_tensor(pic):
    """An image or an array (H, W, C) as a tensor (C, H, W). Values of 8 bits become floats from 0 to 1, others stay."""
    if isinstance(pic, np.ndarray):
        img = _array_as_tensor(pic)
        return img.to(torch.get_default_dtype()).div(255) if img.dtype == torch.uint8 else img
    if not is_image(pic) or isinstance(pic, torch.Tensor):
        raise TypeError(f"pic should be PIL Image or ndarray. Got {type(pic)}")
    img = pil_to_tensor(pic)
    if img.dtype == torch.bool:
        return img.to(torch.get_default_dtype())
    return img.to(torch.get_default_dtype()).div(255) if img.dtype == torch.uint8 else img


def pil_to_tensor(pic):
    """An image as a tensor (C, H, W): uint8 for most modes, bool for "1", int32 for "I", float32 for "F"."""
    if not is_image(pic) or isinstance(pic, torch.Tensor):
        raise TypeError(f"pic should be PIL Image. Got {type(pic)}")
    return _array_as_tensor(np.array(pic))


def to_pil_image(pic, mode=None):
    """A tensor (C, H, W) or an array (H, W, C) as an image."""
    if isinstance(pic, torch.Tensor):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        if pic.ndim == 2:
            pic = pic.unsqueeze(0)
        if pic.shape[-3] > 4:
            raise ValueError(f"pic should not have > 4 channels. Got {pic.shape[-3]} channels.")
        if pic.is_floating_point() and mode != "F":
            # Values beyond 0 to 1 wrap around, as where a float is cut to a byte.
            pic = (pic.detach() * 255).to(torch.int32).bitwise_and(255).to(torch.uint8)
        array = pic.cpu().permute(1, 2, 0).contiguous().numpy()
    elif isinstance(pic, np.ndarray):
        if pic.ndim not in (2, 3):
            raise ValueError(f"pic should be 2/3 dimensional. Got {pic.ndim} dimensions.")
        array = pic if pic.ndim == 3 else pic[:, :, None]
        if array.shape[-1] > 4:
            raise ValueError(f"pic should not have > 4 channels. Got {array.shape[-1]} channels.")
        if array.dtype.kind == "f" and mode != "F":
            array = ((array * 255).astype("int64") & 255).astype("uint8")
    else:
        raise TypeError(f"pic should be Tensor or ndarray. Got {type(pic)}.")
    channels, dtype = array.shape[-1], str(array.dtype)
    if channels == 1:
        array = array[:, :, 0]
        expected = {"uint8": "L", "int16": "I;16", "int32": "I", "float32": "F"}.get(dtype)
        if mode is not None and mode != expected:
            raise ValueError(f"Incorrect mode ({mode}) supplied for input type {np.dtype}. Should be {expected}")
        if dtype == "int16":
            array = array.astype("uint16")
        mode = expected
    else:
        modes = {2: ["LA"], 3: ["RGB", "YCbCr", "HSV"], 4: ["RGBA", "CMYK", "RGBX"]}[channels]
        if mode is not None and mode not in modes:
            raise ValueError(f"Only modes {modes} are supported for {channels}D inputs")
        if dtype == "uint8":
            mode = mode or modes[0]
    if mode is None:
        raise TypeError(f"Input type {array.dtype} is not supported")
    return image_of(np.ascontiguousarray(array), mode)


def convert_image_dtype(image, dtype=torch.float):
    """A tensor in another dtype: floats go from 0 to 1, integers from 0 to their largest value."""
    if not isinstance(image, torch.Tensor):
        raise TypeError("Input img should be Tensor Image")
    if image.dtype == dtype:
        return image
    if image.is_floating_point():
        if dtype.is_floating_point:
            return image.to(dtype)
        if (image.dtype, dtype) in ((torch.float32, torch.int32), (torch.float32, torch.int64), (torch.float64, torch.int64)):
            raise RuntimeError(f"The cast from {image.dtype} to {dtype} cannot be performed safely.")
        # Every integer gets a share of the interval of the same width.
        return image.mul(_largest(dtype) + 1.0 - 1e-3).to(dtype)
    top = _largest(image.dtype)
    if dtype.is_floating_point:
        return image.to(dtype) / top
    new = _largest(dtype)
    if top > new:
        return torch.div(image, (top + 1) // (new + 1), rounding_mode="floor").to(dtype)
    return image.to(dtype) * ((new + 1) // (top + 1))


def _largest(dtype):
    return 1 if dtype.is_floating_point or dtype == torch.bool else torch.iinfo(dtype).max


def normalize(tensor, mean, std, inplace=False):
    """(..., C, H, W) less the mean of each channel, divided by its deviation."""
    if not isinstance(tensor, torch.Tensor):
        raise TypeError(f"img should be Tensor Image. Got {type(tensor)}")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    if not inplace:
        tensor = tensor.clone()
    mean = torch.as_tensor(mean, dtype=tensor.dtype, device=tensor.device)
    std = torch.as_tensor(std, dtype=tensor.dtype, device=tensor.device)
    if (std == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    if mean.ndim == 1:
        mean = mean.view(-1, 1, 1)
    if std.ndim == 1:
        std = std.view(-1, 1, 1)
    return tensor.sub_(mean).div_(std)


# ---- sizes -----------------------------------------------------------------------------------------------------------


def _as_floats(img):
    """`img` as floats with a batch dimension, and a function that undoes both."""
    shape, dtype = img.shape, img.dtype
    floats = img if dtype in (torch.float32, torch.float64) else img.to(torch.float32)
    floats = floats.reshape(-1, *shape[-3:]) if img.ndim >= 3 else floats[None, None]

    def back(result):
        result = result.reshape(*shape[:-2], *result.shape[-2:])
        if result.dtype != dtype:
            result = result.round() if not dtype.is_floating_point else result
            result = result.to(dtype)
        return result

    return floats, back


def _resized(size, height, width, max_size):
    if isinstance(size, int):
        size = [size]
    if len(size) not in (1, 2):
        raise ValueError(f"Size must be an int or a 1 or 2 element tuple/list, not a {len(size)} element tuple/list")
    if len(size) == 2:
        if max_size is not None:
            raise ValueError(
                "max_size should only be passed if size specifies the length of the smaller edge, i.e. size should be an int "
                "or a sequence of length 1 in torchscript mode."
            )
        return tuple(size)
    short, long = sorted((width, height))
    new_short, new_long = size[0], int(size[0] * long / short)
    if max_size is not None:
        if max_size <= size[0]:
            raise ValueError(
                f"max_size = {max_size} must be strictly greater than the requested size for the smaller edge size = {size}"
            )
        if new_long > max_size:
            new_short, new_long = int(max_size * new_short / new_long), max_size
    return (new_long, new_short) if width <= height else (new_short, new_long)


def resize(img, size, interpolation=InterpolationMode.BILINEAR, max_size=None, antialias=True):
    """The image at `size` (height, width). A single number is the length of the shorter side, and the shape is kept."""
    tensor = _is_tensor(img)
    mode = _mode(interpolation, img, ("nearest", "nearest-exact", "bilinear", "bicubic"))
    _, height, width = get_dimensions(img)
    size = _resized(size, height, width, max_size)
    if size == (height, width):
        return img
    if not tensor:
        return _pil.resize(img, size, mode)
    floats, back = _as_floats(img)
    if mode.startswith("nearest"):
        return back(nnf.interpolate(floats, size=size, mode=mode))
    out = nnf.interpolate(floats, size=size, mode=mode, align_corners=False, antialias=bool(antialias))
    if mode == "bicubic" and img.dtype == torch.uint8:
        out = out.clamp(min=0, max=255)
    return back(out)


def _four(padding):
    """Left, top, right, bottom."""
    if isinstance(padding, int):
        return [padding] * 4
    if not isinstance(padding, (tuple, list)):
        raise TypeError("Got inappropriate padding arg")
    if len(padding) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple")
    return list(padding) * (4 // len(padding))


def pad(img, padding, fill=0, padding_mode="constant"):
    """The image with a border. `padding`: all sides, (left and right, top and bottom), or (left, top, right, bottom)."""
    if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    left, top, right, bottom = _four(padding)
    if not _is_tensor(img):
        return _pil.pad(img, (left, top, right, bottom), fill, padding_mode)
    if padding_mode == "symmetric":
        return _symmetric(img, left, top, right, bottom)
    mode = "replicate" if padding_mode == "edge" else padding_mode
    fill = (0,) if fill is None else fill if isinstance(fill, (tuple, list)) else (fill,)
    if mode == "constant":
        if len(fill) > 1:
            channels = [nnf.pad(c, [left, right, top, bottom], value=float(v)) for c, v in zip(img.unbind(-3), fill)]
            return torch.stack(channels, -3)
        return nnf.pad(img, [left, right, top, bottom], value=float(fill[0]))
    floats, back = _as_floats(img)
    # A negative number crops, which only the constant mode can.
    cropped = floats[..., max(0, -top) :, max(0, -left) :]
    cropped = cropped[..., : cropped.shape[-2] + min(0, bottom), : cropped.shape[-1] + min(0, right)]
    return back(nnf.pad(cropped, [max(0, left), max(0, right), max(0, top), max(0, bottom)], mode=mode))


def _symmetric(img, left, top, right, bottom):
    def mirrored(length, before, after):
        return [before - 1 - i for i in range(before)] + list(range(length)) + [length - 1 - i for i in range(after)]

    if min(left, top, right, bottom) < 0 or max(left, right) > img.shape[-1] or max(top, bottom) > img.shape[-2]:
        raise ValueError("symmetric padding must be between 0 and the size of the image")
    rows = torch.tensor(mirrored(img.shape[-2], top, bottom), device=img.device)
    columns = torch.tensor(mirrored(img.shape[-1], left, right), device=img.device)
    return img.index_select(-2, rows).index_select(-1, columns)


@_by_kind(_pil.crop)
def crop(img, top, left, height, width):
    """The part of the image that begins at (top, left). What is outside the image is 0."""
    h, w = img.shape[-2:]
    inside = img[..., max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
    borders = [
        max(min(left + width, 0) - left, 0) if left < 0 else 0,
        max(left + width - max(w, left), 0),
        max(min(top + height, 0) - top, 0) if top < 0 else 0,
        max(top + height - max(h, top), 0),
    ]
    return nnf.pad(inside, borders) if any(borders) else inside


def _pair(size, message="Please provide only two dimensions (h, w) for size."):
    if isinstance(size, numbers.Number):
        return (int(size), int(size))
    if len(size) == 1:
        return (size[0], size[0])
    if len(size) != 2:
        raise ValueError(message)
    return size


def center_crop(img, output_size):
    """The middle (height, width) of the image. A smaller image is padded with 0."""
    crop_height, crop_width = _pair(output_size)
    _, height, width = get_dimensions(img)
    if crop_width > width or crop_height > height:
        wide, high = max(crop_width - width, 0), max(crop_height - height, 0)
        img = pad(img, [wide // 2, high // 2, (wide + 1) // 2, (high + 1) // 2], fill=0)
        _, height, width = get_dimensions(img)
        if (crop_height, crop_width) == (height, width):
            return img
    top = int(round((height - crop_height) / 2.0))
    left = int(round((width - crop_width) / 2.0))
    return crop(img, top, left, crop_height, crop_width)


def resized_crop(img, top, left, height, width, size, interpolation=InterpolationMode.BILINEAR, antialias=True):
    return resize(crop(img, top, left, height, width), size, interpolation, antialias=antialias)


def five_crop(img, size):
    """The four corners and the middle: (top left, top right, bottom left, bottom right, center)."""
    crop_height, crop_width = _pair(size)
    _, height, width = get_dimensions(img)
    if crop_width > width or crop_height > height:
        raise ValueError(f"Requested crop size {size} is bigger than input size {(height, width)}")
    corners = ((0, 0), (0, width - crop_width), (height - crop_height, 0), (height - crop_height, width - crop_width))
    crops = [crop(img, top, left, crop_height, crop_width) for top, left in corners]
    return (*crops, center_crop(img, [crop_height, crop_width]))


def ten_crop(img, size, vertical_flip=False):
    """`five_crop` of the image and of its mirror image."""
    size = _pair(size)
    return five_crop(img, size) + five_crop(vflip(img) if vertical_flip else hflip(img), size)


@_by_kind(_pil.hflip)
def hflip(img):
    return img.flip(-1)


@_by_kind(_pil.vflip)
def vflip(img):
    return img.flip(-2)


# ---- rotations -------------------------------------------------------------------------------------------------------


def _inverse_matrix(center, angle, translate, scale, shear):
    """The six numbers that map where a pixel goes to where it comes from."""
    rot, sx, sy = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    (cx, cy), (tx, ty) = center, translate
    a = math.cos(rot - sy) / math.cos(sy)
    b = -math.cos(rot - sy) * math.tan(sx) / math.cos(sy) - math.sin(rot)
    c = math.sin(rot - sy) / math.cos(sy)
    d = -math.sin(rot - sy) * math.tan(sx) / math.cos(sy) + math.cos(rot)
    m = [x / scale for x in (d, -b, 0.0, -c, a, 0.0)]
    m[2] += m[0] * (-cx - tx) + m[1] * (-cy - ty)
    m[5] += m[3] * (-cx - tx) + m[4] * (-cy - ty)
    m[2] += cx
    m[5] += cy
    return m


def _expanded(matrix, w, h):
    """Width and height of the smallest image that holds the whole transformed one."""
    corners = [[-0.5 * w, -0.5 * h, 1.0], [-0.5 * w, 0.5 * h, 1.0], [0.5 * w, 0.5 * h, 1.0], [0.5 * w, -0.5 * h, 1.0]]
    points = torch.tensor(corners) @ torch.tensor(matrix).view(2, 3).T
    middle = torch.tensor((w * 0.5, h * 0.5))
    lowest, highest = points.min(dim=0).values + middle, points.max(dim=0).values + middle
    # Corners that are whole numbers but for rounding count as whole.
    tol = 1e-4
    size = ((highest / tol).trunc() * tol).ceil() - ((lowest / tol).trunc() * tol).floor()
    return int(size[0]), int(size[1])


def _sampled(img, matrix, mode, fill, expand=False):
    """`img` read through `matrix`. What comes from outside is `fill`: None for 0, or one value or one for each channel."""
    floats, back = _as_floats(img)
    n, channels, h, w = floats.shape
    ow, oh = _expanded(matrix, w, h) if expand else (w, h)
    common = {"dtype": floats.dtype, "device": floats.device}
    theta = torch.tensor(matrix, **common).reshape(1, 2, 3)
    base = torch.empty(1, oh, ow, 3, **common)
    base[..., 0].copy_(torch.linspace(-ow * 0.5 + 0.5, ow * 0.5 - 0.5, steps=ow, **common))
    base[..., 1].copy_(torch.linspace(-oh * 0.5 + 0.5, oh * 0.5 - 0.5, steps=oh, **common).unsqueeze(-1))
    base[..., 2].fill_(1)
    scaled = theta.transpose(1, 2) / torch.tensor([0.5 * w, 0.5 * h], **common)
    grid = base.view(1, oh * ow, 3).bmm(scaled).view(1, oh, ow, 2).expand(n, oh, ow, 2)
    if fill is None:
        return back(nnf.grid_sample(floats, grid, mode=mode, padding_mode="zeros", align_corners=False))
    # A channel of ones tells how much of each pixel comes from inside.
    floats = torch.cat((floats, torch.ones((n, 1, h, w), **common)), dim=1)
    out = nnf.grid_sample(floats, grid, mode=mode, padding_mode="zeros", align_corners=False)
    out, mask = out[:, :-1], out[:, -1:].expand(n, channels, oh, ow)
    fill = fill if isinstance(fill, (tuple, list)) else [float(fill)]
    filling = torch.tensor(fill, **common).view(1, len(fill), 1, 1).expand_as(out)
    return back(torch.where(mask < 0.5, filling, out) if mode == "nearest" else out * mask + (1.0 - mask) * filling)


def rotate(img, angle, interpolation=InterpolationMode.NEAREST, expand=False, center=None, fill=None):
    """The image turned by `angle` degrees, counter-clockwise, around its middle or `center` (x, y)."""
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if center is not None and not isinstance(center, (list, tuple)):
        raise TypeError("Argument center should be a sequence")
    tensor, mode = _is_tensor(img), _mode(interpolation, img)
    if not tensor:
        return _pil.rotate(img, angle, mode, expand, center, fill)
    h, w = img.shape[-2:]
    middle = [0.0, 0.0] if center is None else [c - s * 0.5 for c, s in zip(center, [w, h])]
    return _sampled(img, _inverse_matrix(middle, -angle, [0.0, 0.0], 1.0, [0.0, 0.0]), mode, fill, expand)


def affine(img, angle, translate, scale, shear, interpolation=InterpolationMode.NEAREST, fill=None, center=None):
    """The image turned clockwise by `angle`, moved by `translate` (x, y), scaled and sheared by (x, y) degrees."""
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    shear = [shear, 0.0] if isinstance(shear, numbers.Number) else list(shear) if len(shear) == 2 else [shear[0], shear[0]]
    tensor, mode = _is_tensor(img), _mode(interpolation, img)
    _, h, w = get_dimensions(img)
    # A tensor's coordinates begin in its middle, an image's in its corner.
    if tensor:
        middle = [0.0, 0.0] if center is None else [c - s * 0.5 for c, s in zip(center, [w, h])]
    else:
        middle = [w * 0.5, h * 0.5] if center is None else list(center)
    matrix = _inverse_matrix(middle, angle, [float(t) for t in translate], scale, shear)
    return _sampled(img, matrix, mode, fill) if tensor else _pil.affine(img, matrix, mode, fill)


# ---- colors ----------------------------------------------------------------------------------------------------------


def _channels_are(img, *allowed):
    channels = get_image_num_channels(img)
    if channels not in allowed:
        raise TypeError(f"Input image tensor permitted channel values are {list(allowed)}, but found {channels}")
    return channels


@_by_kind(_pil.rgb_to_grayscale)
def rgb_to_grayscale(img, num_output_channels=1):
    """One channel that weighs red, green and blue, or three copies of it."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if _channels_are(img, 1, 3) == 3:
        r, g, b = img.unbind(-3)
        img = (0.2989 * r + 0.587 * g + 0.114 * b).to(img.dtype).unsqueeze(-3)
    return img.expand(*img.shape[:-3], 3, *img.shape[-2:]) if num_output_channels == 3 else img.clone()


to_grayscale = rgb_to_grayscale


def _blend(img, other, factor):
    return (factor * img + (1.0 - factor) * other).clamp(0, _largest(img.dtype)).to(img.dtype)


def _not_negative(name, factor):
    if factor < 0:
        raise ValueError(f"{name} ({factor}) is not non-negative.")
    return float(factor)


@_by_kind(_pil.adjust_brightness)
def adjust_brightness(img, brightness_factor):
    _channels_are(img, 1, 3)
    return _blend(img, torch.zeros_like(img), _not_negative("brightness_factor", brightness_factor))


@_by_kind(_pil.adjust_contrast)
def adjust_contrast(img, contrast_factor):
    factor = _not_negative("contrast_factor", contrast_factor)
    gray = rgb_to_grayscale(img) if _channels_are(img, 1, 3) == 3 else img
    if not img.is_floating_point():
        gray = gray.to(torch.float32)
    return _blend(img, gray.mean(dim=(-3, -2, -1), keepdim=True), factor)


@_by_kind(_pil.adjust_saturation)
def adjust_saturation(img, saturation_factor):
    factor = _not_negative("saturation_factor", saturation_factor)
    return img if _channels_are(img, 1, 3) == 1 else _blend(img, rgb_to_grayscale(img), factor)


@_by_kind(_pil.adjust_hue)
def adjust_hue(img, hue_factor):
    """The image with its hues shifted by `hue_factor` of the circle, -0.5 to 0.5."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if _channels_are(img, 1, 3) == 1:
        return img
    hue, saturation, value = _hsv(convert_image_dtype(img, torch.float32))
    return convert_image_dtype(_rgb((hue + hue_factor) % 1.0, saturation, value), img.dtype)


def _hsv(img):
    r, g, b = img.unbind(-3)
    top, bottom = img.max(dim=-3).values, img.min(dim=-3).values
    spread = top - bottom
    flat = top == bottom
    ones = torch.ones_like(top)
    saturation = spread / torch.where(flat, ones, top)
    divisor = torch.where(flat, ones, spread)
    rc, gc, bc = (top - r) / divisor, (top - g) / divisor, (top - b) / divisor
    red, green = top == r, (top == g) & (top != r)
    hue = red * (bc - gc) + green * (2.0 + rc - bc) + (~red & ~green) * (4.0 + gc - rc)
    return torch.fmod(hue / 6.0 + 1.0, 1.0), saturation, top


def _rgb(h, s, v):
    sector = torch.floor(h * 6.0)
    f = h * 6.0 - sector
    p, q, t = ((v * (1.0 - x)).clamp(0.0, 1.0) for x in (s, s * f, s * (1.0 - f)))
    sector = sector.to(torch.int32) % 6
    channels = []
    for choices in ((v, q, p, p, t, v), (t, v, v, q, p, p), (p, p, t, v, v, q)):
        out = choices[5]
        for i in range(5):
            out = torch.where(sector == i, choices[i], out)
        channels.append(out)
    return torch.stack(channels, -3)


@_by_kind(_pil.invert)
def invert(img):
    return _largest(img.dtype) - img


@_by_kind(_pil.posterize)
def posterize(img, bits):
    """uint8 values with only their highest `bits` kept."""
    if img.dtype != torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    return img & (-(2 ** (8 - bits)) & 255)


@_by_kind(_pil.solarize)
def solarize(img, threshold):
    """The image with values of `threshold` or more inverted."""
    if threshold > _largest(img.dtype):
        raise TypeError("Threshold should be less than bound of img.")
    return torch.where(img >= threshold, _largest(img.dtype) - img, img)


@_by_kind(_pil.adjust_sharpness)
def adjust_sharpness(img, sharpness_factor):
    """0 blurs, 1 changes nothing, more sharpens."""
    factor = _not_negative("sharpness_factor", sharpness_factor)
    _channels_are(img, 1, 3)
    if min(img.shape[-2:]) <= 2:
        return img
    floats, back = _as_floats(img)
    kernel = torch.ones((3, 3), dtype=floats.dtype, device=img.device)
    kernel[1, 1] = 5.0
    kernel = (kernel / kernel.sum()).expand(floats.shape[1], 1, 3, 3)
    # The border has no neighbors on all sides and stays as it is.
    blurred = floats.clone()
    blurred[..., 1:-1, 1:-1] = nnf.conv2d(floats, kernel, groups=floats.shape[1])
    return _blend(img, back(blurred), factor)


@_by_kind(_pil.autocontrast)
def autocontrast(img):
    """Each channel stretched from 0 to the largest value."""
    _channels_are(img, 1, 3)
    bound = _largest(img.dtype)
    floats = img if img.is_floating_point() else img.to(torch.float32)
    low, high = floats.amin(dim=(-2, -1), keepdim=True), floats.amax(dim=(-2, -1), keepdim=True)
    flat = low == high
    scale = bound / torch.where(flat, torch.full_like(high, bound), high - low)
    scale = torch.where(flat, torch.ones_like(scale), scale)
    low = torch.where(flat, torch.zeros_like(low), low)
    return ((floats - low) * scale).clamp(0, bound).to(img.dtype)


@_by_kind(_pil.equalize)
def equalize(img):
    """uint8 channels whose values are spread evenly."""
    _channels_are(img, 1, 3)
    if img.dtype != torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    flat = img.reshape(-1, *img.shape[-2:])
    return torch.stack([_equalized(channel) for channel in flat]).reshape(img.shape)


def _equalized(channel):
    counts = torch.bincount(channel.reshape(-1).to(torch.int64), minlength=256)
    step = torch.div(counts[counts != 0][:-1].sum(), 255, rounding_mode="floor")
    if step == 0:
        return channel
    table = torch.div(counts.cumsum(0) + step // 2, step, rounding_mode="floor")
    table = nnf.pad(table, [1, 0])[:-1].clamp(0, 255)
    return table[channel.to(torch.int64)].to(torch.uint8)


# ---- the rest --------------------------------------------------------------------------------------------------------


@_by_kind(_as_tensors)
def gaussian_blur(img, kernel_size, sigma=None):
    """`kernel_size` and `sigma`: one number, or (x, y)."""
    sizes = [kernel_size] * 2 if isinstance(kernel_size, int) else list(kernel_size)
    if len(sizes) != 2:
        raise ValueError(f"If kernel_size is a sequence its length should be 2. Got {len(sizes)}")
    for size in sizes:
        if size % 2 == 0 or size < 0:
            raise ValueError(f"kernel_size should have odd and positive integers. Got {sizes}")
    if sigma is None:
        sigma = [size * 0.15 + 0.35 for size in sizes]
    sigmas = [float(sigma)] * 2 if isinstance(sigma, (int, float)) else list(sigma) * (2 // len(sigma))
    for one in sigmas:
        if one <= 0.0:
            raise ValueError(f"sigma should have positive values. Got {sigmas}")
    floats, back = _as_floats(img)
    x, y = (_bell(size, one, floats) for size, one in zip(sizes, sigmas))
    kernel = torch.mm(y[:, None], x[None, :]).expand(floats.shape[1], 1, sizes[1], sizes[0])
    border = [sizes[0] // 2, sizes[0] // 2, sizes[1] // 2, sizes[1] // 2]
    return back(nnf.conv2d(nnf.pad(floats, border, mode="reflect"), kernel, groups=floats.shape[1]))


def _bell(size, sigma, like):
    half = (size - 1) * 0.5
    x = torch.linspace(-half, half, steps=size, dtype=like.dtype, device=like.device)
    weights = torch.exp(-0.5 * (x / sigma).pow(2))
    return weights / weights.sum()


def erase(img, i, j, h, w, v, inplace=False):
    """The tensor with the rectangle at (i, j) set to `v`."""
    if not isinstance(img, torch.Tensor):
        raise TypeError("img should be Tensor or PIL Image" if not is_image(img) else "erase needs a tensor, not an image")
    if not inplace:
        img = img.clone()
    img[..., i : i + h, j : j + w] = v
    return img
