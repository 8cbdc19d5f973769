"""Models, grids and data sets. torchvision recorded `torchvision_models.txt` from this file."""

import os
import pickle
import struct
import tempfile
import zlib

import torch
import torchvision
from torch import nn
from torchvision import datasets, io, models, ops, transforms, utils


def crc(text):
    return zlib.crc32(text.encode())


def say(name, f):
    try:
        r = f()
    except Exception as e:
        r = f"{type(e).__name__}: {e}"
    print(name, "->", r)


names = """alexnet vgg11 vgg13 vgg16 vgg19 vgg11_bn vgg13_bn vgg16_bn vgg19_bn resnet18 resnet34 resnet50 resnet101 resnet152
resnext50_32x4d wide_resnet50_2 mobilenet_v2 squeezenet1_0 squeezenet1_1 densenet121 efficientnet_b0 efficientnet_b1
efficientnet_b2""".split()
for name in names:
    with torch.device("meta"):
        model = models.get_model(name, weights=None)
    state = [(k, tuple(v.shape)) for k, v in model.state_dict().items()]
    print(name, sum(p.numel() for p in model.parameters()), len(state), crc(repr(state)), crc(repr(model)))
vit = models.VisionTransformer(32, 16, 2, 4, 32, 64, num_classes=3)
print(crc(repr([(k, tuple(v.shape)) for k, v in vit.state_dict().items()])), crc(repr(vit)), vit(torch.ones(2, 3, 32, 32)).shape)
for name in ("ResNet18", "ResNet50", "EfficientNet_B0", "EfficientNet_B1", "ViT_B_16", "VGG16", "AlexNet", "MobileNet_V2"):
    weights = getattr(models, f"{name}_Weights")
    print(weights.DEFAULT, weights.DEFAULT is weights.IMAGENET1K_V1, [w.name for w in weights], weights.DEFAULT.transforms())
torch.manual_seed(0)
for name in ("squeezenet1_1", "mobilenet_v2"):
    model = models.get_model(name, num_classes=5)
    print(name, f"{sum(p.double().abs().sum().item() for p in model.parameters()):.5g}", torch.randint(0, 1000, (1,)).item())
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()) % 7 - 3).reshape(p.shape) / (p[0].numel() + 3.0) + (0.5 if p.dim() == 1 else 0))
        print([f"{v:.3g}" for v in model.eval()(torch.arange(3 * 64 * 64).reshape(1, 3, 64, 64) % 11 / 10.0)[0].tolist()])
torch.manual_seed(1)
block = models.resnet.BasicBlock(8, 8)
print(block, f"{block.eval()(torch.ones(1, 8, 5, 5)).sum().item():.4f}")
print("==== utils")
t = torch.arange(5 * 3 * 2 * 4).reshape(5, 3, 2, 4) / 120.0
for kwargs in ({}, {"nrow": 2}, {"nrow": 3, "padding": 1, "pad_value": 0.5}, {"normalize": True}, {"normalize": True, "scale_each": True}, {"normalize": True, "value_range": (0.2, 0.6)}):
    grid = utils.make_grid(t, **kwargs)
    print(kwargs, grid.shape, f"{(grid.double() * torch.arange(grid.numel()).reshape(grid.shape)).sum().item():.6g}")
for x in (t[0], t[0, 0], t[:, :1], t[:1], list(t)):
    print(utils.make_grid(x).shape)
boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 10, 11], [20, 20, 30, 30], [0, 0, 10, 9.5]])
print(ops.box_iou(boxes, boxes[:2]), ops.box_area(boxes))
print("==== data sets")
root = tempfile.mkdtemp()
for cls in (datasets.MNIST, datasets.FashionMNIST):
    raw = os.path.join(root, cls.__name__, "raw")
    os.makedirs(raw)
    for part, count in (("train", 3), ("t10k", 2)):
        with open(os.path.join(raw, f"{part}-images-idx3-ubyte"), "wb") as f:
            f.write(struct.pack(">IIII", 0x803, count, 28, 28) + bytes(i * 7 % 256 for i in range(count * 784)))
        with open(os.path.join(raw, f"{part}-labels-idx1-ubyte"), "wb") as f:
            f.write(struct.pack(">II", 0x801, count) + bytes(range(4, 4 + count)))
    for train in (True, False):
        data = cls(root, train=train, transform=transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)]), download=True)
        image, target = data[1]
        print(repr(data).replace(root, "ROOT"), image.shape, f"{image.sum().item():.3f}", target, data.classes, data.data.shape, data.targets, data.targets.dtype)
    image, target = cls(root)[0]
    print(image.mode, image.size, image.getpixel((3, 2)), target, transforms.ToTensor()(image).dtype, len(image.tobytes()))
say("none", lambda: datasets.KMNIST(root))
say("none", lambda: datasets.CIFAR10(root))
fake = datasets.FakeData(4, (3, 6, 5), 10, transforms.ToTensor())
print([(f"{image.sum().item():.3f}", target) for image, target in (fake[i] for i in range(3))], len(fake), fake)
loader = torch.utils.data.DataLoader(fake, batch_size=2)
print([(x.shape, y) for x, y in loader])
small = (torch.arange(3 * 5 * 4) * 4).to(torch.uint8).reshape(3, 5, 4)
for name in ("cat/a.png", "cat/b/c.png", "dog/a.png"):
    path = os.path.join(root, "folder", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    utils.save_image(small / 255, path)
print((io.read_image(path) == small).all(), io.read_image(path, io.ImageReadMode.GRAY).shape)
folder = datasets.ImageFolder(os.path.join(root, "folder"), transforms.ToTensor())
print(folder.classes, folder.class_to_idx, [s[0][len(root):] for s in folder.samples], folder.targets, folder[2][0].sum(), folder[2][1])
for name in ("ResNet50_Weights.DEFAULT", "ResNet50_Weights.IMAGENET1K_V1", "ResNet50", "Nope_Weights.DEFAULT", "ResNet50_Weights.NOPE"):
    say(name, lambda: models.get_weight(name))
