"""`os` for a program that runs in a web page: files in memory, an environment, and no process."""

import abc
import errno
import sys
import time
import posixpath as path
from _collections_abc import MutableMapping, _check_methods

sys.modules["os.path"] = path
import _files
from _files import chdir, getcwd, listdir
from os.path import altsep, curdir, defpath, devnull, extsep, pardir, pathsep, sep

# The interpreter takes these numbers from a C library, which a page doesn't have. They're Linux's.
for _name, _number in (
    ("EPERM", 1), ("ENOENT", 2), ("ESRCH", 3), ("EINTR", 4), ("EIO", 5), ("EBADF", 9), ("ECHILD", 10), ("EAGAIN", 11),
    ("EWOULDBLOCK", 11), ("ENOMEM", 12), ("EACCES", 13), ("EBUSY", 16), ("EEXIST", 17), ("EXDEV", 18), ("ENOTDIR", 20),
    ("EISDIR", 21), ("EINVAL", 22), ("ENOTTY", 25), ("ETXTBSY", 26), ("ENOSPC", 28), ("ESPIPE", 29), ("EROFS", 30), ("EPIPE", 32),
    ("EDOM", 33), ("ERANGE", 34), ("EDEADLK", 35), ("ENAMETOOLONG", 36), ("ENOSYS", 38), ("ENOTEMPTY", 39), ("ELOOP", 40),
    ("ENODATA", 61), ("ENOTSOCK", 88), ("ENOTSUP", 95), ("EOPNOTSUPP", 95), ("EAFNOSUPPORT", 97), ("EADDRINUSE", 98),
    ("EADDRNOTAVAIL", 99), ("ENETUNREACH", 101), ("ECONNABORTED", 103), ("ECONNRESET", 104), ("EISCONN", 106), ("ENOTCONN", 107),
    ("ESHUTDOWN", 108), ("ETIMEDOUT", 110), ("ECONNREFUSED", 111), ("EALREADY", 114), ("EINPROGRESS", 115),
):
    if not hasattr(errno, _name):
        setattr(errno, _name, _number)
        errno.errorcode.setdefault(_number, _name)
del _name, _number

name = "posix"
linesep = "\n"
error = OSError

F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1
O_RDONLY, O_WRONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL, O_TRUNC = 0, 1, 2, 1024, 64, 128, 512
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
WNOHANG = 1

supports_dir_fd = set()
supports_effective_ids = set()
supports_fd = set()
supports_follow_symlinks = set()

_NO_FILES = "a program in the page has files in memory and nothing more of a file system"
_NO_PROCESSES = "a program in the page can't start processes, and there are no others"


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


def getpid():
    return 1


def getppid():
    return 0


def cpu_count():
    return 1


process_cpu_count = cpu_count


def urandom(size):
    # A generator without a seed gets one from the system, as does `random.SystemRandom`.
    from _random import Random

    return Random().getrandbits(8 * size).to_bytes(size)


def strerror(code):
    return errno.errorcode.get(code, f"Unknown error {code}")


class stat_result(tuple):
    """The result of `stat`."""

    st_mode = property(lambda self: self[0])
    st_ino = property(lambda self: self[1])
    st_dev = property(lambda self: self[2])
    st_nlink = property(lambda self: self[3])
    st_uid = property(lambda self: self[4])
    st_gid = property(lambda self: self[5])
    st_size = property(lambda self: self[6])
    st_atime = property(lambda self: self[7])
    st_mtime = property(lambda self: self[8])
    st_ctime = property(lambda self: self[9])
    st_atime_ns = st_mtime_ns = st_ctime_ns = property(lambda self: int(self[8] * 1e9))


def stat(path, *, dir_fd=None, follow_symlinks=True):
    mode, size, modified = _files.status(path)
    # For `samefile`, equal numbers mean the same file.
    number = path if isinstance(path, int) else hash(_files.place(path)) & 0x7FFFFFFF
    return stat_result((mode, number, 0, 1, 0, 0, size, modified, modified, modified))


lstat = stat


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    _files.chmod(path, mode)


def umask(mask):
    return _files.umask(mask)


def utime(path, times=None, *, ns=None, dir_fd=None, follow_symlinks=True):
    if times is not None and ns is not None:
        raise ValueError("utime: you may specify either 'times' or 'ns' but not both")
    _files.utime(path, ns[1] / 1e9 if ns else time.time() if times is None else times[1])


