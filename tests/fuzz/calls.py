# Random programs of torch calls: odd shapes, dtypes, views, out=, in-place changes, autograd. Each may raise what it likes, but no
# internal error. The statement that is about to run is in a file, so that it is known when the process dies.
#
#     tensoryard run tests/fuzz/calls.py SEED SECONDS LOG        (the same under python, where PyTorch is installed)
import random
import sys
import time
import warnings

import torch
import torch.nn.functional as F

from names import FUNCTIONS, METHODS

seed, seconds, log = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
R = random.Random(seed)
warnings.simplefilter("ignore")

DTYPES = ["float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64"]
EDGES = [-(2**63), -(2**31), -7, -1, 0, 2**31 - 1, 2**31, 2**32 + 1, 2**33, 2**62, 2**63 - 1, 2**64]


def number():
    return R.choice(EDGES) if R.random() < 0.04 else R.choice([-3, -2, -1, 0, 0, 1, 1, 2, 2, 3, 4, 5, 8])


def shape():
    sizes, count = [], 1
    for _ in range(R.choice([0, 1, 1, 2, 2, 2, 3, 4, 5])):
        size = R.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 16])
        if count * max(size, 1) > 4000:
            size = 1
        count *= max(size, 1)
        sizes.append(size)
    return sizes


def scalar():
    return R.choice(["0.0", "1.0", "-1.0", "0.5", "1e30", "1e-30", "float('nan')", "float('inf')", "2", "-3", "True", "1j", "10**20"])


def dtype():
    return "torch." + (R.choice(DTYPES) if R.random() < 0.5 else "float32")


def device():
    return "cuda" if R.random() < 0.1 else "meta" if R.random() < 0.03 else "cpu"


def index():
    def one():
        pick = R.random()
        if pick < 0.3:
            return str(number())
        if pick < 0.6:
            return ":".join(R.choice(["", str(number())]) for _ in range(R.choice([2, 3])))
        return R.choice(["None", "...", "True", "False", "[0, 1]", "[]", "a", "b > 0", "torch.tensor([1, 0])"])

    return ", ".join(one() for _ in range(R.choice([1, 1, 2, 3])))


def view():
    return R.choice([
        lambda: ".t()", lambda: f".transpose({number()}, {number()})", lambda: f"[{index()}]",
        lambda: f".expand({tuple(R.choice([-1, 1, 2, 3]) for _ in range(R.randint(1, 4)))})",
        lambda: f".unsqueeze({number()})", lambda: f".reshape({tuple(R.choice([-1, 1, 2, 3, 4]) for _ in range(R.randint(1, 3)))})",
        lambda: f".narrow({number()}, {number()}, {number()})", lambda: f".unfold({number()}, {number()}, {number()})",
        lambda: f".as_strided({tuple(shape()[:3])}, {tuple(R.choice([0, 1, 2, 3]) for _ in range(3))}, {number()})",
        lambda: f".diagonal({number()})", lambda: f".select({number()}, {number()})", lambda: ".flatten()", lambda: f".view({dtype()})",
        lambda: ".detach()", lambda: ".conj()", lambda: ".mT",
    ])()


def fresh():
    of, where = dtype(), device()
    settings = f"dtype={of}, device='{where}'"
    text = R.choice([
        lambda: f"torch.zeros({tuple(shape())}, {settings})", lambda: f"torch.ones({tuple(shape())}, {settings})",
        lambda: f"torch.rand({tuple(shape())}).to({of}).to('{where}')", lambda: f"torch.randint(-5, 9, {tuple(shape())}).to({of}).to('{where}')",
        lambda: f"torch.arange({R.choice([0, 1, 6, 12, 24])}, {settings})", lambda: f"torch.full({tuple(shape())}, {scalar()}, {settings})",
        lambda: f"torch.tensor({scalar()}, {settings})", lambda: f"torch.eye({R.choice([0, 1, 3])}, {settings})",
    ])()
    if "float" in of and R.random() < 0.3:
        text += ".requires_grad_()"
    return text + (view() if R.random() < 0.3 else "")


def tensor():
    pick = R.random()
    return R.choice("abc") + (view() if R.random() < 0.3 else "") if pick < 0.85 else fresh()


def argument():
    pick = R.random()
    if pick < 0.5:
        return tensor()
    if pick < 0.7:
        return str(number())
    return R.choice([scalar, dtype, lambda: str(tuple(shape())), lambda: str([number() for _ in range(R.randint(0, 4))]),
                     lambda: f"[{tensor()}, {tensor()}]", lambda: R.choice(["None", "True", "'sum'", "'mean'", "'x'", "lambda *x: x[0]"])])()


KEYWORDS = [lambda: f"dim={number()}", lambda: f"dim={tuple(number() for _ in range(2))}", lambda: "keepdim=True", lambda: f"out={tensor()}",
            lambda: f"dtype={dtype()}", lambda: f"weight={tensor()}", lambda: "reduction='none'", lambda: f"alpha={scalar()}",
            lambda: f"device='{device()}'", lambda: f"padding={number()}", lambda: f"stride={number()}", lambda: f"size={number()}"]


def call(first):
    given = [] if first is None else [first]
    given += [argument() for _ in range(R.choice([0, 0, 1, 1, 2, 3]))]
    given += [R.choice(KEYWORDS)() for _ in range(R.choice([0, 0, 0, 1, 2]))]
    return f"({', '.join(given)})"


def statement():
    pick = R.random()
    to = R.choice("abcd")
    if pick < 0.5:
        return f"{to} = {R.choice(FUNCTIONS)}{call(tensor())}"
    if pick < 0.78:
        return f"{to} = {tensor()}.{R.choice(METHODS)}{call(None)}"
    if pick < 0.84:
        return f"{R.choice('abc')}[{index()}] = {R.choice([tensor, scalar])()}"
    if pick < 0.9:
        return f"{R.choice('abc')} {R.choice(['+=', '-=', '*=', '/=', '**=', '//=', '@=', '<<=', '&='])} {tensor()}"
    if pick < 0.94:
        return f"{to} = torch.autograd.grad({tensor()}.sum(), {R.choice('abc')}, allow_unused=True, create_graph={R.random() < 0.5})"
    if pick < 0.97:
        return f"{tensor()}.sum().backward(retain_graph={R.random() < 0.5})"
    return f"repr({R.choice('abcd')})"


begun, statements, slowest, slow = time.monotonic(), 0, 0.0, ""
while time.monotonic() - begun < seconds:
    names = {"torch": torch, "F": F, "d": None}
    program = [f"a = {fresh()}", f"b = {R.choice([fresh(), 'a' + view()])}", f"c = {R.choice([fresh(), 'b' + view(), 'a.clone()'])}"]
    program += [statement() for _ in range(R.choice([1, 2, 3, 5]))]
    with open(log, "w") as file:
        file.write("\n".join(program) + "\n")
    for line in program:
        # Of the processor, so that a machine that is busy elsewhere makes no statement slow.
        started = time.process_time()
        try:
            exec(line, names)
        except SystemError as error:
            if "internal error" in str(error):
                raise
        except Exception:
            # What PyTorch or Python says of a wrong call.
            pass
        took = time.process_time() - started
        statements += 1
        if took > slowest:
            slowest, slow = took, line
print(f"calls: {statements} statements in {time.monotonic() - begun:.0f} s, the slowest took {slowest:.2f} s: {slow} (seed {seed})")
sys.exit(3 if slowest > 10 else 0)
