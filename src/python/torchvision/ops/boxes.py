"""Boxes: (N, 4) tensors of x1, y1, x2, y2."""

import torch


def box_area(boxes):
    """The areas, (N,)."""
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def _wide(t):
    # Areas of small dtypes would overflow.
    if t.is_floating_point():
        return t if t.dtype in (torch.float32, torch.float64) else t.float()
    return t if t.dtype in (torch.int32, torch.int64) else t.int()


def box_iou(boxes1, boxes2):
    """Intersection over union of each of N boxes with each of M: (N, M)."""
    corner = torch.max(boxes1[:, None, :2], boxes2[:, :2])
    opposite = torch.min(boxes1[:, None, 2:], boxes2[:, 2:])
    sides = _wide(opposite - corner).clamp(min=0)
    inter = sides[:, :, 0] * sides[:, :, 1]
    return inter / (box_area(_wide(boxes1))[:, None] + box_area(_wide(boxes2)) - inter)


def nms(boxes, scores, iou_threshold):
    """The indices of the boxes that stay, best score first: a box goes if it overlaps a better one by more than
    `iou_threshold`."""
    order = scores.sort(descending=True, stable=True).indices
    overlaps = (box_iou(boxes, boxes) > iou_threshold).cpu()
    kept = []
    gone = [False] * len(order)
    for i in order.tolist():
        if gone[i]:
            continue
        kept.append(i)
        gone = [a or b for a, b in zip(gone, overlaps[i].tolist())]
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)
