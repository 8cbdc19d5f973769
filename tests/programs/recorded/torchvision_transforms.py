"""Transforms of tensors. torchvision recorded `torchvision_transforms.txt` from this file."""

import random

import numpy as np
import torch
from torchvision import transforms as T
from torchvision.transforms import functional as F, v2

IM = T.InterpolationMode


def show(x):
    if isinstance(x, (tuple, list)):
        return [show(y) for y in x]
    if not isinstance(x, torch.Tensor):
        return x
    weights = torch.arange(1, x.numel() + 1).reshape(x.shape) % 97
    return [str(x.dtype), list(x.shape), f"{(x.double() * weights).sum().item():.3g}", f"{x.double().mean().item():.4f}"]


def say(name, f):
    torch.manual_seed(7)
    random.seed(3)
    try:
        r = show(f())
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r, torch.randint(0, 1000, (1,)).item())


u8 = (torch.arange(3 * 14 * 18) * 37 % 256).to(torch.uint8).reshape(3, 14, 18)
fl = u8.float() / 255
array = np.arange(5 * 4 * 3, dtype=np.uint8).reshape(5, 4, 3)
say("ToTensor", lambda: T.ToTensor()(array))
say("ToTensor 2d", lambda: T.ToTensor()(array[:, :, 0]))
say("ToTensor float", lambda: T.ToTensor()(array.astype(np.float32)))
say("ToTensor tensor", lambda: T.ToTensor()(np.zeros(3)))
every = {
    "normalize": T.Normalize((0.5, 0.4, 0.3), (0.2, 0.3, 0.4)),
    "resize": T.Resize(9), "resize2": T.Resize((20, 11)), "resize max": T.Resize(10, max_size=12),
    "resize nearest": T.Resize((7, 30), interpolation=IM.NEAREST), "resize bicubic": T.Resize((7, 30), interpolation=IM.BICUBIC),
    "resize no": T.Resize((7, 9), antialias=False), "resize same": T.Resize((14, 18)),
    "center": T.CenterCrop(8), "center big": T.CenterCrop((21, 9)), "center odd": T.CenterCrop((7, 5)),
    "pad": T.Pad(2), "pad2": T.Pad((1, 2), fill=3), "pad4": T.Pad((1, 2, 3, 4), padding_mode="edge"),
    "pad reflect": T.Pad(3, padding_mode="reflect"), "pad symmetric": T.Pad((4, 1, 2, 3), padding_mode="symmetric"),
    "crop": T.RandomCrop(8), "crop pad": T.RandomCrop((14, 18), padding=2), "crop need": T.RandomCrop((20, 12), pad_if_needed=True),
    "crop row": T.RandomCrop((14, 9)), "crop big": T.RandomCrop(99), "hflip": T.RandomHorizontalFlip(), "vflip": T.RandomVerticalFlip(0.9),
    "rrc": T.RandomResizedCrop(8), "rrc2": T.RandomResizedCrop((6, 7), scale=(0.5, 0.6), ratio=(1.0, 1.0)),
    "rrc fall": T.RandomResizedCrop(5, scale=(2.0, 3.0)), "rotate": T.RandomRotation(30),
    "rotate expand": T.RandomRotation((10, 80), interpolation=IM.BILINEAR, expand=True, fill=0.5), "rotate center": T.RandomRotation(45, center=(2, 3)),
    "affine": T.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 10), "affine2": T.RandomAffine(0, shear=(1, 5, -9, 3), interpolation=IM.BILINEAR, fill=1),
    "jitter": T.ColorJitter(0.4, 0.3, 0.2, 0.1), "jitter2": T.ColorJitter(brightness=(0.5, 0.6)), "gray": T.Grayscale(), "gray3": T.Grayscale(3),
    "rgray": T.RandomGrayscale(0.7), "erase": T.RandomErasing(0.9), "erase random": T.RandomErasing(1, value="random"), "erase three": T.RandomErasing(1, value=(1, 2, 3)),
    "blur": T.GaussianBlur(5), "blur2": T.GaussianBlur((3, 5), 0.7), "invert": T.RandomInvert(1), "posterize": T.RandomPosterize(2, 1), "solarize": T.RandomSolarize(0.5, 1),
    "sharp": T.RandomAdjustSharpness(2, 1), "auto": T.RandomAutocontrast(1), "equalize": T.RandomEqualize(1), "dtype": T.ConvertImageDtype(torch.int16), "five": T.FiveCrop(5), "ten": T.TenCrop((4, 6)),
    "apply": T.RandomApply([T.ColorJitter(0.5), T.Grayscale()], 0.6), "choice": T.RandomChoice([T.CenterCrop(3), T.Pad(1)]), "order": T.RandomOrder([T.CenterCrop(6), T.Pad(1)]),
    "compose": T.Compose([T.RandomCrop(9), T.RandomHorizontalFlip(), T.ConvertImageDtype(torch.float), T.Normalize([0.5], [0.5])]), "lambda": T.Lambda(lambda x: x + 1),
}
for name, t in every.items():
    print(repr(t) if not isinstance(t, T.Lambda) else "Lambda()")
    say(name + " float", lambda: t(fl))
    say(name + " uint8", lambda: t(u8))
say("batch", lambda: T.RandomCrop(5)(fl.expand(2, 3, 14, 18)))
for f in (lambda: T.Resize((1, 2, 3)), lambda: T.Pad("a"), lambda: T.ColorJitter(-1), lambda: T.ColorJitter(hue=0.7), lambda: T.RandomErasing(2),
          lambda: T.GaussianBlur(4), lambda: T.RandomRotation(-1), lambda: F.hflip(3), lambda: T.ToTensor()(fl), lambda: F.adjust_hue(fl, 0.3), lambda: F.crop(fl, -2, -1, 20, 25),
          lambda: F.adjust_gamma if False else F.rotate(u8, 90, expand=True), lambda: F.get_dimensions(fl), lambda: F.get_image_size(fl), lambda: F.to_tensor(3)):
    say("call", f)
print("==== v2")
labels = torch.tensor([0, 2])
second = {
    "compose": v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(mean=[0.5], std=[0.5])]), "resize": v2.Resize(9),
    "crop": v2.RandomCrop(8), "crop row": v2.RandomCrop((14, 9)), "flip": v2.RandomHorizontalFlip(0.7), "rrc": v2.RandomResizedCrop((6, 7)), "rotation": v2.RandomRotation(15),
    "jitter": v2.ColorJitter(0.4, 0.3), "gray": v2.RandomGrayscale(0.5), "erase": v2.RandomErasing(1), "choice": v2.RandomChoice([v2.CenterCrop(3), v2.Pad(1)]),
    "order": v2.RandomOrder([v2.CenterCrop(6), v2.Pad(1)]), "apply": v2.RandomApply([v2.CenterCrop(6)], 0.8), "identity": v2.Identity(), "dtype": v2.ToDtype(torch.uint8, scale=True),
}
for name, t in second.items():
    say(name, lambda: t(fl))
    say(name + " pair", lambda: t(fl, 3))
for name in ("compose", "resize", "flip", "dtype", "identity"):
    print(second[name])
batch = torch.stack([fl, 1 - fl])
say("mixup", lambda: v2.MixUp(num_classes=3)(batch, labels))
say("cutmix", lambda: v2.CutMix(num_classes=3, alpha=2.0)(batch, labels))
say("cutmix none", lambda: v2.CutMix()(batch, labels))
