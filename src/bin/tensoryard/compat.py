"""Which names of torch, and of what is used beside it, programs use, and whether these are here.

Nothing is listed here: every name is looked up in the module itself. A name is partly there when it refuses an argument that
the program gives (it raises NotImplementedError naming it), or doesn't take it. What the program itself expects to fail isn't
counted: names in a `try` whose `except` catches that, and cells with the tag `raises-exception`.
"""

import ast
import fnmatch
import importlib
import importlib.util
import inspect
import json
import os
import re
import sys
import types

import _torch

# The packages that are written for Tensoryard.
PACKAGES = tuple(next(finder.packages for finder in sys.meta_path if hasattr(finder, "packages")))

THERE, PARTLY, MISSING = "there", "partly", "missing"

# Functions of torch that don't return a single tensor, so that methods called on their results aren't checked.
NOT_A_TENSOR = {"sort", "max", "min", "topk", "median", "mode", "kthvalue", "unique", "split", "chunk", "unbind", "meshgrid",
                "tensor_split", "broadcast_tensors", "var_mean", "std_mean", "load", "save", "equal", "allclose", "numel",
                "manual_seed", "seed", "initial_seed", "typename", "can_cast", "promote_types", "result_type", "compile",
                "where", "nonzero", "cummax", "cummin", "get_device", "aminmax",
                # Methods.
                "item", "tolist", "numpy", "size", "dim", "ndimension", "nelement", "stride", "storage_offset", "element_size",
                "data_ptr", "backward", "type", "retain_grad", "register_hook", "untyped_storage"}


def left_out():
    """The names that stay out, as patterns, and why: the table of docs/left-out.md, which is in `LEFT_OUT`."""
    rows = [line.split("|") for line in LEFT_OUT.splitlines() if line.startswith("| `")]
    return [(pattern, row[2].strip()) for row in rows for pattern in re.findall("`([^`]+)`", row[1])]


def why_left_out(path):
    """Why a missing name stays out; None if it's only not here yet."""
    return next((why for pattern, why in left_out() if fnmatch.fnmatchcase(path, pattern)), None)


class Part:
    """A program, or a cell of a notebook."""

    def __init__(self, source, cell=None):
        self.source, self.cell = source, cell

    def place(self, line):
        return line if self.cell is None else (self.cell, line)


def parts_of(path):
    """The source of a program, or of each cell of a notebook that runs and isn't expected to fail."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not path.lower().endswith(".ipynb"):
        return [Part(text)]
    parts = []
    for cell in json.loads(text)["cells"]:
        source = cell.get("source", "")
        source = source if isinstance(source, str) else "".join(source)
        if cell.get("cell_type") != "code" or not source.strip():
            continue
        number = len(parts) + 1
        fails = "raises-exception" in cell.get("metadata", {}).get("tags", ())
        # Lines for the kernel become calls of its shell, and every line keeps its number.
        parts.append(Part("" if fails else _torch._cell_python(source), number))
    return parts


def look_up(path):
    """The object with a dotted name, or the part that failed: `(object, None)` or `(None, name)`."""
    parts = path.split(".")
    try:
        found = importlib.import_module(parts[0])
    except ImportError:
        return None, parts[0]
    for i, part in enumerate(parts[1:], 2):
        name = ".".join(parts[:i])
        try:
            found = getattr(found, part)
        except Exception:
            try:
                found = importlib.import_module(name)
            except Exception:
                return None, name
    return found, None


def refusals(found):
    """What the code behind an object refuses, under the names in its errors."""
    codes = []
    found = getattr(found, "__wrapped__", found)
    if isinstance(found, types.FunctionType):
        codes.append(found.__code__)
    elif isinstance(found, type):
        # What making and calling the object refuses. Its other methods count only if the program uses them.
        for name in ("__new__", "__init__", "__call__", "forward"):
            value = getattr(vars(found).get(name), "__func__", vars(found).get(name))
            if isinstance(value, types.FunctionType):
                codes.append(value.__code__)
    out = []
    for code in codes:
        if "NotImplementedError" in code.co_names:
            out += [c for c in code.co_consts if isinstance(c, str) and c.split(".")[0].split(":")[0] in PACKAGES
                    and ("." in c or ":" in c)]
    return out


def refused_arguments(found, keywords):
    """Of the keyword arguments that a program gives, those that the code behind an object refuses, each with its reason."""
    out = {}
    for text in refusals(found):
        _, _, inside = text.partition("(")
        for argument in inside.rpartition(")")[0].split(",") if ")" in inside else [inside]:
            name, sign, value = argument.partition("=")
            name = name.strip()
            if name not in keywords:
                continue
            # `sparse=False` isn't what `Embedding(sparse=True)` refuses.
            if all(isinstance(given, ast.Constant) and (given.value is None or given.value is False or (
                    value.strip() and value.strip() != "..." and repr(given.value) != value.strip()))
                   for given in keywords[name]):
                continue
            out[name] = text + "…)" if text.count("(") > text.count(")") else text
    return out


def is_refused(found):
    """Whether a function does nothing but refuse."""
    found = getattr(found, "__wrapped__", found)
    return isinstance(found, types.FunctionType) and set(found.__code__.co_names) == {"NotImplementedError"} and bool(
        refusals(found))


def unknown_arguments(found, keywords):
    """Keyword arguments that a function written in Python doesn't accept."""
    if hasattr(found, "__wrapped__"):
        # It accepts `out=` in addition to its own arguments.
        found, keywords = found.__wrapped__, [k for k in keywords if k != "out"]
    if not keywords or not (isinstance(found, types.FunctionType) or isinstance(found, type)):
        return []
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return []
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return []
    known = {p.name for p in parameters}
    if "dim" in known and (getattr(found, "__module__", None) or "").startswith("torch"):
        known.add("axis")
    return [k for k in keywords if k not in known]


