"""A module whose `forward` is generated from a graph."""

import copy

import torch
from torch.nn import Module, Parameter

from .graph import Graph


def _copy_attribute(source, target, path):
    """Copies what `source` has at `path` to `target`, including the modules on the path."""
    *prefix, name = path.split(".")
    for part in prefix:
        found = getattr(source, part)
        if getattr(target, part, None) is found:
            return
        if not hasattr(target, part):
            setattr(target, part, Module())
        source, target = found, getattr(target, part)
    value = getattr(source, name)
    if isinstance(value, torch.Tensor) and not isinstance(value, Parameter):
        target.register_buffer(name, value)
    else:
        setattr(target, name, value)


class GraphModule(Module):
    def __new__(cls, *args, **kwargs):
        # Each has its own class, for its own `forward`.
        base = next(c for c in cls.__mro__ if "_graph_class" not in c.__dict__)
        return super().__new__(type(base.__name__, (base,), {"_graph_class": True, "__module__": base.__module__}))

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        type(self).__name__ = class_name
        if isinstance(root, Module):
            self.training = root.training
            for node in graph.nodes:
                if node.op in ("get_attr", "call_module"):
                    _copy_attribute(root, self, node.target)
        else:
            missing = [n.target for n in graph.nodes if n.op in ("get_attr", "call_module") and n.target not in root]
            if missing:
                raise RuntimeError(f"Node referenced target {missing[0]} but that target was not provided in ``root``!")
            for path in sorted((n.target for n in graph.nodes if n.op in ("get_attr", "call_module")),
                               key=lambda t: t.count(".")):
                target = self
                *prefix, name = path.split(".")
                for part in prefix:
                    if not hasattr(target, part):
                        setattr(target, part, Module())
                    target = getattr(target, part)
                setattr(target, name, root[path])
        self.graph = graph

    def _get_name(self):
        return type(self).__name__

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        g.owning_module = self
        self.recompile()

    def recompile(self):
        """Generates `forward` again. Call it after you have changed the graph."""
        made = self._graph.python_code(root_module="self")
        self._code = made.src
        space = dict(made.globals)
        exec(compile(made.src, "<eval_with_key>", "exec"), space)
        type(self).forward = space["forward"]
        return made

    @property
    def code(self):
        if not hasattr(self, "_code"):
            raise RuntimeError("Code has not been generated! Please report a bug to PyTorch")
        return self._code

    def print_readable(self, print_output=True, **options):
        text = f"class {self._get_name()}(torch.nn.Module):" + "\n".join(
            "    " + line if line.strip() else line for line in self._code.rstrip().split("\n")[2:])
        if print_output:
            print(text)
        return text

    def add_submodule(self, target, m):
        *prefix, name = target.split(".")
        module = self
        for part in prefix:
            if not hasattr(module, part):
                setattr(module, part, Module())
            module = getattr(module, part)
            if not isinstance(module, Module):
                return False
        module.add_module(name, m)
        return True

    def delete_submodule(self, target):
        *prefix, name = target.split(".")
        module = self
        for part in prefix:
            if not hasattr(module, part):
                return False
            module = getattr(module, part)
        if not isinstance(getattr(module, name, None), Module):
            return False
        delattr(module, name)
        return True

    def delete_all_unused_submodules(self):
        used = set()
        for node in self.graph.nodes:
            if node.op in ("call_module", "get_attr"):
                parts = node.target.split(".")
                used.update(".".join(parts[:i + 1]) for i in range(len(parts)))
                if node.op == "call_module":
                    used.update(f"{node.target}.{name}" for name, _ in self.get_submodule(node.target).named_modules())
        for name in [name for name, _ in self.named_modules() if name]:
            if name not in used:
                self.delete_submodule(name)

    def __deepcopy__(self, memo):
        root = Module()
        root.__dict__ = {k: copy.deepcopy(v, memo) for k, v in self.__dict__.items() if k not in ("_graph", "_code")}
        result = GraphModule(root, copy.deepcopy(self._graph, memo), self._get_name())
        memo[id(self)] = result
        return result

    def __copy__(self):
        return GraphModule(self, copy.deepcopy(self._graph), self._get_name())

    def __str__(self):
        hint = "To see more debug info, please use `graph_module.print_readable()`"
        return "\n".join([super().__repr__(), self._code, f"# {hint}"])
