"""Counts the multiplications and additions of matrix products and convolutions, as in torch.utils.flop_counter.

PyTorch counts what its dispatcher runs; here the profiler's list of kernels is counted when the block ends. Attention counts as the
products that it's made of.
"""

import warnings
from collections import Counter, defaultdict

import _torch
from torch._ops import ops
from torch.utils.module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

_MARK = "torch.utils.flop_counter "
_SUFFIXES = ["", "K", "M", "B", "T"]


class _Tracker(ModuleTracker):
    """Notes in the profile which modules run."""

    def __init__(self):
        super().__init__()
        self.sets = []

    def _changed(self):
        self.sets.append(frozenset(self.parents))
        _torch._span_end(_torch._span_begin(f"{_MARK}{len(self.sets) - 1}"))


def _operator(kernel, around, shapes):
    """PyTorch's operator for a kernel, by the operator or node around it; None for those that PyTorch doesn't count."""
    backward = "Backward" in around
    if kernel.startswith("conv") or around == "ConvolutionBackward0":
        return "convolution_backward" if backward else "convolution"
    if backward:
        return "bmm" if "bmm" in around.lower() else "mm"
    name = around.removeprefix("aten::")
    if name == "linear":
        return "addmm" if len(shapes) == 3 else "mm"
    if name == "matmul":
        dims = [len(shape) for shape in shapes]
        return None if 1 in dims else "bmm" if min(dims) > 2 else "mm"
    return name if name in ("addmm", "baddbmm", "mm") else None if name in ("mv", "dot", "vdot", "inner") else "bmm"


def register_flop_formula(targets, get_raw=False):
    """A formula for an operator of your own."""
    raise NotImplementedError("torch.utils.flop_counter.register_flop_formula")


class FlopCounterMode:
    """Counts within a block, by module and operator."""

    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None, skip_unsupported=False):
        if mods is not None:
            warnings.warn("mods argument is not needed anymore, you can stop passing it", stacklevel=2)
        if custom_mapping:
            raise NotImplementedError("torch.utils.flop_counter.FlopCounterMode(custom_mapping=)")
        self.flop_counts = defaultdict(lambda: defaultdict(int))
        self.depth, self.display = depth, display

    def get_total_flops(self):
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self):
        return {name: dict(counts) for name, counts in self.flop_counts.items()}

    def get_unsupported_ops(self):
        return Counter()

    def get_table(self, depth=None):
        """The counts as a table, of modules that are at most `depth` deep."""
        depth = depth or self.depth or 999999
        total = self.get_total_flops()
        order = max(0, min(len(_SUFFIXES) - 1, (len(str(total)) - 2) // 3))

        def row(name, count):
            number = count / 1000 ** order
            return name, f"{number:.3f}{_SUFFIXES[order]}" if order else f"{number:g}", f"{count / total:.2%}" if total else "0%"

        def rows(name):
            counts = self.flop_counts[name]
            return [row(name, sum(counts.values())), *(row(f"- {op}", count) for op, count in counts.items())]

        names = [name for name in sorted(self.flop_counts) if name != "Global" and name.count(".") < depth]
        table = [line for name in names for line in rows(name)]
        # What all modules did says nothing new if one of them did everything.
        if "Global" in self.flop_counts and not any(sum(self.flop_counts[name].values()) >= total for name in names):
            table = rows("Global") + table
        table = table or [("Global", "0", "0%")]
        heads = ("Module", "FLOP", "% Total")
        widths = [max(len(head) + 2, *(len(line[i]) for line in table)) for i, head in enumerate(heads)]
        lines = [heads, ["-" * width for width in widths], *table]
        return "\n".join(f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}" for a, b, c in lines)

    def __enter__(self):
        from torch import profiler

        profiler._claim("torch.utils.flop_counter.FlopCounterMode")
        self.flop_counts.clear()
        self._tracker = _Tracker()
        _torch._profile_start(True)
        self._tracker.__enter__()
        self._tracker._changed()
        return self

    def __exit__(self, *exc):
        from torch import profiler

        self._tracker.__exit__(*exc)
        spans = _torch._profile_stop()
        profiler._claim(None)
        self._count(spans)
        if self.display:
            print(self.get_table(self.depth))

    def _count(self, spans):
        parents = frozenset(("Global",))
        for kind, name, _, _, _, parent, flops, *rest in spans:
            if kind == "user" and name.startswith(_MARK):
                parents = self._tracker.sets[int(name[len(_MARK):])]
            if not flops:
                continue
            around = spans[parent] if parent is not None else None
            found = _operator(name, around[1] if around else "", around[10] if around else [])
            if found is not None:
                for module in parents:
                    self.flop_counts[module][getattr(ops.aten, found)] += flops
