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
    "ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "Optimizer", "RAdam",
    "RMSprop", "Rprop", "SGD", "SparseAdam", "lr_scheduler", "swa_utils",
]

# Loaded when a program first uses them.
_LATER = {"Adafactor": "_adafactor", "Muon": "_muon", "SparseAdam": "sparse_adam", "swa_utils": "swa_utils"}


def __getattr__(name):
    if name in _LATER:
        import importlib

        module = importlib.import_module("torch.optim." + _LATER[name])
        return module if name == "swa_utils" else getattr(module, name)
    raise AttributeError(f"module 'torch.optim' has no attribute '{name}'")
