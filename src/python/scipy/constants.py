"""A few physical constants."""

import math

from scipy import lacking

pi, golden = math.pi, (1 + math.sqrt(5)) / 2
c = speed_of_light = 299792458.0
h = Planck = 6.62607015e-34
hbar = h / (2 * pi)
k = Boltzmann = 1.380649e-23
e = elementary_charge = 1.602176634e-19
N_A = Avogadro = 6.02214076e23
R = gas_constant = 8.314462618153241
g = 9.80665
G = gravitational_constant = 6.6743e-11

__getattr__ = lacking("scipy.constants")
