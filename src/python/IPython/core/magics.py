"""What `%name`, `%%name` and `!command` do in a cell."""

import importlib
import importlib.metadata
import importlib.util
import inspect
import os
import shlex
import sys
import time

import _torch

from .interactiveshell import say_times, send, span

# Only hosted programs have it: they have no processes.
HOSTED = importlib.util.find_spec("_files") is not None


def say(text):
    print(text, file=sys.stderr)


def refuse(shell, sign, name):
    """Says that something isn't here. The cell, or the notebook, goes on."""
    why = _WHY.get(name)
    if why is None:
        say(f"{sign}{name} isn't here, so it was skipped. `%lsmagic` lists what is.")
    else:
        say(f"{sign}{name} isn't here, because {why}. It was skipped.")


_WHY = {
    "cython": "there is no C compiler behind this notebook",
    "debug": "there is no prompt to type commands at",
    "pdb": "there is no prompt to type commands at",
    "prun": "there is no profiler for Python here; torch.profiler is here",
    "lprun": "there is no profiler for Python here; torch.profiler is here",
    "memit": "memory of Python isn't measured here; torch.cuda.memory_allocated is here",
    "mprun": "memory of Python isn't measured here; torch.cuda.memory_allocated is here",
    "tensorboard": "there is no server of TensorBoard here",
    "bigquery": "there is no network",
    "sql": "there is no database",
    "R": "only Python runs here",
    "ruby": "only Python runs here",
    "perl": "only Python runs here",
    "javascript": "only Python runs here",
    "js": "only Python runs here",
    "store": "nothing is stored between notebooks",
    "history": "only the cells of this run are known; they are in the list `In`",
    "recall": "only the cells of this run are known; they are in the list `In`",
    "edit": "the cells are the editor",
    "load": "cells can't be replaced while they run",
    "notebook": "there is no server of Jupyter",
    "connect_info": "there is no server of Jupyter",
    "qtconsole": "there is no server of Jupyter",
    "script": "only Python runs here",
    "bash": "there is no shell in the page",
    "sh": "there is no shell in the page",
}


def _matplotlib(shell, line):
    if line in ("--list", "-l"):
        print("Available matplotlib backends: ['inline']")
    elif line not in ("", "inline", "agg"):
        say(f"%matplotlib {line}: figures are shown below their cell here, as with %matplotlib inline.")


def _load_ext(shell, line):
    for name in line.split():
        if name in ("autoreload", "matplotlib"):
            continue
        try:
            load = getattr(importlib.import_module(name), "load_ipython_extension", None)
        except ImportError:
            say(f"%load_ext {name}: this extension isn't here, so it was skipped.")
            continue
        if load is None:
            print(f"The {name} module is not an IPython extension.")
        else:
            load(shell)


def _autoreload(shell, line):
    if line not in ("", "0", "1", "2", "3", "off", "now", "explicit", "all", "complete"):
        say(f"%autoreload {line}: there is no such mode.")


def _nothing(shell, line):
    """Settings of a prompt or an editor, which change no result."""


def _config(shell, line):
    name = line.partition("=")[0].strip()
    if name and not name.startswith(("InlineBackend", "IPCompleter", "Completer", "InteractiveShell.xmode")):
        say(f"%config {name}: this setting isn't here, so it was skipped.")


def _time(shell, line):
    wall, process = time.perf_counter(), time.process_time()
    value = shell.run_code(line, "<timed>")
    say_times(time.perf_counter() - wall, time.process_time() - process)
    return value


class TimeitResult:
    def __init__(self, loops, repeat, times):
        self.loops, self.repeat, self.all_runs = loops, repeat, times
        self.timings = [t / loops for t in times]
        self.best, self.worst = min(self.timings), max(self.timings)
        self.average = sum(self.timings) / len(self.timings)
        self.stdev = (sum((t - self.average) ** 2 for t in self.timings) / len(self.timings)) ** 0.5

    def __str__(self):
        runs = f"{self.repeat:,} run{'' if self.repeat == 1 else 's'}"
        loops = f"{self.loops:,} loop{'' if self.loops == 1 else 's'} each"
        return f"{span(self.average)} ± {span(self.stdev)} per loop (mean ± std. dev. of {runs}, {loops})"

    def _repr_pretty_(self, p, cycle):
        p.text(f"<TimeitResult : {self}>")


