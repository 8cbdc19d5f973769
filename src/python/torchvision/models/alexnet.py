"""AlexNet."""

from torch import flatten, nn

from torchvision.models._weights import builder, imagenet, weights_of

__all__ = ["AlexNet", "AlexNet_Weights", "alexnet"]


class AlexNet(nn.Module):
    """Images (N, 3, H, W), 63 pixels high and wide at least, to scores (N, num_classes)."""

    def __init__(self, num_classes=1000, dropout=0.5):
        super().__init__()
        layers = []
        before = 3
        for out, kernel, stride, padding, pool in (
            (64, 11, 4, 2, True),
            (192, 5, 1, 2, True),
            (384, 3, 1, 1, False),
            (256, 3, 1, 1, False),
            (256, 3, 1, 1, True),
        ):
            layers += [nn.Conv2d(before, out, kernel, stride, padding), nn.ReLU(inplace=True)]
            if pool:
                layers.append(nn.MaxPool2d(kernel_size=3, stride=2))
            before = out
        self.features = nn.Sequential(*layers)
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(p=dropout),
            nn.Linear(256 * 6 * 6, 4096),
            nn.ReLU(inplace=True),
            nn.Dropout(p=dropout),
            nn.Linear(4096, 4096),
            nn.ReLU(inplace=True),
            nn.Linear(4096, num_classes),
        )

    def forward(self, x):
        return self.classifier(flatten(self.avgpool(self.features(x)), 1))


AlexNet_Weights = weights_of("AlexNet_Weights", imagenet(), "IMAGENET1K_V1")


@builder(AlexNet_Weights)
def alexnet(**kwargs):
    return AlexNet(**kwargs)
