"""Other programs' files aren't read here. The functions can be imported, and calling one says so."""

from scipy import lacking
from scipy.optimize import _missing as missing

_HINT = "the files of MATLAB and the like aren't read here; numpy.load, numpy.loadtxt and pandas.read_csv read others"
loadmat, savemat, whosmat, mmread, mmwrite, readsav, netcdf_file = (
    missing(name, _HINT, "io") for name in ("loadmat", "savemat", "whosmat", "mmread", "mmwrite", "readsav", "netcdf_file"))

__getattr__ = lacking("scipy.io")
