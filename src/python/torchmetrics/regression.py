"""Metrics of numbers."""

import torch

from .functional import regression as F
from .metric import Metric


class _Mean(Metric):
    is_differentiable, higher_is_better, full_state_update = True, False, False
    _state = None

    def __init__(self, num_outputs=1, **options):
        super().__init__(**options)
        if not isinstance(num_outputs, int) or num_outputs < 1:
            raise ValueError(f"Expected num_outputs to be a positive integer but got {num_outputs}")
        self.num_outputs = num_outputs
        self.add_state(self._state, torch.tensor(0.0) if num_outputs == 1 else torch.zeros(num_outputs), dist_reduce_fx="sum")
        self.add_state("total", torch.tensor(0), dist_reduce_fx="sum")

    def _add(self, found):
        total, count = found
        setattr(self, self._state, getattr(self, self._state) + total)
        self.total = self.total + count


class MeanSquaredError(_Mean):
    _state = "sum_squared_error"

    def __init__(self, squared=True, num_outputs=1, **options):
        if not isinstance(squared, bool):
            raise ValueError(f"Expected argument `squared` to be a boolean but got {squared}")
        super().__init__(num_outputs, **options)
        self.squared = squared

    def update(self, preds, target):
        self._add(F.squared(preds, target, self.num_outputs))

    def compute(self):
        found = self.sum_squared_error / self.total
        return found if self.squared else found.sqrt()


class MeanAbsoluteError(_Mean):
    _state = "sum_abs_error"

    def update(self, preds, target):
        self._add(F.absolute(preds, target, self.num_outputs))

    def compute(self):
        return self.sum_abs_error / self.total


class MeanAbsolutePercentageError(_Mean):
    _state = "sum_abs_per_error"

    def update(self, preds, target):
        self._add((F.mean_absolute_percentage_error(preds, target) * target.numel(), target.numel()))

    def compute(self):
        return self.sum_abs_per_error / self.total


class R2Score(Metric):
    is_differentiable, higher_is_better, full_state_update = True, True, False

    def __init__(self, adjusted=0, multioutput="uniform_average", **options):
        super().__init__(**options)
        self.adjusted, self.multioutput = adjusted, multioutput
        for name in ("sum_squared_error", "sum_error", "residual"):
            self.add_state(name, torch.zeros(1), dist_reduce_fx="sum")
        self.add_state("total", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds, target):
        squares, total, residual, count = F.r2_sums(preds, target)
        self.sum_squared_error = self.sum_squared_error + squares
        self.sum_error, self.residual, self.total = self.sum_error + total, self.residual + residual, self.total + count

    def compute(self):
        return F.r2_from(self.sum_squared_error, self.sum_error, self.residual, int(self.total), self.adjusted, self.multioutput)


class CosineSimilarity(Metric):
    is_differentiable, higher_is_better, full_state_update = True, True, False

    def __init__(self, reduction="sum", **options):
        super().__init__(**options)
        self.reduction = reduction
        self.add_state("preds", [], dist_reduce_fx="cat")
        self.add_state("target", [], dist_reduce_fx="cat")

    def update(self, preds, target):
        preds, target = F.checked(preds, target)
        self.preds.append(preds)
        self.target.append(target)

    def compute(self):
        return F.cosine_similarity(torch.cat(self.preds), torch.cat(self.target), self.reduction)


def __getattr__(name):
    raise NotImplementedError(f"torchmetrics.regression.{name} isn't here") if not name.startswith("__") else AttributeError(name)
