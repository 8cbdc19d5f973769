"""Replays the calls that `record.py` recorded with PyTorch, and says what differs.

    python replay.py [--from N] [--device DEVICE] FILE...

It uses only the public API of `torch`, so it runs under Tensoryard and under PyTorch itself, which must agree with its own
recording. Each line of a file is one sample. Before each sample it prints `{"at": N, "sample": NAME}`, so that the reader
knows which sample ended the process, and afterwards `{"sample": NAME, "group": GROUP, "found": {...}}`: for each thing that was
compared ("result", "gradient", "error", ...) either null, if it agrees, or what differs. "notes" lists what programs seldom
notice: strides, node names, the type of a tuple.
"""

import importlib
import json
import math
import sys

import torch

# ---- values that JSON doesn't have -----------------------------------------------------------------------------------


def look_up(path):
    """The object at a dotted path: `torch.nn.Linear`."""
    first, *rest = path.split(".")
    found = importlib.import_module(first)
    for depth, name in enumerate(rest, 1):
        if not hasattr(found, name):
            try:
                importlib.import_module(".".join([first, *rest[:depth]]))
            except ImportError:
                raise Missing(path) from None
        found = getattr(found, name)
    return found


class Missing(Exception):
    """A recorded name doesn't exist here."""


def make_tensor(value):
    dtype = getattr(torch, value["dtype"])
    numbers = value["values"]
    if dtype.is_complex:
        numbers = [complex(*pair) for pair in numbers]
    made = torch.tensor(numbers, dtype=dtype)
    if "strides" in value and value.get("role") != "result":
        made = made.as_strided(value["shape"], value["strides"], value["offset"])
    else:
        made = made.reshape(value["shape"])
    if value.get("role") == "parameter":
        return torch.nn.Parameter(made, requires_grad=value["grad"])
    return made.requires_grad_() if value.get("grad") else made


def make_sparse(value):
    made = torch.sparse_coo_tensor(make(value["indices"]), make(value["values"]), value["shape"])
    return made.requires_grad_() if value["grad"] else made


MAKERS = {
    "tensor": make_tensor,
    "sparse": make_sparse,
    "tuple": lambda value: tuple(make(item) for item in value["items"]),
    "set": lambda value: {make(item) for item in value["items"]},
    "dict": lambda value: {make(key): make(item) for key, item in value["items"]},
    "size": lambda value: torch.Size(value["items"]),
    "complex": lambda value: complex(*value["parts"]),
    "slice": lambda value: slice(*make(value["items"])),
    "range": lambda value: range(*value["items"]),
    "ellipsis": lambda value: ...,
    "device": lambda value: torch.device(value["name"]),
    "builtin": lambda value: {"int": int, "float": float, "bool": bool, "complex": complex}[value["name"]],
    "named": lambda value: look_up(value["name"]),
    "module": lambda value: look_up(value["name"])(**make(value["arguments"])),
}


def make(value):
    """The value that `record.py` wrote down."""
    if isinstance(value, list):
        return [make(item) for item in value]
    if isinstance(value, dict):
        return MAKERS[value["is"]](value)
    return value


