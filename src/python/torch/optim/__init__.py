"""Optimizers, as torch.optim. SGD, Adam, AdamW, RMSprop and Adagrad take a step in one launch."""

from . import lr_scheduler
from .adadelta import Adadelta
from .adagrad import Adagrad
from .adam import Adam, AdamW
from .adamax import Adamax
from .asgd import ASGD
from .lbfgs import LBFGS
from .nadam import NAdam, RAdam
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .rprop import Rprop
from .sgd import SGD

__all__ = [
    "ASGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop",
    "SGD", "lr_scheduler",
]

_ABSENT = ("Adafactor", "Muon", "SparseAdam", "swa_utils")


def __getattr__(name):
    if name in _ABSENT:
        raise NotImplementedError(f"torch.optim.{name}")
    raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")
