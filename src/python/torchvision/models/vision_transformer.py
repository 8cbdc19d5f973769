"""The vision transformer."""

import math
from collections import OrderedDict
from functools import partial

import torch
from torch import nn

from torchvision.models._weights import builder, imagenet, weights_of
from torchvision.ops.misc import MLP
from torchvision.transforms.functional import InterpolationMode

__all__ = ["VisionTransformer", "ViT_B_16_Weights", "vit_b_16"]


class MLPBlock(MLP):
    def __init__(self, in_dim, mlp_dim, dropout):
        super().__init__(in_dim, [mlp_dim, in_dim], activation_layer=nn.GELU, inplace=None, dropout=dropout)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.xavier_uniform_(m.weight)
                nn.init.normal_(m.bias, std=1e-6)


class EncoderBlock(nn.Module):
    def __init__(self, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.num_heads = num_heads
        self.ln_1 = norm_layer(hidden_dim)
        self.self_attention = nn.MultiheadAttention(hidden_dim, num_heads, dropout=attention_dropout, batch_first=True)
        self.dropout = nn.Dropout(dropout)
        self.ln_2 = norm_layer(hidden_dim)
        self.mlp = MLPBlock(hidden_dim, mlp_dim, dropout)

    def forward(self, input):
        x = self.ln_1(input)
        x, _ = self.self_attention(x, x, x, need_weights=False)
        x = self.dropout(x) + input
        return x + self.mlp(self.ln_2(x))


class Encoder(nn.Module):
    def __init__(self, seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer):
        super().__init__()
        self.pos_embedding = nn.Parameter(torch.empty(1, seq_length, hidden_dim).normal_(std=0.02))
        self.dropout = nn.Dropout(dropout)
        layers = OrderedDict()
        for i in range(num_layers):
            layers[f"encoder_layer_{i}"] = EncoderBlock(
                num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
            )
        self.layers = nn.Sequential(layers)
        self.ln = norm_layer(hidden_dim)

    def forward(self, input):
        return self.ln(self.layers(self.dropout(input + self.pos_embedding)))


class VisionTransformer(nn.Module):
    """Images (N, 3, image_size, image_size) to scores (N, num_classes)."""

    def __init__(
        self,
        image_size,
        patch_size,
        num_layers,
        num_heads,
        hidden_dim,
        mlp_dim,
        dropout=0.0,
        attention_dropout=0.0,
        num_classes=1000,
        norm_layer=partial(nn.LayerNorm, eps=1e-6),
    ):
        super().__init__()
        if image_size % patch_size:
            raise ValueError(f"patches of {patch_size} pixels don't divide an image of {image_size}")
        self.image_size = image_size
        self.patch_size = patch_size
        self.hidden_dim = hidden_dim
        self.conv_proj = nn.Conv2d(3, hidden_dim, kernel_size=patch_size, stride=patch_size)
        self.class_token = nn.Parameter(torch.zeros(1, 1, hidden_dim))
        self.seq_length = (image_size // patch_size) ** 2 + 1
        self.encoder = Encoder(
            self.seq_length, num_layers, num_heads, hidden_dim, mlp_dim, dropout, attention_dropout, norm_layer
        )
        self.heads = nn.Sequential(OrderedDict(head=nn.Linear(hidden_dim, num_classes)))
        fan_in = self.conv_proj.in_channels * patch_size * patch_size
        nn.init.trunc_normal_(self.conv_proj.weight, std=math.sqrt(1 / fan_in))
        nn.init.zeros_(self.conv_proj.bias)
        nn.init.zeros_(self.heads.head.weight)
        nn.init.zeros_(self.heads.head.bias)

    def forward(self, x):
        for name, side in zip(("height", "width"), x.shape[2:]):
            if side != self.image_size:
                raise AssertionError(f"Wrong image {name}! Expected {self.image_size} but got {side}!")
        x = self.conv_proj(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.class_token.expand(len(x), -1, -1), x], dim=1)
        return self.heads(self.encoder(x)[:, 0])


ViT_B_16_Weights = weights_of(
    "ViT_B_16_Weights",
    {
        **imagenet(),
        "IMAGENET1K_SWAG_E2E_V1": {"crop_size": 384, "resize_size": 384, "interpolation": InterpolationMode.BICUBIC},
        "IMAGENET1K_SWAG_LINEAR_V1": {"crop_size": 224, "resize_size": 224, "interpolation": InterpolationMode.BICUBIC},
    },
    "IMAGENET1K_V1",
)


@builder(ViT_B_16_Weights)
def vit_b_16(**kwargs):
    return VisionTransformer(kwargs.pop("image_size", 224), 16, 12, 12, 768, 3072, **kwargs)