def first_absent(name):
    """The part of a module's name that can't be imported, or None: `xml.x` of `xml.x.y`."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        part = ".".join(parts[:end])
        # Modules that the interpreter made have no specification to find.
        if part in sys.modules or part in sys.builtin_module_names:
            continue
        try:
            there = importlib.util.find_spec(part) is not None
        except (ImportError, ValueError, AttributeError):
            there = False
        if not there:
            return part
    return None


def why_absent(name):
    """Why a standard module isn't here, and nothing else to say of any other."""
    reasons = (finder.why_left_out(name) for finder in sys.meta_path if hasattr(finder, "why_left_out"))
    return next(filter(None, reasons), "no module of this name is here")


def local(name, folder):
    """Whether a module is in the program's own folder."""
    path = os.path.join(folder, name.split(".")[0])
    return os.path.exists(path + ".py") or os.path.isdir(path)


class Use:
    """A name that a program uses."""

    def __init__(self, line):
        self.lines = [line]
        # The arguments that it's called with by name, and where.
        self.keywords = {}
        self.given = {}


class Program(ast.NodeVisitor):
    """Collects the dotted names that belong to the packages."""

    def __init__(self, folder):
        self.folder = folder
        self.part = None
        self.aliases = {}
        self.uses = {}
        # Names that the program sets, or asks about before it uses them, and modules that it writes.
        self.own = set()
        self.written = set()
        # How many `try` are open whose `except` catches a missing name.
        self.forgiven = 0
        # Modules that aren't here, and the line that imports each.
        self.absent = {}
        # What is known about the program's variables: the dotted name of each one's class.
        self.kinds = [{}]

    # -- imports --

    def visit_Import(self, node):
        for name in node.names:
            root = name.name.split(".")[0]
            if root in PACKAGES:
                self.aliases[name.asname or root] = name.name if name.asname else root
                if "." in name.name:
                    self.use(name.name, node.lineno)
            else:
                self.imported(name.name, node.lineno)

    def visit_ImportFrom(self, node):
        if node.level or not node.module:
            return
        root = node.module.split(".")[0]
        if root not in PACKAGES:
            self.imported(node.module, node.lineno)
            return
        for name in node.names:
            if name.name == "*":
                module, _ = look_up(node.module)
                names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
                self.aliases.update({n: f"{node.module}.{n}" for n in names})
            else:
                self.aliases[name.asname or name.name] = f"{node.module}.{name.name}"
                self.use(f"{node.module}.{name.name}", node.lineno)

    def imported(self, name, line):
        if self.forgiven or name.split(".")[0] in self.written or local(name, self.folder):
            return
        absent = first_absent(name)
        if absent is not None:
            self.absent.setdefault(absent, self.part.place(line))

    def visit_Try(self, node):
        caught = {name for handler in node.handlers for name in exceptions(handler)}
        forgives = bool(caught & FORGIVING)
        self.forgiven += forgives
        for part in node.body:
            self.visit(part)
        self.forgiven -= forgives
        # A handler runs only if what it catches has happened.
        self.forgiven += 1
        for part in node.handlers:
            self.visit(part)
        self.forgiven -= 1
        for part in node.orelse + node.finalbody:
            self.visit(part)

    visit_TryStar = visit_Try

    def visit_If(self, node):
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
        for call in ast.walk(node.test):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "hasattr":
                if len(call.args) == 2 and isinstance(call.args[1], ast.Constant):
                    owner = self.dotted(call.args[0]) or self.kind(call.args[0])
                    self.own.add(f"{owner}.{call.args[1].value}")
        self.generic_visit(node)

    # -- names --

    def use(self, path, line):
        place = self.part.place(line)
        if self.forgiven or any(path == own or covers(path, own) for own in self.own):
            return Use(place)
        if path in self.uses:
            self.uses[path].lines.append(place)
        else:
            self.uses[path] = Use(place)
        return self.uses[path]

    def dotted(self, node):
        """The full name of `nn.functional.relu`, if it begins with an imported name."""
        parts = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.aliases or self.known(node.id) is not None:
            return None
        return ".".join([self.aliases[node.id], *reversed(parts)])

    def visit_Attribute(self, node):
        path = self.dotted(node)
        if isinstance(node.ctx, ast.Store):
            # A name that the program adds, and may use afterwards.
            owner = self.dotted(node.value) or self.kind(node.value)
            self.own.add(f"{owner}.{node.attr}")
            return self.generic_visit(node)
        if path is not None:
            self.use(path, node.lineno)
            return
        kind = self.kind(node.value)
        if kind is not None and not node.attr.startswith("__"):
            self.use(f"{kind}.{node.attr}", node.lineno)
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Load) and self.known(node.id) is None:
            path = self.aliases.get(node.id)
            if path is not None and "." in path:
                self.use(path, node.lineno)

    def visit_Call(self, node):
        path = self.dotted(node.func)
        if path is None and isinstance(node.func, ast.Attribute):
            if node.func.attr == "run_cell_magic" and isinstance(node.args[0], ast.Constant):
                name, line = (getattr(argument, "value", "") for argument in node.args[:2])
                if name in ("writefile", "file"):
                    self.written |= {os.path.basename(word).removesuffix(".py") for word in line.split()}
            kind = self.kind(node.func.value)
            path = kind and f"{kind}.{node.func.attr}"
        if path is not None:
            use = self.use(path, node.lineno)
            for keyword in node.keywords:
                if keyword.arg:
                    # An argument that is refused with any value counts, whatever its other values are.
                    use.keywords.setdefault(keyword.arg, []).append(keyword.value)
                    use.given.setdefault(keyword.arg, []).append(self.part.place(node.lineno))
        self.generic_visit(node)

    # -- what variables are --

    def known(self, name):
        for scope in reversed(self.kinds):
            if name in scope:
                return scope[name]
        return None

    def kind(self, node):
        """The class of an expression's value, if it's obvious."""
        if isinstance(node, ast.Name):
            return self.known(node.id) or None
        if isinstance(node, ast.Call):
            path = self.dotted(node.func)
            if path is not None:
                return self.result(path)
            if isinstance(node.func, ast.Attribute) and self.kind(node.func.value) == "torch.Tensor":
                name = node.func.attr
                native = type(look_up(f"torch.Tensor.{name}")[0]).__name__ == "method_descriptor"
                return "torch.Tensor" if native and name not in NOT_A_TENSOR and not name.startswith("is_") else None
        if isinstance(node, ast.BinOp):
            # An operator on a tensor and a number returns a tensor, and so does one on two tensors.
            sides = [self.kind(node.left), self.kind(node.right)]
            plain = [isinstance(s, ast.Constant) for s in (node.left, node.right)]
            if "torch.Tensor" in sides and (sides[0] == sides[1] or any(plain)):
                return "torch.Tensor"
        return None

    def result(self, path):
        found, _ = look_up(path)
        if isinstance(found, type):
            # `torch.LongTensor` is a class that makes tensors.
            if isinstance(getattr(found, "dtype", None), look_up("torch.dtype")[0]):
                return "torch.Tensor"
            return path if not issubclass(found, (types.ModuleType, BaseException)) else None
        name = path.rsplit(".", 1)[-1]
        owner = path.rsplit(".", 1)[0]
        native = type(found).__name__ == "builtin_function_or_method"
        if native and owner == "torch" and name not in NOT_A_TENSOR and not name.startswith(("is_", "get_", "set_", "_")):
            return "torch.Tensor"
        return None

    def assign(self, target, kind):
        if isinstance(target, ast.Name):
            # The class of a variable that holds different things at different times isn't obvious.
            before = self.kinds[-1].get(target.id, kind)
            self.kinds[-1][target.id] = kind if before == kind and kind is not None else False
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self.assign(part, None)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, None)

    def visit_Assign(self, node):
        self.visit(node.value)
        kind = self.kind(node.value)
        for target in node.targets:
            if not isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                self.visit(target)
            self.assign(target, kind)

    def visit_AugAssign(self, node):
        self.visit(node.value)
        if not isinstance(node.target, ast.Name):
            self.visit(node.target)

    def visit_For(self, node):
        self.visit(node.iter)
        self.assign(node.target, None)
        for part in node.body + node.orelse:
            self.visit(part)

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, None)
        for part in node.body:
            self.visit(part)

    def function(self, node):
        for part in getattr(node, "decorator_list", []):
            self.visit(part)
        every = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
        every += [a for a in (node.args.vararg, node.args.kwarg) if a is not None]
        scope = {}
        for argument in every:
            scope[argument.arg] = False
            if argument.annotation is not None:
                self.visit(argument.annotation)
                if self.dotted(argument.annotation) in ("torch.Tensor",):
                    scope[argument.arg] = "torch.Tensor"
        for default in node.args.defaults + [d for d in node.args.kw_defaults if d is not None]:
            self.visit(default)
        self.kinds.append(scope)
        for part in node.body if isinstance(node.body, list) else [node.body]:
            self.visit(part)
        self.kinds.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = function


