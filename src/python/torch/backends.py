"""Which backends are there."""

import _torch


class _Backend:
    def __init__(self, name, **values):
        self._name = name
        self.__dict__.update(values)

    def __repr__(self):
        return f"<module 'torch.backends.{self._name}'>"


class _Mps(_Backend):
    def is_available(self):
        return _torch._machine()[1]

    def is_built(self):
        return _torch._machine()[1]

    is_macos_or_newer = lambda self, major, minor: self.is_available()


class _Cuda(_Backend):
    def is_built(self):
        return _torch._machine()[2]


class _Matmul(_Backend):
    """Settings of matrix products."""

    @property
    def allow_tf32(self):
        return _torch._matmul_precision() != "highest"

    @allow_tf32.setter
    def allow_tf32(self, allowed):
        if not isinstance(allowed, bool):
            raise RuntimeError(f"set_allow_tf32_cublas expects a bool, but got {type(allowed).__name__}")
        _torch._matmul_precision("high" if allowed else "highest")


class _Cudnn(_Backend):
    """Settings that programs make; every operator here is deterministic, and `enabled` says whose errors they raise."""

    benchmark = False
    deterministic = False
    allow_tf32 = True

    @property
    def enabled(self):
        return _torch._cudnn()

    @enabled.setter
    def enabled(self, value):
        _torch._cudnn(bool(value))

    def is_available(self):
        return _torch._machine()[2]

    def version(self):
        return 92600 if self.is_available() else None

    def flags(self, **values):
        import contextlib

        @contextlib.contextmanager
        def manager():
            before = {name: getattr(self, name) for name in values}
            for name, value in values.items():
                setattr(self, name, value)
            try:
                yield
            finally:
                for name, value in before.items():
                    setattr(self, name, value)

        return manager()


class _Cpu(_Backend):
    def get_cpu_capability(self):
        return "DEFAULT"


mps = _Mps("mps")
cuda = _Cuda("cuda", matmul=_Matmul("cuda.matmul", allow_fp16_reduced_precision_reduction=True))
cudnn = _Cudnn("cudnn")
cpu = _Cpu("cpu")
mkldnn = _Backend("mkldnn", is_available=lambda: True)
mkl = _Backend("mkl", is_available=lambda: True)
openmp = _Backend("openmp", is_available=lambda: True)
