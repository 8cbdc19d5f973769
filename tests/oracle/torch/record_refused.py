"""Writes calls that PyTorch's parser refuses, and what it says: `python record_refused.py > refused.txt`, with the PyTorch that
`tests/oracle` is of. `refused.py` replays them.

The calls follow from the signatures in `signatures.json`: an argument too few and one too many, a keyword that nothing takes, an
argument given twice, and something of another type for each parameter in turn.
"""

import json
import keyword
import os
import re
import warnings

import torch
import torch.nn.functional as F

GOOD = {
    "Tensor": "x", "Scalar": "1", "int64_t": "0", "SymInt": "1", "double": "0.5", "bool": "True", "IntArrayRef": "(1,)",
    "SymIntArrayRef": "(1,)", "ArrayRef<double>": "(1.0,)", "TensorList": "[x, x]",
    "c10::List<::std::optional<Tensor>>": "[i]", "ScalarType": "torch.float32", "Device": "'cpu'", "c10::string_view": "'a'",
    "std::string": "'a'", "Layout": "torch.strided", "MemoryFormat": "torch.contiguous_format", "Generator": "None",
    "PyObject*": "1", "Storage": "None",
}
ODD = {
    "Tensor": ["1", "'a'", "None", "[x]", "1.5"], "Scalar": ["'a'", "x", "None", "[1]"],
    "int64_t": ["'a'", "1.5", "None", "x", "True", "(1,)"], "SymInt": ["'a'", "1.5", "None", "x", "(1,)"],
    "double": ["'a'", "x", "None", "(1.0,)"], "bool": ["1", "'a'", "None", "x"],
    "IntArrayRef": ["'a'", "1.5", "('a',)", "x", "None", "(1.5,)", "1"],
    "SymIntArrayRef": ["'a'", "1.5", "('a',)", "x", "None", "(1, 'a')"], "ArrayRef<double>": ["'a'", "1.5", "x"],
    "TensorList": ["x", "1", "[1]", "[x, 'a']", "None", "'a'"], "c10::List<::std::optional<Tensor>>": ["x", "1", "[1]", "'a'"],
    "ScalarType": ["'a'", "1", "x"], "Device": ["1.5", "x", "torch.float32"], "c10::string_view": ["1", "x", "True"],
    "std::string": ["1", "x"], "Layout": ["1", "'a'"], "MemoryFormat": ["1", "'a'"], "Generator": ["1", "'a'"], "PyObject*": [],
    "Storage": ["1"],
}
# Characters of one function's texts: a refusal that lists six signatures says little more the tenth time.
BUDGET = 400
# PyTorch has these in Python, where what refuses an argument is a function below.
BELOW = {"torch.cdist", "torch.norm", "torch.split", "x.split"}
# Tensoryard doesn't have these.
ABSENT = {
    "torch.adaptive_avg_pool1d", "torch.addmv_", "torch.avg_pool1d", "torch.convolution", "torch.fill_", "torch.is_nonzero",
    "torch.linalg.cholesky_ex", "torch.linalg.inv_ex", "torch.max_pool1d", "torch.nanmedian", "torch.zero_", "x.nanmedian",
}


def params_of(text):
    """Kind, name, whether it may be left out, whether it is a keyword alone."""
    out, only = [], False
    for param in text[1:-1].split(", "):
        if param == "*":
            only = True
        elif param:
            kind, _, name = param.partition(" ")
            name, default, _ = name.partition("=")
            out.append((re.sub(r"(\[\d*\])?\??$", "", kind), name, bool(default), only))
    return [p for p in out if p[1] != "out"]


def good(kind, name):
    if kind == "Tensor":
        return {"index": "i", "indices": "i", "mask": "x > 0", "condition": "x > 0"}.get(name, "x")
    return GOOD[kind]


def calls_of(how, texts, turn):
    def call(args, named):
        return f"{how}({', '.join(args + [f'{name}={value}' for name, value in named])})"

    yield call([], [])
    for text in texts:
        params = params_of(text)
        if any(kind not in GOOD for kind, *_ in params):
            continue
        needed = [good(kind, name) for kind, name, default, only in params if not default and not only]
        named = [(name, good(kind, name)) for kind, name, default, only in params if not default and only]
        every = [good(kind, name) for kind, name, _, only in params if not only]
        first = params[0][1] if params else ""
        yield call(needed[:-1], named)
        yield call(needed, named[:-1])
        yield call(needed, named + [("foo", "1")])
        if first and not keyword.iskeyword(first):
            yield call(needed or every[:1], named + [(first, every[0])] if every else named)
        yield call(every + ["1"], named)
        for at, (kind, name, _, only) in enumerate(params):
            for value in ODD[kind][turn % max(len(ODD[kind]), 1) :][:1]:
                if only:
                    yield call(needed, [pair for pair in named if pair[0] != name] + [(name, value)])
                elif at < len(needed):
                    yield call(needed[:at] + [value] + needed[at + 1 :], named)
                elif turn % 2 or keyword.iskeyword(name):
                    yield call(every[:at] + [value], named)
                else:
                    yield call(needed, named + [(name, value)])
            turn += 1


def refusal(call):
    """What PyTorch says; None if it takes the call, or refuses it for another reason than its arguments' types."""
    space = {"torch": torch, "F": F, "x": torch.ones(2, 3), "i": torch.zeros(2, 3, dtype=torch.int64)}
    try:
        eval(call, space)
    except TypeError as error:
        return f"TypeError: {error}"
    except Exception:
        pass
    return None


def main():
    warnings.simplefilter("ignore")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "signatures.json")) as file:
        recorded = json.load(file)
    places = {"function": "torch.{}", "nn": "F.{}", "linalg": "torch.linalg.{}", "method": "x.{}"}
    space = {"torch": torch, "F": F, "x": torch.ones(1)}
    for turn, (name, kinds) in enumerate(sorted(recorded.items())):
        for kind, texts in kinds.items() if not name.startswith("_") else ():
            how = places[kind].format(name.removeprefix("linalg_") if kind == "linalg" else name)
            if how in BELOW | ABSENT:
                continue
            try:
                eval(how, space)
            except AttributeError:
                continue
            left = BUDGET
            for call in dict.fromkeys(calls_of(how, texts, turn)):
                said = refusal(call)
                if said is None or (len(said) > left and left < BUDGET):
                    continue
                left -= len(said)
                print(call)
                print("".join(f"    {line}\n" for line in said.splitlines()), end="")


if __name__ == "__main__":
    main()
