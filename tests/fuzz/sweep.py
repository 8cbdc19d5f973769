# Every public function and method with each kind of tensor first and each odd argument second. A call may raise what it likes,
# but no internal error, and it ends in time. The call that is about to run is in a file, so that it is known when the process dies.
#
#     tensoryard run tests/fuzz/sweep.py STEP FROM LOG [NAME]   every STEP-th call from the FROM-th on, of one function only
import sys
import time
import warnings

import torch
import torch.nn.functional as F

from names import FUNCTIONS, METHODS

step, begin, log = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
only = sys.argv[4] if len(sys.argv) > 4 else ""
warnings.simplefilter("ignore")

FIRST = {
    "torch.tensor(2.0)": lambda: torch.tensor(2.0),
    "torch.zeros(0)": lambda: torch.zeros(0),
    "torch.zeros(2, 0)": lambda: torch.zeros(2, 0),
    "torch.arange(3.0)": lambda: torch.arange(3.0),
    "torch.ones(2, 3, requires_grad=True)": lambda: torch.ones(2, 3, requires_grad=True),
    "torch.ones(2, 1, 2, 1, 2)": lambda: torch.ones(2, 1, 2, 1, 2),
    "torch.tensor([True, False])": lambda: torch.tensor([True, False]),
    "torch.ones(2, 2, dtype=torch.complex64)": lambda: torch.ones(2, 2, dtype=torch.complex64),
    "torch.arange(3)": lambda: torch.arange(3),
    "torch.tensor(1)": lambda: torch.tensor(1),
    "torch.ones(2, 3, device='meta')": lambda: torch.ones(2, 3, device="meta"),
    "[torch.tensor(1.0), torch.zeros(0)]": lambda: [torch.tensor(1.0), torch.zeros(0)],
}
SECOND = {
    "": lambda: ((), {}), "0": lambda: ((0,), {}), "-1": lambda: ((-1,), {}), "2": lambda: ((2,), {}), "2**31": lambda: ((2**31,), {}),
    "2**63 - 1": lambda: ((2**63 - 1,), {}), "-2**63": lambda: ((-(2**63),), {}), "[]": lambda: (([],), {}), "[0]": lambda: (([0],), {}),
    "[-1, 2**62]": lambda: (([-1, 2**62],), {}), "None": lambda: ((None,), {}), "torch.tensor(1)": lambda: ((torch.tensor(1),), {}),
    "torch.tensor(0.5)": lambda: ((torch.tensor(0.5),), {}), "torch.zeros(0)": lambda: ((torch.zeros(0),), {}),
    "torch.zeros(0, dtype=torch.int64)": lambda: ((torch.zeros(0, dtype=torch.int64),), {}),
    "torch.ones(2, 3)": lambda: ((torch.ones(2, 3),), {}), "0, 0": lambda: ((0, 0), {}), "-1, 2**40": lambda: ((-1, 2**40), {}),
    "1, torch.tensor(1)": lambda: ((1, torch.tensor(1)), {}), "0, torch.tensor([0]), torch.tensor(1.0)": lambda: ((0, torch.tensor([0]), torch.tensor(1.0)), {}),
    "torch.ones(1), torch.ones(1)": lambda: ((torch.ones(1), torch.ones(1)), {}), "(1, 1), 0": lambda: (((1, 1), 0), {}),
    "dim=0": lambda: ((), {"dim": 0}), "dim=-2": lambda: ((), {"dim": -2}), "dim=()": lambda: ((), {"dim": ()}),
    "nan": lambda: ((float("nan"),), {}), "True": lambda: ((True,), {}), "1j": lambda: ((1j,), {}),
}


def calls():
    for name in FUNCTIONS + [f"x.{name}" for name in METHODS]:
        if only and name != only:
            continue
        for first in FIRST:
            for second in SECOND:
                yield name, first, second


def function(name, tensor):
    if name.startswith("x."):
        return getattr(tensor, name[2:]), ()
    where = F if name.startswith("F.") else torch
    for part in name.split(".")[1:]:
        where = getattr(where, part)
    return where, (tensor,)


begun, count, answered, failed, slow = time.monotonic(), 0, 0, 0, []
with open(log, "w") as file:
    for at, (name, first, second) in enumerate(calls()):
        if at < begin or (at - begin) % step:
            continue
        file.seek(0)
        file.write(f"{at}: {name}({first}{', ' if second else ''}{second})\n")
        file.truncate()
        file.flush()
        # Of the processor, so that a machine that is busy elsewhere makes no call slow.
        started, count = time.process_time(), count + 1
        try:
            called, before = function(name, FIRST[first]())
            given, named = SECOND[second]()
            result = called(*before, *given, **named)
            if not name.startswith(("x.register", "torch.set_")):
                repr(result)
            answered += 1
        except SystemError as error:
            if "internal error" in str(error):
                failed += 1
                print(f"{at}: {name}({first}, {second}): {error}".split(". This is")[0])
        except Exception:
            # What PyTorch or Python says of a wrong call.
            pass
        result = None
        took = time.process_time() - started
        if took > 3:
            slow.append((round(took, 1), at, name, first, second))
for line in slow:
    print("slow:", line)
print(f"sweep: {count} calls in {time.monotonic() - begun:.0f} s, {answered} answered, {failed} internal errors, {len(slow)} slow")
sys.exit(1 if failed or slow else 0)
