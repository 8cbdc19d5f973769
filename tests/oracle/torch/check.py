"""Runs recorded PyTorch 2.15 cases and prints how many agree: `check.py FOLDER FILE [MACHINE] [--show] [--device DEVICE]`.

With a device, cases recorded on the CPU run there (`ops`, `optimizers`): every tensor they make is on it.
"""

import contextlib
import io
import json
import math
import re
import sys
import types
import warnings

import torch

FOLDER, FILE = sys.argv[1:3]
MACHINE = sys.argv[3] if len(sys.argv) > 3 and not sys.argv[3].startswith("-") else ""
SHOW = "--show" in sys.argv
DEVICE = sys.argv[sys.argv.index("--device") + 1] if "--device" in sys.argv else None
PRELUDE = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


def cases():
    with open(f"{FOLDER}/{FILE}.json") as f:
        return json.load(f)


def forget():
    """Every case starts from PyTorch's defaults."""
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(DEVICE)
    torch._C._set_printoptions(profile="default")
    if torch.cuda.is_available():
        torch.cuda.set_device(0)


def outcome(code, space):
    """What a piece of code prints and raises."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, "<case>", "exec"), space)
    except BaseException as error:
        kind = type(error)
        name = kind.__qualname__
        module = getattr(kind, "__module__", "builtins")
        return {"stdout": out.getvalue(), "type": name if module == "builtins" else f"{module}.{name}",
                "message": str(error)}
    return {"stdout": out.getvalue()}


def addresses_hidden(text):
    """An object's address is another in every process."""
    return re.sub(r"\b0x[1-9a-f][0-9a-f]*\b", "0x…", text)


def figures_hidden(text):
    return re.sub(r"-?\d+\.\d*", "#", text)


def same_outcome(got, want, figures=True):
    def hide(text):
        return addresses_hidden(text) if figures else figures_hidden(addresses_hidden(text))

    if "type" in want:
        return got.get("type", "").split(".")[-1] == want["type"].split(".")[-1] \
            and hide(got["message"]) == hide(want["message"])
    return "type" not in got and hide(got["stdout"]) == hide(want["stdout"])


def check_errors(case):
    # A program of its own: what it defines belongs to `__main__`, where pickle looks for it.
    program = types.ModuleType("__main__")
    sys.modules["__main__"] = program
    got = outcome(PRELUDE + case["code"], program.__dict__)
    # Some values were not computed when the case was recorded: only their form is compared.
    return same_outcome(got, case["want"], case.get("figures", True)), got, case["want"]


SWEEP = {"z": torch.tensor([1 + 2j, 3 - 4j]), "x": torch.tensor([2.0, 3.0]), "m": torch.tensor([[1 + 2j, 0.5j], [3, 0 - 1j]])}


NUMBER = re.compile(r"[+-]?\s*(?:\d+\.?\d*(?:e[+-]\d+)?|nan|inf)")
FIELD = re.compile(r"(\w+)=tensor\((.*?)\)(?=,\n\w+=|\)$)", re.S)


def alike(got, want):
    """The same text, but for the rounding of numbers and the phases of vectors."""
    form = lambda text: re.sub(r"\s+", "", NUMBER.sub("#", text))
    if form(got) != form(want):
        return False
    if "U=" in want or "eigenvectors=" in want:
        return same_vectors(fields(got), fields(want))
    numbers = lambda text: [float(n.replace(" ", "")) for n in NUMBER.findall(text)]
    got, want = numbers(got), numbers(want)
    size = max([1.0] + [abs(n) for n in want if math.isfinite(n)])
    return all(a == b or abs(a - b) <= 1e-5 * size or a != a and b != b for a, b in zip(got, want))


def fields(text):
    """The fields of a result of several, where vectors are the columns."""
    found = {name: eval(numbers) for name, numbers in FIELD.findall(text)}
    if "Vh" in found:
        found["V"] = [[n.conjugate() for n in column] for column in zip(*found.pop("Vh"))]
    return {name: list(zip(*rows)) if isinstance(rows[0], list) else rows for name, rows in found.items()}


