"""Which modules run now, forward or backward, as in torch.utils.module_tracker."""

import weakref

from _torch import Tensor
from torch.autograd import graph
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils._pytree import tree_leaves

__all__ = ["ModuleTracker"]


def _differentiated(values):
    return [t for t in tree_leaves(values) if isinstance(t, Tensor) and t.requires_grad]


class ModuleTracker:
    """Within it, `parents` has the names of the modules that run, and "Global"."""

    def __init__(self):
        self.parents = {"Global"}
        self._names, self._hooks = weakref.WeakKeyDictionary(), []

    is_bw = property(lambda self: bool(graph._passes))

    def _name(self, module):
        if module not in self._names:
            # It names the modules within it, even if one of them is called first.
            self._names[module] = type(module).__name__
            self._name_children(module)
        return self._names[module]

    def _name_children(self, module):
        for name, child in module.named_children():
            self._names[child] = f"{self._names[module]}.{name}"
            self._name_children(child)

    def _change(self, change, name):
        change(name)
        self._changed()

    def _changed(self):
        """Called when `parents` changed."""

    def _before(self, module, inputs):
        name = self._name(module)
        self._change(self.parents.add, name)
        tensors = _differentiated(inputs)
        if tensors:
            self._hooks.append(graph.register_multi_grad_hook(tensors, lambda grads: self._change(self.parents.discard, name)))

    def _after(self, module, inputs, output):
        name = self._name(module)
        self._change(self.parents.discard, name)
        tensors = _differentiated(output)
        if tensors:
            self._hooks.append(graph.register_multi_grad_hook(tensors, lambda grads: self._enter_backward(name)))

    def _enter_backward(self, name):
        # A module whose inputs need no gradient isn't left before the end of the pass.
        if self._ended not in graph._at_end:
            graph._at_end.append(self._ended)
        self._change(self.parents.add, name)

    def _ended(self):
        self.parents = {"Global"}
        self._changed()

    def __enter__(self):
        self._handles = [register_module_forward_pre_hook(self._before), register_module_forward_hook(self._after)]
        return self

    def __exit__(self, *exc):
        for handle in (*self._handles, *self._hooks):
            handle.remove()
        self._hooks.clear()
