"""Sparse matrices, and graphs made of them."""

import numpy as np
from scipy import sparse
from scipy import signal
from scipy import ndimage
from scipy import spatial
from scipy import linalg
from scipy import fft
from scipy.spatial import distance
from scipy.spatial import KDTree
from scipy.cluster import hierarchy
from scipy.cluster import vq
from scipy.sparse import csr_matrix
from scipy.sparse import coo_matrix
from scipy.sparse import csc_matrix
from scipy.sparse import lil_matrix
from scipy.sparse import diags
from scipy.sparse import eye
from scipy.sparse import csr_array
from scipy.sparse import dok_matrix
from scipy.sparse import hstack
from scipy.sparse import vstack
from scipy.sparse import random as sprandom
from scipy.sparse import linalg as sla
from scipy.sparse import csgraph
A = csr_matrix([[1, 0, 2], [0, 0, 3], [4, 5, 6]])
print(repr(A))
print(A)
print(repr(A.toarray()))
print(repr(A.shape))
print(repr(A.nnz))
print(repr(A.data))
print(repr(A.indices))
print(repr(A.indptr))
print(repr(A.dtype))
print(repr(A.T.toarray()))
print(repr(A.dot([1, 2, 3])))
print(repr(A @ A))
print(repr((A @ A).toarray()))
print(repr((A + A).toarray()))
print(repr((A * 2).toarray()))
print(repr(A.multiply(A).toarray()))
print(repr(A[0].toarray()))
print(repr(A[0, 2]))
print(repr(A[:, 1].toarray()))
print(repr(A.sum()))
print(repr(A.sum(axis=0)))
print(repr(A.mean(axis=1)))
print(repr(A.max()))
print(repr(A.diagonal()))
print(repr(A.getrow(0)))
print(repr(A.todense()))
c = coo_matrix(([1, 2, 3], ([0, 1, 1], [0, 2, 2])), shape=(2, 3))
print(repr(c))
print(repr(c.toarray()))
print(repr(c.row))
print(repr(c.col))
print(repr(c.tocsr().data))
print(repr(csc_matrix(A).indices))
print(repr(A.tocsc()))
print(repr(A.tocoo()))
print(repr(A.astype(float).dtype))
print(repr(A.nonzero()))
print(repr(A.count_nonzero()))
print(repr(A.copy()))
print(repr(-A))
print(repr(abs(A)))
print(repr(A.power(2).toarray()))
l = lil_matrix((2, 2))
l[0, 1] = 5
print(repr(l))
print(repr(l.toarray()))
print(repr(l.tocsr()))
d = dok_matrix((2, 2))
d[1, 0] = 3
print(repr(diags([1, 2, 3]).toarray()))
print(repr(eye(2).toarray()))
print(repr(sparse.identity(2)))
print(repr(hstack([A, A]).shape))
print(repr(vstack([A, A])))
print(repr(sparse.issparse(A)))
print(repr(sparse.kron(A, A).shape))
print(repr(sparse.diags([[1, 2], [3]], [0, 1]).toarray()))
print(repr(sparse.eye_array(2)))
print(repr(csr_array([[1, 0]])))
print(repr(sprandom(3, 3, density=0.5, random_state=0).toarray()))
print(repr(sla.spsolve(csc_matrix([[2.0, 0], [0, 4]]), [1.0, 2])))
print(repr(sla.norm(A)))
print(repr(sla.eigsh(diags([1.0, 2, 3, 4, 5]), k=2)[0]))
print(repr(sla.svds(csr_matrix(np.diag([1.0, 2, 3, 4])), k=1)[1]))
print(repr(sla.cg(csc_matrix([[2.0, 0], [0, 4]]), [1.0, 2])))
print(repr(sparse.tril(A).toarray()))
print(repr(sparse.find(A)))
print(repr(csgraph.shortest_path(A)))
print(repr(csgraph.connected_components(A)))
print(repr(csgraph.dijkstra(A, indices=0)))
print(repr(csgraph.minimum_spanning_tree(A).toarray()))
print(repr(csgraph.laplacian(A.toarray())))
A[0, 0] = 9
print(repr(A > 2))
print(repr(csr_matrix((2, 3))))
from scipy import constants
from scipy import io
