"""Transforms of PIL images. torchvision recorded `torchvision_images.txt` from this file."""

import random
import warnings
import zlib

import numpy as np
import torch
from PIL import Image
from torchvision import datasets, transforms as T
from torchvision.transforms import functional as F, v2

warnings.simplefilter("ignore")
IM = T.InterpolationMode


def show(x):
    if isinstance(x, (tuple, list)):
        return [show(y) for y in x]
    if isinstance(x, Image.Image):
        return [x.mode, x.size, zlib.crc32(x.tobytes())]
    if isinstance(x, torch.Tensor):
        return [str(x.dtype), list(x.shape), f"{x.double().sum().item():.4f}"]
    return x


def say(name, f):
    torch.manual_seed(7)
    random.seed(3)
    try:
        r = show(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r, torch.randint(0, 1000, (1,)).item())


array = ((np.arange(14 * 18 * 4) * 7919 + np.arange(14 * 18 * 4) // 13 * 31) % 251).astype(np.uint8).reshape(14, 18, 4)
rgb = Image.fromarray(np.ascontiguousarray(array[:, :, :3]))
gray = Image.fromarray(np.ascontiguousarray(array[:, :, 0]))
rgba = Image.fromarray(array)
every = {
    "resize": T.Resize(9), "resize2": T.Resize((20, 11)), "resize max": T.Resize(10, max_size=12), "resize same": T.Resize((14, 18)),
    "nearest": T.Resize((7, 30), interpolation=IM.NEAREST), "bicubic": T.Resize((7, 30), interpolation=IM.BICUBIC),
    "lanczos": T.Resize((7, 30), interpolation=IM.LANCZOS), "box": T.Resize(6, interpolation=IM.BOX), "number": T.Resize(6, interpolation=3),
    "center": T.CenterCrop(8), "center big": T.CenterCrop((21, 9)), "center odd": T.CenterCrop((7, 5)),
    "pad": T.Pad(2), "pad2": T.Pad((1, 2), fill=3), "pad edge": T.Pad((1, 2, 3, 4), padding_mode="edge"),
    "pad reflect": T.Pad(3, padding_mode="reflect"), "pad symmetric": T.Pad((4, 1, 2, 3), padding_mode="symmetric"),
    "pad colors": T.Pad(1, fill=(1, 2, 3)), "crop": T.RandomCrop(8), "crop pad": T.RandomCrop((14, 18), padding=2),
    "crop need": T.RandomCrop((20, 12), pad_if_needed=True), "crop big": T.RandomCrop(99),
    "hflip": T.RandomHorizontalFlip(), "vflip": T.RandomVerticalFlip(0.9), "rrc": T.RandomResizedCrop(8),
    "rotate": T.RandomRotation(30), "rotate expand": T.RandomRotation((10, 80), interpolation=IM.BILINEAR, expand=True, fill=50),
    "rotate center": T.RandomRotation(45, center=(2, 3)), "rotate bicubic": T.RandomRotation(45, interpolation=IM.BICUBIC),
    "affine": T.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10), "affine2": T.RandomAffine(0, shear=(1, 5, -9, 3), interpolation=IM.BILINEAR, fill=1),
    "affine center": T.RandomAffine(30, center=(0, 0)), "jitter": T.ColorJitter(0.4, 0.3, 0.2, 0.1), "jitter2": T.ColorJitter(brightness=(0.5, 0.6)),
    "hue": T.ColorJitter(hue=0.4), "gray": T.Grayscale(), "gray3": T.Grayscale(3), "rgray": T.RandomGrayscale(0.9),
    "invert": T.RandomInvert(1), "posterize": T.RandomPosterize(2, 1), "solarize": T.RandomSolarize(128, 1),
    "sharp": T.RandomAdjustSharpness(2, 1), "auto": T.RandomAutocontrast(1), "equalize": T.RandomEqualize(1), "five": T.FiveCrop(5), "ten": T.TenCrop((4, 6)),
    "to tensor": T.ToTensor(), "pil to tensor": T.PILToTensor(), "back": T.Compose([T.ToTensor(), T.ToPILImage()]),
    "compose": T.Compose([T.Resize(12), T.RandomCrop(9), T.RandomHorizontalFlip(), T.ToTensor(), T.Normalize(0.5, 0.5)]),
    "normalize": T.Normalize(0.5, 0.5), "dtype": T.ConvertImageDtype(torch.float),
}
for name, t in every.items():
    for kind, image in (("rgb", rgb), ("gray", gray), ("rgba", rgba)):
        if (name, kind) not in (("jitter", "rgba"), ("hue", "rgba")):
            say(f"{name} {kind}", lambda: t(image))
for image in (gray.convert("1"), gray.convert("I"), gray.convert("F"), gray.convert("LA")):
    say(f"to_tensor {image.mode}", lambda: F.to_tensor(image))
    say(f"pil_to_tensor {image.mode}", lambda: F.pil_to_tensor(image))
for x in (torch.rand(3, 4, 5), torch.rand(1, 4, 5), torch.rand(4, 5), torch.rand(4, 4, 5), torch.rand(2, 4, 5), torch.rand(5, 4, 5), torch.zeros(3, 4, 5, dtype=torch.uint8),
          torch.zeros(1, 4, 5, dtype=torch.int32), torch.zeros(1, 4, 5, dtype=torch.int16), torch.zeros(3, 4, 5, dtype=torch.int64),
          np.zeros((4, 5, 3), np.uint8), np.linspace(0, 1, 20).reshape(4, 5).astype(np.float32), np.linspace(0, 1, 60).reshape(4, 5, 3), np.zeros(4), "text"):
    say(f"to_pil_image {getattr(x, 'shape', x)} {getattr(x, 'dtype', '')}", lambda: T.ToPILImage()(x))
say("mode F", lambda: F.to_pil_image(torch.ones(1, 2, 3), "F"))
say("mode HSV", lambda: F.to_pil_image(torch.ones(3, 2, 3), "HSV"))
say("mode L", lambda: F.to_pil_image(torch.ones(3, 2, 3), "L"))
say("mode RGB", lambda: F.to_pil_image(torch.ones(1, 2, 3), "RGB"))
for factor in (0, 0.5, 1, 2):
    say(f"adjust {factor}", lambda: [f(rgb, factor) for f in (F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_sharpness)])
for factor in (-0.5, -0.1, 0, 0.3, 0.6):
    say(f"hue {factor}", lambda: F.adjust_hue(rgb, factor))
say("sizes", lambda: [F.get_dimensions(rgb), F.get_image_size(rgb), F.get_image_num_channels(rgba)])
say("crop outside", lambda: F.crop(rgb, -2, 15, 9, 9))
say("resized crop", lambda: F.resized_crop(rgb, 2, 3, 9, 8, [5, 6]))
say("rotate 90", lambda: F.rotate(rgb, 90, expand=True))
say("rotate fill", lambda: F.rotate(rgb, 20, fill=(1, 2, 3)))
say("rotate fills", lambda: F.rotate(rgb, 20, fill=(1, 2)))
say("affine zero", lambda: F.affine(rgb, 0, (0, 0), 1.0, (0, 0)))
say("not an image", lambda: F.hflip("x"))
say("gray channels", lambda: F.to_grayscale(rgb, 2))
say("v2", lambda: v2.Compose([v2.Resize(8), v2.RandomHorizontalFlip(1), v2.PILToTensor()])(rgb))
say("v2 pil", lambda: v2.Resize((5, 6))(rgb))
data = datasets.FakeData(3, (3, 8, 9), 4)
say("fake data", lambda: data[0])
say("fake data tensor", lambda: datasets.FakeData(3, (3, 8, 9), 4, T.ToTensor())[1])
