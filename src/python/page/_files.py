"""Files of a program that runs in a web page: kept in memory, visible only to this program, and lost when it ends."""

import errno
import io
import time
import posixpath

_MAX = 1 << 30


class _Node:
    """A file's bytes."""

    def __init__(self):
        self.data = bytearray()
        self.modified = time.time()


_files = {}
# The time when each folder was made.
_folders = dict.fromkeys(["/", "/tmp"], time.time())
_here = "/"
# Permissions that a program has set, by path. They are only shown: whoever asks owns every file.
_modes = {}
# Open files that have numbers, as `os.open` gives them. The first three would be the terminal.
_opened = {}
_next = 3


def _fault(code, path):
    # Called by its name: the interpreter can't find the class by the number here.
    kind, text = {
        errno.ENOENT: (FileNotFoundError, "No such file or directory"),
        errno.EISDIR: (IsADirectoryError, "Is a directory"),
        errno.EEXIST: (FileExistsError, "File exists"),
        errno.ENOTDIR: (NotADirectoryError, "Not a directory"),
        errno.ENOTEMPTY: (OSError, "Directory not empty"),
        errno.EBADF: (OSError, "Bad file descriptor"),
    }[code]
    return kind(code, text, path)


def place(path):
    """The absolute, normalized form of a path."""
    from os import fsdecode

    return "/" + posixpath.normpath(posixpath.join(_here, fsdecode(path))).lstrip("/")


def give(name, data):
    """Puts a learner's file into the first folder, or into a folder in there."""
    node = _Node()
    node.data += data
    at = place(name)
    _files[at] = node
    while (at := posixpath.dirname(at)) not in _folders:
        _folders[at] = time.time()


def getcwd():
    return _here


def chdir(path):
    global _here
    if place(path) not in _folders:
        raise _fault(errno.ENOTDIR if place(path) in _files else errno.ENOENT, path)
    _here = place(path)


def is_folder(path):
    """Whether a path is a folder's. Raises if it doesn't exist."""
    at = place(path)
    if at not in _folders and at not in _files:
        raise _fault(errno.ENOENT, path)
    return at in _folders


def status(path):
    """A file's or a folder's mode, size and time of its last change. `path` may be the number of an open file."""
    if isinstance(path, int):
        node = opened(path)._node
        return 0o100600, len(node.data), node.modified
    folder, at = is_folder(path), place(path)
    if folder:
        return 0o40000 | _modes.get(at, 0o755), 0, _folders[at]
    return 0o100000 | _modes.get(at, 0o644), len(_files[at].data), _files[at].modified


def chmod(path, mode):
    is_folder(path)
    _modes[place(path)] = mode & 0o7777


def utime(path, modified):
    if is_folder(path):
        _folders[place(path)] = modified
    else:
        _files[place(path)].modified = modified


def opened(number):
    """The open file with a number."""
    if number not in _opened:
        raise _fault(errno.EBADF, None)
    return _opened[number]


def open_number(path, flags):
    """Opens a file as `os.open` does. Returns its number."""
    from os import O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_TRUNC, O_WRONLY

    global _next
    at = place(path)
    if at in _folders:
        raise _fault(errno.EISDIR, path)
    if posixpath.dirname(at) not in _folders:
        raise _fault(errno.ENOTDIR if posixpath.dirname(at) in _files else errno.ENOENT, path)
    if at not in _files and not flags & O_CREAT:
        raise _fault(errno.ENOENT, path)
    if at in _files and flags & O_CREAT and flags & O_EXCL:
        raise _fault(errno.EEXIST, path)
    node = _files.setdefault(at, _Node())
    if flags & O_TRUNC:
        node.data = bytearray()
    kind = "a" if flags & O_APPEND else "r"
    mode = {0: "r", O_WRONLY: "w" if kind == "r" else "a", O_RDWR: kind + "+"}[flags & (O_WRONLY | O_RDWR)]
    number, _next = _next, _next + 1
    _opened[number] = _Raw(node, number, mode + "b")
    return number


def close_number(number):
    opened(number)
    del _opened[number]


def listdir(path="."):
    if not is_folder(path):
        raise _fault(errno.ENOTDIR, path)
    at = place(path)
    return sorted(name[len(at.rstrip("/")) + 1 :] for name in (*_files, *_folders) if name != at and posixpath.dirname(name) == at)


def mkdir(path):
    at = place(path)
    if at in _folders or at in _files:
        raise _fault(errno.EEXIST, path)
    if posixpath.dirname(at) not in _folders:
        raise _fault(errno.ENOENT, path)
    _folders[at] = time.time()


def remove(path):
    if is_folder(path):
        raise _fault(errno.EISDIR, path)
    del _files[place(path)]
    _modes.pop(place(path), None)


def rmdir(path):
    if listdir(path):
        raise _fault(errno.ENOTEMPTY, path)
    del _folders[place(path)]
    _modes.pop(place(path), None)


def rename(source, target):
    at, to = place(source), place(target)
    if to in _folders:
        to = posixpath.join(to, at.rsplit("/", 1)[-1]) if not is_folder(source) and to != at else to
    if posixpath.dirname(to) not in _folders:
        raise _fault(errno.ENOENT, target)
    if not is_folder(source):
        _files[to] = _files.pop(at)
        return
    inside = lambda name: name == at or name.startswith(at + "/")
    for name in filter(inside, list(_folders)):
        _folders[to + name[len(at) :]] = _folders.pop(name)
    for name in filter(inside, list(_files)):
        _files[to + name[len(at) :]] = _files.pop(name)


