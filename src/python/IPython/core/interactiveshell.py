"""The shell behind a notebook's cells: what `get_ipython()` returns there."""

import builtins
import io
import json
import re
import sys
import time

import _torch

from . import formatters, getipython


class ZMQInteractiveShell:
    """Runs no cells itself: the notebook does, and tells this shell before and after each."""

    def __init__(self, namespace):
        self.user_ns = namespace
        self.execution_count = 1
        self.display_formatter = _Formatter()
        self.events = Events()
        self.history = []
        self.results = {}
        self._around = []
        self._held = None
        inputs = [""]
        namespace.update(In=inputs, Out=self.results, _ih=inputs, _oh=self.results, get_ipython=getipython.get_ipython)
        namespace.update(_="", __="", ___="", _i="", _ii="", _iii="")

    def __repr__(self):
        return f"<ipykernel.zmqshell.{type(self).__name__} object at 0x{id(self):x}>"

    # -- cells --

    def begin_cell(self, count, source, around):
        """Called before a cell runs; `around` are its `%%time` and `%%capture` lines."""
        self.execution_count = count
        names = self.user_ns
        names["_iii"], names["_ii"], names["_i"] = names["_ii"], names["_i"], self.history[-1] if self.history else ""
        names["In"].append(source)
        names[f"_i{count}"] = source
        self.history.append(source)
        self.events.trigger("pre_execute")
        self.events.trigger("pre_run_cell", None)
        for name, argument in around:
            self._around.append(_AROUND[name](self, argument))

    def end_cell(self, failed):
        """Called after a cell has run, even if it ended in an error."""
        around, self._around = self._around, []
        for part in reversed(around):
            if isinstance(part, _Captured):
                self._show_held()
                self._show_figures()
            part.end(failed)
        self._show_held()
        self._show_figures()
        self.events.trigger("post_execute")
        self.events.trigger("post_run_cell", None)

    def _show_figures(self):
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is not None and getattr(pyplot, "get_fignums", list)():
            pyplot.show()

    # -- results --

    def displayhook(self, value):
        """The value of a cell's last expression."""
        if value is None:
            return
        if self._around:
            # `%%time` prints before its cell's value is shown.
            self._held = (value,)
        else:
            self._show_result(value)

    def _show_held(self):
        held, self._held = self._held, None
        if held is not None:
            self._show_result(*held)

    def _show_result(self, value):
        names, count = self.user_ns, self.execution_count
        if value is not self.results:
            names["___"], names["__"], names["_"] = names.get("__", ""), names.get("_", ""), value
            self.results[count] = value
            names[f"_{count}"] = value
        data, metadata = formatters.format_display_data(value)
        send({"output_type": "execute_result", "execution_count": count, "data": data, "metadata": metadata})

    # -- magics --

    def run_line_magic(self, name, line, _stack_depth=1):
        from .magics import LINE, refuse

        run = LINE.get(name)
        if run is None:
            return refuse(self, "%", name)
        if name not in ("time", "timeit"):
            line = self.var_expand(line)
        return run(self, line)

    def run_cell_magic(self, name, line, cell):
        from .magics import CELL, refuse

        run = CELL.get(name)
        if run is None:
            return refuse(self, "%%", name)
        return run(self, self.var_expand(line), cell)

    def magic(self, text):
        name, _, line = text.lstrip("%").partition(" ")
        return self.run_line_magic(name, line.strip())

    def find_line_magic(self, name):
        from .magics import LINE

        return LINE.get(name)

    def find_cell_magic(self, name):
        from .magics import CELL

        return CELL.get(name)

    def register_magic_function(self, function, magic_kind="line", magic_name=None):
        from .magics import CELL, LINE

        name = magic_name or function.__name__
        if "line" in magic_kind:
            LINE[name] = lambda shell, line: function(line)
        if "cell" in magic_kind:
            CELL[name] = lambda shell, line, cell: function(line, cell)

    def system(self, command):
        from .magics import system

        system(self, self.var_expand(command))

    system_raw = system_piped = system

    def getoutput(self, command, split=True):
        from .magics import getoutput

        lines = getoutput(self, self.var_expand(command))
        return SList(lines) if split else "\n".join(lines)

    def var_expand(self, text, depth=0):
        """Puts values of the notebook's variables in place of `$name` and `{expression}`."""

        def braces(match):
            try:
                return str(eval(match[1], self.user_ns))
            except Exception:
                return match[0]

        def dollar(match):
            value = self.user_ns.get(match[1], match)
            return match[0] if value is match else str(value)

        text = re.sub(r"\{([^{}]+)\}", braces, text)
        return re.sub(r"(?<![\\$])\$([A-Za-z_]\w*)", dollar, text)

    def run_code(self, source, name="<magic>"):
        """Runs source code in the notebook's namespace. Returns the value of its last expression."""
        kept = []
        before, self.displayhook = self.displayhook, kept.append
        try:
            exec(_torch._cell_code(source, name), self.user_ns)
        finally:
            self.displayhook = before
        return kept[-1] if kept else None

    def run_cell(self, source, *args, **kwargs):
        value = self.run_code(source, "<cell>")
        self.displayhook(value)

    def ev(self, source):
        return eval(source, self.user_ns)

    def ex(self, source):
        exec(source, self.user_ns)

    def push(self, variables, interactive=True):
        if isinstance(variables, dict):
            self.user_ns.update(variables)
        else:
            frame = sys._getframe(1)
            for name in variables.split() if isinstance(variables, str) else variables:
                self.user_ns[name] = eval(name, frame.f_globals, frame.f_locals)

    def enable_matplotlib(self, gui=None):
        return gui or "inline", "inline"

    def set_next_input(self, text, replace=False):
        raise NotImplementedError("IPython: set_next_input, which would write a new cell into the notebook")

    @property
    def config(self):
        return {}

    @property
    def kernel(self):
        raise NotImplementedError("IPython: kernel. There is no process of Jupyter behind this notebook")