def judge(path, use):
    """Whether a name is here, and a reason if it isn't entirely."""
    if path.startswith("torch.ops.") and not path.startswith("torch.ops.aten."):
        # The program's own operators, which it defines while it runs.
        return THERE, ""
    owner, _, name = path.rpartition(".")
    found, failed = look_up(path)
    if failed is not None:
        why = why_left_out(path)
        if why is not None:
            return MISSING, why
        parent, _ = look_up(owner) if owner else (None, None)
        if isinstance(parent, type) and not isinstance(parent, types.ModuleType):
            if has_member(parent, name):
                return THERE, ""
        try:
            text = ""
            if parent is not None:
                getattr(parent, name)
        except NotImplementedError as error:
            text = str(error)
        except Exception:
            text = ""
        return MISSING, text if text and text != path else "" if failed == path else f"{failed} is not here"
    if is_refused(found):
        return MISSING, ""
    unknown = sorted(unknown_arguments(found, use.keywords))
    why = [f"no argument {k}=" for k in unknown]
    told = refused_arguments(found, use.keywords)
    if told:
        why.append("refuses " + ", ".join(sorted(set(told.values()))))
    if not why:
        return THERE, ""
    use.lines = [place for name in [*unknown, *told] for place in use.given[name]]
    return PARTLY, "; ".join(why)