def _timeit(shell, line, cell=None):
    number = repeat = None
    quiet = back = False
    words = line.lstrip()
    while words.startswith("-"):
        word, _, words = words.partition(" ")
        words = words.lstrip()
        if word[1:2] in ("n", "r", "p"):
            value = word[2:]
            if not value:
                value, _, words = words.partition(" ")
                words = words.lstrip()
            if word[1] == "n":
                number = int(value)
            elif word[1] == "r":
                repeat = int(value)
        elif word == "-q":
            quiet = True
        elif word == "-o":
            back = True
        elif word not in ("-t", "-c"):
            say(f"%timeit {word}: there is no such option.")
            return None
    setup, statement = ("", words) if cell is None else (words, cell)
    if not statement.strip():
        say("%timeit: there is nothing to time.")
        return None
    body = "\n".join("        " + part for part in _dedented(statement).splitlines())
    source = f"def __timed(__count):\n    import time as __time\n{_indented(setup)}    __began = __time.perf_counter()\n"
    source += f"    for __i in range(__count):\n{body}\n    return __time.perf_counter() - __began\n"
    names = dict(shell.user_ns)
    exec(_torch._cell_code(source, "<timed>"), names)
    timed = names["__timed"]
    # Only its own name is private: the statement sees the notebook's variables as they are.
    repeat = 7 if repeat is None else repeat
    if number is None:
        number = 1
        while timed(number) < 0.2 and number < 10**9:
            number *= 10
    result = TimeitResult(number, repeat, [timed(number) for _ in range(repeat)])
    if not quiet:
        print(result)
    return result if back else None


def _dedented(text):
    import textwrap

    return textwrap.dedent(text).strip("\n")


def _indented(text):
    return "".join(f"    {line}\n" for line in _dedented(text).splitlines()) if text.strip() else ""


# -- packages ----------------------------------------------------------------------------------------------------------


def _packages():
    """The packages that are here, by their projects' names, with their versions."""
    return {d.metadata["Name"]: d.version for d in importlib.metadata.distributions()}


def _plain(name):
    return name.lower().replace("_", "-").replace(".", "-")


def pip(shell, line):
    """Says which packages are here. None can be installed."""
    words = [w for w in _words(line)]
    action = next((w for w in words if not w.startswith("-")), "")
    here = {_plain(name): (name, version) for name, version in _packages().items()}
    if action in ("list", "freeze"):
        for name, version in sorted(here.values(), key=lambda item: item[0].lower()):
            print(f"{name}=={version}" if action == "freeze" else f"{name:<24} {version}")
        return
    if action == "show":
        for word in words[words.index("show") + 1:]:
            found = here.get(_plain(word))
            print(f"Name: {found[0]}\nVersion: {found[1]}" if found else f"Package(s) not found: {word}")
        return
    if action != "install":
        say(f"pip {action}: packages are built in here, so nothing was changed." if action else "pip: nothing to do.")
        return
    absent = []
    skip = False
    for word in words[words.index("install") + 1:]:
        if skip or word.startswith("-"):
            skip = not skip and word in ("-r", "-c", "-f", "-i", "-t", "--index-url", "--extra-index-url", "--find-links",
                                         "--requirement", "--target")
            continue
        name = word
        for sign in "[=<>~!;@ ":
            name = name.partition(sign)[0]
        found = here.get(_plain(name))
        if found is not None:
            print(f"{found[0]} {found[1]} is built in.")
        elif importlib.util.find_spec(name.replace("-", "_")) is not None if name.replace("-", "_").isidentifier() else False:
            print(f"{name} is here.")
        else:
            absent.append(name)
    if absent:
        names = ", ".join(sorted((name for name, _ in here.values()), key=str.lower))
        say(f"Not installed: {', '.join(absent)}. Packages can't be installed here; these are built in: {names}.")


def _conda(shell, line):
    pip(shell, line)


def _words(line):
    try:
        return shlex.split(line)
    except ValueError:
        return line.split()


# -- commands ----------------------------------------------------------------------------------------------------------


def _list(words):
    folders = [w for w in words if not w.startswith("-")] or ["."]
    for folder in folders:
        if os.path.isdir(folder):
            for name in sorted(os.listdir(folder)):
                if not name.startswith("."):
                    print(name)
        elif os.path.exists(folder):
            print(folder)
        else:
            say(f"ls: cannot access '{folder}': No such file or directory")


def _cat(words):
    for name in words:
        try:
            with open(name, encoding="utf-8") as file:
                sys.stdout.write(file.read())
        except OSError as error:
            say(f"cat: {name}: {error.strerror}")


def _head(words):
    count = 10
    if words[:1] and words[0].startswith("-") and words[0].strip("-n").isdigit():
        count, words = int(words[0].strip("-n")), words[1:]
    elif words[:1] == ["-n"] and len(words) > 1:
        count, words = int(words[1]), words[2:]
    for name in words:
        try:
            with open(name, encoding="utf-8") as file:
                for _, line in zip(range(count), file):
                    sys.stdout.write(line)
        except OSError as error:
            say(f"head: {name}: {error.strerror}")


def _mkdir(words):
    for name in words:
        if not name.startswith("-"):
            os.makedirs(name, exist_ok=True)


