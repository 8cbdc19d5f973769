"""Legendre's polynomials."""

from ._family import family

family(globals(), "leg", "Legendre", "P", lambda k: (0.0, (2 * k + 1) / (k + 1), k / (k + 1)),
       nodes=(lambda k: 0.0, lambda k: k * k / (4.0 * k * k - 1), 2.0, True))
