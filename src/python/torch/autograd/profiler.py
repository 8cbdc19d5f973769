"""The profiler's older module."""

import torch.profiler as _profiler
from torch.profiler import record_function


class profile(_profiler.profile):
    """Records CPU times and, if there are devices, device times."""

    def __init__(self, enabled=True, *, use_device=None, record_shapes=False, with_flops=False, profile_memory=False,
                 with_stack=False, with_modules=False, use_kineto=False, use_cpu=True, experimental_config=None,
                 acc_events=False, custom_trace_id_callback=None):
        super().__init__(record_shapes=record_shapes, with_flops=with_flops, profile_memory=profile_memory)
        self._enabled = enabled

    def __enter__(self):
        return super().__enter__() if self._enabled else self

    def __exit__(self, *exc):
        if self._enabled:
            super().__exit__(*exc)

    @property
    def function_events(self):
        return self.events()

    def table(self, *args, **options):
        return self.key_averages().table(*args, **options)

    def __str__(self):
        return self.table()


def emit_nvtx(*args, **options):
    raise NotImplementedError("torch.autograd.profiler.emit_nvtx")
