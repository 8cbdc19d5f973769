"""Reads a pickle that may contain only weights.  No class or function is looked up by its name: only names on a list
of allowed ones have a meaning, and any other name is refused. So are all opcodes that PyTorch's `weights_only`
refuses."""

import struct
from collections import Counter, OrderedDict
from pickle import UnpicklingError, decode_long

# Never allowed, even if the program adds them.
_BLOCKED = ("sys", "os", "posix", "nt")

# Names of Python 2, which protocol 2 uses.
_OLD_NAMES = {"__builtin__": "builtins", "copy_reg": "copyreg"}

_user_globals = []


def _add_safe_globals(safe_globals):
    _user_globals.extend(g for g in safe_globals if g not in _user_globals)


def _get_safe_globals():
    return list(_user_globals)


def _clear_safe_globals():
    _user_globals.clear()


class _safe_globals:
    """Allows additional classes or functions inside a `with` block."""

    def __init__(self, safe_globals):
        self.safe_globals = safe_globals

    def __enter__(self):
        _add_safe_globals(self.safe_globals)

    def __exit__(self, *exc):
        _user_globals[:] = [g for g in _user_globals if g not in self.safe_globals]


def _user_allowed():
    found = {}
    for entry in _user_globals:
        if isinstance(entry, tuple):
            if len(entry) != 2:
                raise ValueError("Expected tuple of length 2 (global, str of callable full path), but got tuple of "
                                 f"length: {len(entry)}")
            value, name = entry
            if type(name) is not str:
                raise TypeError(f"Expected second item in tuple to be str of callable full path, but got: {type(name)}")
            found[name] = value
        else:
            found[f"{entry.__module__}.{entry.__qualname__}"] = entry
    return found


_allowed = {}


def _default_allowed():
    if _allowed:
        return _allowed
    import torch
    from torch import _utils, serialization, storage

    _allowed.update({
        "collections.OrderedDict": OrderedDict,
        "collections.Counter": Counter,
        "torch.nn.parameter.Parameter": torch.nn.Parameter,
        "torch.Size": torch.Size,
        "torch.Tensor": torch.Tensor,
        "torch.device": torch.device,
        "torch.serialization._get_layout": serialization._get_layout,
        "_codecs.encode": _encode,
        "builtins.bytearray": _bytearray,
        "builtins.set": set,
        "builtins.complex": complex,
        "torch.storage.UntypedStorage": storage.UntypedStorage,
        "torch.storage.TypedStorage": storage.TypedStorage,
        "torch._tensor._rebuild_from_type_v2": _utils._rebuild_from_type_v2,
    })
    for dtype in storage._KINDS:
        _allowed[str(dtype)] = dtype
    for name in storage._DTYPES:
        _allowed[f"torch.{name}"] = serialization.StorageType(name)
    for function in (_utils._rebuild_tensor, _utils._rebuild_tensor_v2, _utils._rebuild_parameter,
                     _utils._rebuild_parameter_with_state, _utils._rebuild_meta_tensor_no_storage,
                     _utils._rebuild_sparse_tensor):
        _allowed[f"torch._utils.{function.__name__}"] = function
    return _allowed


def _encode(text, encoding="latin1"):
    """How protocol 2 encodes `bytes`. Other codecs could unpack a few bytes into many."""
    if encoding not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise UnpicklingError(f"Unsupported encoding {encoding!r} of bytes")
    return text.encode(encoding)


def _bytearray(*args):
    """How a `bytearray` is encoded: as its bytes, never as just a size."""
    if args and not isinstance(args[0], (bytes, str)):
        raise UnpicklingError(f"Can only make a bytearray of bytes, but got {type(args[0])}")
    return bytearray(*args)


def _is_allowed(value):
    return any(value is known for table in (_default_allowed(), _user_allowed()) for known in table.values())


def _refuse_global(path):
    path = path.removeprefix("builtins.")
    raise UnpicklingError(
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. "
        f"Please use `torch.serialization.add_safe_globals([{path}])` or the "
        f"`torch.serialization.safe_globals([{path}])` context manager to allowlist this global "
        "if you trust this class/function.")


# Pickle itself writes recursively, so no honest file is nested as deep as this. Objects nested deeper would be freed by
# recursion.
_DEEPEST = 1000

_CONTAINERS = {tuple, list, dict, OrderedDict, Counter, set}


def allowance(size):
    """How many bytes of new memory a file of `size` bytes may request: calls of torch's own classes with nothing but a
    size."""
    return 64 * size + (256 << 20)


def _too_deep():
    raise RuntimeError(f"torch.load refuses this file: its objects nest more than {_DEEPEST} deep")