def tensors_in(value):
    """All tensors in nested containers, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors_in(item)]
    return []


def on_device(value, device):
    """A copy on another device, for runs on an accelerator."""
    if device == "cpu":
        return value
    if isinstance(value, torch.nn.Parameter):
        return torch.nn.Parameter(value.detach().to(device), requires_grad=value.requires_grad)
    if isinstance(value, torch.Tensor):
        return value.detach().to(device).requires_grad_(value.requires_grad)
    if isinstance(value, dict):
        return {key: on_device(item, device) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(on_device(item, device) for item in value)
    if isinstance(value, torch.device):
        return torch.device(device)
    return value


# ---- doing what a sample says ----------------------------------------------------------------------------------------


def call(sample, device="cpu", seed=0):
    """Makes the recorded call. Returns its result and its arguments."""
    args, kwargs = on_device(make(sample["args"]), device), on_device(make(sample["kwargs"]), device)
    how, name = sample["how"], sample["name"]
    given = tensors_in([args, kwargs])
    torch.manual_seed(seed)
    if how == "function":
        return look_up(name)(*args, **kwargs), given
    subject, *rest = args
    if not hasattr(torch.Tensor, name):
        raise Missing("torch.Tensor." + name)
    if how == "in place":
        subject = subject.clone()
    found = getattr(subject, name)
    return found if how == "attribute" else found(*rest, **kwargs), given


def build(sample):
    torch.manual_seed(0)
    return look_up(sample["name"])(*make(sample["new"][0]), **make(sample["new"][1]))


def run_module(module, sample, device="cpu", seed=0):
    args, kwargs = on_device(make(sample["args"]), device), on_device(make(sample["kwargs"]), device)
    torch.manual_seed(seed)
    return module(*args, **kwargs), tensors_in([args, kwargs])


WEIGHTS = [1.0, -0.5, 0.75, -1.25, 0.25, 2.0, -0.75]


def weights(tensor):
    """The weight of each element of an output in the sum that is differentiated.

    Neighbors have different weights, so a gradient that arrives at the wrong element is noticed.
    """
    numbers = [WEIGHTS[at % len(WEIGHTS)] for at in range(tensor.numel())]
    return torch.tensor(numbers, dtype=torch.float64).reshape(tensor.shape).to(tensor.device, tensor.dtype)


def gradients(result, leaves, free):
    """The gradients of the leaves, and None for those that no output depends on.

    `free` says what a result leaves open: "signs" for vectors whose sign or phase is arbitrary, "ties" for indices of equal
    elements, None for nothing.
    """
    outputs = [t for t in tensors_in(result) if t.requires_grad and (t.is_floating_point() or t.is_complex())]
    if free == "signs":
        outputs = [t.abs() for t in outputs]
    return torch.autograd.grad(outputs, leaves, [weights(t) for t in outputs], allow_unused=True)


def leaves_of(given):
    return [t for t in given if t.requires_grad]


def train(sample, device="cpu"):
    """Some steps of an optimizer on a least squares problem: the parameters after each, and the optimizer."""
    weight, bias, x, y = on_device(make(sample["problem"]), device)
    parameters = [{"params": [weight]}, {"params": [bias], **make(sample["group_options"])}] if sample["group_options"] else [weight, bias]
    optimizer = look_up(sample["name"])(parameters, **on_device(make(sample["kwargs"]), device))
    seen = []

    def closure():
        optimizer.zero_grad()
        loss = (x @ weight + bias - y).square().sum()
        loss.backward()
        return loss

    for _ in range(sample["steps"]):
        if sample["closure"]:
            optimizer.step(closure)
        else:
            closure()
            optimizer.step()
        seen.append([weight.detach().clone(), bias.detach().clone()])
    return seen, optimizer


# ---- comparing -------------------------------------------------------------------------------------------------------

# How far a number may be from PyTorch's, per dtype: (relative tolerance, absolute tolerance).
NEAR = {
    "float16": (2e-3, 2e-3),
    "bfloat16": (2e-2, 2e-2),
    "float32": (1e-4, 1e-5),
    "float64": (1e-7, 1e-8),
    "complex64": (1e-4, 1e-5),
    "complex128": (1e-7, 1e-8),
}


def part_near(a, b, relative, absolute):
    if a == b or (a != a and b != b):
        return True
    return math.isfinite(a) and math.isfinite(b) and abs(a - b) <= absolute + relative * abs(b)


def numbers_differ(found, wanted, dtype):
    """None, or which numbers are further from PyTorch's than rounding explains."""
    if dtype not in NEAR:
        wrong = [at for at, (a, b) in enumerate(zip(found, wanted)) if a != b]
    else:
        relative, absolute = NEAR[dtype]
        split = (lambda n: (n.real, n.imag)) if dtype.startswith("complex") else (lambda n: (n,))

        def near(a, b, absolute):
            if dtype.startswith("complex") and math.isfinite(abs(a)) and math.isfinite(abs(b)):
                return abs(a - b) <= absolute + relative * abs(b)
            return all(part_near(x, y, relative, absolute) for x, y in zip(split(a), split(b)))

        wrong = [at for at, (a, b) in enumerate(zip(found, wanted)) if a != b and not near(a, b, absolute)]
        if wrong:
            # If the terms of a sum cancel, its error is that of the largest term. So the largest number scales the tolerance.
            largest = max([1.0] + [abs(p) for n in wanted for p in split(n) if math.isfinite(p)])
            wrong = [at for at in wrong if not near(found[at], wanted[at], absolute * largest)]
    if not wrong:
        return None
    at = wrong[0]
    return f"{len(wrong)} of {len(wanted)} numbers, [{at}] is {found[at]!r}, in PyTorch {wanted[at]!r}"


def flat_numbers(tensor):
    numbers = tensor.detach().cpu().resolve_conj().resolve_neg().reshape(-1).tolist()
    return numbers


