# Programs that try to reach the machine they run on. `tests/hosted.rs` runs each by itself, in a folder with a secret, and
# looks at what became of the machine. They know CANARY (a file), PLACE (its folder) and PORT (where somebody listens), and
# may print whatever they find, and ESCAPED for what would not show otherwise.
### open
print(open(CANARY).read())
### io.open
import io
print(io.open(CANARY, "rb").read())
### _io.open
import _io
print(_io.open(CANARY).read())
### io.open_code
import io
print(io.open_code(CANARY).read())
### FileIO by name
import io, _io
for module in (io, _io):
    try:
        print(module.FileIO(CANARY).readall())
    except Exception as e:
        print(repr(e))
### FileIO among subclasses
def walk(c, seen=set()):
    for s in type.__subclasses__(c):
        if s not in seen:
            seen.add(s)
            yield s
            yield from walk(s)
for c in walk(object):
    if "FileIO" in c.__name__ or c.__name__ in ("SourceFileLoader", "FileLoader"):
        for make in (lambda: c(CANARY).readall(), lambda: c("x", CANARY).get_data(CANARY)):
            try:
                print(make())
            except Exception as e:
                print(c, repr(e))
### FileIO among all objects
import gc, _io
found = [o for o in gc.get_objects() if isinstance(o, type) and o.__name__ == "FileIO"]
found += [o for o in gc.get_referrers(_io._RawIOBase, _io._IOBase) if isinstance(o, type) and o.__name__ == "FileIO"]
for base in (_io._RawIOBase, _io._IOBase, object):
    found += [o for o in gc.get_referents(base) if isinstance(o, type) and o.__name__ == "FileIO"]
for c in found:
    for make in (lambda: c(CANARY), lambda: c(0), lambda: c(1, "w")):
        try:
            print(make().read())
        except Exception as e:
            print(repr(e))
    f = c.__new__(c)
    for init in (c.__init__, c.__dict__.get("__init__"), getattr(f, "__init__")):
        try:
            init(f, CANARY)
        except Exception as e:
            print(repr(e))
    class Own(c):
        def __init__(self, name):
            super().__init__(name, "r")
    for use in (lambda: f.readall(), lambda: Own(CANARY).readall()):
        try:
            print(use())
        except Exception as e:
            print(repr(e))
### open files among all objects
import gc
for o in gc.get_objects():
    if type(o).__name__ in ("FileIO", "BufferedReader", "BufferedWriter"):
        print(ESCAPED, o)
### _io made anew
import sys
del sys.modules["_io"], sys.modules["io"]
import _io, io
for use in (lambda: _io.open(CANARY).read(), lambda: io.open(CANARY).read(), lambda: _io.FileIO(CANARY).readall(),
            lambda: io.FileIO(CANARY).readall(), lambda: _io.open_code(CANARY).read()):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
for c in type.__subclasses__(_io._RawIOBase):
    try:
        print(c(CANARY).readall())
    except Exception as e:
        print(repr(e))
### pathlib
import pathlib
print(pathlib.Path(CANARY).read_text())
### pathlib writes
import pathlib
pathlib.Path(PLACE, "PWNED").write_text("x")
### listing
import os, glob, pathlib
for use in (lambda: os.listdir(PLACE), lambda: os.listdir("."), lambda: [e.name for e in os.scandir(PLACE)], lambda: glob.glob("*"),
            lambda: glob.glob(PLACE + "/*"), lambda: list(pathlib.Path(PLACE).iterdir()), lambda: list(os.walk(PLACE)),
            lambda: os.stat(CANARY), lambda: ESCAPED if os.path.exists(CANARY) else None, lambda: os.listdir("/etc")):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### descriptors
import os
for use in (lambda: os.open(CANARY, 0), lambda: os.read(0, 10), lambda: os.write(1, b"x"), lambda: os.fdopen(0), lambda: open(0).read(),
            lambda: open(1, "w").write(ESCAPED), lambda: open(2, "wb", closefd=False).write(ESCAPED.encode()), lambda: os.dup(1),
            lambda: open("/dev/stdin").read(), lambda: open("/proc/self/environ").read()):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### environment
import os
print(dict(os.environ), os.getenv("HOSTED_SECRET"), os.environ.get("HOME"), os.path.expanduser("~"), os.path.expandvars("$HOSTED_SECRET"))
### paths of this machine
import sys
print(sys.executable, sys._base_executable, sys.prefix, sys.exec_prefix, sys.base_prefix, sys.path, sys.orig_argv, sys.argv, sys._stdlib_dir)
print(sys.flags, sys._xoptions, sys.implementation, sys.pycache_prefix, __file__)
### processes of os
import os
for name in "system popen fork forkpty execv execve execl spawnv spawnl posix_spawn kill _exit abort startfile".split():
    try:
        function = getattr(os, name)
    except AttributeError as e:
        print(e)
        continue
    for args in (("touch PWNED",), ("/bin/sh", ["sh", "-c", "touch PWNED"]), (0, "/bin/sh", ["sh", "-c", "touch PWNED"]), (), (0, 0)):
        try:
            print(ESCAPED, name, function(*args))
        except Exception as e:
            print(name, repr(e))
