"""SqueezeNet."""

import torch
from torch import nn

from torchvision.models._weights import builder, imagenet, weights_of

__all__ = ["SqueezeNet", "SqueezeNet1_0_Weights", "SqueezeNet1_1_Weights", "squeezenet1_0", "squeezenet1_1"]


class Fire(nn.Module):
    def __init__(self, inplanes, squeeze_planes, expand1x1_planes, expand3x3_planes):
        super().__init__()
        self.inplanes = inplanes
        self.squeeze = nn.Conv2d(inplanes, squeeze_planes, kernel_size=1)
        self.squeeze_activation = nn.ReLU(inplace=True)
        self.expand1x1 = nn.Conv2d(squeeze_planes, expand1x1_planes, kernel_size=1)
        self.expand1x1_activation = nn.ReLU(inplace=True)
        self.expand3x3 = nn.Conv2d(squeeze_planes, expand3x3_planes, kernel_size=3, padding=1)
        self.expand3x3_activation = nn.ReLU(inplace=True)

    def forward(self, x):
        x = self.squeeze_activation(self.squeeze(x))
        return torch.cat([self.expand1x1_activation(self.expand1x1(x)), self.expand3x3_activation(self.expand3x3(x))], 1)


class SqueezeNet(nn.Module):
    """Images (N, 3, H, W) to scores (N, num_classes)."""

    def __init__(self, version="1_0", num_classes=1000, dropout=0.5):
        super().__init__()
        self.num_classes = num_classes
        if version == "1_0":
            first, pools = nn.Conv2d(3, 96, kernel_size=7, stride=2), (0, 3, 7)
        elif version == "1_1":
            first, pools = nn.Conv2d(3, 64, kernel_size=3, stride=2), (0, 2, 4)
        else:
            raise ValueError(f"Unsupported SqueezeNet version {version}: 1_0 or 1_1 expected")
        layers = [first, nn.ReLU(inplace=True)]
        before = first.out_channels
        for at, squeeze in enumerate((0, 16, 16, 32, 32, 48, 48, 64, 64)):
            if squeeze:
                layers.append(Fire(before, squeeze, squeeze * 4, squeeze * 4))
                before = squeeze * 8
            if at in pools:
                layers.append(nn.MaxPool2d(kernel_size=3, stride=2, ceil_mode=True))
        self.features = nn.Sequential(*layers)
        last = nn.Conv2d(512, num_classes, kernel_size=1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), last, nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d((1, 1)))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                if m is last:
                    nn.init.normal_(m.weight, mean=0.0, std=0.01)
                else:
                    nn.init.kaiming_uniform_(m.weight)
                if m.bias is not None:
                    nn.init.constant_(m.bias, 0)

    def forward(self, x):
        return torch.flatten(self.classifier(self.features(x)), 1)


SqueezeNet1_0_Weights = weights_of("SqueezeNet1_0_Weights", imagenet(), "IMAGENET1K_V1")
SqueezeNet1_1_Weights = weights_of("SqueezeNet1_1_Weights", imagenet(), "IMAGENET1K_V1")


@builder(SqueezeNet1_0_Weights)
def squeezenet1_0(**kwargs):
    return SqueezeNet("1_0", **kwargs)


@builder(SqueezeNet1_1_Weights)
def squeezenet1_1(**kwargs):
    return SqueezeNet("1_1", **kwargs)
