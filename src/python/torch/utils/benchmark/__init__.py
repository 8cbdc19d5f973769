"""Times small pieces of code fairly: after a warm-up, and waiting for the device."""

import math
import timeit as _timeit

import _torch

__all__ = ["Timer", "Measurement", "Compare", "timer"]


def timer():
    """The time, after every device has done its work."""
    count = _torch._machine()[0]
    if count:
        _torch._cuda_synchronize()
    return _timeit.default_timer()


def _unit(seconds):
    for name, scale in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return name, scale
    return "s", 1.0


def _quantile(ordered, share):
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


class Measurement:
    """Times of runs of one statement, in seconds."""

    def __init__(self, number_per_run, raw_times, task_spec, metadata=None):
        self.number_per_run, self.raw_times, self.task_spec, self.metadata = number_per_run, raw_times, task_spec, metadata

    @property
    def times(self):
        """Seconds of one execution, for each run."""
        return [t / self.number_per_run for t in self.raw_times]

    @property
    def median(self):
        return _quantile(sorted(self.times), 0.5)

    @property
    def mean(self):
        return sum(self.times) / len(self.times)

    @property
    def iqr(self):
        """From the first to the third quartile."""
        ordered = sorted(self.times)
        return _quantile(ordered, 0.75) - _quantile(ordered, 0.25)

    @property
    def significant_figures(self):
        """How many digits of the median are significant."""
        n = len(self.times)
        low, high = _quantile(sorted(self.times), 0.25), _quantile(sorted(self.times), 0.75)
        error = max((high - low) / math.sqrt(max(n, 1)) * 1.16, abs(self.median) * 1e-9)
        return max(int(math.floor(math.log10(self.median / error))) if self.median > 0 else 1, 1)

    @property
    def has_warnings(self):
        return len(self.times) > 1 and self.iqr > 0.1 * self.median

    stmt = property(lambda self: self.task_spec["stmt"])
    label = property(lambda self: self.task_spec["label"])
    sub_label = property(lambda self: self.task_spec["sub_label"])
    description = property(lambda self: self.task_spec["description"])
    num_threads = property(lambda self: self.task_spec["num_threads"])

    @property
    def title(self):
        spec = self.task_spec
        if spec["label"] or spec["sub_label"]:
            title = spec["label"] or spec["stmt"]
            if spec["sub_label"]:
                title += f": {spec['sub_label']}"
        else:
            title = spec["stmt"]
        if spec["description"]:
            title += f"\n  {spec['description']}"
        if spec["setup"] and spec["setup"] != "pass":
            setup = spec["setup"].strip()
            title += f"\nsetup:\n" + "\n".join("  " + line for line in setup.splitlines()) if "\n" in setup else f"\nsetup: {setup}"
        return title

    def __repr__(self):
        name, scale = _unit(self.median)
        n = len(self.times)
        lines = [object.__repr__(self).replace("torch.utils.benchmark.Measurement", "torch.utils.benchmark.utils.common.Measurement"),
                 self.title, f"  {'Median: ' if n > 1 else ''}{self.median / scale:.2f} {name}"]
        if n >= 4:
            ordered = sorted(self.times)
            low, high = _quantile(ordered, 0.25), _quantile(ordered, 0.75)
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {name} ({low / scale:.2f} to {high / scale:.2f})")
        lines.append(f"  {n} measurement{'s' if n > 1 else ''}, {self.number_per_run} runs {'per measurement,' if n > 1 else ','} "
                     f"{self.num_threads} thread{'s' if self.num_threads > 1 else ''}")
        if n >= 4 and self.has_warnings:
            lines.append(f"  WARNING: Interquartile range is {self.iqr / self.median * 100:.1f}% of the median measurement.\n"
                         "           This could indicate system fluctuation.")
        return "\n".join(lines)


class Timer:
    """Times a statement, as `timeit.Timer` does."""

    def __init__(self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None, sub_label=None,
                 description=None, env=None, num_threads=1, language="python"):
        if language not in ("python", "py"):
            raise NotImplementedError(f"torch.utils.benchmark.Timer(language={language!r})")
        space = dict(globals or {})
        import torch
        space.setdefault("torch", torch)
        self._timer = _timeit.Timer(stmt=stmt, setup=setup, timer=timer, globals=space)
        self._spec = {"stmt": stmt if isinstance(stmt, str) else repr(stmt), "setup": setup if isinstance(setup, str) else "",
                      "label": label, "sub_label": sub_label, "description": description, "num_threads": num_threads,
                      "env": env}

    def timeit(self, number=1000000):
        """Runs the statement `number` times, after a short warm-up."""
        self._timer.timeit(number=max(int(number // 100), 2))
        return Measurement(number, [self._timer.timeit(number=number)], self._spec)

    def _block(self, min_run_time):
        """The number of executions that takes long enough to be timed."""
        number = 1
        while True:
            taken = self._timer.timeit(number=number)
            if taken >= min_run_time / 1000 or number >= 10_000_000 or taken >= 0.1:
                return number
            number *= 10

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Runs blocks of executions for `min_run_time` seconds."""
        number = self._block(min_run_time)
        times, total = [], 0.0
        while total < min_run_time:
            taken = self._timer.timeit(number=number)
            times.append(taken)
            total += taken
            if callback is not None:
                callback(number, taken)
        return Measurement(number, times, self._spec)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Runs blocks of executions until the quartiles are within `threshold` of the median."""
        number = self._block(0.05)
        times, total = [], 0.0
        while total < max_run_time:
            times.append(self._timer.timeit(number=number))
            total += times[-1]
            found = Measurement(number, times, self._spec)
            if len(times) >= 5 and total >= min_run_time and found.iqr <= threshold * found.median:
                break
        return Measurement(number, times, self._spec)

    def collect_callgrind(self, *args, **options):
        raise NotImplementedError("torch.utils.benchmark.Timer.collect_callgrind")


class Compare:
    """A table of measurements with a row for each label and a column for each description."""

    def __init__(self, results):
        self._results = list(results)

    def extend_results(self, results):
        self._results += results

    def trim_significant_figures(self):
        """Accepted; times are shown with one digit after the point."""

    def colorize(self, rowwise=False):
        """Accepted; the table has no colors."""

    def __str__(self):
        out = []
        for label in dict.fromkeys(m.label for m in self._results):
            rows = [m for m in self._results if m.label == label]
            name, scale = _unit(min(m.median for m in rows))
            columns = list(dict.fromkeys(m.description or "" for m in rows))
            names = list(dict.fromkeys(m.sub_label or m.stmt for m in rows))
            wide = max(len(n) for n in names)
            cells = {(m.sub_label or m.stmt, m.description or ""): f"{m.median / scale:.1f}" for m in rows}
            widths = [max(len(c), *(len(cells.get((n, c), "")) for n in names)) for c in columns]
            head = " " * (wide + 6) + "|" + "|".join(f"  {c.rjust(w)}  " for c, w in zip(columns, widths))
            title = f" {label} " if label else "  "
            out.append(f"[{title.center(len(head) - 2, '-')}]")
            out += [head, f"{rows[0].num_threads} threads: ".ljust(len(head), "-")]
            for n in names:
                out.append("      " + n.ljust(wide) + "|" + "|".join(
                    f"  {cells.get((n, c), '').rjust(w)}  " for c, w in zip(columns, widths)))
            out += ["", f"Times are in {dict(ns='nanoseconds', us='microseconds', ms='milliseconds', s='seconds')[name]} ({name})."]
        return "\n".join(out)

    def print(self):
        print(str(self))
