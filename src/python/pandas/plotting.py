"""`pandas.plotting`."""

from ._plot import scatter_matrix


def __getattr__(name):
    if name in (
        "autocorrelation_plot",
        "andrews_curves",
        "parallel_coordinates",
        "lag_plot",
        "bootstrap_plot",
        "radviz",
        "table",
    ):
        raise NotImplementedError(f"pandas.plotting.{name} isn't here")
    raise AttributeError(f"module 'pandas.plotting' has no attribute '{name}'")


__all__ = ["scatter_matrix"]
