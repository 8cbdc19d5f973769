"""Records what PyTorch answers to the samples that its own tests are made from.

    python record.py [--seed N] [--only REGEX] FOLDER

The wheel of PyTorch ships three databases, `op_db` (operators), `module_db` and `optim_db`, with samples for each entry and with
calls that must raise. This writes one file per entry, with one sample per line and everything in it that `replay.py` needs: together
140 MB.
`entries.json` says what was recorded, and why the rest wasn't. It needs `torch`, `numpy`, `scipy` and `expecttest`.
"""

import argparse
import itertools
import json
import math
import os
import random
import re
import signal
import sys
import warnings
from collections import Counter

import numpy
import torch
from torch.testing._internal import common_methods_invocations, common_modules, common_optimizers

import replay

SAMPLES = 12  # of an operator's main dtype
SPELLINGS = 3  # of these, how many are called in each other way
MOST = 20_000  # elements of a sample, together
MAIN = [torch.float32, torch.int64, torch.bool, torch.complex64]
OTHERS = [torch.float64, torch.int64, torch.bool, torch.complex64, torch.bfloat16, torch.float16, torch.uint8, torch.int32]
NAMES = {dtype: str(dtype)[6:] for dtype in [*MAIN, *OTHERS, torch.int8, torch.int16, torch.complex128]}


class Leave(Exception):
    """A sample can't be written down; the text says why."""


class Slow(BaseException):
    pass


# ---- writing values --------------------------------------------------------------------------------------------------


def rounded(number, dtype):
    """The shortest number that means the same in that dtype."""
    if isinstance(number, complex):
        part = torch.float32 if dtype == torch.complex64 else torch.float64
        return [rounded(number.real, part), rounded(number.imag, part)]
    if isinstance(number, float) and dtype != torch.float64 and math.isfinite(number):
        return float(f"{number:.9g}")
    return number


def list_of(tensor):
    return [rounded(number, tensor.dtype) for number in tensor.reshape(-1).tolist()]


def write_tensor(tensor, role):
    if torch.nn.parameter.is_lazy(tensor):
        return {"is": "uninitialized", "name": type(tensor).__name__}
    if type(tensor) not in (torch.Tensor, torch.nn.Parameter) or tensor.device.type != "cpu":
        raise Leave(f"{type(tensor).__name__} on {tensor.device.type}")
    if tensor.dtype not in NAMES or tensor.is_nested:
        raise Leave(f"{tensor.dtype} {'nested' if tensor.is_nested else ''}")
    plain = tensor.detach()
    if tensor.layout == torch.sparse_coo:
        plain = plain.coalesce() if role == "result" else plain
        return {"is": "sparse", "indices": write(plain._indices()), "values": write(plain._values()), "shape": list(plain.shape),
                "grad": tensor.requires_grad}
    if tensor.layout != torch.strided:
        raise Leave(str(tensor.layout))
    if plain._is_zerotensor():
        plain = torch.zeros(plain.shape, dtype=plain.dtype)
    plain = plain.resolve_conj().resolve_neg()
    made = {"is": "tensor", "dtype": NAMES[plain.dtype], "shape": list(plain.shape)}
    if role == "result":
        node = None if tensor.grad_fn is None else type(tensor.grad_fn).__name__
        made |= {"role": role, "values": list_of(plain), "strides": list(tensor.stride()), "grad": tensor.requires_grad, "node": node}
    elif plain.is_contiguous():
        made["values"] = list_of(plain)
    else:
        storage = torch.empty(0, dtype=plain.dtype).set_(plain.untyped_storage())
        if storage.numel() > 4 * MOST:
            raise Leave("a small part of a large storage")
        made |= {"values": list_of(storage), "strides": list(plain.stride()), "offset": plain.storage_offset()}
    if role != "result" and type(tensor) is torch.nn.Parameter:
        made |= {"role": "parameter", "grad": tensor.requires_grad}
    elif role != "result" and tensor.requires_grad:
        made["grad"] = True
    return made


