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
_folders = {"/", "/tmp"}
_here = "/"


def _fault(code, path):
    # Called by its name: the interpreter can't find the class by the number here.
    kind, text = {
        errno.ENOENT: (FileNotFoundError, "No such file or directory"),
        errno.EISDIR: (IsADirectoryError, "Is a directory"),
        errno.EEXIST: (FileExistsError, "File exists"),
        errno.ENOTDIR: (NotADirectoryError, "Not a directory"),
        errno.ENOTEMPTY: (OSError, "Directory not empty"),
    }[code]
    return kind(code, text, path)


def place(path):
    """The absolute, normalized form of a path."""
    from os import fsdecode

    return "/" + posixpath.normpath(posixpath.join(_here, fsdecode(path))).lstrip("/")


def give(name, data):
    """Puts a learner's file into the first folder."""
    node = _Node()
    node.data += data
    _files[place(name)] = node


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


def size_and_time(path):
    node = _files.get(place(path))
    return (0, 0.0) if node is None else (len(node.data), node.modified)


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
    _folders.add(at)


def remove(path):
    if is_folder(path):
        raise _fault(errno.EISDIR, path)
    del _files[place(path)]


def rmdir(path):
    if listdir(path):
        raise _fault(errno.ENOTEMPTY, path)
    _folders.discard(place(path))


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
        _folders.discard(name)
        _folders.add(to + name[len(at) :])
    for name in filter(inside, list(_files)):
        _files[to + name[len(at) :]] = _files.pop(name)


class _Raw(io.RawIOBase):
    """An open file, without a buffer."""

    def __init__(self, node, name, mode):
        self._node = node
        self.name = name
        self.mode = mode
        self._at = len(node.data) if "a" in mode else 0

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


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    """`open`, in memory."""
    if isinstance(file, int):
        raise PermissionError("a program in the page has no file descriptors")
    kinds = [letter for letter in mode if letter in "rwax"]
    if len(kinds) != 1 or len(set(mode)) != len(mode) or not set(mode) <= set("rwax+bt"):
        raise ValueError(f"invalid mode: {mode!r}")
    if "b" in mode and "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    if "b" in mode and (encoding is not None or errors is not None or newline is not None):
        raise ValueError("binary mode doesn't take an encoding, errors or newline argument")
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
    raw = _Raw(node, file, mode.replace("t", ""))
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