def has_member(cls, name):
    """Whether instances have an attribute, either from the class or because its methods set it."""
    for base in cls.__mro__:
        if name in vars(base) or name in getattr(base, "__annotations__", {}):
            return True
        for value in vars(base).values():
            value = getattr(value, "__wrapped__", value)
            if isinstance(value, types.FunctionType) and name in value.__code__.co_names + value.__code__.co_varnames:
                return True
    # Such a class answers names that are only known when the program runs: a table has one for each of its columns.
    if any("__getattr__" in vars(base) for base in cls.__mro__):
        return True
    # Calling this class may make an object of another one.
    return isinstance(getattr(vars(cls).get("__new__"), "__func__", None), types.FunctionType)


def covers(longer, shorter):
    return longer.startswith(shorter + ".")


# What a missing name raises, and what catches it.
FORGIVING = {"ImportError", "ModuleNotFoundError", "AttributeError", "NotImplementedError", "RuntimeError", "Exception",
             "BaseException"}


def exceptions(handler):
    """The names of the exceptions that an `except` catches."""
    if handler.type is None:
        return ["BaseException"]
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return [getattr(kind, "attr", getattr(kind, "id", "")) for kind in kinds]


def where(places):
    """`line 3`, `lines 3, 5`, `cell 2, line 3`."""
    places = sorted(set(places))
    more = ", …" if len(places) > 4 else ""
    if isinstance(places[0], tuple):
        return "; ".join(f"cell {cell}, line {line}" for cell, line in places[:4]) + more
    return ("line " if len(places) == 1 else "lines ") + ", ".join(map(str, places[:4])) + more


