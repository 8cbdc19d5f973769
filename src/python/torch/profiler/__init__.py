"""How long operators, kernels, copies and waits of a program took, as in torch.profiler.  CPU times are measured
around calls. If the host waits for each kernel (the CPU executor), a device's times are those of its kernels. If
kernels run asynchronously, a device's times are measured between two events around each kernel and copy, and read
when the profile ends. A device without such events (WebGPU) has no times, and the table says so."""

import enum
import functools
import json
import os
import time
import warnings

import _torch

__all__ = ["profile", "record_function", "schedule", "tensorboard_trace_handler", "ProfilerActivity", "ProfilerAction",
           "supported_activities"]


class ProfilerActivity(enum.Enum):
    CPU = 0
    XPU = 1
    MTIA = 2
    CUDA = 3
    HPU = 4
    PrivateUse1 = 5


class ProfilerAction(enum.Enum):
    """What happens in a step of a schedule."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities():
    found = {ProfilerActivity.CPU}
    if _torch._machine()[0]:
        found.add(ProfilerActivity.CUDA)
    return found


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Which steps are recorded: after `skip_first`, cycles of `wait`, `warmup` and `active` steps, `repeat` times (0:
    forever)."""
    given = (("wait", wait), ("warmup", warmup), ("active", active), ("repeat", repeat), ("skip_first", skip_first))
    if active <= 0 or any(n < 0 for _, n in given):
        text = ", ".join(f"{name}={n} (need {'>' if name == 'active' else '>='} 0)" for name, n in given)
        raise AssertionError(f"Invalid profiler schedule arguments. Got {text}.")
    if warmup == 0:
        warnings.warn("Profiler won't be using warmup, this can skew profiler results", stacklevel=2)

    def act(step):
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        length = wait + warmup + active
        if repeat > 0 and step // length >= repeat:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < length - 1 else ProfilerAction.RECORD_AND_SAVE

    return act


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False):
    """Writes a trace for each cycle into a folder."""
    if use_gzip:
        raise NotImplementedError("torch.profiler.tensorboard_trace_handler(use_gzip=True)")

    def handle(prof):
        os.makedirs(dir_name, exist_ok=True)
        prof.export_chrome_trace(os.path.join(dir_name, f"{worker_name or 'worker'}.{time.time_ns()}.pt.trace.json"))

    return handle


class record_function:
    """Names a block, or a decorated function, in the profile."""

    def __init__(self, name, args=None):
        self.name, self._open = name, []

    def __enter__(self):
        self._open.append(_torch._span_begin(self.name))
        return self

    def __exit__(self, *exc):
        _torch._span_end(self._open.pop())

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with record_function(self.name):
                return function(*args, **kwargs)

        return wrapper


# What uses the list of spans for itself, or None.
_claimed = None


def _claim(name):
    global _claimed
    if name is not None:
        running = _torch._span_begin(name)
        _torch._span_end(running)
        if running is not None:
            raise NotImplementedError(f"{name} while a profile is recorded")
    _claimed = name


class FunctionEvent:
    """One span."""

    def __init__(self, number, fields):
        (self.kind, self.name, self.device, self.begin, self.end, self.parent, self.flops, self.cpu_memory_own,
         self.device_memory_own, self.line, self.input_shapes, late, worked) = fields
        self.id = number
        self.children = []
        self.on_host = self.kind not in ("kernel", "copy") or self.device == "cpu"
        # Its device works on it while the host continues. The time that the host needs to start it counts for the
        # surrounding span.
        self.apart = late and not self.on_host
        self.late = self.apart and worked is None
        if worked is not None:
            self.begin, self.end = worked

    key = property(lambda self: self.name)
    count = 1

    @property
    def time_range(self):
        return self.begin, self.end

    @property
    def elapsed_us(self):
        return self.end - self.begin

    @property
    def cpu_time_total(self):
        """Microseconds that the host spent here, including inner spans, but not while a device worked."""
        return self.self_cpu_time_total + sum(c.cpu_time_total for c in self.children)

    @property
    def self_cpu_time_total(self):
        return self.elapsed_us - sum(c.elapsed_us for c in self.children if not c.apart) if self.on_host else 0.0

    @property
    def self_device_time_total(self):
        """Microseconds of a device, if they're known."""
        return self.elapsed_us if not self.on_host and not self.late else 0.0

    @property
    def device_time_total(self):
        return self.self_device_time_total + sum(c.device_time_total for c in self.children)

    @property
    def cpu_memory_usage(self):
        return self.cpu_memory_own + sum(c.cpu_memory_usage for c in self.children)

    @property
    def device_memory_usage(self):
        return self.device_memory_own + sum(c.device_memory_usage for c in self.children)

    self_cpu_memory_usage = property(lambda self: self.cpu_memory_own)
    self_device_memory_usage = property(lambda self: self.device_memory_own)

    def __repr__(self):
        return (f"<FunctionEvent id={self.id} name={self.name} cpu_time={_time(self.cpu_time_total)} "
                f"device_time={_time(self.device_time_total)}>")


