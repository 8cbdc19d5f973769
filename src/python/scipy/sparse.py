"""There are no sparse matrices here: `torch.sparse` has sparse tensors. The names can be imported, and calling one says so."""

from scipy import lacking
from scipy.optimize import _missing as missing

_NAMES = [kind + end for kind in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil") for end in ("_matrix", "_array")]
globals().update((name, missing(name, "there are no sparse matrices here; torch.sparse_coo_tensor and torch.sparse_csr_tensor make "
                                      "sparse tensors", "sparse"))
                 for name in [*_NAMES, "block_diag", "diags", "eye", "hstack", "identity", "load_npz", "random", "save_npz", "vstack"])


def issparse(x):
    """Whether something is a sparse matrix, which nothing is here."""
    return False


isspmatrix = issparse
__getattr__ = lacking("scipy.sparse")
