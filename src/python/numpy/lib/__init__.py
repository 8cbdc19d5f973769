"""What NumPy keeps beside its main functions."""

from numpy.lib import format, stride_tricks