def _remove(words):
    for name in words:
        if not name.startswith("-"):
            try:
                os.remove(name)
            except OSError as error:
                say(f"rm: {name}: {error.strerror}")


# The commands that a page can do without a shell.
_COMMANDS = {
    "ls": _list,
    "cat": _cat,
    "head": _head,
    "mkdir": _mkdir,
    "rm": _remove,
    "pwd": lambda words: print(os.getcwd()),
    "echo": lambda words: print(*words),
}
_NETWORK = ("wget", "curl", "git", "apt", "apt-get", "gdown", "kaggle", "brew", "huggingface-cli", "hf")


def system(shell, command):
    """Runs a command. In the page, which has no shell, only a few are known."""
    words = _words(command)
    while words[:1] in (["sudo"], ["uv"], ["time"]):
        words = words[1:]
    first = words[0] if words else ""
    if first in ("python", "python3", "python3.11") and words[1:3] == ["-m", "pip"]:
        first, words = "pip", words[2:]
    if first in ("pip", "pip3", "conda", "mamba"):
        return pip(shell, shlex.join(words[1:]))
    if "nvidia-smi" in words[:4]:
        return _torch._shell(command)
    if not HOSTED:
        return _run(command)
    if first in _COMMANDS and not set(command) & set("|><;&`$*"):
        return _COMMANDS[first](words[1:])
    if first in _NETWORK:
        return say(f"Not run: {command}\nThe page has no network, so {first} can't fetch anything.")
    known = ", ".join([*_COMMANDS, "nvidia-smi", "pip"])
    say(f"Not run: {command}\nThere is no shell in the page. Of its commands, only these work: {known}.")


def _run(command):
    import subprocess

    sys.stdout.flush()
    process = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    while True:
        part = os.read(process.stdout.fileno(), 65536)
        if not part:
            break
        sys.stdout.write(part.decode("utf-8", "replace"))
    process.stdout.close()
    code = process.wait()
    if "_exit_code" in vars(sys.modules["__main__"]) or code:
        vars(sys.modules["__main__"])["_exit_code"] = code


def getoutput(shell, command):
    import io

    before, sys.stdout = sys.stdout, io.StringIO()
    try:
        system(shell, command)
        return sys.stdout.getvalue().splitlines()
    finally:
        sys.stdout = before


def _command(name):
    return lambda shell, line: system(shell, f"{name} {line}".strip())


def _cd(shell, line):
    folder = line.strip().strip("'\"") or os.path.expanduser("~")
    try:
        os.chdir(folder)
        print(os.getcwd())
    except OSError as error:
        say(f"[Errno {error.errno}] {error.strerror}: {folder!r}")


def _pwd(shell, line):
    return os.getcwd()


def _env(shell, line):
    name, sign, value = line.partition("=")
    if not line:
        return dict(os.environ)
    if not sign:
        name, _, value = line.partition(" ")
        if not value:
            return os.environ.get(name)
    os.environ[name.strip()] = value.strip()
    print(f"env: {name.strip()}={value.strip()}")


# -- names -------------------------------------------------------------------------------------------------------------

_HIDDEN = ("In", "Out", "get_ipython", "exit", "quit", "open")


def _own_names(shell):
    return sorted(n for n in shell.user_ns if not n.startswith("_") and n not in _HIDDEN)


def _who_ls(shell, line):
    kinds = line.split()
    return [n for n in _own_names(shell) if not kinds or type(shell.user_ns[n]).__name__ in kinds]


def _who(shell, line):
    names = _who_ls(shell, line)
    print("\t ".join(names) + "\t " if names else "Interactive namespace is empty.")


def _whos(shell, line):
    names = _who_ls(shell, line)
    if not names:
        return print("Interactive namespace is empty.")
    rows = []
    for name in names:
        value = shell.user_ns[name]
        kind = type(value).__name__
        text = f"n={len(value)}" if isinstance(value, (list, dict, tuple, set)) else repr(value).replace("\n", "\\n")
        rows.append((name, kind, text if len(text) < 60 else text[:25] + "<...>" + text[-25:]))
    widths = [max(len(r[i]) for r in [*rows, ("Variable", "Type", "")]) for i in (0, 1)]
    print(f"{'Variable':<{widths[0]}}   {'Type':<{widths[1]}}    Data/Info")
    print("-" * (widths[0] + widths[1] + 16))
    for row in rows:
        print(f"{row[0]:<{widths[0]}}   {row[1]:<{widths[1]}}    {row[2]}")


def _reset(shell, line):
    for name in _own_names(shell):
        del shell.user_ns[name]