class Unpickler:
    """Reads one pickle from a file opened for reading bytes."""

    allowance = allowance(0)

    def __init__(self, file, *, encoding="bytes"):
        # How deep each container is nested; how often a nested container was put into another one; and which are nested.
        self._depths = {}
        self._late = 0
        self._inside = set()
        self._file = file
        self._encoding = encoding
        self._memo = {}
        self._stack = []
        self._marks = []

    def load(self):
        while True:
            key = self._file.read(1)
            if not key:
                raise EOFError
            if key == b".":
                return self._stack.pop()
            step = _STEPS.get(key[0])
            if step is None:
                raise UnpicklingError(f"Unsupported operand {key[0]}")
            step(self)

    def persistent_load(self, pid):
        raise UnpicklingError("unsupported persistent id encountered")

    # ---- reading ----

    def _unpack(self, form, size):
        return struct.unpack(form, self._file.read(size))[0]

    def _read(self, size):
        data = self._file.read(size)
        if len(data) != size:
            raise EOFError("Ran out of input")
        return data

    def _line(self):
        line = self._file.readline()
        if not line.endswith(b"\n"):
            raise UnpicklingError("pickle data was truncated")
        return line[:-1].decode("utf-8")

    def _pop_mark(self):
        items, self._stack = self._stack, self._marks.pop()
        return items

    def _push(self, value):
        self._stack.append(value)

    def _fresh(self, value, items=()):
        """Pushes a container that was just made from `items`. Its address may be that of one that is gone."""
        self._depths.pop(id(value), None)
        self._inside.discard(id(value))
        self._push(value)
        self._contain(value, items)

    def _contain(self, target, items):
        """Notes how deep `target` is nested, now that it contains `items`."""
        depths, own = self._depths, id(target)
        depth = depths.get(own, 0)
        for item in items:
            if type(item) in _CONTAINERS:
                depth = max(depth, depths.get(id(item), 0) + 1)
                self._inside.add(id(item))
                if own in self._inside:
                    # Pickle fills a container before it puts it into another one, unless a container contains itself.
                    self._late += 1
        if depth > _DEEPEST or self._late > _DEEPEST:
            _too_deep()
        if depth:
            depths[own] = depth

    # ---- instructions ----

    def _proto(self):
        import warnings

        proto = self._read(1)[0]
        if proto != 2:
            warnings.warn(
                f"Detected pickle protocol {proto} in the checkpoint, which was not the default pickle protocol used by "
                "`torch.load` (2). The weights_only Unpickler might not support all instructions implemented by this "
                "protocol, please file an issue for adding support if you encounter this.", stacklevel=2)

    def _global(self):
        module, name = self._line(), self._line()
        module = _OLD_NAMES.get(module, module)
        path = f"{module}.{name}"
        if module in _BLOCKED:
            raise UnpicklingError(f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked.")
        for known in (_default_allowed(), _user_allowed()):
            if path in known:
                return self._push(known[path])
        _refuse_global(path)

    def _newobj(self):
        import torch

        args, cls = self._stack.pop(), self._stack.pop()
        if cls is torch.nn.Parameter:
            self._push(torch.nn.Parameter(*args))
        elif _is_allowed(cls):
            self._ask_for(cls, args)
            self._fresh(cls.__new__(cls, *args), args)
        else:
            raise UnpicklingError("Can only create new object for nn.Parameter or classes allowlisted via "
                                  f"`add_safe_globals` but got {cls}")

    def _reduce(self):
        args, function = self._stack.pop(), self._stack.pop()
        if not _is_allowed(function):
            text = f"Trying to call reduce for unrecognized function {function}"
            if hasattr(function, "__self__"):
                text += f" which belongs to {function.__self__}"
            raise UnpicklingError(text)
        self._ask_for(function, args)
        self._fresh(function(*args), args)

    def _ask_for(self, function, args):
        """Refuses sizes with which a call would take far more memory than the file has bytes."""
        import torch
        from torch import _utils, storage

        if function is _utils._rebuild_from_type_v2 and args:
            function, args = args[0], args[2] if len(args) > 2 and type(args[2]) is tuple else ()
            if not _is_allowed(function):
                raise UnpicklingError(f"Trying to call reduce for unrecognized function {function}")
        wanted = 0
        if function in (torch.Tensor, torch.nn.Parameter, storage.UntypedStorage, storage.TypedStorage):
            sizes = [n for n in args if type(n) is int]
            if sizes:
                wanted = 8
                for n in sizes:
                    wanted *= max(n, 0)
        self.allowance -= wanted
        if self.allowance < 0:
            raise RuntimeError(f"torch.load refuses this file: it asks for {wanted} bytes that it doesn't hold")

    def _build(self):
        import torch

        state, target = self._stack.pop(), self._stack[-1]
        if type(target) is torch.Tensor:
            target.set_(*state)
        elif type(target) is OrderedDict:
            target.__dict__.update(state)
        elif type(target) is torch.nn.Parameter or _is_allowed(type(target)):
            if hasattr(target, "__setstate__"):
                target.__setstate__(state)
                return
            slots = None
            if isinstance(state, tuple) and len(state) == 2:
                state, slots = state
            if state:
                target.__dict__.update(state)
            for name, value in (slots or {}).items():
                setattr(target, name, value)
        else:
            raise UnpicklingError("Can only build Tensor, Parameter, OrderedDict or types allowlisted via "
                                  f"`add_safe_globals`, but got {type(target)}")

    def _append(self):
        item = self._stack.pop()
        self._contain(self._list(), (item,))
        self._list().append(item)

    def _appends(self):
        items = self._pop_mark()
        self._contain(self._list(), items)
        self._list().extend(items)

    def _list(self):
        if type(self._stack[-1]) is not list:
            raise UnpicklingError(f"Can only append to lists, but got {type(self._stack[-1])}")
        return self._stack[-1]

    def _setitem(self):
        value, key = self._stack.pop(), self._stack.pop()
        target = self._dict("SETITEM")
        self._contain(target, (key, value))
        target[key] = value

    def _setitems(self):
        items = self._pop_mark()
        target = self._dict("SETITEMS")
        self._contain(target, items)
        for key, value in zip(items[::2], items[1::2]):
            target[key] = value

    def _dict(self, instruction):
        if type(self._stack[-1]) not in (dict, OrderedDict, Counter):
            raise UnpicklingError(f"Can only {instruction} for dict, collections.OrderedDict, collections.Counter, "
                                  f"but got {type(self._stack[-1])}")
        return self._stack[-1]

    def _mark(self):
        self._marks.append(self._stack)
        self._stack = []

    def _tuple(self):
        items = tuple(self._pop_mark())
        self._fresh(items, items)

    def _tuple_of(self, count):
        if len(self._stack) < count:
            raise IndexError("list index out of range")
        items = tuple(self._stack[-count:])
        del self._stack[-count:]
        self._fresh(items, items)

    def _text(self):
        self._push(str(self._read(self._unpack("<I", 4)), "utf-8", "surrogatepass"))

    def _old_text(self):
        data = self._read(self._read(1)[0])
        self._push(data if self._encoding == "bytes" else data.decode(self._encoding, "strict"))

    def _persistent(self):
        pid = self._stack.pop()
        if type(pid) is not tuple and type(pid) is not int:
            raise UnpicklingError(f"persistent_load id must be tuple or int, but got {type(pid)}")
        if type(pid) is tuple and pid and pid[0] not in ("storage", b"storage"):
            raise UnpicklingError(f"Only persistent_load of storage is allowed, but got {type(pid[0])}")
        self._push(self.persistent_load(pid))

    def _get(self, index):
        self._push(self._memo[index])

    def _put(self, index):
        self._memo[index] = self._stack[-1]


_STEPS = {
    ord(key): step
    for key, step in {
        "\x80": Unpickler._proto,
        "c": Unpickler._global,
        "\x81": Unpickler._newobj,
        "R": Unpickler._reduce,
        "b": Unpickler._build,
        "a": Unpickler._append,
        "e": Unpickler._appends,
        "s": Unpickler._setitem,
        "u": Unpickler._setitems,
        "(": Unpickler._mark,
        "t": Unpickler._tuple,
        "\x85": lambda self: self._tuple_of(1),
        "\x86": lambda self: self._tuple_of(2),
        "\x87": lambda self: self._tuple_of(3),
        "N": lambda self: self._push(None),
        "\x88": lambda self: self._push(True),
        "\x89": lambda self: self._push(False),
        ")": lambda self: self._push(()),
        "]": lambda self: self._fresh([]),
        "}": lambda self: self._fresh({}),
        "\x8f": lambda self: self._fresh(set()),
        "J": lambda self: self._push(self._unpack("<i", 4)),
        "K": lambda self: self._push(self._read(1)[0]),
        "M": lambda self: self._push(self._unpack("<H", 2)),
        "G": lambda self: self._push(self._unpack(">d", 8)),
        "X": Unpickler._text,
        "U": Unpickler._old_text,
        "Q": Unpickler._persistent,
        "h": lambda self: self._get(self._read(1)[0]),
        "j": lambda self: self._get(self._unpack("<I", 4)),
        "q": lambda self: self._put(self._read(1)[0]),
        "r": lambda self: self._put(self._unpack("<I", 4)),
        "\x8a": lambda self: self._push(decode_long(self._read(self._read(1)[0]))),
    }.items()
}


def load(file, *, encoding="ASCII"):
    return Unpickler(file, encoding=encoding).load()
