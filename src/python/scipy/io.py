"""Other programs' files aren't read here. The functions can be imported, and calling one says so."""

from scipy import lacking

_HINT = "the files of MATLAB and the like aren't read here; numpy.load, numpy.loadtxt and pandas.read_csv read others"


def _missing(name, instead=_HINT):
    def call(*args, **options):
        raise NotImplementedError(f"scipy.io.{name}: {instead}")

    call.__name__ = call.__qualname__ = name
    return call


loadmat, savemat, whosmat, mmread, mmwrite, readsav, netcdf_file = map(
    _missing, ("loadmat", "savemat", "whosmat", "mmread", "mmwrite", "readsav", "netcdf_file"))

__getattr__ = lacking("scipy.io")