def public_name(value):
    for place in ("torch", "torch.nn.functional", "torch.nn"):
        if getattr(replay.look_up(place), value.__name__, None) is value:
            return f"{place}.{value.__name__}"
    raise Leave(f"the function {value.__name__}")


# How a module that's an argument was constructed, as far as an entry has one.
CONSTRUCTED = {
    "ReLU": lambda m: {}, "GELU": lambda m: {}, "Tanh": lambda m: {}, "Sigmoid": lambda m: {},
    "PairwiseDistance": lambda m: {"p": m.norm, "eps": m.eps, "keepdim": m.keepdim},
    "TransformerEncoderLayer": lambda m: {
        "d_model": m.self_attn.embed_dim, "nhead": m.self_attn.num_heads, "dim_feedforward": m.linear1.out_features,
        "dropout": m.dropout.p, "activation": m.activation, "batch_first": m.self_attn.batch_first,
        "norm_first": m.norm_first, "bias": m.linear1.bias is not None},
}


def write(value, role=None):
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if isinstance(value, torch.Tensor):
        return write_tensor(value, role)
    if kind is list:
        return [write(item, role) for item in value]
    if isinstance(value, torch.Size):
        return {"is": "size", "items": list(value)}
    if isinstance(value, tuple):
        return {"is": "tuple", "type": kind.__name__, "items": [write(item, role) for item in value]}
    if isinstance(value, dict):
        return {"is": "dict", "items": [[write(key), write(item, role)] for key, item in value.items()]}
    if kind is set:
        return {"is": "set", "items": [write(item) for item in value]}
    if kind is complex:
        return {"is": "complex", "parts": [value.real, value.imag]}
    if kind is slice:
        return {"is": "slice", "items": [write(item) for item in (value.start, value.stop, value.step)]}
    if kind is range:
        return {"is": "range", "items": [value.start, value.stop, value.step]}
    if value is ...:
        return {"is": "ellipsis"}
    if kind is torch.device:
        return {"is": "device", "name": str(value)}
    if kind in (torch.dtype, torch.layout, torch.memory_format):
        return {"is": "named", "name": str(value)}
    if value in (int, float, bool, complex):
        return {"is": "builtin", "name": value.__name__}
    if isinstance(value, torch.nn.Module):
        if kind.__name__ not in CONSTRUCTED:
            raise Leave(f"the module {kind.__name__}")
        return {"is": "module", "name": "torch.nn." + kind.__name__, "arguments": write(CONSTRUCTED[kind.__name__](value))}
    if callable(value) and hasattr(value, "__name__"):
        return {"is": "named", "name": public_name(value)}
    raise Leave(f"a {kind.__name__}")


def without_gradients(value):
    if isinstance(value, list):
        return [without_gradients(item) for item in value]
    if isinstance(value, dict):
        return {key: without_gradients(item) for key, item in value.items() if key != "grad" or value.get("is") == "sparse"}
    return value


def elements(value):
    lazy = torch.nn.parameter.is_lazy
    return sum(t.numel() for t in replay.tensors_in(value) if not lazy(t) and t.layout == torch.strided)


def json_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# ---- operators: which call a user would write ------------------------------------------------------------------------

# Entries whose samples have the first two arguments in another order than the function.
SWAPPED = {("einsum", ""), ("polygamma", ""), ("special.polygamma", ""), ("where", ""), ("nn.functional.embedding", ""),
           ("nn.functional.embedding_bag", ""), ("normal", "number_mean")}
SWAPPED_NAMES = {name for name, variant in SWAPPED if not variant}
# Entries whose first two arguments are factors of the matrix that the function is called with.
FACTORS = {("svd_lowrank", ""), ("pca_lowrank", ""), ("linalg.pinv", "singular")}
RANDOM_METHODS = {"cauchy": "cauchy_", "exponential": "exponential_", "geometric": "geometric_", "log_normal": "log_normal_",
                  "uniform": "uniform_", "normal in_place": "normal_", "resize_": "resize_", "resize_as_": "resize_as_",
                  "zero_": "zero_"}
