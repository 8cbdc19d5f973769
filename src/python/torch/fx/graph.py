"""A graph of calls, and the Python code for it."""

import builtins
import contextlib
import inspect
import keyword
import re

import torch

from .node import Node, map_arg, qualified_name, snake_case

_MAGIC = {
    "eq": "{} == {}", "ne": "{} != {}", "lt": "{} < {}", "gt": "{} > {}", "le": "{} <= {}", "ge": "{} >= {}", "pos": "+{}",
    "neg": "-{}", "invert": "~{}", "add": "{} + {}", "mul": "{} * {}", "sub": "{} - {}", "floordiv": "{} // {}",
    "truediv": "{} / {}", "div": "{} / {}", "mod": "{} % {}", "lshift": "{} << {}", "rshift": "{} >> {}", "and_": "{} & {}",
    "or_": "{} | {}", "xor": "{} ^ {}", "getitem": "{}[{}]", "matmul": "{} @ {}", "pow": "{} ** {}",
}
_INPLACE = {
    "iadd": "{} += {}", "iand": "{} &= {}", "ifloordiv": "{} //= {}", "ilshift": "{} <<= {}", "imod": "{} %= {}",
    "imul": "{} *= {}", "imatmul": "{} @= {}", "ior": "{} |= {}", "ipow": "{} **= {}", "irshift": "{} >>= {}",
    "isub": "{} -= {}", "itruediv": "{} /= {}", "ixor": "{} ^= {}", "setitem": "{}[{}] = {}",
}
_RESERVED = {"inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree", "self"}


class CodeGen:
    """How names and values of a graph are written in Python."""


class PythonCode:
    def __init__(self, src, globals):
        self.src = src
        self.globals = globals