class _Formatter:
    @staticmethod
    def format(obj, include=None, exclude=None):
        return formatters.format_display_data(obj, include, exclude)

    ipython_display_formatter = None

    @property
    def formatters(self):
        raise NotImplementedError("IPython: display_formatter.formatters; give your class a method such as _repr_html_")


class Events:
    """Functions that run around cells."""

    def __init__(self):
        self._called = {name: [] for name in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell")}

    def register(self, name, function):
        self._called[name].append(function)

    def unregister(self, name, function):
        self._called[name].remove(function)

    def trigger(self, name, *arguments):
        for function in list(self._called[name]):
            try:
                function(*arguments)
            except TypeError:
                function()


class SList(list):
    """Lines that a command printed."""

    @property
    def l(self):
        return self

    @property
    def n(self):
        return "\n".join(self)

    nlstr = n

    @property
    def s(self):
        return " ".join(self)

    spstr = s


# -- what runs around a cell -------------------------------------------------------------------------------------------


class _Timed:
    def __init__(self, shell, argument):
        self.wall, self.process = time.perf_counter(), time.process_time()

    def end(self, failed):
        wall, process = time.perf_counter() - self.wall, time.process_time() - self.process
        if not failed:
            say_times(wall, process)


def span(seconds):
    """A time as people read it: `1.5 ms`, `2min 3s`."""
    if seconds >= 60:
        parts = []
        left = int(seconds)
        for name, length in (("d", 86400), ("h", 3600), ("min", 60), ("s", 1)):
            count, left = divmod(left, length)
            if count:
                parts.append(f"{count}{name}")
        return " ".join(parts)
    for unit, factor in (("s", 1), ("ms", 1e3), ("μs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def say_times(wall, process):
    # The interpreter doesn't tell time in the system from other processor time.
    print(f"CPU times: total: {span(process)}\nWall time: {span(wall)}")


class _Captured:
    """`%%capture`: what a cell would have shown is kept from the notebook."""

    def __init__(self, shell, argument):
        words = argument.split()
        self.name = next((word for word in words if not word.startswith("-")), None)
        self.shell = shell
        self.before = sys.stdout, sys.stderr
        self.stdout, self.stderr, self.outputs = io.StringIO(), io.StringIO(), []
        if "--no-stdout" not in words:
            sys.stdout = self.stdout
        if "--no-stderr" not in words:
            sys.stderr = self.stderr
        if "--no-display" not in words:
            _capturing.append(self.outputs)
        self.displays = "--no-display" not in words

    def end(self, failed):
        sys.stdout, sys.stderr = self.before
        if self.displays:
            _capturing.remove(self.outputs)
        if self.name is not None:
            self.shell.user_ns[self.name] = CapturedIO(self.stdout.getvalue(), self.stderr.getvalue(), self.outputs)


class CapturedIO:
    """What `%%capture name` kept."""

    def __init__(self, stdout, stderr, outputs=()):
        self.stdout, self.stderr, self._outputs = stdout, stderr, list(outputs)

    def __str__(self):
        return self.stdout

    @property
    def outputs(self):
        return [RichOutput(output["data"], output["metadata"]) for output in self._outputs]

    def show(self):
        sys.stdout.write(self.stdout)
        sys.stderr.write(self.stderr)
        for output in self._outputs:
            send(output)

    __call__ = show


class RichOutput:
    def __init__(self, data=None, metadata=None):
        self.data, self.metadata = data or {}, metadata or {}

    def _repr_mimebundle_(self, include=None, exclude=None):
        return self.data, self.metadata


_AROUND = {"time": _Timed, "capture": _Captured}
_capturing = []


def send(output):
    """Gives an output to the notebook. Where nothing shows it, its plain text is printed."""
    if _capturing:
        if output["output_type"] in ("display_data", "execute_result"):
            _capturing[-1].append({**output, "output_type": "display_data"})
        return
    sys.stdout.flush()
    sys.stderr.flush()
    if not _torch._display(json.dumps(output, default=str)) and "text/plain" in output.get("data", ()):
        print(output["data"]["text/plain"])


def send_figure(svg, words):
    """Shows a figure. Returns false where that isn't possible."""
    if _capturing:
        data = {"image/svg+xml": svg, "text/plain": words}
        _capturing[-1].append({"output_type": "display_data", "data": data, "metadata": {}})
        return True
    return _show_figure(svg, words)


_show_figure = _torch._show_figure


def start(namespace):
    """Makes the shell of a notebook whose cells run in this namespace."""
    getipython.shell = shell = ZMQInteractiveShell(namespace)
    builtins.get_ipython = getipython.get_ipython
    builtins.display = _display
    # A cell's last expression is compiled as a call of this, whose name no program can write.
    setattr(builtins, "<show>", lambda value: shell.displayhook(value))
    _torch._show_figure = send_figure
    return shell


def _display(*objs, **options):
    from .display_functions import display

    return display(*objs, **options)


InteractiveShell = ZMQInteractiveShell
