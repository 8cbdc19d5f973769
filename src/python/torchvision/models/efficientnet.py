"""EfficientNet."""

import math
from functools import partial

from torch import flatten, nn

from torchvision.models._weights import builder, imagenet, weights_of
from torchvision.models.mobilenetv2 import make_divisible
from torchvision.ops.misc import Conv2dNormActivation, SqueezeExcitation, StochasticDepth
from torchvision.transforms.functional import InterpolationMode

__all__ = ["EfficientNet"] + [f"EfficientNet_B{n}_Weights" for n in (0, 1, 2)] + [f"efficientnet_b{n}" for n in (0, 1, 2)]

# For each stage of B0: expansion, kernel, stride, channels before, channels after, blocks.
_STAGES = (
    (1, 3, 1, 32, 16, 1),
    (6, 3, 2, 16, 24, 2),
    (6, 5, 2, 24, 40, 2),
    (6, 3, 2, 40, 80, 3),
    (6, 5, 1, 80, 112, 3),
    (6, 5, 2, 112, 192, 4),
    (6, 3, 1, 192, 320, 1),
)


class MBConv(nn.Module):
    def __init__(self, expand, kernel, stride, width, out, stochastic_depth_prob, norm_layer):
        super().__init__()
        self.use_res_connect = stride == 1 and width == out
        expanded = make_divisible(width * expand, 8)
        common = {"norm_layer": norm_layer, "activation_layer": nn.SiLU}
        layers = []
        if expanded != width:
            layers.append(Conv2dNormActivation(width, expanded, kernel_size=1, **common))
        layers.append(Conv2dNormActivation(expanded, expanded, kernel_size=kernel, stride=stride, groups=expanded, **common))
        layers.append(SqueezeExcitation(expanded, max(1, width // 4), activation=partial(nn.SiLU, inplace=True)))
        layers.append(
            Conv2dNormActivation(expanded, out, kernel_size=1, norm_layer=norm_layer, activation_layer=None)
        )
        self.block = nn.Sequential(*layers)
        self.stochastic_depth = StochasticDepth(stochastic_depth_prob, "row")
        self.out_channels = out

    def forward(self, input):
        result = self.block(input)
        return self.stochastic_depth(result) + input if self.use_res_connect else result


class EfficientNet(nn.Module):
    """Images (N, 3, H, W) to scores (N, num_classes). `width_mult` and `depth_mult` scale the channels and blocks of B0."""

    def __init__(self, width_mult, depth_mult, dropout, stochastic_depth_prob=0.2, num_classes=1000, norm_layer=None):
        super().__init__()
        norm_layer = norm_layer or nn.BatchNorm2d

        def wide(channels):
            return make_divisible(channels * width_mult, 8)

        common = {"norm_layer": norm_layer, "activation_layer": nn.SiLU}
        layers = [Conv2dNormActivation(3, wide(32), kernel_size=3, stride=2, **common)]
        counts = [math.ceil(stage[-1] * depth_mult) for stage in _STAGES]
        done = 0
        for (expand, kernel, stride, before, out, _), count in zip(_STAGES, counts):
            blocks = []
            for i in range(count):
                prob = stochastic_depth_prob * float(done) / sum(counts)
                first = i == 0
                blocks.append(
                    MBConv(
                        expand, kernel, stride if first else 1, wide(before if first else out), wide(out), prob, norm_layer
                    )
                )
                done += 1
            layers.append(nn.Sequential(*blocks))
        last = wide(_STAGES[-1][4])
        layers.append(Conv2dNormActivation(last, 4 * last, kernel_size=1, **common))
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout, inplace=True), nn.Linear(4 * last, num_classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                bound = 1.0 / math.sqrt(m.out_features)
                nn.init.uniform_(m.weight, -bound, bound)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


def _prepared(crop, resize):
    return {"crop_size": crop, "resize_size": resize, "interpolation": InterpolationMode.BICUBIC}


EfficientNet_B0_Weights = weights_of("EfficientNet_B0_Weights", imagenet(**_prepared(224, 256)), "IMAGENET1K_V1")
EfficientNet_B1_Weights = weights_of(
    "EfficientNet_B1_Weights",
    {
        "IMAGENET1K_V1": _prepared(240, 256),
        "IMAGENET1K_V2": {"crop_size": 240, "resize_size": 255, "interpolation": InterpolationMode.BILINEAR},
    },
    "IMAGENET1K_V2",
)
EfficientNet_B2_Weights = weights_of("EfficientNet_B2_Weights", imagenet(**_prepared(288, 288)), "IMAGENET1K_V1")


@builder(EfficientNet_B0_Weights)
def efficientnet_b0(**kwargs):
    return EfficientNet(1.0, 1.0, kwargs.pop("dropout", 0.2), **kwargs)


@builder(EfficientNet_B1_Weights)
def efficientnet_b1(**kwargs):
    return EfficientNet(1.0, 1.1, kwargs.pop("dropout", 0.2), **kwargs)


@builder(EfficientNet_B2_Weights)
def efficientnet_b2(**kwargs):
    return EfficientNet(1.1, 1.2, kwargs.pop("dropout", 0.3), **kwargs)