class FunctionEventAvg:
    """All spans with the same name together."""

    def __init__(self, key, shapes=None):
        self.key, self.input_shapes, self.count = key, shapes, 0
        self.cpu_time_total = self.self_cpu_time_total = self.device_time_total = self.self_device_time_total = 0.0
        self.cpu_memory_usage = self.self_cpu_memory_usage = self.device_memory_usage = self.self_device_memory_usage = 0
        self.flops = 0
        self._depth = 0

    def add(self, event):
        self.count += 1
        for name in ("cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total", "cpu_memory_usage",
                     "self_cpu_memory_usage", "device_memory_usage", "self_device_memory_usage"):
            setattr(self, name, getattr(self, name) + getattr(event, name))
        self.flops += event.flops

    cpu_time = property(lambda self: self.cpu_time_total / self.count if self.count else 0.0)
    device_time = property(lambda self: self.device_time_total / self.count if self.count else 0.0)
    # Older names.
    cuda_time = device_time
    cuda_time_total = property(lambda self: self.device_time_total)
    self_cuda_time_total = property(lambda self: self.self_device_time_total)
    cuda_memory_usage = property(lambda self: self.device_memory_usage)
    self_cuda_memory_usage = property(lambda self: self.self_device_memory_usage)
    name = property(lambda self: self.key)

    def __repr__(self):
        return (f"<FunctionEventAvg key={self.key} self_cpu_time={_time(self.self_cpu_time_total)} cpu_time={_time(self.cpu_time)} "
                f" self_device_time={_time(self.self_device_time_total)} device_time={_time(self.device_time)}>")


def _time(microseconds):
    if microseconds >= 1e6:
        return f"{microseconds / 1e6:.3f}s"
    if microseconds >= 1e3:
        return f"{microseconds / 1e3:.3f}ms"
    return f"{microseconds:.3f}us"


def _share(part, whole):
    return f"{100 * part / whole:.2f}%" if whole else "NaN"


