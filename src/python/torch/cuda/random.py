"""The generators of CUDA devices."""

import _torch

__all__ = ["manual_seed", "manual_seed_all", "seed", "seed_all", "initial_seed", "get_rng_state", "get_rng_state_all",
           "set_rng_state", "set_rng_state_all"]


def _generator(device):
    device = _torch.device(device) if isinstance(device, (str, int)) else device
    if device is None:
        device = _torch.device("cuda")
    return _torch._default_generator(device)


def manual_seed(seed):
    """Seeds the current device; without CUDA nothing happens."""
    if _torch._machine()[0]:
        _torch._seed_cuda(int(seed), _torch._cuda_current_device())


def manual_seed_all(seed):
    """Seeds every device; without CUDA nothing happens."""
    _torch._seed_cuda(int(seed), None)


def seed():
    if _torch._machine()[0]:
        _generator(None).seed()


def seed_all():
    for i in range(_torch._machine()[0]):
        _generator(i).seed()


def initial_seed():
    return _generator(None).initial_seed()


def get_rng_state(device="cuda"):
    return _generator(device).get_state()


def get_rng_state_all():
    return [get_rng_state(i) for i in range(_torch._machine()[0])]


def set_rng_state(new_state, device="cuda"):
    if _torch._machine()[0]:
        _generator(device).set_state(new_state)


def set_rng_state_all(new_states):
    for i, state in enumerate(new_states):
        set_rng_state(state, i)
