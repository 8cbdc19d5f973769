"""Calls NumPy's functions over samples, and records or compares what comes back.

Under NumPy, `python run.py record` writes `recorded.gz`. Under Tensoryard, `tensoryard run run.py [PART]` makes the calls
again and names those that end differently.
"""

import json
import os
import sys
import warnings
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import numpy as np

import calls

LARGEST = 40


def real(value, dtype):
    return f"{value:.{ {'e': 4, 'f': 6, 'F': 6}.get(dtype.char, 9)}g}"


def element(value, dtype):
    if dtype.kind == "f":
        return real(value, dtype)
    if dtype.kind == "c":
        return real(value.real, dtype) + "|" + real(value.imag, dtype)
    return repr(value)


def told(x, depth=0):
    """What came back, in one line: kind, dtype, shape and elements."""
    if isinstance(x, np.ndarray):
        flat = x.ravel().tolist()[:LARGEST]
        return f"{x.dtype}{list(x.shape)} " + " ".join(element(v, x.dtype) for v in flat)
    if isinstance(x, np.generic):
        return f"np.{x.dtype} {element(x.item(), x.dtype)}"
    if isinstance(x, float):
        return f"float {x:.9g}"
    if isinstance(x, complex):
        return f"complex {x.real:.9g}|{x.imag:.9g}"
    if isinstance(x, (list, tuple)) and depth < 4:
        return f"{type(x).__name__}({', '.join(told(v, depth + 1) for v in x)})"
    if isinstance(x, np.dtype) or x is None or isinstance(x, (bool, int, str, bytes, dict)):
        return f"{'dtype' if isinstance(x, np.dtype) else type(x).__name__} {x!r}"
    if isinstance(x, type):
        return f"class {x.__name__}"
    if hasattr(x, "__next__"):
        return "iterator of " + told(list(x), depth + 1)
    return type(x).__name__


def outcome(call, space):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return told(eval(call, space))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def numbers(text):
    """The line with `#` for each number that has a point or an exponent, and these numbers."""
    words, found = [], []
    for word in text.replace("|", " | ").replace(",", " , ").replace(")", " ) ").split(" "):
        try:
            found.append(float(word))
            words.append("#")
        except ValueError:
            words.append(word)
    return words, found


def same(ours, theirs):
    if ours == theirs:
        return True
    if theirs.startswith(("str ", "bytes ")):
        return False
    (a, x), (b, y) = numbers(ours), numbers(theirs)
    loose = 4e-3 if "float16" in theirs else 2e-5 if "float32" in theirs or "complex64" in theirs else 1e-7
    return a == b and all(p == q or p != p and q != q or abs(p - q) <= loose * max(abs(q), loose * 10) + 1e-12
                          for p, q in zip(x, y))


def names_of():
    """NumPy's public names, by module."""
    out = {}
    for place in ("", "linalg", "fft", "random", "char", "strings", "testing"):
        module = getattr(np, place, None) if place else np
        out[place or "numpy"] = sorted(n for n in module.__all__ if not n.startswith("_"))
    for name, cls in (("ndarray", np.ndarray), ("Generator", np.random.Generator), ("dtype", np.dtype)):
        out[name] = sorted(n for n in dir(cls) if not n.startswith("_"))
    return out


def holder(place):
    if place in ("ndarray", "dtype"):
        return getattr(np, place)
    if place == "Generator":
        return np.random.Generator
    return np if place == "numpy" else getattr(np, place, None)


def main():
    os.environ["COLUMNS"] = "80"
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "recorded.gz")
    space = calls.names()
    space["put"] = calls.put
    if sys.argv[1:] == ["record"]:
        np.seterr(all="ignore")
        lines = [[call, outcome(call, space)] for call in calls.calls()]
        data = json.dumps([names_of(), lines], separators=(",", ":")).encode()
        import gzip
        with open(path, "wb") as file:
            file.write(gzip.compress(data, 9, mtime=0))
        print(len(lines), "calls,", os.path.getsize(path), "bytes")
        return
    with open(path, "rb") as file:
        theirs, lines = json.loads(zlib.decompress(file.read(), 31))
    absent = {}
    for place, found in theirs.items():
        module = holder(place)
        missing = [n for n in found if not hasattr(module, n)]
        absent[place] = missing
        print(f"{place}: {len(found) - len(missing)} of {len(found)} names; not here: {' '.join(missing)}")
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    right = asked = 0
    for call, expected in lines:
        if part not in call:
            continue
        asked += 1
        mine = outcome(call, space)
        if same(mine, expected):
            right += 1
        else:
            print(f"{call}\n  here   {mine[:400]}\n  NumPy  {expected[:400]}")
    print(f"names {sum(map(len, theirs.values())) - sum(map(len, absent.values()))} of {sum(map(len, theirs.values()))}")
    print(f"calls {right} of {asked}")


main()
