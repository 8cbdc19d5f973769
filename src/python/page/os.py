"""`os` for a program that runs in a web page: there is no file system and no process, only paths and an environment."""

import abc
import errno
import sys
import posixpath as path
from _collections_abc import MutableMapping, _check_methods

sys.modules["os.path"] = path
from os.path import altsep, curdir, defpath, devnull, extsep, pardir, pathsep, sep

# The interpreter takes these numbers from a C library, which a page has none of; they are Linux's.
for _name, _number in (
    ("EPERM", 1), ("ENOENT", 2), ("EBADF", 9), ("EAGAIN", 11), ("EACCES", 13), ("EEXIST", 17), ("EXDEV", 18),
    ("ENOTDIR", 20), ("EISDIR", 21), ("EINVAL", 22), ("ETXTBSY", 26), ("ENOSYS", 38), ("ENOTEMPTY", 39), ("ELOOP", 40),
    ("ENODATA", 61), ("ENOTSUP", 95), ("EOPNOTSUPP", 95),
):
    if not hasattr(errno, _name):
        setattr(errno, _name, _number)
        errno.errorcode[_number] = _name
del _name, _number

name = "posix"
linesep = "\n"
error = OSError

F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_TRUNC = 0, 1, 2, 1024, 64, 128, 512
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2

supports_dir_fd = set()
supports_effective_ids = set()
supports_fd = set()
supports_follow_symlinks = set()

_NO_FILES = "a program in the page has no file system"


class _Environ(MutableMapping):
    """The environment: empty at first, and only this program sees what it sets."""

    def __init__(self):
        self._data = {}

    def __getitem__(self, key):
        return self._data[self._text(key)]

    def __setitem__(self, key, value):
        self._data[self._text(key)] = self._text(value)

    def __delitem__(self, key):
        del self._data[self._text(key)]

    def __iter__(self):
        return iter(list(self._data))

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        return f"environ({self._data!r})"

    def copy(self):
        return dict(self)

    @staticmethod
    def _text(value):
        if not isinstance(value, str):
            raise TypeError("str expected, not %s" % type(value).__name__)
        return value


environ = _Environ()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value):
    environ[key] = value


def unsetenv(key):
    environ.pop(key, None)


def getcwd():
    return "/"


def getpid():
    return 1


def getppid():
    return 0


def cpu_count():
    return 1


process_cpu_count = cpu_count


def urandom(size):
    from random import SystemRandom

    return SystemRandom().randbytes(size)


def strerror(code):
    return errno.errorcode.get(code, f"Unknown error {code}")


def _no_such_file(path):
    return FileNotFoundError(errno.ENOENT, "No such file or directory", fspath(path))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    raise _no_such_file(path)


lstat = stat


def access(path, mode, **options):
    return False


def listdir(path="."):
    return []


def scandir(path="."):
    raise PermissionError(_NO_FILES)


def fsencode(filename):
    filename = fspath(filename)
    return filename.encode("utf-8", "surrogateescape") if isinstance(filename, str) else filename


def fsdecode(filename):
    filename = fspath(filename)
    return filename.decode("utf-8", "surrogateescape") if isinstance(filename, bytes) else filename


def fspath(path):
    if isinstance(path, (str, bytes)):
        return path
    path_type = type(path)
    try:
        result = path_type.__fspath__(path)
    except AttributeError:
        if hasattr(path_type, "__fspath__"):
            raise
        raise TypeError(f"expected str, bytes or os.PathLike object, not {path_type.__name__}") from None
    if isinstance(result, (str, bytes)):
        return result
    raise TypeError(
        f"expected {path_type.__name__}.__fspath__() to return str or bytes, not {type(result).__name__}"
    )


class PathLike(abc.ABC):
    """Abstract base class for implementing the file system path protocol."""

    __slots__ = ()

    @abc.abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is PathLike:
            return _check_methods(subclass, "__fspath__")
        return NotImplemented

    __class_getitem__ = classmethod(type(list[int]))


class stat_result(tuple):
    """What `stat` would return."""


class terminal_size(tuple):
    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def get_terminal_size(fd=1):
    return terminal_size((80, 24))


def isatty(fd):
    return False


def _denied(function):
    def denied(*args, **options):
        raise PermissionError(f"os.{function}: {_NO_FILES}")

    denied.__name__ = denied.__qualname__ = function
    return denied


for _function in (
    "abort chdir chmod chown close dup fdopen fstat kill link makedirs mkdir open popen read readlink remove "
    "removedirs rename renames replace rmdir symlink system truncate umask unlink utime walk write"
).split():
    globals()[_function] = _denied(_function)
del _function