ATTRIBUTES = {"T", "H", "mT", "mH"}
CASTS = {"bfloat16", "bool", "byte", "char", "double", "float", "half", "int", "long", "short", "cdouble", "cfloat", "chalf"}
# Vectors of these are determined but for their sign or phase; indices of those, but for equal elements.
SIGNS = {"svd", "linalg.svd", "linalg.eig", "linalg.eigh", "svd_lowrank", "pca_lowrank", "lobpcg"}
TIES = {"sort", "argsort", "msort", "topk", "kthvalue", "median", "nanmedian", "mode"}


def kept_out(name):
    """Why no program calls this entry; None if programs do."""
    last = name.rsplit(".", 1)[-1]
    if name.startswith("torch.ops.") or (last.startswith("_") and not last.startswith("__")):
        return "a private name"
    if name in ("slice", "max_pool2d_with_indices_backward", "native_dropout_backward"):
        return "a private name"
    if name.startswith("jiterator"):
        return "compiles CUDA C++ while it runs"
    return None


def arranged(info, sample):
    """The sample's arguments in the order in which a program writes them."""
    args, kwargs = [sample.input, *sample.args], dict(sample.kwargs)
    key = (info.name, info.variant_test_name)
    if key in SWAPPED or info.name in SWAPPED_NAMES:
        args[:2] = args[1::-1]
    elif key in FACTORS:
        matrix = (args[0] @ args[1].mT).detach()
        args[:2] = [matrix.requires_grad_(args[0].requires_grad)]
    elif key == ("linalg.lstsq", "grad_oriented") and len(args) > 2:
        kwargs["driver"] = args.pop()
    return args, kwargs


def way_to_call(info):
    name = info.name
    method = RANDOM_METHODS.get(f"{name} {info.variant_test_name}".strip())
    if method is not None:
        return "in place", method
    if name in ATTRIBUTES:
        return "attribute", name
    if name in CASTS:
        return "method", name
    try:
        replay.look_up("torch." + name)
        return "function", "torch." + name
    except (replay.Missing, AttributeError, ImportError):
        pass
    if hasattr(torch.Tensor, name):
        return "method", name
    raise Leave("no public name")


# ---- operators: their samples ----------------------------------------------------------------------------------------


def agree(a, b):
    return replay.differs(a, b, [], None, True) is None


def record_call(how, name, dtype, group, args, kwargs, grad, free):
    """A sample with PyTorch's answer."""
    sample = {"kind": "call", "group": group, "how": how, "name": name, "dtype": NAMES[dtype], "args": write(args),
              "kwargs": write(kwargs), "free": free, "unlike": False, "random": False, "gradients": None}
    if not grad:
        sample["args"], sample["kwargs"] = without_gradients(sample["args"]), without_gradients(sample["kwargs"])
    return answer(sample)


def answer(sample):
    result, given = replay.call(sample)
    if elements(result) > MOST:
        raise Leave("a large result")
    sample["gives"] = write(result, "result")
    before = replay.tensors_in([replay.make(sample["args"]), replay.make(sample["kwargs"])])
    sample["changed"] = [[at, write(now, "result")] for at, (was, now) in enumerate(zip(before, given))
                         if now.layout == torch.strided and (was.shape != now.shape or not agree(now.detach(), write(was)))]
    # Uninitialized memory is never alike; random numbers are, under one seed.
    sample["unlike"] = "empty" in sample["name"] or not agree(replay.call(sample)[0], sample["gives"])
    sample["random"] = not agree(replay.call(sample, seed=1)[0], sample["gives"])
    leaves = replay.leaves_of(given)
    outputs = [t for t in replay.tensors_in(result) if t.requires_grad]
    if leaves and outputs and not sample["unlike"] and all(t.layout == torch.strided for t in leaves + outputs):
        try:
            sample["gradients"] = write(list(replay.gradients(result, leaves, sample["free"])), "result")
        except (RuntimeError, NotImplementedError, ValueError, IndexError):
            pass  # PyTorch has no gradient here.
    return sample


