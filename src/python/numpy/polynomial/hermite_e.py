"""Hermite's polynomials, as statisticians scale them."""

import math

from ._family import family

family(globals(), "herme", "HermiteE", "He", lambda k: (0.0, 1.0, float(k)),
       nodes=(lambda k: 0.0, lambda k: float(k), math.sqrt(2 * math.pi), True))