def _memory(size):
    for unit, name in ((1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")):
        if abs(size) >= unit:
            return f"{size / unit:.2f} {name}"
    return f"{size} B"


class EventList(list):
    """Spans, or sums of them, which can be printed as a table."""

    def __init__(self, events=(), *, has_device=False, memory=False, flops=False, late=False):
        super().__init__(events)
        self._has_device, self._memory, self._flops, self._late = has_device, memory, flops, late

    self_cpu_time_total = property(lambda self: sum(e.self_cpu_time_total for e in self))

    def total_average(self):
        total = FunctionEventAvg("Total")
        for event in self:
            total.add(event)
            total.count += event.count - 1
        return total

    def key_averages(self, group_by_input_shapes=False, **others):
        groups = {}
        for event in self:
            key = (event.name, event.device if event.kind == "kernel" else None,
                   str(event.input_shapes) if group_by_input_shapes else None)
            if key not in groups:
                groups[key] = FunctionEventAvg(event.name, event.input_shapes if group_by_input_shapes else None)
            # Time in which a span and an outer one of the same name overlap counts once.
            groups[key].add(event)
        return EventList(groups.values(), has_device=self._has_device, memory=self._memory, flops=self._flops, late=self._late)

    def __str__(self):
        return self.table()

    def table(self, sort_by=None, row_limit=100, max_src_column_width=75, max_name_column_width=55,
              max_shapes_column_width=80, header=None, top_level_events_only=False, time_unit=None):
        """The table with at most `row_limit` rows (-1: all), sorted by `sort_by`, largest first."""
        if not self:
            return ""
        rows = list(self)
        if sort_by is not None:
            name = sort_by.replace("cuda", "device")
            if not hasattr(rows[0], name):
                raise AttributeError(f"'FunctionEventAvg' object has no attribute '{sort_by}'")
            rows.sort(key=lambda e: getattr(e, name), reverse=True)
        if row_limit >= 0:
            rows = rows[:row_limit]
        cpu = sum(e.self_cpu_time_total for e in self)
        device = sum(e.self_device_time_total for e in self)
        columns = [("Name", lambda e: e.key if len(e.key) <= max_name_column_width else e.key[:max_name_column_width - 3] + "..."),
                   ("Self CPU %", lambda e: _share(e.self_cpu_time_total, cpu)),
                   ("Self CPU", lambda e: _time(e.self_cpu_time_total)),
                   ("CPU total %", lambda e: _share(e.cpu_time_total, cpu)),
                   ("CPU total", lambda e: _time(e.cpu_time_total)),
                   ("CPU time avg", lambda e: _time(e.cpu_time_total / e.count))]
        if self._has_device:
            columns += [("Self CUDA", lambda e: _time(e.self_device_time_total)),
                        ("Self CUDA %", lambda e: _share(e.self_device_time_total, device)),
                        ("CUDA total", lambda e: _time(e.device_time_total)),
                        ("CUDA time avg", lambda e: _time(e.device_time_total / e.count))]
        if self._memory:
            columns += [("CPU Mem", lambda e: _memory(e.cpu_memory_usage)),
                        ("Self CPU Mem", lambda e: _memory(e.self_cpu_memory_usage))]
            if self._has_device:
                columns += [("CUDA Mem", lambda e: _memory(e.device_memory_usage)),
                            ("Self CUDA Mem", lambda e: _memory(e.self_device_memory_usage))]
        columns.append(("# of Calls", lambda e: str(e.count)))
        if any(getattr(e, "input_shapes", None) for e in rows):
            columns.append(("Input Shapes", lambda e: str(e.input_shapes or [])[:max_shapes_column_width]))
        if self._flops:
            columns.append(("Total MFLOPs", lambda e: f"{e.flops / 1e6:.3f}" if e.flops else "--"))
        texts = [[name for name, _ in columns]] + [[show(e) for _, show in columns] for e in rows]
        widths = [max(12, *(len(line[i]) for line in texts)) for i in range(len(columns))]
        widths[0] = max(len(line[0]) for line in texts) + 4
        rule = "  ".join("-" * w for w in widths) + "  "
        lines = ([header] if header else []) + [rule]
        for i, line in enumerate(texts):
            lines.append("  ".join(text.rjust(w) for text, w in zip(line, widths)) + "  ")
            if i == 0:
                lines.append(rule)
        lines += [rule, f"Self CPU time total: {_time(cpu)}"]
        if self._has_device:
            lines.append(f"Self CUDA time total: {_time(device)}" if not self._late else
                         "Self CUDA time total: not measured, kernels run while the host goes on")
        return "\n".join(lines) + "\n"


class profile:
    """Records what happens inside a `with` block, or between `start()` and `stop()`."""

    def __init__(self, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
                 with_stack=False, with_flops=False, with_modules=False, experimental_config=None, acc_events=False,
                 execution_trace_observer=None, custom_trace_id_callback=None):
        if execution_trace_observer is not None:
            raise NotImplementedError("torch.profiler.profile(execution_trace_observer=)")
        self.activities = set(activities) if activities is not None else supported_activities()
        self._schedule, self._ready = schedule, on_trace_ready
        self.record_shapes, self.profile_memory, self.with_flops = record_shapes, profile_memory, with_flops
        self.step_num = 0
        self._events = []
        self._recording = False
        self._step = None

    def _action(self):
        return self._schedule(self.step_num) if self._schedule else ProfilerAction.RECORD

    def start(self):
        if self._action() in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self._begin()
        self._open_step()

    def _begin(self):
        if _claimed is not None:
            raise NotImplementedError(f"torch.profiler.profile within {_claimed}")
        _torch._profile_start(self.record_shapes)
        self._recording = True

    def _open_step(self):
        if self._schedule:
            self._step = _torch._span_begin(f"ProfilerStep#{self.step_num}")

    def _end(self):
        spans = [FunctionEvent(i, fields) for i, fields in enumerate(_torch._profile_stop())]
        self._recording = False
        self._events = []
        for event in spans:
            around = spans[event.parent] if event.parent is not None else None
            if event.kind == "kernel" and event.on_host:
                # On the host, a kernel's time is its operator's own time.
                if around is not None:
                    around.flops += event.flops
                    around.cpu_memory_own += event.cpu_memory_own
                continue
            self._events.append(event)
            if around is not None:
                around.children.append(event)

    def stop(self):
        _torch._span_end(self._step)
        self._step = None
        if self._recording:
            self._end()
            if self._ready:
                self._ready(self)

    def step(self):
        """The next step of the schedule."""
        before = self._action()
        _torch._span_end(self._step)
        self.step_num += 1
        after = self._action()
        if self._recording and (before is ProfilerAction.RECORD_AND_SAVE or after in (
                ProfilerAction.NONE, ProfilerAction.WARMUP)):
            self._end()
            if self._ready:
                self._ready(self)
        if not self._recording and after in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self._begin()
        self._open_step()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *exc):
        self.stop()

    # -- what was recorded --

    def events(self):
        """Every span, in the order of their beginning."""
        shown = [e for e in self._events if ProfilerActivity.CPU in self.activities or not e.on_host]
        device = any(not e.on_host for e in self._events) and ProfilerActivity.CUDA in self.activities
        return EventList(shown, has_device=device, memory=self.profile_memory, flops=self.with_flops,
                         late=any(e.late for e in self._events))

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, **others):
        """Spans grouped by name; with `group_by_input_shape`, by name and shapes."""
        if group_by_stack_n:
            raise NotImplementedError("torch.profiler.profile.key_averages(group_by_stack_n=)")
        return self.events().key_averages(group_by_input_shape)

    def total_average(self):
        return self.events().total_average()

    def export_chrome_trace(self, path):
        """Writes a file for ui.perfetto.dev or chrome://tracing."""
        process = os.getpid() if hasattr(os, "getpid") else 1
        out = [{"ph": "M", "name": "process_name", "pid": process, "tid": 0, "args": {"name": "python"}}]
        for event in self._events:
            category = {"operator": "cpu_op", "node": "cpu_op", "user": "user_annotation", "kernel": "kernel", "copy": "gpu_memcpy",
                        "wait": "cuda_runtime"}[event.kind]
            if event.kind == "kernel" and event.on_host:
                category = "cpu_op"
            args = {"External id": event.id}
            if event.device is not None:
                args["device"] = event.device
            if event.input_shapes:
                args["Input Dims"] = event.input_shapes
            if event.line:
                args["line"] = event.line
            out.append({"ph": "X", "cat": category, "name": event.name, "pid": process if event.on_host else event.device,
                        "tid": process if event.on_host else 7, "ts": event.begin, "dur": event.elapsed_us, "args": args})
        with open(path, "w") as file:
            json.dump({"schemaVersion": 1, "displayTimeUnit": "ms", "traceEvents": out, "traceName": os.fspath(path)}, file)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        raise NotImplementedError("torch.profiler.profile.export_stacks")

    def export_memory_timeline(self, path, device=None):
        raise NotImplementedError("torch.profiler.profile.export_memory_timeline")

    def add_metadata(self, key, value):
        raise NotImplementedError("torch.profiler.profile.add_metadata")
