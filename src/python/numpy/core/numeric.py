from numpy._core.numeric import _frombuffer
