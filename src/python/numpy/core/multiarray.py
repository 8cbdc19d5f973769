from numpy._core.multiarray import _reconstruct, scalar
