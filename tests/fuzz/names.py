# What a program can call: the public functions and methods that `calls.py` and `sweep.py` go through.
import torch
import torch.nn.functional as F

# What would end, stop or talk to the process, or waits for somebody.
LEFT_OUT = {"save", "load", "compile", "set_num_threads", "import_ir_module", "set_default_device", "set_default_dtype",
            "set_default_tensor_type", "set_grad_enabled", "use_deterministic_algorithms", "share_memory_", "breakpoint",
            "set_printoptions", "manual_seed", "seed", "set_rng_state", "share_memory"}
SPECIAL = ("__getitem__", "__len__", "__iter__", "__contains__", "__pow__", "__matmul__")


def public(place, owner):
    for name in sorted(dir(owner)):
        if name.startswith("__") and name not in SPECIAL or name in LEFT_OUT or name.startswith("_") and not name.startswith("__"):
            continue
        try:
            value = getattr(owner, name)
        except (AttributeError, NotImplementedError):
            continue
        if callable(value) and not isinstance(value, type):
            yield place + name


PLACES = [("torch.", torch), ("F.", F)]
for name in ("linalg", "special", "fft"):
    try:
        PLACES.append((f"torch.{name}.", getattr(torch, name)))
    except (AttributeError, NotImplementedError):
        # Not here, or not yet.
        pass
FUNCTIONS = [name for place, owner in PLACES for name in public(place, owner)]
METHODS = list(public("", torch.Tensor))
