"""Records PyTorch's signatures: `python record_signatures.py > all.json`, with the PyTorch that `tests/oracle` is of;
`signatures.json` has those of the names that `src/ops/rows` knows.

The texts that PyTorch's argument parser is made of stand in its library. Which of them make up a function, and in which
order it tries them, a refused call says.
"""

import glob
import json
import os
import re
import sys

import torch

TEXT = re.compile(rb"[a-zA-Z_0-9]+\((?:\)|[A-Za-z*][ -~]*\))(?:\|deprecated)?")
SHOWN = {
    "Tensor": "Tensor", "Scalar": "Number", "int64_t": "int", "SymInt": "int", "double": "float", "complex": "complex",
    "TensorList": "tuple of Tensors", "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints", "SymIntArrayRef": "tuple of ints", "ArrayRef<double>": "tuple of floats",
    "Generator": "torch.Generator", "bool": "bool", "Storage": "torch.Storage", "PyObject*": "object",
    "ScalarType": "torch.dtype", "Layout": "torch.layout", "MemoryFormat": "torch.memory_format", "QScheme": "torch.qscheme",
    "Device": "torch.device", "std::string": "str", "c10::string_view": "str", "Dimname": "name",
    "DimnameList": "tuple of names", "ScalarList": "tuple of Scalars", "Stream": "Stream", "DispatchKeySet": "DispatchKeySet",
}


def shown(text):
    """A signature as errors show it; None for what only looks like one."""
    inner = text.split("(", 1)[1].rsplit(")", 1)[0]
    out = []
    for param in inner.split(", ") if inner else []:
        if param == "*":
            out.append("*")
            continue
        kind, _, name = param.partition(" ")
        name, _, default = name.partition("=")
        kind = SHOWN.get(re.sub(r"(\[\d*\])?\??$", "", kind))
        if kind is None or not name.isidentifier():
            return None
        if default:
            default = {"c10::nullopt": "None", "[]": "None"}.get(default, default)
        out.append(f"{kind} {name}" + (f" = {default}" if default else ""))
    return f"({', '.join(out)})"


def texts():
    library = glob.glob(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_python.so"))[0]
    found = {}
    for text in open(library, "rb").read().split(b"\0"):
        match = TEXT.fullmatch(text) if len(text) < 2000 else None
        if not match:
            continue
        text = text.decode()
        if shown(text.split("|")[0]) is not None:
            found.setdefault(text.split("(")[0], []).append(text)
    return found


def options(call, name):
    """The signatures of a function as a refused call shows them; None if it has one alone."""
    try:
        call(*[object()] * 40)
    except TypeError as error:
        found = re.findall(r"^ \* (\(.*\))$", str(error), re.M) or re.findall(r"but expected (\(.*\))$", str(error))
        return str(error), found
    except Exception as error:
        return str(error), []
    return "", []


def main():
    known = texts()
    names = sorted(known)
    out = {}
    places = [("function", torch._C._VariableFunctions), ("nn", torch._C._nn), ("linalg", torch._C._linalg)]
    t = torch.ones(2)
    for kind, place in places + [("method", torch._C.TensorBase)]:
        for name in sorted(dir(place)):
            if name.startswith("__") or not callable(getattr(place, name)):
                continue
            call = getattr(t, name) if kind == "method" else getattr(place, name)
            said, order = options(call, name)
            # If one string is the end of another one, the linker stores only the longer one.
            if name not in known:
                known[name] = list(dict.fromkeys(name + x[len(n):] for n in names if n.endswith(name) for x in known[n]))
            of = [x for x in known[name] if "|deprecated" not in x]
            if "takes no arguments" in said:
                texts_of = [f"{name}()"]
            elif order:
                texts_of = []
                for want in order:
                    same = [x for x in of if shown(x) == want]
                    texts_of += same[:1]
                if len(texts_of) != len(order):
                    print("left out", kind, name, order, of, file=sys.stderr)
                    continue
            else:
                m = re.search(r"takes (?:from (\d+) to )?(\d+) positional arguments? but|argument '(\w+)' \(position 1\)", said)
                def fits(x):
                    params = x.split("(", 1)[1].rsplit(")", 1)[0].split(", ")
                    open_ = params[: params.index("*")] if "*" in params else params
                    open_ = [p for p in open_ if p]
                    if not m:
                        return False
                    if m[3]:
                        return bool(open_) and open_[0].split(" ")[1].split("=")[0] == m[3]
                    least = sum("=" not in p for p in open_)
                    return len(open_) == int(m[2]) and least == int(m[1] or m[2])
                same = [x for x in of if fits(x) and (kind == "method" or True)]
                if kind != "method" and len(same) > 1:
                    same = [x for x in same if "Tensor input" in x] or same
                if len(same) != 1:
                    if same or m:
                        print("unsure", kind, name, said[:80], of, file=sys.stderr)
                    continue
                texts_of = same
            out.setdefault(name, {})[kind] = [x.split("|")[0][len(name):] for x in texts_of]
    print(json.dumps(dict(sorted(out.items())), separators=(",", ":")).replace('},"', '},\n"'))


main()