class Graph:
    def __init__(self, owning_module=None, tracer_cls=None, tracer_extras=None):
        self._nodes = []
        self._used = set(_RESERVED)
        self._insert_at = None
        self.owning_module = owning_module
        self._tracer_cls = tracer_cls
        self._codegen = CodeGen()

    @property
    def nodes(self):
        return _Nodes(self)

    def find_nodes(self, *, op, target=None, sort=True):
        return [n for n in self._nodes if n.op == op and (target is None or n.target == target)]

    def _name(self, candidate):
        candidate = re.sub(r"[^0-9a-zA-Z_]+", "_", candidate)
        if not candidate:
            candidate = "_unnamed"
        if candidate[0].isdigit():
            candidate = "_" + candidate
        base, number = candidate, 0
        ended = re.fullmatch(r"(.*)_(\d+)", candidate)
        if ended:
            base, number = ended[1], int(ended[2])
        while candidate in self._used or keyword.iskeyword(candidate) or hasattr(builtins, candidate):
            number += 1
            candidate = f"{base}_{number}"
        self._used.add(candidate)
        return candidate

    @staticmethod
    def _target_name(op, target):
        if op == "call_function":
            target = getattr(target, "__name__", str(target))
        name = target.replace(".", "_")
        if name.startswith("__") and name.endswith("__"):
            name = name[2:-2]
        return snake_case(name)

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        if op not in ("call_function", "call_method", "get_attr", "call_module", "placeholder", "output"):
            raise AssertionError(f"op {op!r} is not in _legal_ops")
        name = self._name(name if name is not None else self._target_name(op, target))
        node = Node(self, name, op, target, () if args is None else args, {} if kwargs is None else kwargs, type_expr)
        if self._insert_at is None:
            self._nodes.append(node)
        else:
            anchor, after = self._insert_at
            at = self._nodes.index(anchor) + after
            self._nodes.insert(at, node)
            if after:
                self._insert_at = node, 1
        return node

    def placeholder(self, name, type_expr=None, default_value=inspect.Signature.empty):
        args = () if default_value is inspect.Signature.empty else (default_value,)
        return self.create_node("placeholder", name, args=args, type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name=name, type_expr=type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", args=(result,), type_expr=type_expr)

    def output_node(self):
        return next(n for n in reversed(self._nodes) if n.op == "output")

    def node_copy(self, node, arg_transform=lambda x: x):
        args, kwargs = map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform)
        result = self.create_node(node.op, node.target, args, kwargs, node.name, node.type)
        result.meta = dict(node.meta)
        return result

    def graph_copy(self, g, val_map, return_output_node=False):
        """Copies all nodes except the output, and returns the value that would be the output."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                result = map_arg(node.args[0], lambda n: val_map[n])
                return result if not return_output_node else (result, node)
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        other = Graph(tracer_cls=self._tracer_cls)
        values = {}
        result = other.graph_copy(self, values)
        for node in self._nodes:
            if node.op == "output":
                other.output(result, type_expr=node.type)
        return other

    def erase_node(self, to_erase):
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: "
                               f"{to_erase.users}!")
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if not to_erase._erased:
            self._nodes.remove(to_erase)
            to_erase._erased = True
        to_erase._update_args_kwargs((), {})

    def _move(self, node, anchor, after):
        if node is anchor:
            return
        self._nodes.remove(node)
        self._nodes.insert(self._nodes.index(anchor) + after, node)

    @contextlib.contextmanager
    def _inserting(self, at):
        before, self._insert_at = self._insert_at, at
        try:
            yield
        finally:
            self._insert_at = before

    def inserting_before(self, n=None):
        return self._inserting((n if n is not None else self._nodes[0], 0))

    def inserting_after(self, n=None):
        return self._inserting((n, 1) if n is not None else (self._nodes[0], 0))

    def eliminate_dead_code(self, is_impure_node=None):
        impure = is_impure_node or (lambda n: n.is_impure())
        changed = False
        for node in reversed(list(self._nodes)):
            if not impure(node) and not node.users:
                self.erase_node(node)
                changed = True
        return changed

    def lint(self):
        """Checks that each node comes after what it uses."""
        seen, names = set(), set()
        for node in self._nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
            for used in node.all_input_nodes:
                if used.graph is not self:
                    raise RuntimeError(f"Argument '{used}' of Node '{node}' does not belong to this Graph, but was used as an "
                                       "argument! If you are copying nodes from another graph, make sure to use "
                                       "``arg_transform`` on node_copy() to remap values\n{self}")
                if used not in seen:
                    raise RuntimeError(f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check "
                                       f"that Nodes in the graph are topologically ordered\n{self}")
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            seen.add(node)
            names.add(node.name)

    def on_generate_code(self, make_transformer):
        raise NotImplementedError("torch.fx.Graph.on_generate_code")

    def __str__(self):
        return "graph():" + "".join("\n    " + node.format_node() for node in self._nodes)

    def print_tabular(self):
        rows = [("opcode", "name", "target", "args", "kwargs")]
        rows += [(n.op, n.name, str(n.target), str(n.args), str(n.kwargs)) for n in self._nodes]
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        rows.insert(1, tuple("-" * w for w in widths))
        for row in rows:
            print("  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip())

    def python_code(self, root_module="self", **options):
        from ._symbolic_trace import is_wrapped

        wrapped = {}
        globals_ = {"torch": torch, "inf": float("inf"), "nan": float("nan"), "device": torch.device, "NoneType": type(None)}

        def global_of(function):
            name = qualified_name(function)
            if name.startswith("torch.") and "<" not in name:
                return name
            if name in ("getattr",) or hasattr(builtins, name):
                return name
            short = name.replace(".", "_").replace("<", "_").replace(">", "_")
            base, number = short, 0
            while short in globals_ and globals_[short] is not function:
                number += 1
                short = f"{base}_{number}"
            globals_[short] = function
            if is_wrapped(function):
                wrapped.setdefault(f'torch.fx._symbolic_trace.wrap("{short}")')
            return short

        def text(value):
            if isinstance(value, Node):
                return value.name
            if isinstance(value, tuple):
                if hasattr(value, "_fields"):
                    return f"{global_of(type(value))}{text(tuple(value))}"
                inner = ", ".join(text(v) for v in value)
                return f"({inner},)" if len(value) == 1 else f"({inner})"
            if isinstance(value, list):
                return f"[{', '.join(text(v) for v in value)}]"
            if isinstance(value, dict):
                return "{" + ", ".join(f"{k!r}: {text(v)}" for k, v in value.items()) + "}"
            if isinstance(value, slice):
                return f"slice({text(value.start)}, {text(value.stop)}, {text(value.step)})"
            if isinstance(value, type) or (callable(value) and hasattr(value, "__name__")):
                return global_of(value)
            return repr(value)

        def arguments(args, kwargs):
            return ", ".join([text(a) for a in args] + [f"{k} = {text(v)}" for k, v in kwargs.items()])

        # Where each value is used last: there its name is deleted.
        last = {}
        for node in self._nodes:
            for used in node.all_input_nodes:
                last[used] = node
        parameters, lines = [root_module], []
        for node in self._nodes:
            dead = [n.name for n in node.all_input_nodes if last[n] is node]
            if node.op not in ("output", "placeholder") and not node.users:
                dead.append(node.name)
            let_go = ";  " + " = ".join(dead + ["None"]) if dead else ""
            if node.op == "placeholder":
                default = f" = {text(node.args[0])}" if node.args else ""
                annotation = f" : {_type_text(node.type, global_of)}" if node.type is not None else ""
                parameters.append(f"{node.target}{annotation}{default}")
                plain = node.target.replace("*", "")
                if plain != node.name:
                    lines.append(f"{node.name} = {plain}")
                if not node.users:
                    continue
            elif node.op == "output":
                lines.append(f"return {text(node.args[0])}")
            elif node.op == "get_attr":
                lines.append(f"{node.name} = {_attribute(root_module, node.target)}{let_go}")
            elif node.op == "call_module":
                call = f"{_attribute(root_module, node.target)}({arguments(node.args, node.kwargs)})"
                lines.append(f"{node.name} = {call}{let_go}")
            elif node.op == "call_method":
                owner, *rest = node.args
                lines.append(f"{node.name} = {_attribute(text(owner), node.target)}({arguments(rest, node.kwargs)}){let_go}")
            else:
                lines.append(self._call(node, text, arguments, global_of) + let_go)
        if not any(n.op != "placeholder" for n in self._nodes):
            lines.append("pass")
        body = "\n".join("    " + line for line in lines)
        output = next((n for n in self._nodes if n.op == "output"), None)
        returns = f" -> {_type_text(output.type, global_of)}" if output is not None and output.type is not None else ""
        head = "\n".join(wrapped)
        return PythonCode(f"\n{head}\n\ndef forward({', '.join(parameters)}){returns}:\n{body}\n    ", globals_)

    @staticmethod
    def _call(node, text, arguments, global_of):
        name = qualified_name(node.target)
        short = name.removeprefix("operator.")
        if name.startswith("operator.") and short in _MAGIC and not node.kwargs:
            words = [text(a) for a in node.args]
            return f"{node.name} = {_MAGIC[short].format(*words)}"
        if name.startswith("operator.") and short in _INPLACE and not node.kwargs:
            words = [text(a) for a in node.args]
            return f"{_INPLACE[short].format(*words)};  {node.name} = {words[0]}"
        if name == "getattr" and isinstance(node.args[1], str) and node.args[1].isidentifier() and len(node.args) == 2:
            return f"{node.name} = {_attribute(text(node.args[0]), node.args[1])}"
        return f"{node.name} = {global_of(node.target)}({arguments(node.args, node.kwargs)})"


def _type_text(kind, global_of):
    return kind if isinstance(kind, str) else global_of(kind) if isinstance(kind, type) else str(kind)


def _attribute(owner, path):
    """`owner.a.b`, using `getattr` for parts that aren't identifiers, such as the children of a Sequential."""
    for part in path.split("."):
        owner = f"{owner}.{part}" if part.isidentifier() else f'getattr({owner}, "{part}")'
    return owner


class _Nodes:
    def __init__(self, graph):
        self.graph = graph

    def __iter__(self):
        return self._walk(1)

    def __reversed__(self):
        return self._walk(-1)

    def __len__(self):
        return len(self.graph._nodes)

    def _walk(self, step):
        """One node after the other. A loop may insert nodes, and comes to those that are ahead of it."""
        nodes = self.graph._nodes
        at = 0 if step == 1 else len(nodes) - 1
        while 0 <= at < len(nodes):
            node = nodes[at]
            yield node
            if at >= len(nodes) or nodes[at] is not node:
                if node in nodes:
                    at = nodes.index(node)
                elif step == 1:
                    # It was erased, and what followed has moved into its place.
                    continue
            at += step
