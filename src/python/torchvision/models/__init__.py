"""Models without weights: their modules, keys and shapes are those of the real package, so files of its weights load."""

from torchvision.models._weights import WeightsEnum, get_model, get_model_builder, get_model_weights, get_weight, list_models
from torchvision.models.alexnet import *
from torchvision.models.densenet import *
from torchvision.models.efficientnet import *
from torchvision.models.mobilenetv2 import *
from torchvision.models.resnet import *
from torchvision.models.squeezenet import *
from torchvision.models.vgg import *
from torchvision.models.vision_transformer import *

# "swin" stands for swin_t, swin_s and so on.
_ELSEWHERE = (
    "convnext densenet161 densenet169 densenet201 detection efficientnet googlenet inception maxvit mnasnet mobilenet_v3 "
    "optical_flow quantization regnet resnext101 segmentation shufflenet swin video vit wide_resnet101"
).split()


def __getattr__(name):
    if name.lower().startswith(tuple(_ELSEWHERE)) or name in ("GoogLeNet", "Inception3", "ConvNeXt", "SwinTransformer"):
        raise NotImplementedError(f"torchvision.models.{name} isn't here. The models that are: {', '.join(list_models())}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
