"""Values as a notebook prints them: like `repr`, but a collection that is wider than a line has one element in each line."""

import collections
import contextlib
import inspect
import io
import re
import types

WIDTH = 79
LONGEST = 1000


class _Group:
    """Parts that stay in one line together, or of which each begins a line."""

    def __init__(self, depth):
        self.depth = depth
        self.open = []  # Its places for a line break that aren't decided yet.
        self.broken = False


class _Break:
    def __init__(self, text, indent, group):
        self.text, self.indent, self.group = text, indent, group


class PrettyPrinter:
    """What `_repr_pretty_` methods get as `p`."""

    def __init__(self, output, verbose=False, max_width=WIDTH, newline="\n", max_seq_length=LONGEST):
        self.output, self.max_width, self.newline, self.max_seq_length = output, max_width, newline, max_seq_length
        self.verbose = verbose
        self.indentation = 0
        self.stack = []
        self._column = 0
        self._waiting = []  # Strings and breaks after the first undecided break.
        self._width = 0
        self._groups = [_Group(0)]
        self._undecided = [self._groups[0]]

    # -- text --

    def text(self, text):
        if self._waiting:
            self._waiting.append(text)
            self._width += len(text)
            self._fit()
        else:
            self.output.write(text)
            self._column += len(text)

    def breakable(self, sep=" "):
        group = self._groups[-1]
        if group.broken:
            self._write_all()
            self._new_line(self.indentation)
        else:
            place = _Break(sep, self.indentation, group)
            group.open.append(place)
            self._waiting.append(place)
            self._width += len(sep)
            self._fit()

    def break_(self):
        group = self._next()
        if group is not None:
            self._break(group)
        self._write_all()
        self._new_line(self.indentation)

    def _new_line(self, indent):
        self.output.write(self.newline + " " * indent)
        self._column = indent

    def _write(self, part):
        if isinstance(part, str):
            self.output.write(part)
            self._column += len(part)
            self._width -= len(part)
            return
        self._width -= len(part.text)
        part.group.open.remove(part)
        if part.group.broken:
            self._new_line(part.indent)
        else:
            self.output.write(part.text)
            self._column += len(part.text)
            if not part.group.open and part.group in self._undecided:
                self._undecided.remove(part.group)

    def _fit(self):
        """Breaks groups, the outermost first, until the line is short enough."""
        while self._column + self._width > self.max_width:
            group = self._next()
            if group is None:
                return
            self._break(group)

    def _break(self, group):
        while group.open:
            self._write(self._waiting.pop(0))
        while self._waiting and isinstance(self._waiting[0], str):
            self._write(self._waiting.pop(0))

    def _next(self):
        """The outermost group that can still be broken; of several, the latest."""
        for depth in range(max((group.depth for group in self._undecided), default=-1) + 1):
            here = [group for group in self._undecided if group.depth == depth]
            for at, group in enumerate(reversed(here)):
                if group.open:
                    # IPython takes the group at this place from the front off its list, and lines break accordingly.
                    self._undecided.remove(here[at])
                    group.broken = True
                    return group
            for group in here:
                self._undecided.remove(group)
                group.broken = True
        return None

    def _write_all(self):
        while self._waiting:
            self._write(self._waiting.pop(0))
        self._width = 0

    def flush(self):
        self._write_all()
        self.output.flush()

    # -- groups --

    def begin_group(self, indent=0, open=""):
        if open:
            self.text(open)
        group = _Group(self._groups[-1].depth + 1)
        self._groups.append(group)
        self._undecided.append(group)
        self.indentation += indent

    def end_group(self, dedent=0, close=""):
        self.indentation -= dedent
        group = self._groups.pop()
        if not group.open and group in self._undecided:
            self._undecided.remove(group)
        if close:
            self.text(close)

    @contextlib.contextmanager
    def group(self, indent=0, open="", close=""):
        self.begin_group(indent, open)
        try:
            yield
        finally:
            self.end_group(indent, close)

    @contextlib.contextmanager
    def indent(self, indent):
        self.indentation += indent
        try:
            yield
        finally:
            self.indentation -= indent

    # -- values --

    def pretty(self, obj):
        cycle = id(obj) in self.stack
        self.stack.append(id(obj))
        self.begin_group()
        try:
            _printer_of(type(obj))(obj, self, cycle)
        finally:
            self.end_group()
            self.stack.pop()

    def items(self, things):
        """Separates the elements of a collection; says `...` in place of what is too long."""
        for at, thing in enumerate(things):
            if at:
                self.text(",")
                self.breakable()
            if at == self.max_seq_length:
                self.text("...")
                return
            yield thing


def _of_repr(obj, p, cycle):
    with p.group():
        for at, line in enumerate(repr(obj).splitlines()):
            if at:
                p.break_()
            p.text(line)


def _sequence(opening, closing, base):
    def show(obj, p, cycle):
        if type(obj).__repr__ is not base.__repr__:
            return p.text(repr(obj))
        if cycle:
            return p.text(opening + "..." + closing)
        p.begin_group(len(opening), opening)
        for item in p.items(obj):
            p.pretty(item)
        if base is tuple and len(obj) == 1:
            p.text(",")
        p.end_group(len(opening), closing)

    return show


def _set_like(opening, closing, base):
    def show(obj, p, cycle):
        if type(obj).__repr__ is not base.__repr__:
            return p.text(repr(obj))
        if cycle:
            return p.text(opening + "..." + closing)
        if not obj:
            return p.text(f"{base.__name__}()")
        p.begin_group(len(opening), opening)
        items = obj
        if len(obj) < p.max_seq_length:
            try:
                items = sorted(obj)
            except Exception:
                pass
        for item in p.items(items):
            p.pretty(item)
        p.end_group(len(opening), closing)

    return show


