"""Clusters: `hierarchy`, which joins the nearest ones step by step, and `vq`, which moves centers."""

import importlib


def __getattr__(name):
    if name in ("hierarchy", "vq"):
        return importlib.import_module(f"scipy.cluster.{name}")
    raise AttributeError(f"module 'scipy.cluster' has no attribute '{name}'")