def tensor_differs(found, wanted, notes, free=None, numbers=True):
    if not isinstance(found, torch.Tensor):
        return f"a {type(found).__name__}, in PyTorch a tensor"
    dtype = str(found.dtype)[6:]
    if dtype != wanted["dtype"]:
        return f"dtype {dtype}, in PyTorch {wanted['dtype']}"
    if list(found.shape) != wanted["shape"]:
        return f"shape {list(found.shape)}, in PyTorch {wanted['shape']}"
    if wanted.get("role") == "result":
        if found.numel() and list(found.stride()) != wanted["strides"]:
            notes.append(f"stride {list(found.stride())}, in PyTorch {wanted['strides']}")
        if found.requires_grad != wanted["grad"]:
            notes.append(f"requires_grad {found.requires_grad}, in PyTorch {wanted['grad']}")
        elif wanted["node"] is not None and type(found.grad_fn).__name__ != wanted["node"]:
            notes.append(f"grad_fn {type(found.grad_fn).__name__}, in PyTorch {wanted['node']}")
    if not numbers:
        return None
    mine, theirs = flat_numbers(found), wanted["values"]
    if dtype.startswith("complex"):
        theirs = [complex(*pair) for pair in theirs]
    difference = numbers_differ(mine, theirs, dtype)
    if difference is not None and free == "signs":
        return numbers_differ([abs(n) for n in mine], [abs(n) for n in theirs], dtype.replace("complex64", "float32").replace("complex128", "float64"))
    if free == "ties" and dtype == "int64":
        return None
    return difference


def items_differ(found, wanted, notes, free, numbers):
    if len(found) != len(wanted):
        return f"{len(found)} items, in PyTorch {len(wanted)}"
    for at, (a, b) in enumerate(zip(found, wanted)):
        # `sort` and its like return (values, indices). Equal values may come in any order, so only the indices may differ.
        difference = differs(a, b, notes, None if free == "ties" and at == 0 else free, numbers)
        if difference is not None:
            return f"item {at}: {difference}"
    return None


def differs(found, wanted, notes, free=None, numbers=True):
    """None, or the first difference from the recorded value."""
    if isinstance(wanted, list):
        return items_differ(found, wanted, notes, free, numbers) if isinstance(found, list) else f"a {type(found).__name__}, in PyTorch a list"
    if isinstance(wanted, float):
        near = isinstance(found, float) and (not numbers or part_near(found, wanted, 1e-4, 1e-5))
        return None if near else f"{found!r}, in PyTorch {wanted!r}"
    if not isinstance(wanted, dict):
        same = type(found) is type(wanted) and (not numbers or found == wanted)
        return None if same else f"{found!r:.80}, in PyTorch {wanted!r:.80}"
    kind = wanted["is"]
    if kind == "uninitialized":
        return None if type(found).__name__ == wanted["name"] else f"a {type(found).__name__}, in PyTorch a {wanted['name']}"
    if kind == "tensor":
        return tensor_differs(found, wanted, notes, free, numbers)
    if kind == "sparse":
        if not isinstance(found, torch.Tensor) or not found.is_sparse:
            return f"a dense {type(found).__name__}, in PyTorch a sparse tensor"
        found = found.detach().coalesce()
        return items_differ([found.indices(), found.values()], [wanted["indices"], wanted["values"]], [], free, numbers)
    if kind == "tuple":
        if not isinstance(found, tuple):
            return f"a {type(found).__name__}, in PyTorch a tuple"
        if type(found).__name__ != wanted["type"]:
            notes.append(f"type {type(found).__name__}, in PyTorch {wanted['type']}")
        return items_differ(found, wanted["items"], notes, free, numbers)
    if kind == "dict":
        if not isinstance(found, dict):
            return f"a {type(found).__name__}, in PyTorch a dict"
        keys = [make(key) for key, _ in wanted["items"]]
        if list(found) != keys:
            return f"keys {list(found)}, in PyTorch {keys}"
        return items_differ(list(found.values()), [item for _, item in wanted["items"]], notes, free, numbers)
    made = make(wanted)
    if kind == "complex":
        made, found = [made], [complex(found)]
        return numbers_differ(found, made, "complex64")
    return None if found == made and type(found) is type(made) else f"{found!r:.80}, in PyTorch {made!r:.80}"


def words(error):
    return [type(error).__name__, str(error).split("\nException raised from")[0]]