### modules of a machine
import sys, importlib, _imp
NAMES = """posix nt pwd grp _ctypes ctypes mmap fcntl select _socket _posixsubprocess _multiprocessing _posixshmem resource syslog
termios tty pty signal faulthandler sqlite3 _sqlite3 _ssl _uuid _locale _interpreters _interpchannels _interpqueues _testinternalcapi
_symtable symtable _remote_debugging _winapi winreg msvcrt _overlapped _scproxy _asyncio antigravity venv ensurepip cProfile readline
_sysconfig _sysconfigdata _sysconfigdata__linux_x86_64-linux-gnu _zoneinfo _elementtree torch.utils.cpp_extension torch.hub cffi
numpy.ctypeslib _signal cupy triton""".split()
class Spec:
    origin = "built-in"
    loader = None
    submodule_search_locations = None
    def __init__(self, name):
        self.name = name
        self.__name__ = name
WAYS = [
    __import__, importlib.import_module, lambda n: _imp.create_builtin(Spec(n)), lambda n: _imp.init_frozen(n),
    lambda n: importlib._bootstrap._builtin_from_name(n), lambda n: importlib._bootstrap.BuiltinImporter.load_module(n),
    lambda n: importlib._bootstrap.FrozenImporter.load_module(n), lambda n: importlib._bootstrap._gcd_import(n),
    lambda n: sys.meta_path[0].find_spec(n).loader.load_module(n), lambda n: importlib._bootstrap._find_and_load(n, __import__),
    lambda n: importlib.util.module_from_spec(importlib.util.find_spec(n)), lambda n: exec(f"import {n}"),
]
for name in NAMES:
    for number, way in enumerate(WAYS):
        if name.split(".")[0] not in ("torch", "numpy"):
            sys.modules.pop(name, None)
        try:
            module = way(name)
        except BaseException:
            continue
        # The page has some of these in Python: a `posix` over the files in memory, a `_socket` without a network.
        if module is not None and not (name == "posix" and "system" not in vars(module)) and module.__spec__.origin != "frozen":
            print(ESCAPED, name, number, module)
print("listed", [n for n in sys.builtin_module_names if n in NAMES and n != "_signal"], _imp.is_builtin("posix"), _imp.is_frozen("tempfile"))
### what the stand-in of posix can do
import posix
for name in ("system", "fork", "open", "read", "execv", "popen"):
    try:
        print(ESCAPED, getattr(posix, name)("touch PWNED"))
    except Exception as e:
        print(repr(e))
### a library by create_dynamic
import _imp
class Spec:
    name, origin = "x", "/lib/x86_64-linux-gnu/libc.so.6"
for name in ("create_dynamic", "exec_dynamic"):
    print(ESCAPED if hasattr(_imp, name) else "held")
_imp.create_dynamic(Spec)
### ExtensionFileLoader
from importlib.machinery import ExtensionFileLoader, ModuleSpec
loader = ExtensionFileLoader("x", "/lib/x86_64-linux-gnu/libc.so.6")
print(ESCAPED, loader.create_module(ModuleSpec("x", loader, origin="/lib/x86_64-linux-gnu/libc.so.6")))
### SourceFileLoader
from importlib.machinery import SourceFileLoader
loader = SourceFileLoader("evil", PLACE + "/evil.py")
for use in (lambda: loader.get_data(CANARY), lambda: loader.load_module(), lambda: loader.get_source("evil"),
            lambda: loader.set_data(PLACE + "/PWNED", b"x"), lambda: loader.path_stats(CANARY)):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### sys.path
import sys
sys.path[:] = [PLACE, ".", ""]
import evil
### path hooks and finders
import sys, importlib
from importlib.machinery import FileFinder, SourceFileLoader, PathFinder
for use in (lambda: importlib._bootstrap._install_external_importers(), lambda: sys.path_hooks.append(FileFinder.path_hook((SourceFileLoader, [".py"]))),
            lambda: sys.meta_path.append(PathFinder), lambda: sys.path.insert(0, PLACE), lambda: sys.path_importer_cache.clear(), lambda: __import__("evil")):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### spec_from_file_location