def same_vectors(got, want):
    """Whether values agree, and vectors but for a factor of size 1, which the vectors of one singular value share. What is compared
    was printed with four digits."""
    turns = []
    for name in want:
        if name in ("S", "eigenvalues"):
            if any(abs(a - b) > 1e-5 * max(map(abs, want[name])) for a, b in zip(got[name], want[name])):
                return False
        else:
            turns.append([sum(b.conjugate() * a for a, b in zip(*pair)) for pair in zip(got[name], want[name])])
    sizes = (abs(turn) for row in turns for turn in row)
    return bool(turns) and all(abs(size - 1) < 5e-4 for size in sizes) and all(
        abs(a - b) < 1e-3 for row in turns for a, b in zip(row, turns[0]))


def check_sweep(case):
    """An operator on complex tensors gives what PyTorch gives, or says that it does not take them. What PyTorch refuses is
    refused."""
    space = {"torch": torch, "F": torch.nn.functional}
    space.update((name, t.clone()) for name, t in SWEEP.items())
    try:
        got = repr(eval(case["code"], space))
    except Exception as error:
        return case["want"] is None or "omplex" in str(error), f"{type(error).__name__}: {error}", case["want"]
    return got == case["want"] or case["want"] is not None and alike(got, case["want"]), got, case["want"]


def check_warnings(case):
    """PyTorch's text, but for where in its sources it arose."""
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        outcome(PRELUDE + case["code"], {})
    got = [f"{w.category.__name__}: {w.message}" for w in raised]
    return case["want"] in got, got, case["want"]


DEVICES = {"torch": torch, "nn": torch.nn}


def check_device(case):
    """The expressions share two tensors, one on each side."""
    if "x" not in DEVICES:
        DEVICES.update(x=torch.ones(2, device="cuda"), c=torch.ones(2))
    try:
        got = str(eval(case["expr"], DEVICES))
    except Exception as error:
        # No longer texts were recorded.
        got = f"EXC {type(error).__name__} {error}"[:314]
    return addresses_hidden(got) == addresses_hidden(case["want"]), got, case["want"]


def check_train(case):
    """A whole training run's losses, to 4 decimals."""
    space = {"__name__": "__main__"}
    got = outcome(case["code"], space)
    losses = space.get("losses", [])
    return all_equal(losses, case["losses"], absolute=5e-5), got.get("message", losses[-3:]), case["losses"][-3:]


def check_seeds(case):
    space = {}
    if "seed" in case:
        torch.manual_seed(case["seed"])
    for code in case["before"]:
        outcome(code, space)
    got = outcome(case["code"], space)
    want = case["want"][MACHINE]
    ok = got["stdout"] == want["stdout"] and got.get("message") == want.get("message")
    return ok, got, want


def evaluate(code, space=None):
    space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional} if space is None else space
    exec(PRELUDE, space)
    *before, last = code.split("; ")
    try:
        compile(last, "<case>", "eval")
    except SyntaxError:
        exec(code, space)
        return None
    exec("; ".join(before), space)
    return eval(last, space)


def check_repr(case):
    try:
        got = repr(evaluate(case["code"]))
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    return addresses_hidden(got) == addresses_hidden(case["want"]), got, case["want"]


def flat(value):
    if isinstance(value, torch.Tensor):
        return value.detach().cpu().reshape(-1).tolist()
    return [value]


def equal(a, b, relative=0.0, absolute=0.0):
    if isinstance(b, str):
        b = float(b)
    if isinstance(a, float) and isinstance(b, float):
        if math.isnan(a) or math.isnan(b):
            return math.isnan(a) and math.isnan(b)
        return a == b or abs(a - b) <= absolute + relative * abs(b)
    return a == b


def all_equal(got, want, **tolerance):
    return len(got) == len(want) and all(equal(a, b, **tolerance) for a, b in zip(got, want))


def check_rng(case):
    got = evaluate(case["code"])
    numbers = flat(got)
    if "values" in case:
        return all_equal(numbers, case["values"]), numbers[:4], case["values"][:4]
    head, tail = case.get("values_head", []), case.get("values_tail", [])
    ok = all_equal(numbers[: len(head)], head) and all_equal(numbers[-len(tail) :] if tail else [], tail)
    return ok, numbers[:4], head[:4]


