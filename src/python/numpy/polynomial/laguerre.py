"""Laguerre's polynomials."""

from ._family import family

family(globals(), "lag", "Laguerre", "L", lambda k: ((2 * k + 1) / (k + 1), -1 / (k + 1), k / (k + 1)), (0.0, 1.0),
       nodes=(lambda k: 2.0 * k + 1, lambda k: float(k * k), 1.0, False))