import importlib.util
spec = importlib.util.spec_from_file_location("evil", PLACE + "/evil.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
### zipimport
import zipimport
z = zipimport.zipimporter(PLACE + "/evil.zip")
print(z.get_data("inside.txt"))
### the bootstrap's own os
import _frozen_importlib_external as external
for use in (lambda: external._os.stat(CANARY), lambda: external._os.listdir(PLACE), lambda: external._write_atomic(PLACE + "/PWNED", b"x"),
            lambda: external.FileLoader("x", CANARY).get_data(CANARY), lambda: external._os.open(PLACE + "/PWNED", 66), lambda: external._io.open(CANARY),
            lambda: external._path_isfile(CANARY) and ESCAPED):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### a line of the file that does not compile
for source in ("return", "\n\nreturn", "yield", "break", "def f():\n  nonlocal x", "await x", "x = 1\nfrom __future__ import braces"):
    for make in (lambda: compile(source, CANARY, "exec"), lambda: compile(source=source, filename=CANARY, mode="exec"), lambda: compile(source, CANARY.encode(), "exec")):
        try:
            make()
        except SyntaxError as e:
            print(e.filename == CANARY, e.text, e.args, e.print_file_and_line, e)
### a line of the file by a path-like, a str of one's own and a tree
import ast
class Path:
    asked = 0
    def __fspath__(self):
        self.asked += 1
        return "x" if self.asked == 1 else CANARY
class Name(str):
    def __str__(self): return "<x>"
    def startswith(self, *a): return True
    def endswith(self, *a): return True
for name in (Path(), Name(CANARY), bytearray(CANARY.encode()), memoryview(CANARY.encode())):
    try:
        compile("return", name, "exec")
    except Exception as e:
        print(repr(e), getattr(e, "text", None))
tree = ast.parse("return")
try:
    compile(tree, CANARY, "exec")
except SyntaxError as e:
    print(e.text)
### a line of the file while the collector runs
import gc
class E(Exception): pass
def look(phase, info):
    for o in gc.get_objects():
        if isinstance(o, SyntaxError):
            print("seen", o.text, o.filename)
gc.callbacks.append(look)
gc.set_threshold(1, 1, 1)
for _ in range(20):
    try:
        compile("return", CANARY, "exec")
    except SyntaxError as e:
        print(e.text)
### the compiler behind the guard
import gc, builtins
for o in gc.get_objects():
    if getattr(o, "__name__", "") == "compile" and type(o) is type(len):
        try:
            o("return", CANARY, "exec")
        except SyntaxError as e:
            print(e.text)
for cell in gc.get_referents(builtins.compile):
    print(type(cell))
### an excepthook that fails
import sys
sys.stderr = sys.stdout
def hook(*a): raise RuntimeError
sys.excepthook = hook
exec(compile("\nraise ValueError", CANARY, "exec"))
### no excepthook
import sys
sys.stderr = sys.stdout
del sys.excepthook
exec(compile("raise ValueError", CANARY, "exec"))
### Python's excepthook with a broken traceback
import sys, traceback
sys.stderr = sys.stdout
traceback._print_exception_bltin = traceback.format_exception = traceback.TracebackException = None
sys.modules["traceback"] = None
try:
    exec(compile("raise ValueError", CANARY, "exec"))
except ValueError:
    for hook in (sys.excepthook, sys.__excepthook__):
        try:
            hook(*sys.exc_info())
        except Exception as e:
            print(repr(e))
exec(compile("raise ValueError", CANARY, "exec"))
### a broken traceback of the program itself
import sys, traceback
sys.stderr = sys.stdout
traceback.format_exception = None
raise ValueError
### a program that does not compile
x = 1
return x
### unraisable
import sys
sys.stderr = sys.stdout
source = "class D:\n  def __del__(self):\n    raise ValueError\nD()"
exec(compile(source, CANARY, "exec"))
def bad(*a): raise RuntimeError
sys.unraisablehook = bad
exec(compile(source, CANARY, "exec"))
del sys.unraisablehook
### at exit
import atexit, sys
sys.stderr = sys.stdout
atexit.register(lambda: print(open(CANARY).read()))
atexit.register(lambda: exec(compile("raise ValueError", CANARY, "exec")))
class D:
    def __del__(self, open=open):
        open(PLACE + "/PWNED", "w").write("x")
        print(open(CANARY).read())
keep = D()
### linecache
import linecache
print(linecache.getline(CANARY, 1), linecache.getlines(CANARY), linecache.updatecache(CANARY))
### lines of a traceback
import traceback
try:
    exec(compile("raise ValueError", CANARY, "exec"))
except ValueError:
    traceback.print_exc()
    print(traceback.format_exc())
### tokenize.open
import tokenize
print(tokenize.open(CANARY).read())
### codecs.open
import codecs
print(codecs.open(CANARY).read())
### inspect.getsource
import inspect
space = {}
exec(compile("def f(): pass", CANARY, "exec"), space)
print(inspect.getsource(space["f"]))
### warn_explicit
import warnings
warnings.simplefilter("always")
warnings.warn_explicit("x", UserWarning, CANARY, 1)
import _warnings
_warnings.warn_explicit("x", UserWarning, CANARY, 1)
### a code object with another file
import sys
sys.stderr = sys.stdout
def f(): raise ValueError
def hook(*a): raise RuntimeError
for name in ("replace", "__replace__"):
    f.__code__ = getattr(f.__code__, name)(co_filename=CANARY)
print(f.__code__.co_filename == CANARY)
sys.excepthook = hook
f()
### _fix_co_filename
import _imp
code = compile("raise ValueError", "<x>", "exec")
_imp._fix_co_filename(code, CANARY)
### bytecode by replace
def f(): return 1
import copy
for change in (dict(co_code=b"\xff" * 20), dict(co_consts=()), dict(co_names=()), dict(co_varnames=("a",) * 9), dict(co_nlocals=0), dict(co_stacksize=0),
               dict(co_exceptiontable=b"\x80\x00\x00\x00"), dict(co_flags=0), dict(co_argcount=200), dict(co_freevars=("a",)), dict(co_cellvars=("a",))):
    for replace in (f.__code__.replace, f.__code__.__replace__, lambda **c: copy.replace(f.__code__, **c), lambda **c: type(f.__code__).replace(f.__code__, **c)):
        try:
            print(ESCAPED, replace(**change), change)
        except Exception as e:
            print(repr(e))
### bytecode by the class
import types, gc
c = (lambda: 0).__code__
args = (0, 0, 0, 0, 0, 3, b"\xff" * 20, (), (), (), "f", "f", "f", 1, b"", b"", (), ())
makes = [lambda: types.CodeType(*args), lambda: types.CodeType.__new__(types.CodeType, *args), lambda: type(c)(*args), lambda: type.__call__(types.CodeType, *args)]
makes += [lambda n=o: n(types.CodeType, *args) for o in gc.get_objects() if getattr(o, "__name__", "") == "__new__" and getattr(o, "__self__", None) is types.CodeType]
for make in makes:
    try:
        print(ESCAPED, make())
    except Exception as e:
        print(repr(e))
### bytecode by marshal
import marshal
data = marshal.dumps(compile("1", "x", "exec"))
for name in ("loads", "load"):
    print(ESCAPED if hasattr(marshal, name) else "held")
marshal.loads(data)
### marshal made anew
import sys, marshal, _imp
data = marshal.dumps((lambda: 0).__code__)
del sys.modules["marshal"]
import marshal
print(ESCAPED if hasattr(marshal, "loads") else "held")
print(ESCAPED, _imp.get_frozen_object("x", data))
### bytecode from pickle
import pickle
class C:
    def __reduce__(self):
        return type((lambda: 0).__code__), (0, 0, 0, 0, 0, 3, b"\xff" * 20, (), (), (), "f", "f", "f", 1, b"", b"", (), ())
print(ESCAPED, pickle.loads(pickle.dumps(C())))
### standard input
import sys
for use in (lambda: sys.stdin.read(), lambda: sys.__stdin__.readline(), lambda: input(), lambda: sys.stdin.buffer.read(), lambda: list(sys.stdin),
            lambda: open(sys.stdin.fileno()).read(), lambda: sys._baserepl()):
    try:
        print(ESCAPED, use())
    except Exception as e:
        print(repr(e))
### the terminal by input
import sys
class In:
    def fileno(self): return 0
    def readline(self): return "mine\n"
sys.stdin = In()
print(input("? "))
### breakpoint
import sys
breakpoint()
sys.__breakpointhook__()
### builtin functions among all objects
import gc, io
BAD = {"system", "fork", "open", "open_code", "create_dynamic", "_fix_co_filename", "_baserepl", "loads", "clock_settime", "execv", "posix_spawn"}
for o in gc.get_objects():
    if type(o) is type(len) and o.__name__ in BAD and getattr(o, "__module__", "") not in ("_pickle", "_json"):
        for args in ((CANARY,), ("touch PWNED",)):
            try:
                made = o(*args)
                print(o, made, made.read())
            except Exception as e:
                print(o, repr(e))
### frames and their globals
import sys, torch
frame = sys._getframe()
while frame:
    for space in (frame.f_globals, frame.f_builtins, frame.f_locals):
        for name in ("open", "compile", "input", "__import__"):
            f = space.get(name)
            try:
                print(f(CANARY).read())
            except Exception as e:
                print(repr(e))
    frame = frame.f_back
for module in list(sys.modules.values()):
    for name in ("os", "_os", "io", "_io", "posix", "builtins"):
        m = getattr(module, name, None)
        for f in (getattr(m, "system", None), getattr(m, "open", None), getattr(m, "FileIO", None)):
            for args in (("touch PWNED",), (CANARY,)):
                try:
                    print(f(*args).read())
                except Exception as e:
                    pass
### loaders of modules
import sys, os, json
for module in (os, json, sys.modules["__main__"]):
    for use in (lambda: module.__loader__.get_data(CANARY), lambda: module.__spec__.loader.get_source(CANARY), lambda: module.__loader__.load_module("tempfile")):
        try:
            print(ESCAPED, use()) if use is not None and module.__name__ != "__main__" else None
        except Exception as e:
            print(repr(e))
### clocks of the machine
import time
for name in ("clock_settime", "clock_settime_ns", "pthread_getcpuclockid", "tzset"):
    print(ESCAPED if hasattr(time, name) else "held")
import sys
del sys.modules["time"]
import time
print(ESCAPED if hasattr(time, "clock_settime") else "held")
### torch.save
import torch
torch.save(torch.ones(2), PLACE + "/PWNED.pt") if False else torch.save(torch.ones(2), "PWNED.pt")
print(torch.load("PWNED.pt"))
torch.save(torch.ones(2), PLACE + "/PWNED.pt")
### torch.load
import torch, pathlib
for use in (lambda: torch.load(CANARY), lambda: torch.load(pathlib.Path(CANARY), weights_only=False), lambda: torch.load(open(CANARY, "rb")), lambda: torch.UntypedStorage.from_file(CANARY, False, 10),
            lambda: torch.from_file(CANARY, size=4, dtype=torch.uint8)):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### torch.load with weights_only=False
import torch, io, pickle
def call(module, name, *args):
    body = b"\x80\x02c" + module.encode() + b"\n" + name.encode() + b"\n("
    for a in args:
        body += b"X" + len(a).to_bytes(4, "little") + a.encode()
    return body + b"tR."
for data in (call("os", "system", "touch PWNED"), call("posix", "system", "touch PWNED"), call("nt", "system", "touch PWNED"), call("subprocess", "check_output", "ls"),
             call("builtins", "open", CANARY), call("_io", "open", CANARY), call("io", "FileIO", CANARY), call("_io", "FileIO", CANARY), call("builtins", "input"), call("_imp", "init_frozen", "tempfile")):
    for load in (pickle.loads, pickle._loads, lambda d: torch.load(io.BytesIO(d), weights_only=False), lambda d: torch.load(io.BytesIO(d))):
        try:
            made = load(data)
            print(made, made.read())
        except Exception as e:
            print(repr(e))
### TCPStore as a client
import torch.distributed as dist
from datetime import timedelta
dist.TCPStore("127.0.0.1", PORT, 2, False, timeout=timedelta(seconds=2))
### TCPStore as a master
import torch.distributed as dist
from datetime import timedelta
print(ESCAPED, dist.TCPStore("127.0.0.1", 0, 1, True, timeout=timedelta(seconds=2), wait_for_workers=False))
### process groups
import torch.distributed as dist, os
os.environ.update(RANK="1", WORLD_SIZE="2", MASTER_ADDR="127.0.0.1", MASTER_PORT=str(PORT), LOCAL_RANK="1", TENSORYARD_TORCHRUN_DIR=PLACE + "/PWNED", OMPI_COMM_WORLD_SIZE="2")
for backend in ("gloo", "nccl", "mpi", None):
    try:
        dist.init_process_group(backend, init_method=f"tcp://127.0.0.1:{PORT}", rank=1, world_size=2)
    except Exception as e:
        print(repr(e))
    try:
        dist.init_process_group(backend)
    except Exception as e:
        print(repr(e))
### process groups by the bindings
import _torch
for use in (lambda: _torch._store("127.0.0.1", PORT, False, 2.0), lambda: _torch._store("127.0.0.1", 0, True, 2.0), lambda: _torch._group_wired(1, 2, "127.0.0.1", PORT, 2.0),
            lambda: _torch._group_world(2.0)):
    try:
        print(ESCAPED, use())
    except Exception as e:
        print(repr(e))
### profiler
import torch
with torch.profiler.profile() as p:
    torch.ones(2) + 1
p.export_chrome_trace("PWNED.json")
p.export_chrome_trace(PLACE + "/PWNED.json")
### profiler on_trace_ready
import torch
with torch.profiler.profile(on_trace_ready=torch.profiler.tensorboard_trace_handler(PLACE + "/PWNED")) as p:
    torch.ones(2) + 1
### memory snapshot
import torch
torch.cuda.memory._record_memory_history()
x = torch.ones(2, device="cuda")
torch.cuda.memory._dump_snapshot("PWNED.pickle")
torch.cuda.memory._dump_snapshot(PLACE + "/PWNED.pickle")
### figures
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.savefig("PWNED.svg")
plt.show()
plt.savefig(PLACE + "/PWNED.svg")
### numpy files
import numpy as np
for use in (lambda: np.save(PLACE + "/PWNED", np.ones(2)), lambda: np.savez(PLACE + "/PWNED", np.ones(2)), lambda: np.savetxt(PLACE + "/PWNED", np.ones(2)), lambda: np.ones(2).tofile(PLACE + "/PWNED"),
            lambda: np.load(CANARY, allow_pickle=True), lambda: np.loadtxt(CANARY, dtype=str), lambda: np.fromfile(CANARY, dtype=np.uint8), lambda: np.genfromtxt(CANARY, dtype=str), lambda: np.memmap(CANARY)):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### safetensors
import torch
from safetensors.torch import save_file, load_file
from safetensors import safe_open
for use in (lambda: save_file({"x": torch.ones(2)}, PLACE + "/PWNED"), lambda: load_file(CANARY), lambda: safe_open(CANARY, "pt").__enter__()):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### libraries and extensions
import torch
for use in (lambda: torch.ops.load_library("libc.so.6"), lambda: torch.classes.load_library("libc.so.6"), lambda: torch.utils.cpp_extension.load("x", [CANARY]),
            lambda: torch.hub.load("a/b", "c"), lambda: torch.hub.download_url_to_file(f"http://127.0.0.1:{PORT}/", "PWNED"), lambda: torch.compile(lambda x: x)(torch.ones(1)),
            lambda: torch.cuda._compile_kernel("x", "x"), lambda: torch.jit.load(CANARY), lambda: torch.utils.model_zoo.load_url(f"http://127.0.0.1:{PORT}/")):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### workers
import torch
from torch.utils.data import DataLoader
print(list(DataLoader(range(4), num_workers=2, multiprocessing_context="fork")))
import torch.multiprocessing as mp
mp.spawn(lambda r: open(PLACE + "/PWNED", "w"), nprocs=2)
### threads
import threading, _thread
def f():
    print(open(CANARY).read())
_thread.start_new_thread(f, ())
t = threading.Thread(target=f)
t.start()
### logging
import logging
for use in (lambda: logging.FileHandler(PLACE + "/PWNED"), lambda: logging.basicConfig(filename=PLACE + "/PWNED", level=0), lambda: logging.getLogger().error("x")):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### shell lines
!touch PWNED
!cat {CANARY}
!nvidia-smi; touch PWNED
### a shell by its binding
import _torch
for line in ("touch PWNED", "cat " + CANARY, "nvidia-smi; touch PWNED", "nvidia-smi $(touch PWNED)"):
    try:
        print(_torch._shell(line))
    except Exception as e:
        print(repr(e))
### links in the files in memory
import os
for use in (lambda: os.symlink(CANARY, "a"), lambda: os.link(CANARY, "a"), lambda: os.rename(CANARY, "a"), lambda: os.replace(CANARY, "a"), lambda: open("a").read(),
            lambda: os.chdir(PLACE), lambda: open("canary.txt").read(), lambda: open("../" * 30 + CANARY).read(), lambda: os.remove(CANARY), lambda: os.makedirs(PLACE + "/PWNED")):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### the files' own module
import _files, os
print(_files.open(CANARY).read()) if os.path.exists(CANARY) else print(_files.io, _files.time)
### hashlib.file_digest and array.fromfile
import hashlib, array
for use in (lambda: hashlib.file_digest(open(CANARY, "rb"), "md5"), lambda: array.array("b").fromfile(open(CANARY, "rb"), 4)):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### random numbers of the system
import random, os
print(len(random.SystemRandom().randbytes(4)), os.urandom(0), os.urandom(8) == os.urandom(8))
print(open("/dev/urandom", "rb").read(4))
### __class__ of an object
import io, gc, _io
file = next((o for o in gc.get_referrers(_io._RawIOBase) if isinstance(o, type) and o.__name__ == "FileIO"), None)
class R(io.RawIOBase): pass
r = R()
if file:
    r.__class__ = file
### tracing and auditing
import sys
def trace(frame, event, arg):
    for space in (frame.f_globals, frame.f_locals):
        f = space.get("own") or space.get("open")
        if f:
            print(f(CANARY).read())
    return trace
sys.addaudithook(lambda event, args: None)
sys.setprofile(lambda *a: None)
sys.settrace(trace)
import json, base64
json.dumps({})
compile("1", "x", "exec")
### modules replaced
import sys, builtins
sys.modules["os"] = sys.modules["_files"] = sys.modules["posix"] = None
del sys.modules["os"], sys.modules["posix"], sys.modules["_files"]
import os, posix
builtins.open = None
print(ESCAPED if hasattr(os, "fork") else os.name)
print(os.listdir("."), os.system("touch PWNED"))
### a subclass of a loader
import importlib._bootstrap as b
class L(b.BuiltinImporter):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return b.spec_from_loader(name, cls, origin="built-in")
import sys
sys.meta_path.insert(0, L)
for name in ("posix2", "_posixsubprocess", "mmap", "select"):
    try:
        print(ESCAPED, __import__(name))
    except ImportError as e:
        print(e)
### coroutines of types
import types
@types.coroutine
def f():
    yield 1
print(list(f.__wrapped__() if hasattr(f, "__wrapped__") else f()))
### processes
import asyncio, multiprocessing, os, subprocess, webbrowser
import _posixsubprocess, concurrent.futures, multiprocessing.util, pydoc, platform
touch = ["touch", PLACE + "/PWNED"]
async def start():
    await asyncio.create_subprocess_exec(*touch)
for use in (lambda: subprocess.run(touch), lambda: subprocess.run(" ".join(touch), shell=True), lambda: subprocess.Popen(touch, close_fds=False),
            lambda: subprocess.getoutput(" ".join(touch)), lambda: subprocess.check_output(touch), lambda: os.popen(" ".join(touch)).read(),
            lambda: _posixsubprocess.fork_exec(touch, [b"/bin/touch"], True, (), None, None, -1, -1, -1, -1, -1, -1, 1, 2, False, False, 0, None, None, None, -1, None),
            lambda: multiprocessing.Process(target=open, args=(PLACE + "/PWNED", "w")).start(), lambda: multiprocessing.Pool(1).map(open, [CANARY]),
            lambda: multiprocessing.util.spawnv_passfds(b"/bin/touch", touch, ()), lambda: concurrent.futures.ProcessPoolExecutor(1).submit(os.getpid).result(),
            lambda: asyncio.run(start()), lambda: webbrowser.open("file://" + CANARY), lambda: pydoc.pipepager("x", " ".join(touch)), platform.platform,
            lambda: multiprocessing.get_context("fork").Process(target=open, args=(PLACE + "/PWNED", "w")).start(),
            lambda: multiprocessing.get_context("spawn").Process(target=open, args=(PLACE + "/PWNED", "w")).start()):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### network
import asyncio, ftplib, http.client, logging.handlers, logging, smtplib, socket, socketserver, urllib.request, xmlrpc.client
import _socket, multiprocessing.connection
async def connect():
    await asyncio.open_connection("127.0.0.1", PORT)
def send(s):
    s.connect(("127.0.0.1", PORT))
def log():
    handler = logging.handlers.SocketHandler("127.0.0.1", PORT)
    handler.makeSocket()
for use in (lambda: socket.create_connection(("127.0.0.1", PORT)), lambda: send(socket.socket()), lambda: send(socket.socketpair()[0]), lambda: send(_socket.socket(2, 1, 0)),
            lambda: send(socket.socket(fileno=3)), lambda: socket.create_server(("127.0.0.1", 0)), lambda: socket.getaddrinfo("localhost", PORT), socket.gethostname,
            lambda: urllib.request.urlopen(f"http://127.0.0.1:{PORT}/"), lambda: urllib.request.urlopen(f"https://127.0.0.1:{PORT}/"),
            lambda: urllib.request.urlopen("file://" + CANARY).read(), lambda: urllib.request.urlretrieve("file://" + CANARY, "got"),
            lambda: urllib.request.urlopen(f"ftp://127.0.0.1:{PORT}/x"), lambda: http.client.HTTPConnection("127.0.0.1", PORT).request("GET", "/"),
            lambda: asyncio.run(connect()), lambda: ftplib.FTP().connect("127.0.0.1", PORT), lambda: smtplib.SMTP("127.0.0.1", PORT), log,
            lambda: xmlrpc.client.ServerProxy(f"http://127.0.0.1:{PORT}/").x(), lambda: socketserver.TCPServer(("127.0.0.1", 0), None),
            lambda: multiprocessing.connection.Client(("127.0.0.1", PORT)), lambda: multiprocessing.connection.Listener()):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
### files by archives, copies and readers
import bz2, code, compileall, configparser, dbm.dumb, filecmp, fileinput, gzip, lzma, mailbox, mimetypes, modulefinder, netrc, os, pkgutil, plistlib, py_compile
import runpy, shelve, shutil, sys, tarfile, tempfile, trace, tomllib, wave, zipapp, zipfile, zipimport, zoneinfo, importlib.resources, importlib.metadata, sysconfig
import xml.etree.ElementTree as ET
evil, new = PLACE + "/evil.py", PLACE + "/PWNED"
for use in (lambda: shutil.copy(CANARY, "got"), lambda: shutil.copytree(PLACE, "got"), lambda: shutil.move(CANARY, "got"), lambda: shutil.rmtree(PLACE), lambda: shutil.disk_usage("/"),
            lambda: shutil.which("sh") and ESCAPED, lambda: shutil.make_archive(new, "zip", PLACE), lambda: shutil.unpack_archive(PLACE + "/evil.zip", "got"),
            lambda: zipfile.ZipFile(PLACE + "/evil.zip").read("inside.txt"), lambda: zipfile.ZipFile(new, "w"), lambda: tarfile.open(CANARY), lambda: tarfile.open(new, "w"),
            lambda: gzip.open(CANARY).read(), lambda: bz2.open(CANARY).read(), lambda: lzma.open(CANARY).read(), lambda: tempfile.mkstemp(dir=PLACE), lambda: tempfile.mkdtemp(dir=PLACE),
            lambda: tempfile.NamedTemporaryFile(dir=PLACE), lambda: list(fileinput.input([CANARY])), lambda: shelve.open(new), lambda: dbm.dumb.open(new, "c"),
            lambda: configparser.ConfigParser().read(CANARY) and ESCAPED, lambda: mailbox.mbox(CANARY).keys() and ESCAPED, lambda: netrc.netrc(CANARY), lambda: mimetypes.read_mime_types(CANARY),
            lambda: plistlib.load(open(CANARY, "rb")), lambda: tomllib.load(open(CANARY, "rb")), lambda: wave.open(CANARY), lambda: filecmp.cmp(CANARY, evil) or ESCAPED,
            lambda: runpy.run_path(evil), lambda: runpy.run_path(PLACE), lambda: runpy.run_path(PLACE + "/evil.zip"), lambda: py_compile.compile(evil, new), lambda: compileall.compile_dir(PLACE),
            lambda: modulefinder.ModuleFinder().run_script(evil), lambda: pkgutil.get_data("evil", "canary.txt"), lambda: [m.name for m in pkgutil.iter_modules([PLACE])],
            lambda: zipimport.zipimporter(PLACE + "/evil.zip").get_data("inside.txt"), lambda: zipapp.create_archive(PLACE, new), lambda: trace.Trace().run(open(evil).read()),
            lambda: zoneinfo.ZoneInfo.from_file(open(CANARY, "rb")), lambda: importlib.resources.files("torch").joinpath(CANARY).read_text(), lambda: ET.parse(CANARY),
            lambda: importlib.metadata.PathDistribution(__import__("pathlib").Path(PLACE)).read_text("canary.txt"), lambda: sysconfig.get_config_vars()["prefix"] and ESCAPED,
            lambda: [os.read(n, 99) for n in range(20)], lambda: [os.fdopen(n).read() for n in range(20)], lambda: os.open(CANARY, os.O_RDONLY), lambda: os.open(new, os.O_WRONLY | os.O_CREAT),
            lambda: open("x", "w", opener=lambda *a: 1).write(ESCAPED), lambda: open("x", opener=lambda *a: 0).read(), lambda: os.chmod(CANARY, 0), lambda: os.utime(CANARY)):
    try:
        print(use())
    except BaseException as e:
        print(repr(e))
### entities of XML
import io, xml.dom.minidom, xml.dom.expatbuilder, xml.etree.ElementTree as ET, xml.sax, pyexpat
text = f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{CANARY}"><!ENTITY % p SYSTEM "{CANARY}"> %p; ]><x>&e;</x>'
class Handler(xml.sax.ContentHandler):
    def characters(self, data):
        print(data)
def sax():
    parser = xml.sax.make_parser()
    parser.setContentHandler(Handler())
    parser.setFeature(xml.sax.handler.feature_external_ges, True)
    parser.parse(io.StringIO(text))
for use in (lambda: ET.tostring(ET.fromstring(text)), lambda: xml.dom.minidom.parseString(text).toxml(), lambda: xml.dom.expatbuilder.parseString(text).toxml(), sax,
            lambda: xml.sax.parseString(text.encode(), Handler()), lambda: pyexpat.ParserCreate().Parse(text, True), lambda: xml.sax.parse(CANARY, Handler())):
    try:
        print(use())
    except Exception as e:
        print(repr(e))
