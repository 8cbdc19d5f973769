"""Averages of a model's weights over its training, as in torch.optim.swa_utils."""

import itertools
import math
from copy import deepcopy

import torch
from torch.nn import Module
from torch.nn.modules.batchnorm import _BatchNorm

from .lr_scheduler import LRScheduler

__all__ = ["AveragedModel", "update_bn", "SWALR", "get_ema_multi_avg_fn", "get_swa_multi_avg_fn", "get_ema_avg_fn",
           "get_swa_avg_fn"]


def _check_decay(decay):
    if decay < 0.0 or decay > 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_multi_avg_fn(decay=0.999):
    """The exponential moving average of all parameters at once."""
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list, current_param_list, _):
        for average, now in zip(ema_param_list, current_param_list):
            if average.is_floating_point() or average.is_complex():
                average.lerp_(now, 1 - decay)
            else:
                average.copy_(average * decay + now * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn():
    """The equal average of all parameters at once."""

    @torch.no_grad()
    def swa_update(averaged_param_list, current_param_list, num_averaged):
        for average, now in zip(averaged_param_list, current_param_list):
            if average.is_floating_point() or average.is_complex():
                average.lerp_(now, 1 / (num_averaged + 1))
            else:
                average.copy_(average + (now - average) / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay=0.999):
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    @torch.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's at each `update_parameters`."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", torch.tensor(0, dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def update_parameters(self, model):
        own, theirs = self.parameters(), model.parameters()
        if self.use_buffers:
            own = itertools.chain(self.module.parameters(), self.module.buffers())
            theirs = itertools.chain(model.parameters(), model.buffers())
        averages, now = [], []
        for average, value in zip(own, theirs):
            averages.append(average.detach())
            now.append(value.detach().to(average.device))
        if bool(self.n_averaged == 0):
            for average, value in zip(averages, now):
                average.copy_(value)
        elif self.multi_avg_fn is not None:
            for device in dict.fromkeys(average.device for average in averages):
                there = [i for i, average in enumerate(averages) if average.device == device]
                self.multi_avg_fn([averages[i] for i in there], [now[i] for i in there], self.n_averaged.to(device))
        else:
            function = get_swa_avg_fn() if self.avg_fn is None else self.avg_fn
            for average, value in zip(averages, now):
                average.copy_(function(average, value, self.n_averaged.to(average.device)))
        if not self.use_buffers:
            for own, theirs in zip(self.module.buffers(), model.buffers()):
                own.detach().copy_(theirs.detach().to(own.device))
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader, model, device=None):
    """Computes the running statistics of batch normalization again, as averages over all batches of `loader`."""
    momenta = {}
    for module in model.modules():
        if isinstance(module, _BatchNorm):
            module.reset_running_stats()
            momenta[module] = module.momentum
    if not momenta:
        return
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None
    for input in loader:
        if isinstance(input, (list, tuple)):
            input = input[0]
        if device is not None:
            input = input.to(device)
        model(input)
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


_ANNEALING = {"cos": lambda t: (1 - math.cos(math.pi * t)) / 2, "linear": lambda t: t}


class SWALR(LRScheduler):
    """From the optimizer's learning rate to `swa_lr` in `anneal_epochs` epochs, then constant."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        groups = optimizer.param_groups
        if isinstance(swa_lr, (list, tuple)):
            if len(swa_lr) != len(groups):
                raise ValueError(f"swa_lr must have the same length as optimizer.param_groups. swa_lr has {len(swa_lr)} values, "
                                 f"param_groups has {len(groups)}.")
            rates = swa_lr
        else:
            rates = [swa_lr] * len(groups)
        for rate, group in zip(rates, groups):
            group["swa_lr"] = rate
        if anneal_strategy not in _ANNEALING:
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    @property
    def anneal_func(self):
        return _ANNEALING[self._anneal_strategy]

    def _at(self, step):
        return self.anneal_func(max(0, min(1, step / max(1, self.anneal_epochs))))

    def get_lr(self):
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before, now = self._at(step - 1), self._at(step)
        rates = []
        for group in self.optimizer.param_groups:
            goal = group["swa_lr"]
            start = goal if before == 1 else (group["lr"] - before * goal) / (1 - before)
            rates.append(goal * now + start * (1 - now))
        return rates