def _pinfo(shell, line):
    name = line.strip().strip("%")
    if "*" in name:
        import fnmatch

        head, _, pattern = name.rpartition(".")
        owner = dir(eval(head, shell.user_ns)) if head else list(shell.user_ns)
        for found in sorted(fnmatch.filter(owner, pattern)):
            print(f"{head}.{found}" if head else found)
        return
    try:
        value = eval(name, shell.user_ns)
    except Exception:
        return print(f"Object `{name}` not found.")
    if callable(value):
        try:
            print(f"Signature: {name}{inspect.signature(value)}")
        except (TypeError, ValueError):
            pass
    else:
        print(f"Type: {type(value).__name__}\nString form: {value}")
    print("Docstring:", inspect.getdoc(value) or "<no docstring>")


def _run_file(shell, line):
    words = [w for w in _words(line) if w != "-i"]
    if not words:
        return say("%run: name a file.")
    name = words[0]
    if name.endswith(".ipynb"):
        return say(f"%run {name}: one notebook can't run another here.")
    try:
        with open(name, encoding="utf-8") as file:
            source = file.read()
    except OSError as error:
        return say(f"%run {name}: {error.strerror}")
    before = sys.argv
    sys.argv = words
    names = {"__name__": "__main__", "__file__": name, "__builtins__": __builtins__}
    try:
        exec(_torch._cell_code(source, name), names)
    finally:
        sys.argv = before
        shell.user_ns.update({k: v for k, v in names.items() if not k.startswith("__")})


def _precision(shell, line):
    from . import formatters

    if not line:
        formatters.float_format = None
        return "%r"
    pattern = line if "%" in line else f"%.{int(line)}f"
    formatters.float_format = lambda value: pattern % value
    return pattern


def _lsmagic(shell, line):
    print("Line magics:\n" + "  ".join("%" + n for n in sorted(LINE)))
    print("\nCell magics:\n" + "  ".join("%%" + n for n in sorted([*CELL, "time", "capture"])))


def _capture_line(shell, line):
    say("%capture: it belongs in the first line of a cell, as %%capture.")


LINE = {
    "alias_magic": _nothing, "automagic": _nothing, "autocall": _nothing, "autosave": _nothing, "colors": _nothing,
    "xmode": _nothing, "pprint": _nothing, "logstop": _nothing, "gui": _nothing,
    "autoreload": _autoreload, "cd": _cd, "conda": _conda, "mamba": _conda, "config": _config, "env": _env, "set_env": _env,
    "load_ext": _load_ext, "reload_ext": _load_ext, "unload_ext": _nothing, "lsmagic": _lsmagic, "matplotlib": _matplotlib,
    "pip": pip, "uv": lambda shell, line: system(shell, "uv " + line), "pinfo": _pinfo, "pinfo2": _pinfo, "pdoc": _pinfo,
    "precision": _precision, "pwd": _pwd, "reset": _reset, "reset_selective": _nothing, "run": _run_file, "time": _time,
    "timeit": _timeit, "who": _who, "who_ls": _who_ls, "whos": _whos, "capture": _capture_line,
    "system": lambda shell, line: system(shell, line), "sx": lambda shell, line: getoutput(shell, line),
    **{name: _command(name) for name in ("ls", "cat", "mkdir", "rm", "cp", "mv", "head", "echo")},
}

# -- cells -------------------------------------------------------------------------------------------------------------


def _writefile(shell, line, cell):
    words = _words(line)
    add = "-a" in words or "--append" in words
    name = next((w for w in words if not w.startswith("-")), None)
    if name is None:
        return say("%%writefile: name a file.")
    exists = os.path.exists(name)
    with open(name, "a" if add else "w", encoding="utf-8") as file:
        file.write(cell if cell.endswith("\n") or not cell else cell + "\n")
    print(f"{'Appending to' if add and exists else 'Overwriting' if exists else 'Writing'} {name}")


def _bash(shell, line, cell):
    if not HOSTED:
        return _run(cell)
    # A cell may be a list of commands that the page knows.
    for command in cell.splitlines():
        if command.strip() and not command.lstrip().startswith("#"):
            system(shell, command.strip())


def _shown(kind):
    def show(shell, line, cell):
        data = {"text/plain": f"<IPython.core.display.{kind[1]} object>", kind[0]: cell}
        send({"output_type": "display_data", "data": data, "metadata": {}})

    return show


def _python(shell, line, cell):
    exec(_torch._cell_code(cell, "<python>"), {"__name__": "__main__"})


CELL = {
    "timeit": _timeit, "writefile": _writefile, "file": _writefile, "bash": _bash, "sh": _bash, "!": _bash, "system": _bash,
    "html": _shown(("text/html", "HTML")), "HTML": _shown(("text/html", "HTML")),
    "markdown": _shown(("text/markdown", "Markdown")), "latex": _shown(("text/latex", "Latex")),
    "svg": _shown(("image/svg+xml", "SVG")), "SVG": _shown(("image/svg+xml", "SVG")),
    "python": _python, "python3": _python,
}
