"""Operators for images."""

from torchvision.ops.boxes import box_area, box_iou, nms
from torchvision.ops.misc import MLP, Conv2dNormActivation, SqueezeExcitation, StochasticDepth, stochastic_depth

__all__ = ["MLP", "Conv2dNormActivation", "SqueezeExcitation", "StochasticDepth", "box_area", "box_iou", "nms"]
__all__ += ["stochastic_depth"]