def _dictionary(opening, closing, base):
    def show(obj, p, cycle):
        if base is not None and type(obj).__repr__ is not base.__repr__:
            return p.text(repr(obj))
        if cycle:
            return p.text("{...}")
        p.begin_group(len(opening), opening)
        for key in p.items(obj):
            p.pretty(key)
            p.text(": ")
            p.pretty(obj[key])
        p.end_group(len(opening), closing)

    return show


def _call(p, name, *arguments, **named):
    p.begin_group(len(name) + 1, name + "(")
    for argument in p.items([*((None, a) for a in arguments), *named.items()]):
        key, value = argument
        if key is None:
            p.pretty(value)
        else:
            with p.group(len(key) + 1, key + "="):
                p.pretty(value)
    p.end_group(len(name) + 1, ")")


def _ordered(obj, p, cycle):
    name = type(obj).__name__
    if cycle:
        p.text(f"{name}(...)")
    elif obj:
        _call(p, name, list(obj.items()))
    else:
        p.text(f"{name}()")


def _with_default(obj, p, cycle):
    name = type(obj).__name__
    if cycle:
        p.text(f"{name}(...)")
    else:
        _call(p, name, obj.default_factory, dict(obj))


def _counter(obj, p, cycle):
    name = type(obj).__name__
    if cycle:
        p.text(f"{name}(...)")
    elif obj:
        _call(p, name, dict(obj.most_common()))
    else:
        p.text(f"{name}()")


def _deque(obj, p, cycle):
    name = type(obj).__name__
    if cycle:
        p.text(f"{name}(...)")
    elif obj.maxlen is not None:
        _call(p, name, list(obj), maxlen=obj.maxlen)
    else:
        _call(p, name, list(obj))


def _full_name(obj, name):
    module = getattr(obj, "__module__", None)
    return name if module in (None, "builtins", "exceptions") else f"{module}.{name}"


def _class(obj, p, cycle):
    if any("__repr__" in vars(base) for base in type(obj).__mro__[:-1] if base is not type):
        return _of_repr(obj, p, cycle)
    p.text(_full_name(obj, getattr(obj, "__qualname__", obj.__name__)))


def _function(obj, p, cycle):
    name = _full_name(obj, getattr(obj, "__qualname__", obj.__name__))
    try:
        name += str(inspect.signature(obj))
    except (TypeError, ValueError):
        pass
    p.text(f"<function {name}>")


def _pattern(obj, p, cycle):
    p.begin_group(len("re.compile("), "re.compile(")
    pattern = repr(obj.pattern)
    if pattern[:1] in "uU":
        pattern = pattern[1:]
    p.text(("r" if isinstance(obj.pattern, str) else "") + pattern.replace("\\\\", "\\"))
    if obj.flags:
        p.text(",")
        p.breakable()
        flags = [f for f in ("TEMPLATE", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "UNICODE", "VERBOSE", "DEBUG")
                 if obj.flags & getattr(re, f, 0)]
        p.text("|".join("re." + flag for flag in flags))
    p.end_group(len("re.compile("), ")")


def _exception(obj, p, cycle):
    name = _full_name(type(obj), getattr(type(obj), "__qualname__", type(obj).__name__))
    p.begin_group(len(name) + 1, name + "(")
    for argument in p.items(getattr(obj, "args", ())):
        p.pretty(argument)
    p.end_group(len(name) + 1, ")")


def _namespace(obj, p, cycle):
    name = "namespace" if type(obj) is types.SimpleNamespace else type(obj).__name__
    if cycle:
        p.text(f"{name}(...)")
    else:
        _call(p, name, **vars(obj))


def _plain(obj, p, cycle):
    p.begin_group(1, "<")
    p.pretty(type(obj))
    p.text(f" at 0x{id(obj):x}")
    p.end_group(1, ">")


_PRINTERS = {
    tuple: _sequence("(", ")", tuple),
    list: _sequence("[", "]", list),
    dict: _dictionary("{", "}", dict),
    types.MappingProxyType: _dictionary("mappingproxy({", "})", None),
    set: _set_like("{", "}", set),
    frozenset: _set_like("frozenset({", "})", frozenset),
    type: _class,
    types.FunctionType: _function,
    types.BuiltinFunctionType: _function,
    types.MethodType: _of_repr,
    types.SimpleNamespace: _namespace,
    re.Pattern: _pattern,
    BaseException: _exception,
    collections.OrderedDict: _ordered,
    collections.defaultdict: _with_default,
    collections.Counter: _counter,
    collections.deque: _deque,
}


def _printer_of(kind):
    for base in kind.__mro__:
        if base in _PRINTERS:
            return _PRINTERS[base]
        own = vars(base).get("_repr_pretty_")
        if callable(own):
            return own
        if base is not object and callable(vars(base).get("__repr__")):
            return _of_repr
    return _plain


def for_type(kind, function):
    """Sets how values of a class are shown. Returns what showed them before."""
    before = _PRINTERS.get(kind)
    if function is not None:
        _PRINTERS[kind] = function
    return before


def pretty(obj, verbose=False, max_width=WIDTH, newline="\n", max_seq_length=LONGEST):
    """The text that a notebook shows for a value."""
    out = io.StringIO()
    printer = PrettyPrinter(out, verbose, max_width, newline, max_seq_length)
    printer.pretty(obj)
    printer.flush()
    return out.getvalue()


def pprint(obj, verbose=False, max_width=WIDTH, newline="\n", max_seq_length=LONGEST):
    print(pretty(obj, verbose, max_width, newline, max_seq_length))
