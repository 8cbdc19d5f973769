from .activation import *
from .activation import __all__ as _activation
from .batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from .container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from .conv import Conv1d, Conv2d, ConvTranspose2d
from .dropout import AlphaDropout, Dropout, Dropout1d, Dropout2d
from .flatten import Flatten, Unflatten
from .linear import Bilinear, Identity, Linear
from .loss import *
from .loss import __all__ as _loss
from .module import Module
from .normalization import GroupNorm, LayerNorm, RMSNorm
from .pooling import AdaptiveAvgPool1d, AdaptiveAvgPool2d, AvgPool1d, AvgPool2d, MaxPool1d, MaxPool2d
from .sparse import Embedding

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AlphaDropout", "AvgPool1d", "AvgPool2d", "BatchNorm1d", "BatchNorm2d",
    "BatchNorm3d", "Bilinear", "Conv1d", "Conv2d", "ConvTranspose2d", "Dropout", "Dropout1d", "Dropout2d", "Embedding",
    "Flatten", "GroupNorm", "Identity", "LayerNorm", "Linear", "MaxPool1d", "MaxPool2d", "Module", "ModuleDict",
    "ModuleList", "ParameterDict", "ParameterList", "RMSNorm", "Sequential", "Unflatten", *_activation, *_loss,
]