def record_error(how, name, dtype, group, args, kwargs):
    sample = {"kind": "call", "group": group, "how": how, "name": name, "dtype": NAMES[dtype], "args": write(args), "kwargs": write(kwargs)}
    try:
        replay.call(sample)
    except Exception as error:
        return sample | {"raises": replay.words(error)}
    raise Leave("a call that doesn't raise")


def spread(items, count):
    """That many of them, from the first to the last at equal distances."""
    if len(items) <= count:
        return items
    return [items[round(at * (len(items) - 1) / max(1, count - 1))] for at in range(count)]


def other_spellings(info, how, recorded, sample):
    """The same call in the other ways to write it: (group, how, name, more keyword arguments)."""
    last = info.name.rsplit(".", 1)[-1]
    swapped = info.name in SWAPPED_NAMES or (info.name, info.variant_test_name) in SWAPPED | FACTORS
    if how != "function" or recorded["random"] or swapped:
        pass
    else:
        if info.method_variant is not None and getattr(torch.Tensor, last, None) is info.method_variant:
            yield "method", "method", last, {}
        in_place = getattr(torch.Tensor, last + "_", None)
        if info.inplace_variant is not None and in_place is info.inplace_variant and not sample.broadcasts_input:
            yield "in place", "in place", last + "_", {}
        operator = info.operator_variant
        if operator is not None and getattr(operator, "__module__", "") == "_operator":
            yield "operator", "function", "operator." + operator.__name__, {}
    if how == "function" and info.supports_out and not recorded["random"] and not recorded["unlike"]:
        gives = recorded["gives"]
        places = gives["items"] if isinstance(gives, dict) and gives["is"] == "tuple" else [gives]
        if all(isinstance(p, dict) and p["is"] == "tensor" for p in places):
            zeros = [torch.zeros(p["shape"], dtype=getattr(torch, p["dtype"])) for p in places]
            yield "out=", "function", "torch." + info.name, {"out": tuple(zeros) if places[0] is not gives else zeros[0]}


def has_gradient(info, dtype):
    inexact = dtype.is_floating_point or dtype.is_complex
    return inexact and info.supports_autograd and dtype in info.supported_backward_dtypes("cpu")


def small_samples(info, dtype, grad):
    # By default, the databases set a seed of their own before each sample.
    found = itertools.islice(info.sample_inputs("cpu", dtype, requires_grad=grad, set_seed=not options.seed), 400)
    return [s for s in found if elements([s.input, list(s.args), s.kwargs]) <= MOST]


def record_operator(info, keep):
    if kept_out(info.name):
        raise Leave(kept_out(info.name))
    how, name = way_to_call(info)
    dtypes = info.supported_dtypes("cpu")
    main = next((dtype for dtype in MAIN if dtype in dtypes), None)
    if main is None:
        raise Leave("no common dtype")
    free = "signs" if info.name in SIGNS else "ties" if info.name in TIES else None
    grad = has_gradient(info, main)
    chosen = spread(small_samples(info, main, grad), SAMPLES)
    for at, sample in enumerate(chosen):
        args, kwargs = arranged(info, sample)
        group = "in place" if how == "in place" else "function"
        recorded = keep(record_call, how, name, main, group, args, kwargs, grad, free)
        if recorded is None:
            continue
        if at < SPELLINGS:
            for group, other, spelled, more in other_spellings(info, how, recorded, sample):
                # `out=` refuses arguments that require a gradient.
                with_grad = grad and group != "out=" and (group != "in place" or info.supports_inplace_autograd)
                again = replay.make(recorded["args"]), replay.make(recorded["kwargs"]) | more
                keep(record_call, other, spelled, main, group, *again, with_grad, free)
        if at == 0:
            for alias in info.aliases:
                if not alias.name.rsplit(".", 1)[-1].startswith("_"):
                    again = replay.make(recorded["args"]), replay.make(recorded["kwargs"])
                    keep(record_call, "function", "torch." + alias.name, main, "alias", *again, grad, free)
    for dtype in OTHERS:
        if dtype in dtypes and dtype != main:
            grad = has_gradient(info, dtype)
            for sample in spread(small_samples(info, dtype, grad), 2):
                keep(record_call, how, name, dtype, "other dtype", *arranged(info, sample), grad, free)
        elif dtype not in dtypes and dtype in (torch.int64, torch.bool, torch.complex64, torch.float16):
            try:
                refused = small_samples(info, dtype, False)[:1]
            except Exception:
                continue  # The samples themselves can't be made in that dtype.
            for sample in refused:
                keep(record_error, how, name, dtype, "refused dtype", *arranged(info, sample))
    if info.error_inputs_func is not None:
        for case in itertools.islice(info.error_inputs("cpu"), 60):
            keep(record_error, how, name, torch.float32, "error", *arranged(info, case.sample_input))


