"""Means, sums and extremes of numbers that come one after the other."""

import warnings

import torch

from .metric import Metric


class _Aggregate(Metric):
    is_differentiable, full_state_update = None, True
    _start, _how = None, None

    def __init__(self, nan_strategy="warn", **options):
        super().__init__(**options)
        if nan_strategy not in ("error", "warn", "ignore", "disable") and not isinstance(nan_strategy, float):
            raise ValueError(
                "Arg `nan_strategy` should either be a float or one of ('error', 'warn', 'ignore', 'disable') but got "
                f"{nan_strategy}."
            )
        self.nan_strategy = nan_strategy

    def _clean(self, value, weight=None):
        """Numbers as a tensor on the metric's device, without NaN."""
        if not isinstance(value, torch.Tensor):
            value = torch.as_tensor(value, dtype=torch.float32, device=self.device)
        weight = torch.ones_like(value) if weight is None else weight
        if not isinstance(weight, torch.Tensor):
            weight = torch.as_tensor(weight, dtype=torch.float32, device=self.device)
        gaps = torch.isnan(value) | torch.isnan(torch.broadcast_to(weight, value.shape))
        if self.nan_strategy != "disable" and bool(gaps.any()):
            if self.nan_strategy == "error":
                raise RuntimeError("Encountered `nan` values in tensor")
            if self.nan_strategy in ("warn", "ignore"):
                if self.nan_strategy == "warn":
                    warnings.warn("Encountered `nan` values in tensor. Will be removed.", UserWarning, stacklevel=3)
                weight = torch.broadcast_to(weight, value.shape)[~gaps]
                value = value[~gaps]
            else:
                value = torch.where(gaps, torch.full_like(value, self.nan_strategy), value)
        return value.float(), weight.float()


class MeanMetric(_Aggregate):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__(nan_strategy, **options)
        self.add_state("mean_value", torch.tensor(0.0), dist_reduce_fx="sum")
        self.add_state("weight", torch.tensor(0.0), dist_reduce_fx="sum")

    def update(self, value, weight=None):
        value, weight = self._clean(value, 1.0 if weight is None else weight)
        if value.numel() == 0:
            return
        weight = torch.broadcast_to(weight, value.shape)
        self.mean_value = self.mean_value + (value * weight).sum()
        self.weight = self.weight + weight.sum()

    def compute(self):
        return self.mean_value / self.weight


class SumMetric(_Aggregate):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__(nan_strategy, **options)
        self.add_state("sum_value", torch.tensor(0.0), dist_reduce_fx="sum")

    def update(self, value):
        value, _ = self._clean(value)
        if value.numel():
            self.sum_value = self.sum_value + value.sum()

    def compute(self):
        return self.sum_value


class MaxMetric(_Aggregate):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__(nan_strategy, **options)
        self.add_state("max_value", -torch.tensor(float("inf")), dist_reduce_fx="max")

    def update(self, value):
        value, _ = self._clean(value)
        if value.numel():
            self.max_value = torch.max(self.max_value, torch.max(value))

    def compute(self):
        return self.max_value


class MinMetric(_Aggregate):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__(nan_strategy, **options)
        self.add_state("min_value", torch.tensor(float("inf")), dist_reduce_fx="min")

    def update(self, value):
        value, _ = self._clean(value)
        if value.numel():
            self.min_value = torch.min(self.min_value, torch.min(value))

    def compute(self):
        return self.min_value


class CatMetric(_Aggregate):
    def __init__(self, nan_strategy="warn", **options):
        super().__init__(nan_strategy, **options)
        self.add_state("value", [], dist_reduce_fx="cat")

    def update(self, value):
        value, _ = self._clean(value)
        if value.numel():
            self.value.append(value)

    def compute(self):
        return torch.cat([v.reshape(-1) for v in self.value]) if self.value else self.value
