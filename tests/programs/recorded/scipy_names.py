"""Names of SciPy that can be imported, although what they make isn't here."""

import numpy as np
import scipy.io
import scipy.sparse as sp
from scipy.io import loadmat, savemat
from scipy.sparse import coo_matrix, csr_matrix, eye, issparse

for name in (loadmat, savemat, csr_matrix, coo_matrix, eye, sp.diags, sp.vstack, scipy.io.whosmat):
    print(callable(name), name.__name__)
print(issparse(np.eye(2)), sp.issparse([1]))
