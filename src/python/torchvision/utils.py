"""Grids of images, and files of them."""

import math

import torch
from PIL import _png

__all__ = ["draw_bounding_boxes", "make_grid", "save_image"]


@torch.no_grad()
def make_grid(tensor, nrow=8, padding=2, normalize=False, value_range=None, scale_each=False, pad_value=0.0):
    """Images (N, C, H, W), or a list of (C, H, W), side by side in rows of `nrow`: (3, height, width)."""
    if not isinstance(tensor, torch.Tensor):
        if not isinstance(tensor, list):
            raise TypeError(f"tensor or list of tensors expected, got {type(tensor)}")
        for t in tensor:
            if not isinstance(t, torch.Tensor):
                raise TypeError(f"tensor or list of tensors expected, got a list containing {type(t)}")
        tensor = torch.stack(tensor, dim=0)
    while tensor.dim() < 4:
        # Adds the dimension for channels if it's missing, then the one for the batch.
        tensor = tensor.unsqueeze(0)
    if tensor.size(1) == 1:
        tensor = tensor.expand(-1, 3, -1, -1)
    if normalize:
        if value_range is not None and not isinstance(value_range, tuple):
            raise TypeError("value_range has to be a tuple (min, max) if specified. min and max are numbers")
        tensor = tensor.clone()
        for part in tensor if scale_each else [tensor]:
            low, high = value_range if value_range is not None else (float(part.min()), float(part.max()))
            part.clamp_(min=low, max=high)
            part.sub_(low).div_(max(high - low, 1e-5))
    if tensor.size(0) == 1:
        return tensor.squeeze(0)
    count, channels = tensor.shape[:2]
    across = min(nrow, count)
    down = math.ceil(count / across)
    height, width = tensor.size(2) + padding, tensor.size(3) + padding
    grid = tensor.new_full((channels, height * down + padding, width * across + padding), pad_value)
    for k in range(count):
        top, left = k // across * height + padding, k % across * width + padding
        grid[:, top : top + height - padding, left : left + width - padding] = tensor[k]
    return grid


@torch.no_grad()
def save_image(tensor, fp, format=None, **kwargs):
    """Writes the grid of `tensor` as a PNG file; `kwargs` are those of `make_grid`."""
    if format is not None and format.lower() != "png":
        raise ValueError(f"only PNG files can be written here, not {format}")
    grid = make_grid(tensor, **kwargs)
    _png.write(fp, grid.mul(255).add_(0.5).clamp_(0, 255).permute(1, 2, 0).to("cpu", torch.uint8).contiguous().numpy())


_NAMED = {
    "black": (0, 0, 0),
    "blue": (0, 0, 255),
    "green": (0, 128, 0),
    "orange": (255, 165, 0),
    "red": (255, 0, 0),
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
}


def _rgb(color):
    if isinstance(color, (tuple, list)):
        return tuple(color)
    if color.startswith("#") and len(color) == 7:
        return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))
    if color in _NAMED:
        return _NAMED[color]
    raise ValueError(f"the color {color!r} isn't known here: use (r, g, b), '#rrggbb' or one of {', '.join(_NAMED)}")


@torch.no_grad()
def draw_bounding_boxes(image, boxes, labels=None, colors="red", fill=False, width=1):
    """A copy of a uint8 or float image (3 or 1, H, W) with the outlines of `boxes` (N, 4): x1, y1, x2, y2."""
    if labels is not None or fill:
        raise NotImplementedError("draw_bounding_boxes draws outlines alone here, without labels and fill")
    if image.dim() != 3:
        raise ValueError("Pass individual images, not batches")
    if image.size(0) not in (1, 3):
        raise ValueError("Only grayscale and RGB images are supported")
    if (boxes[:, 0] > boxes[:, 2]).any() or (boxes[:, 1] > boxes[:, 3]).any():
        raise ValueError("Boxes need to be in (xmin, ymin, xmax, ymax) format.")
    out = image.expand(3, -1, -1).clone()
    several = isinstance(colors, list)
    for i, box in enumerate(boxes.to(torch.int64).tolist()):
        color = torch.tensor(_rgb(colors[i] if several else colors), dtype=torch.float32)
        color = color / 255 if image.is_floating_point() else color
        color = color.to(out.device, out.dtype)[:, None, None]
        x1, y1, x2, y2 = box
        for a, b, c, d in (
            (y1, y1 + width, x1, x2 + 1),
            (y2 + 1 - width, y2 + 1, x1, x2 + 1),
            (y1, y2 + 1, x1, x1 + width),
            (y1, y2 + 1, x2 + 1 - width, x2 + 1),
        ):
            out[:, max(a, 0) : max(b, 0), max(c, 0) : max(d, 0)] = color
    return out


def __getattr__(name):
    if name in ("draw_keypoints", "draw_segmentation_masks", "flow_to_image"):
        raise NotImplementedError(f"torchvision.utils.{name} isn't here")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
