"""Distances."""

from scipy import lacking
from scipy.spatial import distance

__getattr__ = lacking("scipy.spatial")