# ---- modules and optimizers ------------------------------------------------------------------------------------------


def parts(arguments):
    return [write(list(arguments.args)), write(dict(arguments.kwargs))]


def record_module(name, case, training):
    sample = {"kind": "module", "group": "module", "name": name, "new": parts(case.constructor_input), "training": training,
              "args": None, "kwargs": None, "unlike": False, "random": False, "gradients": None}
    module = replay.build(sample)
    sample["state"] = write(dict(module.state_dict()), "result")
    sample["repr"] = repr(module)
    if elements(dict(module.state_dict())) > MOST:
        raise Leave("a large module")
    if case.forward_input is None:
        return sample
    sample["args"], sample["kwargs"] = parts(case.forward_input)

    def run(seed=0):
        module = replay.build(sample).train(training)
        return module, *replay.run_module(module, sample, seed=seed)

    module, result, given = run()
    if elements(result) > MOST:
        raise Leave("a large result")
    sample["gives"] = write(result, "result")
    sample["unlike"] = not agree(run()[1], sample["gives"])
    sample["random"] = not agree(run(1)[1], sample["gives"])
    leaves = replay.leaves_of(given) + [p for p in module.parameters() if p.requires_grad]
    if leaves and not sample["unlike"] and any(t.requires_grad for t in replay.tensors_in(result)):
        try:
            sample["gradients"] = write(list(replay.gradients(result, leaves, None)), "result")
        except (RuntimeError, NotImplementedError):
            pass
    return sample


def record_module_error(name, case):
    inputs = case.module_error_input
    sample = {"kind": "module", "group": "module error", "name": name, "new": parts(inputs.constructor_input), "args": None, "kwargs": None}
    if inputs.forward_input is not None and case.error_on == common_modules.ModuleErrorEnum.FORWARD_ERROR:
        sample["args"], sample["kwargs"] = parts(inputs.forward_input)
    try:
        module = replay.build(sample)
        if sample["args"] is not None:
            replay.run_module(module, sample)
    except Exception as error:
        return sample | {"raises": replay.words(error)}
    raise Leave("a call that doesn't raise")


def record_modules(info, keep):
    name = info.module_cls.__name__
    if getattr(torch.nn, name, None) is not info.module_cls:
        raise Leave("not in torch.nn: " + info.module_cls.__module__)
    settings = {"device": "cpu", "dtype": torch.float32}
    for training in [True] if info.train_and_eval_differ is False else [True, False]:
        cases = info.module_inputs_func(info, requires_grad=True, training=training, **settings)
        for case in spread(list(cases), SAMPLES):
            keep(record_module, "torch.nn." + name, case, training)
    if info.module_error_inputs_func is not None:
        for case in info.module_error_inputs_func(info, requires_grad=False, training=True, **settings):
            keep(record_module_error, "torch.nn." + name, case)


def record_optimizer(info, kwargs, group_options):
    numbers = torch.Generator().manual_seed(5)
    shapes = [(3, 2), (1, 2), (5, 3), (5, 2)]
    weight, bias, x, y = (torch.randn(shape, generator=numbers) / 2 for shape in shapes)
    sample = {"kind": "optimizer", "group": "optimizer", "name": "torch.optim." + info.optim_cls.__name__, "kwargs": write(kwargs),
              "group_options": write(group_options) if group_options else None, "steps": 5, "closure": info.step_requires_closure,
              "problem": write([torch.nn.Parameter(weight), torch.nn.Parameter(bias), x, y])}
    seen, optimizer = replay.train(sample)
    sample |= {"seen": write(seen, "result"), "repr": repr(optimizer), "state": None}
    try:
        sample["state"] = write(optimizer.state_dict(), "result")
    except Leave:
        pass
    return sample


