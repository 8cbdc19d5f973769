"""Records what PyTorch does to print a tensor on a GPU: tests/oracle/torch/print_cost.json.

By hand, where PyTorch 2.15 is installed: `python tests/oracle/print_cost.py`. No GPU is needed. `torch._tensor_str._tensor_str`
runs on CPU tensors with every operator watched, those that are values read by the host among them. On a GPU each of these is a
copy of one element that the host waits for, `tolist` is a copy of its elements (first made contiguous there), and a result's
memory is a block of a multiple of 512 bytes. What the watched operators take inside is left out: the reader knows of one,
`masked_select`, which counts what is true and copies the count to the host.
"""

import json
import pathlib
import warnings

import torch
import torch._tensor_str
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

CASES = [
    "torch.tensor([1.5, -2.25, 3.0])", "torch.tensor([1.0, 2.0, 3.0])", "torch.zeros(4)", "torch.zeros(2, 3)",
    "torch.tensor([1.0, float('nan'), float('inf'), 0.0])", "torch.tensor([1e-6, 1.0])", "torch.tensor([1e9, 1.0])",
    "torch.tensor([1e9, 2e9])", "torch.tensor([1.0, 5000.0])", "torch.tensor([2e-5, 3e-5])", "torch.tensor(3.5)",
    "torch.tensor(7.0)", "torch.tensor(0.0)", "torch.tensor(7)", "torch.tensor(True)", "torch.tensor(float('nan'))",
    "torch.tensor([1, 2, 3])", "torch.arange(12).reshape(3, 4)", "torch.tensor([True, False, True])",
    "torch.arange(24, dtype=torch.uint8).reshape(2, 3, 4)", "torch.arange(1000.0)", "torch.linspace(0, 1, 1000)",
    "torch.arange(1001.0)", "torch.arange(1001)", "torch.linspace(0, 1, 1500).reshape(30, 50)",
    "torch.arange(1200).reshape(300, 4)", "torch.arange(1200.0).reshape(4, 300)", "torch.arange(1200.0).reshape(5, 6, 40)",
    "torch.arange(8000.0).reshape(20, 20, 20)", "torch.arange(4000).reshape(10, 20, 20)", "torch.zeros(2000)",
    "torch.ones(40, 40)", "torch.tensor([1.5, 2.5], dtype=torch.float64)", "torch.tensor([1.5, 2.5], dtype=torch.float16)",
    "torch.tensor([1.5, 2.5], dtype=torch.bfloat16)", "torch.linspace(0, 1, 900, dtype=torch.float64)",
    "torch.linspace(0, 1, 900, dtype=torch.float16)", "torch.tensor([1 + 2j, 3 - 4.5j])", "torch.tensor(1.5 + 2j)",
    "torch.zeros(3, dtype=torch.complex64)", "torch.complex(torch.arange(1100.0), torch.ones(1100))",
    "torch.arange(6.0).reshape(2, 3).t()", "torch.arange(6).reshape(2, 3).t()", "torch.arange(600.0).reshape(20, 30).t()",
    "torch.arange(3000.0).reshape(60, 50).t()", "torch.arange(10.0)[::2]", "torch.tensor(2.0).expand(3, 4)",
    "torch.empty(0)", "torch.empty(0, 3)", "torch.complex(torch.arange(6.0), torch.zeros(6)).reshape(2, 3).t()",
    "torch.tensor([0.5, 200.0, 3.0]).requires_grad_()", "torch.tensor([[1.5]])", "torch.full((7, 200), 2.5)",
    "torch.arange(3000.0).reshape(3, 1000)[:, ::2]",
]
OPTIONS = [
    ({"sci_mode": True}, "torch.tensor([1.5, -2.25, 3.0])"), ({"sci_mode": False}, "torch.tensor([1e-6, 1.0])"),
    ({"edgeitems": 1}, "torch.linspace(0, 1, 1500).reshape(30, 50)"), ({"threshold": 5}, "torch.arange(12.0).reshape(3, 4)"),
    ({"edgeitems": 0}, "torch.arange(2000.0)"), ({"edgeitems": 0}, "torch.arange(2000.0).reshape(40, 50)"),
    ({"profile": "full"}, "torch.linspace(0, 1, 1200)"), ({"threshold": 5}, "torch.arange(8)"),
    ({"threshold": 2, "edgeitems": 1}, "torch.arange(5.0)"),
]


def block(size):
    return (size + 511) // 512 * 512


class Watch(TorchDispatchMode):
    """Counts operators, and the blocks that their results would take."""

    def __init__(self, of):
        super().__init__()
        self.own = {of.untyped_storage()._cdata}
        self.kernels, self.items, self.lists, self.selects = {}, [], [], []
        self.alive, self.peak = [], 0

    def taken(self):
        self.alive = [(ref, size) for ref, size in self.alive if not ref.expired()]
        return sum(size for _, size in self.alive)

    def __torch_dispatch__(self, op, types, args=(), kwargs=None):
        before = self.taken()
        out = op(*args, **(kwargs or {}))
        name = op.name().split("::")[1].split(".")[0]
        if name == "_local_scalar_dense":
            self.items.append(args[0].element_size())
            return out
        for result in out if isinstance(out, (list, tuple)) else [out]:
            storage = result.untyped_storage()
            if storage._cdata in self.own or any(ref.cdata == storage._cdata for ref, _ in self.alive):
                continue
            self.alive.append((StorageWeakRef(storage), block(storage.nbytes())))
            if name != "empty" and name != "new_empty":
                self.kernels[name] = self.kernels.get(name, 0) + 1
        if name == "masked_select":
            self.selects.append([before, out.numel(), out.element_size()])
        self.peak = max(self.peak, self.taken())
        return out


def record(code, options):
    tensor = eval(code)
    torch.set_printoptions(profile="default")
    torch.set_printoptions(**options)
    plain = torch.Tensor.tolist

    def tolist(self):
        contiguous = self.is_contiguous()
        # A tensor that is not contiguous is made so on the GPU before it crosses.
        watch.lists.append([self.numel(), self.element_size(), contiguous])
        watch.peak = max(watch.peak, watch.taken() + (0 if contiguous else block(self.numel() * self.element_size())))
        return plain(self)

    watch = Watch(tensor)
    torch.Tensor.tolist = tolist
    try:
        with torch.no_grad(), watch:
            text = torch._tensor_str._tensor_str(tensor, len("tensor("))
    finally:
        torch.Tensor.tolist = plain
    torch.set_printoptions(profile="default")
    return {
        "code": code, "options": options, "text": text, "items": len(watch.items), "item_bytes": sum(watch.items),
        "lists": len(watch.lists), "list_bytes": sum(n * size for n, size, _ in watch.lists),
        "gathered": sum(not contiguous for _, _, contiguous in watch.lists), "kernels": watch.kernels,
        "selects": watch.selects, "peak": watch.peak,
    }


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    cases = [record(code, {}) for code in CASES] + [record(code, options) for options, code in OPTIONS]
    lines = ",\n".join(json.dumps(case) for case in cases)
    target = pathlib.Path(__file__).parent / "torch" / "print_cost.json"
    target.write_text(f'{{"torch": "{torch.__version__}", "cases": [\n{lines}\n]}}\n')
    print(len(cases), "cases")