class _Raw(io.RawIOBase):
    """An open file, without a buffer."""

    def __init__(self, node, name, mode, number=None):
        self._node = node
        self.name = name
        self.mode = mode
        self._at = len(node.data) if "a" in mode else 0
        # The file is closed with the number that it was opened by.
        self._number = number

    def fileno(self):
        if self._number is None:
            raise io.UnsupportedOperation("a file in the page has no number unless os.open opened it")
        return self._number

    def close(self):
        if not self.closed and self._number is not None:
            _opened.pop(self._number, None)
        super().close()

    def readable(self):
        return "r" in self.mode or "+" in self.mode

    def writable(self):
        return "r" not in self.mode or "+" in self.mode

    def seekable(self):
        return True

    def readinto(self, buffer):
        data = self._node.data[self._at : self._at + len(buffer)]
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def readall(self):
        data = bytes(self._node.data[self._at :])
        self._at += len(data)
        return data

    def write(self, data):
        data = bytes(data)
        content = self._node.data
        at = len(content) if "a" in self.mode else self._at
        if at + len(data) > _MAX:
            raise OSError("a file in the page is at most 1 GiB long")
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + len(data)] = data
        self._at = at + len(data)
        self._node.modified = time.time()
        return len(data)

    def seek(self, offset, whence=0):
        self._at = max(0, offset + (0, self._at, len(self._node.data))[whence])
        return self._at

    def tell(self):
        return self._at

    def truncate(self, size=None):
        size = self._at if size is None else size
        del self._node.data[size:]
        self._node.data.extend(bytes(size - len(self._node.data)))
        return size


def _flags(mode):
    """What an opener is told of a mode."""
    from os import O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY

    access = O_RDWR if "+" in mode else O_RDONLY if "r" in mode else O_WRONLY
    return access | {"w": O_CREAT | O_TRUNC, "x": O_CREAT | O_EXCL, "a": O_CREAT | O_APPEND}.get(mode.strip("+bt"), 0)


def _found(file, mode):
    """The file that is opened by its name, new if there is none and the mode makes one."""
    at = place(file)
    if at in _folders:
        raise _fault(errno.EISDIR, file)
    if posixpath.dirname(at) not in _folders:
        raise _fault(errno.ENOTDIR if posixpath.dirname(at) in _files else errno.ENOENT, file)
    if "r" in mode and at not in _files:
        raise _fault(errno.ENOENT, file)
    if "x" in mode and at in _files:
        raise _fault(errno.EEXIST, file)
    node = _files.setdefault(at, _Node())
    if "w" in mode:
        node.data = bytearray()
        node.modified = time.time()
    return node


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    """`open`, in memory."""
    kinds = [letter for letter in mode if letter in "rwax"]
    if len(kinds) != 1 or len(set(mode)) != len(mode) or not set(mode) <= set("rwax+bt"):
        raise ValueError(f"invalid mode: {mode!r}")
    if "b" in mode and "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    if "b" in mode and (encoding is not None or errors is not None or newline is not None):
        raise ValueError("binary mode doesn't take an encoding, errors or newline argument")
    if opener is not None:
        file = opener(file, _flags(mode))
    if isinstance(file, int):
        if file not in _opened:
            raise PermissionError("a program in the page has no file descriptors except those of os.open")
        raw = _Raw(_opened[file]._node, file, mode.replace("t", ""), file if closefd else None)
        if kinds == ["w"]:
            raw.truncate(0)
    else:
        raw = _Raw(_found(file, mode), file, mode.replace("t", ""))
    if buffering == 0:
        if "b" not in mode:
            raise ValueError("can't have unbuffered text I/O")
        return raw
    if "+" in mode:
        buffered = io.BufferedRandom(raw)
    else:
        buffered = io.BufferedReader(raw) if "r" in mode else io.BufferedWriter(raw)
    if "b" in mode:
        return buffered
    text = io.TextIOWrapper(buffered, encoding or "utf-8", errors, newline, line_buffering=buffering == 1)
    text.mode = mode
    return text


class _Modules:
    """Finds modules among the files: `helper.py`, and packages, whose folders may lack an `__init__.py`."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        from _frozen_importlib import ModuleSpec

        folders, last = ([_here, *map(str, _path())], name) if path is None else (path, name.rpartition(".")[2])
        for folder in folders:
            base = posixpath.join(place(folder or "."), last)
            for file, package in ((posixpath.join(base, "__init__.py"), True), (base + ".py", False)):
                if file in _files:
                    spec = ModuleSpec(name, _Loader(file), origin=file, is_package=package)
                    if package:
                        spec.submodule_search_locations = [base]
                    return spec
            if base in _folders and any(f.startswith(base + "/") and f.endswith(".py") for f in _files):
                spec = ModuleSpec(name, _Folder, is_package=True)
                spec.submodule_search_locations = [base]
                return spec
        return None


def _path():
    import sys

    return [folder for folder in sys.path if isinstance(folder, str)]


class _Folder:
    """Makes a package of a folder without an `__init__.py`."""

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        pass


class _Loader:
    def __init__(self, file):
        self.file = file

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        import _torch

        module.__file__ = self.file
        exec(_torch._module_code(self.get_source(), self.file), vars(module))

    def get_source(self, name=None):
        return _files[self.file].data.decode("utf-8-sig").replace("\r\n", "\n")

    def get_code(self, name):
        import _torch

        return _torch._module_code(self.get_source(name), self.file)

    def get_filename(self, name=None):
        return self.file

    def is_package(self, name):
        return posixpath.basename(self.file) == "__init__.py"


def find_modules():
    """Lets the program import modules from its files."""
    import sys

    sys.meta_path.append(_Modules)
