"""MobileNetV2."""

from torch import flatten, nn

from torchvision.models._weights import builder, imagenet, weights_of
from torchvision.ops.misc import Conv2dNormActivation

__all__ = ["MobileNetV2", "MobileNet_V2_Weights", "mobilenet_v2"]


def make_divisible(v, divisor, min_value=None):
    """`v` rounded to a multiple of `divisor`, but never down by more than 10 %."""
    new = max(min_value or divisor, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * v else new


class InvertedResidual(nn.Module):
    def __init__(self, inp, oup, stride, expand_ratio, norm_layer=nn.BatchNorm2d):
        super().__init__()
        if stride not in [1, 2]:
            raise ValueError(f"stride should be 1 or 2 instead of {stride}")
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        hidden = int(round(inp * expand_ratio))
        common = {"norm_layer": norm_layer, "activation_layer": nn.ReLU6}
        layers = [] if expand_ratio == 1 else [Conv2dNormActivation(inp, hidden, kernel_size=1, **common)]
        layers.append(Conv2dNormActivation(hidden, hidden, stride=stride, groups=hidden, **common))
        layers += [nn.Conv2d(hidden, oup, 1, 1, 0, bias=False), norm_layer(oup)]
        self.conv = nn.Sequential(*layers)
        self.out_channels = oup
        self._is_cn = stride > 1

    def forward(self, x):
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Module):
    """Images (N, 3, H, W) to scores (N, num_classes)."""

    def __init__(
        self,
        num_classes=1000,
        width_mult=1.0,
        inverted_residual_setting=None,
        round_nearest=8,
        block=InvertedResidual,
        norm_layer=nn.BatchNorm2d,
        dropout=0.2,
    ):
        super().__init__()
        # For each stage: expansion, channels, blocks, stride of the first one.
        stages = inverted_residual_setting or [
            [1, 16, 1, 1],
            [6, 24, 2, 2],
            [6, 32, 3, 2],
            [6, 64, 4, 2],
            [6, 96, 3, 1],
            [6, 160, 3, 2],
            [6, 320, 1, 1],
        ]
        width = make_divisible(32 * width_mult, round_nearest)
        self.last_channel = make_divisible(1280 * max(1.0, width_mult), round_nearest)
        common = {"norm_layer": norm_layer, "activation_layer": nn.ReLU6}
        layers = [Conv2dNormActivation(3, width, stride=2, **common)]
        for t, c, n, s in stages:
            out = make_divisible(c * width_mult, round_nearest)
            for i in range(n):
                layers.append(block(width, out, s if i == 0 else 1, expand_ratio=t, norm_layer=norm_layer))
                width = out
        layers.append(Conv2dNormActivation(width, self.last_channel, kernel_size=1, **common))
        self.features = nn.Sequential(*layers)
        self.classifier = nn.Sequential(nn.Dropout(p=dropout), nn.Linear(self.last_channel, num_classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
                nn.init.zeros_(m.bias)

    def forward(self, x):
        x = nn.functional.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(flatten(x, 1))


MobileNet_V2_Weights = weights_of("MobileNet_V2_Weights", imagenet(2), "IMAGENET1K_V2")


@builder(MobileNet_V2_Weights)
def mobilenet_v2(**kwargs):
    return MobileNetV2(**kwargs)