def record_optimizer_error(info, inputs):
    params = [torch.nn.Parameter(torch.ones(2))] if inputs.params is None else inputs.params
    sample = {"kind": "optimizer", "group": "optimizer error", "name": "torch.optim." + info.optim_cls.__name__,
              "params": write(params), "kwargs": write(inputs.kwargs)}
    try:
        replay.look_up(sample["name"])(replay.make(sample["params"]), **replay.make(sample["kwargs"]))
    except Exception as error:
        return sample | {"raises": replay.words(error)}
    raise Leave("a call that doesn't raise")


def record_optimizers(info, keep):
    for case in info.optim_inputs_func(device="cpu"):
        keep(record_optimizer, info, case.kwargs, None)
    for implementation in info.supported_impls:
        keep(record_optimizer, info, {implementation: True}, None)
    if info.supports_param_groups:
        keep(record_optimizer, info, {}, {"lr": 0.05})
    if info.optim_error_inputs_func is not None:
        for case in info.optim_error_inputs_func(device="cpu", dtype=torch.float32):
            keep(record_optimizer_error, info, case.optimizer_error_input)


# ---- all of it -------------------------------------------------------------------------------------------------------


def too_slow(*_):
    raise Slow()


def record_entry(entry, record, info, seed):
    """The samples of one entry, and why others were left out."""
    samples, left_out = [], Counter()

    def keep(function, *arguments):
        try:
            sample = function(*arguments)
        except Leave as why:
            left_out[str(why)] += 1
        except Exception as error:
            left_out[f"{type(error).__name__}: {error}"[:100]] += 1
        else:
            samples.append({"sample": f"{entry} {len(samples)}"} | sample)
            return sample
        return None

    random.seed(seed)
    numpy.random.seed(seed)
    torch.manual_seed(seed)
    signal.alarm(90)
    try:
        record(info, keep)
    except Slow:
        left_out["slow"] += 1
    except Exception as error:
        left_out[str(error) if isinstance(error, Leave) else f"{type(error).__name__}: {error}"[:200]] += 1
    finally:
        signal.alarm(0)
    return samples, left_out


def record_all(folder, seed, only):
    os.makedirs(folder, exist_ok=True)
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    signal.signal(signal.SIGALRM, too_slow)
    entries = [(f"{i.name} {i.variant_test_name}".strip(), record_operator, i) for i in common_methods_invocations.op_db]
    entries += [("module " + i.module_cls.__name__, record_modules, i) for i in common_modules.module_db]
    entries += [("optimizer " + i.optim_cls.__name__, record_optimizers, i) for i in common_optimizers.optim_db]
    about = {"torch": str(torch.__version__), "seed": seed, "entries": {}}
    place = os.path.join(folder, "entries.json")
    if only and os.path.exists(place):
        with open(place, encoding="utf-8") as before:
            about["entries"] = json.load(before)["entries"]
    for entry, record, info in entries:
        if not re.search(only, entry):
            continue
        samples, left_out = record_entry(entry, record, info, seed)
        file = re.sub(r"[^A-Za-z0-9_.-]", "-", entry) + ".jsonl"
        if samples:
            with open(os.path.join(folder, file), "w", encoding="utf-8") as out:
                out.writelines(json_of(sample) + "\n" for sample in samples)
        about["entries"][entry] = {"file": file if samples else None, "samples": len(samples), "left_out": dict(left_out)}
        print(f"{entry}: {len(samples)}", *(f"[{count} left out: {why}]" for why, count in left_out.most_common(2)), flush=True)
    with open(place, "w", encoding="utf-8") as out:
        json.dump(about, out, indent=1)


def main():
    global options
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    record_all(options.folder, options.seed, options.only)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
