"""VGG."""

from torch import flatten, nn

from torchvision.models._weights import builder, imagenet, weights_of

__all__ = ["VGG"] + [f"VGG{n}{bn}_Weights" for n in (11, 13, 16, 19) for bn in ("", "_BN")]
__all__ += [f"vgg{n}{bn}" for n in (11, 13, 16, 19) for bn in ("", "_bn")]

# How many convolutions each of the five stages has.
_DEPTHS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}


class VGG(nn.Module):
    """Images (N, 3, H, W), 32 pixels high and wide at least, to scores (N, num_classes)."""

    def __init__(self, features, num_classes=1000, init_weights=True, dropout=0.5):
        super().__init__()
        self.features = features
        self.avgpool = nn.AdaptiveAvgPool2d((7, 7))
        self.classifier = nn.Sequential(
            nn.Linear(512 * 7 * 7, 4096),
            nn.ReLU(True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, num_classes),
        )
        if not init_weights:
            return
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def _features(depth, batch_norm):
    layers, before = [], 3
    for count, width in zip(_DEPTHS[depth], (64, 128, 256, 512, 512)):
        for _ in range(count):
            layers.append(nn.Conv2d(before, width, kernel_size=3, padding=1))
            if batch_norm:
                layers.append(nn.BatchNorm2d(width))
            layers.append(nn.ReLU(inplace=True))
            before = width
        layers.append(nn.MaxPool2d(kernel_size=2, stride=2))
    return nn.Sequential(*layers)


def _add(depth, batch_norm):
    name = f"vgg{depth}{'_bn' if batch_norm else ''}"
    entries = imagenet()
    if name == "vgg16":
        entries["IMAGENET1K_FEATURES"] = {
            "crop_size": 224,
            "mean": (0.48235, 0.45882, 0.40784),
            "std": (1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0),
        }
    weights = weights_of(f"{name.upper()}_Weights", entries, "IMAGENET1K_V1")

    def build(**kwargs):
        return VGG(_features(depth, batch_norm), **kwargs)

    build.__name__ = build.__qualname__ = name
    globals()[weights.__name__] = weights
    globals()[name] = builder(weights)(build)


for _depth in _DEPTHS:
    _add(_depth, False)
    _add(_depth, True)
