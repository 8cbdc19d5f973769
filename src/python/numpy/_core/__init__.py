"""The part of NumPy's inner modules that pickles of arrays and numbers name."""

from numpy._core import multiarray, numeric