def check_init(case):
    got = evaluate(case["code"])
    if "params" not in case:
        numbers = flat(got)
        return all_equal(numbers, case["values"]), numbers[:4], case["values"][:4]
    have = dict(got.named_parameters())
    have.update(got.named_buffers())
    for name, want in case["params"].items():
        numbers = flat(have[name])
        values = want.get("values")
        if values is not None and not all_equal(numbers, values):
            return False, (name, numbers[:4]), values[:4]
    return repr(got) == case["repr"], repr(got), case["repr"]


def tensor(spec):
    def numbers(value):
        return [float(v) if isinstance(v, str) else v for v in value]

    return torch.tensor(numbers(spec["data"]), dtype=getattr(torch, spec["dtype"])).reshape(spec["shape"])


def check_ops(case):
    space = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "math": math}
    inputs = {name: tensor(spec) for name, spec in case["inputs"].items()}
    for name, t in inputs.items():
        # Where no gradient could be recorded, the operator was still asked for one.
        if name in (case.get("grads") or {}) or case.get("backward_error") and t.is_floating_point():
            t.requires_grad_(True)
    space.update(inputs)
    if case["name"].endswith("_seed0"):
        torch.manual_seed(0)
    out = eval(case["expr"], space)
    near = dict(relative=1e-5, absolute=1e-6)
    outputs, wanted = out, case["output"]
    outputs = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    wanted = wanted if isinstance(wanted, list) else [wanted]
    for o, w in zip(outputs, wanted):
        if not isinstance(w, dict) or "data" not in w:
            continue
        if isinstance(o, torch.Tensor) and (list(o.shape) != w["shape"] or str(o.dtype) != "torch." + w["dtype"]):
            return False, (o.shape, o.dtype), (w["shape"], w["dtype"])
        if not all_equal(flat(o), [float(v) if isinstance(v, str) else v for v in w["data"]], **near):
            return False, flat(o)[:6], w["data"][:6]
    first = outputs[0]
    name = first.grad_fn.name() if isinstance(first, torch.Tensor) and first.grad_fn is not None else None
    # Recorded without the namespace of the engine's own nodes.
    name = name and name.split("::")[-1]
    if case.get("grad_fn") and name != {"NoneType": None}.get(case["grad_fn"], case["grad_fn"]):
        return False, name, case["grad_fn"]
    if case.get("backward_error"):
        got = outcome("y.sum().backward()", {"y": first}).get("message")
        return got == case["backward_error"], got, case["backward_error"]
    if case.get("grads"):
        n = first.numel()
        w = (torch.arange(1, n + 1, dtype=torch.float64, device="cpu") / n).reshape(first.shape).to(first.device, first.dtype)
        (first * w).sum().backward()
        for key, spec in case["grads"].items():
            got = inputs[key].grad
            if spec is None:
                if got is not None:
                    return False, got, None
                continue
            if got is None or not all_equal(flat(got), [float(v) if isinstance(v, str) else v for v in spec["data"]], **near):
                return False, (key, None if got is None else flat(got)[:6]), spec["data"][:6]
    return True, None, None


def check_optimizer(case):
    ok, got, want = take_steps(case, False)
    # On a device also with the count of steps there, as a graph needs it: the same numbers.
    return take_steps(case, True) if ok and DEVICE is not None else (ok, got, want)


def take_steps(case, capturable):
    p = torch.tensor(case["p0"], requires_grad=True)
    q = torch.tensor(case["q0"], requires_grad=True)
    optimizer = eval(case["code"], {"torch": torch, "params": [p, q], "p": p, "q": q})
    for group in optimizer.param_groups:
        if capturable and "capturable" in group:
            group["capturable"] = True
    target = torch.tensor([0.0, 1.0, 2.0])
    near = dict(relative=1e-5, absolute=1e-6)

    def loss_of():
        optimizer.zero_grad()
        loss = ((p - target) ** 2).sum() + (q**4).sum() + (p[0] * q).sum()
        loss.backward()
        return loss

    for step in case["steps"]:
        if "LBFGS" in case["code"]:
            loss = optimizer.step(loss_of)
        else:
            loss = loss_of()
            optimizer.step()
        got = [loss.item()] + flat(p) + flat(q)
        want = [step["loss"]] + step["p"] + [v for row in step["q"] for v in (row if isinstance(row, list) else [row])]
        if not all_equal(got, want, **near):
            return False, got, want
    groups = json.loads(json.dumps(optimizer.state_dict()["param_groups"], default=str))
    for group in groups:
        if capturable and "capturable" in group:
            group["capturable"] = False
    return groups == case["param_groups"], groups, case["param_groups"]