def open(path, flags, mode=0o777, *, dir_fd=None):
    return _files.open_number(path, flags, mode)


def close(fd):
    _files.close_number(fd)


def fdopen(fd, mode="r", buffering=-1, encoding=None, *args, **options):
    if not isinstance(fd, int):
        raise TypeError("invalid fd type (%s, expected integer)" % type(fd))
    return _files.open(fd, mode, buffering, encoding, *args, **options)


def fstat(fd):
    _files.opened(fd)
    return stat(fd)


def read(fd, n):
    return _files.opened(fd).read(n)


def write(fd, data):
    return _files.opened(fd).write(data)


def lseek(fd, position, whence):
    return _files.opened(fd).seek(position, whence)


def ftruncate(fd, length):
    _files.opened(fd).truncate(length)


def fsync(fd):
    _files.opened(fd)


def access(path, mode, **options):
    try:
        return _files.is_folder(path) or not mode & X_OK
    except OSError:
        return False


class DirEntry:
    """A name that `scandir` finds."""

    def __init__(self, folder, name):
        self.name = name
        self.path = path.join(folder, name)

    def is_dir(self, *, follow_symlinks=True):
        return _files.is_folder(self.path)

    def is_file(self, *, follow_symlinks=True):
        return not _files.is_folder(self.path)

    def is_symlink(self):
        return False

    def is_junction(self):
        return False

    def stat(self, *, follow_symlinks=True):
        return stat(self.path)

    def inode(self):
        return self.stat().st_ino

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class scandir:
    """The names in a folder."""

    def __init__(self, path="."):
        self._left = iter([DirEntry(fsdecode(path), name) for name in listdir(path)])

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._left)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        self._left = iter(())


def mkdir(path, mode=0o777, *, dir_fd=None):
    _files.mkdir(path, mode)


def makedirs(name, mode=0o777, exist_ok=False):
    head = path.dirname(_files.place(name))
    if not path.exists(head):
        makedirs(head, exist_ok=True)
    try:
        _files.mkdir(name, mode)
    except FileExistsError:
        if not exist_ok or not path.isdir(name):
            raise


def remove(path, *, dir_fd=None):
    _files.remove(path)


unlink = remove


def rmdir(path, *, dir_fd=None):
    _files.rmdir(path)


def rename(src, dst, **options):
    _files.rename(src, dst)


replace = renames = rename


def removedirs(name):
    rmdir(name)
    head = path.dirname(_files.place(name))
    while head != "/" and not listdir(head):
        rmdir(head)
        head = path.dirname(head)


# `shutil` asks what `walk` makes of links, which don't exist here.
_walk_symlinks_as_files = object()


def _get_exports_list(module):
    try:
        return list(module.__all__)
    except AttributeError:
        return [name for name in dir(module) if name[0] != "_"]


def get_exec_path(env=None):
    return []


def waitstatus_to_exitcode(status):
    return -(status & 127) if status & 127 else status >> 8


def WIFSTOPPED(status):
    return status & 255 == 127


def WSTOPSIG(status):
    return status >> 8 & 255


def walk(top, topdown=True, onerror=None, followlinks=False):
    try:
        names = listdir(top)
    except OSError as error:
        if onerror is not None:
            onerror(error)
        return
    folders = [name for name in names if path.isdir(path.join(top, name))]
    files = [name for name in names if name not in folders]
    if topdown:
        yield top, folders, files
    for name in folders:
        yield from walk(path.join(top, name), topdown, onerror)
    if not topdown:
        yield top, folders, files


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


class terminal_size(tuple):
    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])


def get_terminal_size(fd=1):
    return terminal_size((80, 24))


def isatty(fd):
    return False


def _denied(function, why):
    def denied(*args, **options):
        raise PermissionError(f"os.{function}: {why}")

    denied.__name__ = denied.__qualname__ = function
    return denied


for _why, _functions in (
    (_NO_FILES, "chown dup dup2 lchown link mkfifo mknod readlink symlink truncate"),
    (_NO_PROCESSES, "_exit abort execv execve kill killpg pipe popen spawnv system wait waitpid"),
):
    for _function in _functions.split():
        globals()[_function] = _denied(_function, _why)
del _function, _functions, _why


def __getattr__(name):
    # Missing, so that libraries that ask for it do without.
    text = f"module 'os' has no attribute '{name}'"
    raise AttributeError(f"{text}: {_NO_PROCESSES}" if name in ("fork", "forkpty", "posix_spawn") else text, name=name)
