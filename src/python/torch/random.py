"""The CPU generator's state."""

import contextlib
import copyreg

import _torch

default_generator = _torch._default_generator()


def _rebuilt_generator(device, seed, state):
    generator = _torch.Generator(device).manual_seed(seed)
    generator.set_state(state)
    return generator


copyreg.pickle(_torch.Generator, lambda g: (_rebuilt_generator, (g.device, g.initial_seed(), g.get_state())))


def manual_seed(seed):
    _torch._manual_seed(int(seed))
    return default_generator


def seed():
    return _torch.seed()


def initial_seed():
    return _torch.initial_seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, device_type="cuda"):
    """Restores every generator's state at the end."""
    if not enabled:
        yield
        return
    from torch import cuda

    cpu_state = get_rng_state()
    devices = list(range(cuda.device_count())) if devices is None else list(devices)
    states = [cuda.get_rng_state(d) for d in devices]
    try:
        yield
    finally:
        set_rng_state(cpu_state)
        for device, state in zip(devices, states):
            cuda.set_rng_state(state, device)
