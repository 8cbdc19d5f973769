"""`torch.lobpcg`: some of the largest or smallest eigenvalues of a symmetric matrix."""

import torch


def lobpcg(
    A, k=None, B=None, X=None, n=None, iK=None, niter=None, tol=None, largest=None, method=None, tracker=None,
    ortho_iparams=None, ortho_fparams=None, ortho_bparams=None,
):
    """Eigenvalues of shape (..., k) and eigenvectors of shape (..., m, k).

    PyTorch approximates them step by step. Here they come from a full decomposition, as exact as the dtype allows, so `iK`, `niter`, `tol`
    and the parameters of the steps change nothing.
    """
    if method not in (None, "basic", "ortho"):
        raise ValueError(f"LOBPCG method {method} is not supported: it's 'basic' or 'ortho'")
    if tracker is not None:
        raise NotImplementedError("torch.lobpcg(tracker=)")
    dense = A.to_dense() if A.is_sparse else A
    m = dense.shape[-1]
    k = (1 if X is None else X.shape[-1]) if k is None else k
    n = (k if X is None else X.shape[-1]) if n is None else n
    if m < 3 * n:
        raise ValueError(f"LOBPCG algorithm is not applicable when the number of A rows (={m}) is smaller than 3 x the number of "
                         f"requested eigenpairs (={n})")
    if X is None:
        # PyTorch draws its first guess, so that later random numbers are these.
        torch.randn((*dense.shape[:-2], m, n), dtype=dense.dtype, device=dense.device)
    half = None
    if B is not None:
        # A v = l B v is an ordinary problem for L^T v, where B = L L^T.
        half = torch.linalg.cholesky(B.to_dense() if B.is_sparse else B)
        dense = torch.linalg.solve_triangular(half, dense, upper=False)
        dense = torch.linalg.solve_triangular(half, dense.mT, upper=False).mT
    values, vectors = torch.linalg.eigh(dense)
    if half is not None:
        vectors = torch.linalg.solve_triangular(half.mT, vectors, upper=True)
    if largest is None or largest:
        values, vectors = values.flip(-1), vectors.flip(-1)
    return values[..., :k], vectors[..., :k]
