"""Hermite's polynomials, as physicists scale them."""

import math

from ._family import family

family(globals(), "herm", "Hermite", "H", lambda k: (0.0, 2.0, 2.0 * k),
       nodes=(lambda k: 0.0, lambda k: k / 2.0, math.sqrt(math.pi), True))
