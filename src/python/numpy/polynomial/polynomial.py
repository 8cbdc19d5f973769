"""Polynomials in powers of x."""

from ._family import Polynomial
from ._powers import (
    polyadd, polyder, polydiv, polyfit, polyfromroots, polyint, polyline, polymul, polymulx, polypow, polyroots, polysub,
    polytrim, polyval, polyval2d, polyvander)
