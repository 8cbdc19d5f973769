"""`numpy.polynomial.chebyshev`: polynomials in the basis of Chebyshev's, which the recurrence T(k+1) = 2 x T(k) - T(k-1) defines."""

import math

import numpy as np

from ._family import family

family(globals(), "cheb", "Chebyshev", "T", lambda k: (0.0, 1.0 if k == 0 else 2.0, 1.0))


def chebgauss(deg):
    """The points and the weights of Gauss-Chebyshev quadrature, two arrays of shape (deg,)."""
    if int(deg) != deg or deg <= 0:
        raise ValueError("deg must be a positive integer")
    return np.cos(math.pi * np.arange(1, 2 * deg, 2) / (2.0 * deg)), np.ones(deg) * (math.pi / deg)