def report(file, everything):
    """Prints what a file uses. Returns how much of that would fail; None if it can't be read."""
    try:
        parts = parts_of(file)
    except (OSError, UnicodeDecodeError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"{file}: cannot be read: {error}")
        return None
    except RecursionError:
        print(f"{file}: cannot be read: it nests too deep")
        return None
    program = Program(os.path.dirname(file))
    unread = []
    for part in parts:
        program.part = part
        try:
            tree = ast.parse(part.source, file)
        except (RecursionError, SyntaxError, ValueError) as error:
            why = "it nests too deep" if isinstance(error, RecursionError) else str(error)
            if part.cell is None:
                print(f"{file}: cannot be read: {why}")
                return None
            # A cell that isn't Python costs that cell.
            unread.append((part.cell, why))
            continue
        program.visit(tree)
    # `torch.nn` isn't listed if `torch.nn.Linear` is.
    names = [p for p in program.uses if not any(covers(other, p) for other in program.uses)
             or not isinstance(look_up(p)[0], types.ModuleType)]
    rows = [(*judge(path, program.uses[path]), path) for path in names]
    count = {state: sum(r[0] == state for r in rows) for state in (THERE, PARTLY, MISSING)}
    used = [package for package in PACKAGES if any(p == package or covers(p, package) for p in names)]
    print(f"{file}: {len(rows)} names{' of ' + ', '.join(used) if used else ''}: {count[THERE]} there, {count[PARTLY]} partly, "
          f"{count[MISSING]} missing")
    shown = [r for r in rows if everything or r[0] != THERE]
    width = max([len(r[2]) for r in shown] + [len(name) for name in program.absent], default=0)
    order = (MISSING, PARTLY, THERE)
    for state, why, path in sorted(shown, key=lambda r: (order.index(r[0]), program.uses[r[2]].lines[0])):
        place = where(program.uses[path].lines)
        print(f"  {state:8}{path.ljust(width)}  {place}" + (f"  ({why})" if why else ""))
    for name, place in program.absent.items():
        print(f"  {MISSING:8}{name.ljust(width)}  {where([place])}  ({why_absent(name)})")
    for cell, why in unread:
        print(f"  cell {cell} isn't Python: {why}")
    return count[PARTLY] + count[MISSING] + len(program.absent) + len(unread)


def main(arguments):
    everything = "--all" in arguments
    files = [a for a in arguments if a != "--all"]
    results = [report(file, everything) for file in files]
    sys.exit(2 if None in results else 1 if any(results) else 0)


main(sys.argv[1:])
