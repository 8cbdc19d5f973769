"""Calls that PyTorch's own parsers refuse, one by one, and calls like them that work."""

import numpy as np
import torch
import torch.nn.functional as F

x = torch.arange(6.0).reshape(2, 3)
image = torch.arange(24.0).reshape(1, 2, 3, 4)
target = torch.tensor([0, 1])


def attempt(name, call):
    try:
        result = call()
        print(name, "->", tuple(result.shape) if isinstance(result, torch.Tensor) else type(result).__name__)
    except Exception as e:
        print(name, "->", type(e).__name__, e)


attempt("from_numpy()", lambda: torch.from_numpy())
attempt("from_numpy(1, 2)", lambda: torch.from_numpy(1, 2))
attempt("from_numpy(tensor)", lambda: torch.from_numpy(x))
attempt("from_numpy(ndarray=...)", lambda: torch.from_numpy(ndarray=np.zeros(2)))
attempt("from_numpy(array)", lambda: torch.from_numpy(np.zeros(2)))

attempt("cross_entropy(1, 2)", lambda: F.cross_entropy(1, 2))
attempt("cross_entropy(x)", lambda: F.cross_entropy(x))
attempt("cross_entropy(x, 1)", lambda: F.cross_entropy(x, 1))
attempt("cross_entropy weight=3", lambda: F.cross_entropy(x, target, weight=3))
attempt("cross_entropy ignore_index=2.5", lambda: F.cross_entropy(x, target, ignore_index=2.5))
attempt("cross_entropy label_smoothing='a'", lambda: F.cross_entropy(x, target, label_smoothing="a"))
attempt("cross_entropy reduction='bad'", lambda: F.cross_entropy(x, target, reduction="bad"))
attempt("cross_entropy bogus=1", lambda: F.cross_entropy(x, target, bogus=1))
attempt("cross_entropy", lambda: F.cross_entropy(x, target, weight=torch.ones(3), label_smoothing=0.1))

attempt("adaptive_avg_pool2d(x)", lambda: F.adaptive_avg_pool2d(x))
attempt("adaptive_avg_pool2d(x, 'a')", lambda: F.adaptive_avg_pool2d(x, "a"))
attempt("adaptive_avg_pool2d(x, (1, 2, 3))", lambda: F.adaptive_avg_pool2d(x, (1, 2, 3)))
attempt("adaptive_avg_pool2d(3, 1)", lambda: F.adaptive_avg_pool2d(3, 1))
attempt("adaptive_avg_pool2d 2.5", lambda: F.adaptive_avg_pool2d(image, 2.5))
attempt("adaptive_avg_pool2d (2.5, 1)", lambda: F.adaptive_avg_pool2d(image, (2.5, 1)))
attempt("adaptive_avg_pool2d (1, 2, 3)", lambda: F.adaptive_avg_pool2d(image, (1, 2, 3)))
attempt("adaptive_avg_pool2d -1", lambda: F.adaptive_avg_pool2d(image, -1))
attempt("adaptive_avg_pool2d None", lambda: F.adaptive_avg_pool2d(image, None))
attempt("adaptive_avg_pool2d (None, 1)", lambda: F.adaptive_avg_pool2d(image, (None, 1)))
attempt("adaptive_avg_pool2d 2", lambda: F.adaptive_avg_pool2d(image, 2))
attempt("AdaptiveAvgPool2d", lambda: torch.nn.AdaptiveAvgPool2d((2, None))(image))

attempt("set_(1)", lambda: torch.ones(2).set_(1))
attempt("set_(x, 1)", lambda: torch.ones(2).set_(x, 1))
attempt("set_('a', 1)", lambda: torch.ones(2).set_("a", 1))
attempt("set_(x, 0, 2.5)", lambda: torch.ones(2).set_(x, 0, 2.5))
attempt("set_(bogus=3)", lambda: torch.ones(2).set_(bogus=3))
attempt("set_()", lambda: torch.ones(2).set_())
attempt("set_(x)", lambda: torch.ones(2).set_(x))
attempt("set_(x, 1, (2,))", lambda: torch.ones(2).set_(x, 1, (2,)))
attempt("set_(keywords)", lambda: torch.ones(2).set_(source=x, storage_offset=0, size=(2, 2), stride=(1, 1)))
attempt("set_(storage)", lambda: torch.ones(2).set_(x.untyped_storage()))
attempt("set_(storage, 2, (2, 2))", lambda: torch.ones(2).set_(x.untyped_storage(), 2, (2, 2)))

attempt("set_default_dtype()", lambda: torch.set_default_dtype())
attempt("set_default_dtype(d=...)", lambda: torch.set_default_dtype(d=torch.float32))
attempt("set_default_dtype(3)", lambda: torch.set_default_dtype(3))
attempt("set_default_dtype(None)", lambda: torch.set_default_dtype(None))
attempt("set_default_dtype(int32)", lambda: torch.set_default_dtype(torch.int32))
attempt("set_default_dtype(float64)", lambda: torch.set_default_dtype(torch.float64))
attempt("a new tensor", lambda: torch.zeros(2).dtype)
torch.set_default_dtype(torch.float32)
attempt("set_default_device()", lambda: torch.set_default_device())
attempt("set_default_device(1, 2)", lambda: torch.set_default_device(1, 2))
attempt("set_default_device('cpu')", lambda: torch.set_default_device(device="cpu"))
torch.set_default_device(None)
attempt("manual_seed()", lambda: torch.manual_seed())
attempt("manual_seed('a')", lambda: torch.manual_seed("a"))
attempt("manual_seed([1])", lambda: torch.manual_seed([1]))
attempt("manual_seed(2**64)", lambda: torch.manual_seed(2**64))
attempt("manual_seed(2.7)", lambda: torch.manual_seed(2.7))
print(torch.initial_seed())
attempt("manual_seed(tensor)", lambda: torch.manual_seed(seed=torch.tensor(3)))
print(torch.initial_seed())