def error_differs(run, wanted):
    try:
        run()
    except Missing as error:
        return f"missing: {error}"
    except Exception as error:
        found = words(error)
        if found == wanted:
            return None
        kind = "text" if found[0] == wanted[0] else "type"
        return f"{kind}: {found[0]}: {found[1]:.300}, in PyTorch {wanted[0]}: {wanted[1]:.300}"
    return f"silent: nothing raised, in PyTorch {wanted[0]}: {wanted[1]:.300}"


# ---- one sample ------------------------------------------------------------------------------------------------------


def guarded(run):
    """What a comparison found, or why it couldn't be made."""
    try:
        return run()
    except Missing as error:
        return f"missing: {error}"
    except NotImplementedError as error:
        return f"refused: {error!s:.300}"
    except Exception as error:
        return f"raised: {type(error).__name__}: {error!s:.300}"


def replay_call(sample, device, notes):
    numbers = not sample["unlike"] and not (sample["random"] and device != "cpu")
    free, state = sample["free"], {}

    def result():
        state["result"], state["given"] = call(sample, device)
        difference = differs(state["result"], sample["gives"], notes, free, numbers)
        if difference is None:
            for at, wanted in sample["changed"]:
                difference = differs(state["given"][at], wanted, [], None, numbers)
                if difference is not None:
                    return f"argument {at} afterwards: {difference}"
        return difference

    def gradient():
        if "result" not in state:
            return "unreached"
        found = gradients(state["result"], leaves_of(state["given"]), free)
        return differs(list(found), sample["gradients"], [], free, numbers)

    found = {"result": guarded(result)}
    if sample["gradients"] is not None:
        found["gradient"] = guarded(gradient)
    return found


def replay_module(sample, device, notes):
    numbers = not sample["unlike"] and not (sample["random"] and device != "cpu")
    state = {}

    def first():
        state["module"] = build(sample)
        return differs(dict(state["module"].state_dict()), sample["state"], [])

    def text():
        return None if repr(state["module"]) == sample["repr"] else f"{state['module']!r}, in PyTorch {sample['repr']}"

    def result():
        module = state["module"].to(device).train(sample["training"])
        state["result"], state["given"] = run_module(module, sample, device)
        return differs(state["result"], sample["gives"], notes, None, numbers)

    def gradient():
        leaves = leaves_of(state["given"]) + [p for p in state["module"].parameters() if p.requires_grad]
        return differs(list(gradients(state["result"], leaves, None)), sample["gradients"], [], None, numbers)

    found = {"state": guarded(first)}
    if "module" not in state:
        return found
    found["repr"] = guarded(text)
    if sample["args"] is not None:
        found["result"] = guarded(result)
        if sample["gradients"] is not None:
            found["gradient"] = guarded(gradient) if "result" in state else "unreached"
    return found


def replay_optimizer(sample, device, notes):
    state = {}

    def result():
        seen, state["optimizer"] = train(sample, device)
        return differs(seen, sample["seen"], [])

    found = {"result": guarded(result)}
    if "optimizer" in state and device == "cpu":
        text = guarded(lambda: None if repr(state["optimizer"]) == sample["repr"] else repr(state["optimizer"]))
        found["repr"] = text
        if sample["state"] is not None:
            found["state"] = guarded(lambda: differs(state["optimizer"].state_dict(), sample["state"], notes))
    return found


def replay_error(sample, device, notes):
    def run():
        if sample["kind"] == "call":
            call(sample)
        elif sample["kind"] == "optimizer":
            look_up(sample["name"])(make(sample["params"]), **make(sample["kwargs"]))
        else:
            module = build(sample)
            if sample["args"] is not None:
                run_module(module, sample)

    return {"error": error_differs(run, sample["raises"])}


def replay(sample, device):
    notes = []
    if "raises" in sample:
        found = replay_error(sample, device, notes)
    else:
        found = {"call": replay_call, "module": replay_module, "optimizer": replay_optimizer}[sample["kind"]](sample, device, notes)
    return {"sample": sample["sample"], "group": sample["group"], "found": found, "notes": notes}


def main(arguments):
    options = {"--from": "0", "--device": "cpu"}
    while arguments and arguments[0] in options:
        options[arguments[0]] = arguments[1]
        arguments = arguments[2:]
    first, device = int(options["--from"]), options["--device"]
    at = 0
    for file in arguments:
        with open(file, encoding="utf-8") as lines:
            for line in lines:
                at += 1
                if at <= first:
                    continue
                sample = json.loads(line)
                if device != "cpu" and "raises" in sample:
                    continue
                print(json.dumps({"at": at, "sample": sample["sample"]}), flush=True)
                print(json.dumps(replay(sample, device)), flush=True)
    print(json.dumps({"end": at}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