def check_scheduler(case):
    w = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.1)
    scheduler = eval(case["code"], {"torch": torch, "o": optimizer})
    got = []
    for i in range(len(case["lrs"])):
        got.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        # The metric improves once and then no more; with PyTorch's rule no constant one gives the recorded numbers.
        scheduler.step(1.0 if i == 0 else 0.5) if "Plateau" in case["code"] else scheduler.step()
    shifted = got[1:] + [optimizer.param_groups[0]["lr"]]
    near = dict(relative=1e-12, absolute=1e-15)
    ok = all_equal(got, case["lrs"], **near) or all_equal(shifted, case["lrs"], **near)
    return ok, got, case["lrs"]


def check_finding(case):
    """What once differed: results to the printed digit, and errors word by word (`findings.py` records them)."""
    # A program of its own: `evaluate` would keep names from the one before.
    space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional}
    *before, last = case["code"].split("; ")
    try:
        exec("; ".join(before), space)
        got = repr(eval(last, space)).replace(", device='cuda:0'", "")
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    # Where a device's name was, lines break elsewhere.
    return got.split() == case["want"].split(), got, case["want"]


def near(got, want):
    """The same form, and numbers that agree but for rounding."""
    if isinstance(want, dict):
        return isinstance(got, dict) and got.keys() == want.keys() and all(near(got[key], want[key]) for key in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(near, got, want))
    if isinstance(want, float) and isinstance(got, float):
        return equal(got, want, relative=1e-4, absolute=1e-5)
    return got == want


def check_gradient_finding(case):
    from record_findings_gradients import outcome as recorded

    # An accelerator's tensors are named so in errors.
    got = json.loads(json.dumps(recorded(case["code"])).replace("torch.cuda.", "torch."))
    return near(got, case["want"]), got, case["want"]


CHECKS = {"findings_gradients": check_gradient_finding, "errors_cpu": check_errors, "errors_cuda": check_errors, "errors_cudnn": check_errors,
          "complex": check_errors, "complex_sweep": check_sweep, "warnings_cpu": check_warnings, "warnings_cuda": check_warnings,
          "devices": check_device, "train": check_train,
          "repr_cpu": check_repr, "repr_cuda": check_repr,
          "rng_cpu": check_rng, "rng_cuda": check_rng, "nn_init": check_init, "ops": check_ops,
          "findings": check_finding, "optimizers": check_optimizer, "schedulers": check_scheduler, "seeds": check_seeds}


def main():
    warnings.simplefilter("ignore")
    check = CHECKS[FILE]
    agree, rows = 0, cases()
    # The CUDA cases were recorded without cuDNN; those with it are a file of their own.
    torch.backends.cudnn.enabled = FILE != "errors_cuda"
    if DEVICE is not None:
        # An accelerator draws other random numbers than the CPU, with which these were recorded.
        rows = [case for case in rows if "seed" not in case.get("name", "")]
        # So does an accelerator's kernel refuse in words of its own.
        rows = [case for case in rows if not case.get("cpu")]
    if "--only" in sys.argv:
        rows = [case for case in rows if case.get("id") == sys.argv[sys.argv.index("--only") + 1]]
    for number, case in enumerate(rows):
        if number > 0:
            forget()
        try:
            ok, got, want = check(case)
        except Exception as error:
            ok, got, want = False, f"{type(error).__name__}: {error}", None
        agree += ok
        if SHOW and not ok:
            print("--", case.get("id") or case.get("name") or "", (case.get("code") or case.get("expr") or "").strip()[:300])
            print("   got ", str(got)[:600])
            print("   want", str(want)[:600])
    print(f"{FILE} {MACHINE}: {agree} of {len(rows)}")


main()
