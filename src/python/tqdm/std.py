"""A progress bar made of characters, which looks like tqdm's: one line on standard error that is overwritten."""

import sys
import time

_BLOCKS = " ▏▎▍▌▋▊▉█"
_ASCII = " 123456789#"


def _clock(seconds):
    minutes, seconds = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:d}:{minutes:02d}:{seconds:02d}" if hours else f"{minutes:02d}:{seconds:02d}"


def _scaled(number, divisor=1000):
    """A number with a metric prefix, in three or four digits."""
    for unit in ("", "k", "M", "G", "T", "P", "E", "Z"):
        if abs(number) < 999.5:
            if abs(number) < 99.95:
                return f"{number:1.2f}{unit}" if abs(number) < 9.995 else f"{number:2.1f}{unit}"
            return f"{number:3.0f}{unit}"
        number /= divisor
    return f"{number:3.1f}Y"


class _Smooth:
    """An exponential moving average that starts without a bias."""

    def __init__(self, share):
        self._share, self._last, self._calls = share, 0.0, 0

    def __call__(self, value=None):
        keep = 1 - self._share
        if value is not None:
            self._last = self._share * value + keep * self._last
            self._calls += 1
        return self._last / (1 - keep ** self._calls) if self._calls else self._last


class tqdm:
    """Wraps an iterable and shows the progress; or counts what `update` reports."""

    monitor_interval = 0

    def __init__(self, iterable=None, desc=None, total=None, leave=True, file=None, ncols=None, mininterval=0.1,
                 maxinterval=10.0, miniters=None, ascii=None, disable=False, unit="it", unit_scale=False, dynamic_ncols=False,
                 smoothing=0.3, bar_format=None, initial=0, position=None, postfix=None, unit_divisor=1000, write_bytes=False,
                 lock_args=None, nrows=None, colour=None, delay=0.0, gui=False, **kwargs):
        if kwargs:
            raise TypeError(f"Unknown argument(s): {kwargs}")
        if total is None and iterable is not None:
            try:
                total = len(iterable)
            except (TypeError, AttributeError):
                total = None
        self.iterable, self.total, self.n, self.initial = iterable, total, initial, initial
        self.fp = sys.stderr if file is None else file
        if disable is None:
            disable = not (hasattr(self.fp, "isatty") and self.fp.isatty())
        self.disable, self.leave, self.unit, self.unit_scale, self.unit_divisor = disable, leave, unit, unit_scale, unit_divisor
        self.desc = desc or ""
        self.ncols, self.mininterval, self.miniters = ncols, mininterval, miniters or 0
        self.maxinterval, self.smoothing = maxinterval, smoothing or 0
        self.dynamic_miniters = miniters is None
        self.ascii, self.bar_format, self.colour, self.delay = ascii, bar_format, colour, delay
        self.pos = 0 if position is None else -position
        self.postfix = None
        self._shown = 0
        self._closed = False
        self._steps, self._seconds, self._due = (_Smooth(self.smoothing) for _ in range(3))
        self._overall = False
        if ncols is None and hasattr(self.fp, "isatty") and self.fp.isatty():
            try:
                import shutil
                self.ncols = shutil.get_terminal_size().columns
            except (ImportError, OSError):
                pass
        if postfix:
            self.set_postfix(refresh=False, **postfix) if isinstance(postfix, dict) else self.set_postfix_str(postfix, False)
        self.start_t = self.last_print_t = time.time()
        self.last_print_n = initial
        if not disable and delay <= 0:
            self.refresh()
            self.start_t = self.last_print_t = time.time()

    # -- counting --

    def __iter__(self):
        if self.disable:
            yield from self.iterable
            return
        n, last, every, pause = self.n, self.last_print_n, self.miniters, self.mininterval
        due = self.start_t + self.delay
        try:
            for item in self.iterable:
                yield item
                n += 1
                if n - last >= every:
                    now = time.time()
                    if now - self.last_print_t >= pause and now >= due:
                        self.update(n - self.n)
                        last, every = self.last_print_n, self.miniters
        finally:
            self.n = n
            self.close()

    def update(self, n=1):
        """Counts `n` more. Returns whether the bar was redrawn."""
        if self.disable:
            return None
        self.n += n
        if n < 0:
            self.last_print_n += n
        if self.n - self.last_print_n < self.miniters:
            return None
        now = time.time()
        passed = now - self.last_print_t
        if passed < self.mininterval or now < self.start_t + self.delay:
            return None
        steps = self.n - self.last_print_n
        # Without smoothing, the rate is the average since the start.
        if self.smoothing and steps and passed:
            self._steps(steps)
            self._seconds(passed)
        self.refresh()
        if self.dynamic_miniters:
            if self.maxinterval and passed >= self.maxinterval:
                self.miniters = steps * (self.mininterval or self.maxinterval) / passed
            elif self.smoothing:
                self.miniters = self._due(steps * (self.mininterval / passed if self.mininterval and passed else 1))
            else:
                self.miniters = max(self.miniters, steps)
        self.last_print_n, self.last_print_t = self.n, now
        return True

    def reset(self, total=None):
        self.n = self.last_print_n = 0
        if total is not None:
            self.total = total
        self.start_t = self.last_print_t = time.time()
        self._steps, self._seconds, self._due = (_Smooth(self.smoothing) for _ in range(3))
        self.refresh()

    def close(self):
        """Shows the final state, with the average rate."""
        if self.disable or self._closed:
            return
        self._closed = True
        self.disable = True
        self._overall = True
        if self.last_print_t < self.start_t + self.delay:
            return
        if self.leave:
            self.display()
            self._write("\n")
        else:
            self.display("")
            self._write("\r")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def __del__(self):
        self.close()

    def __len__(self):
        return self.total if self.iterable is None else len(self.iterable)

    def __bool__(self):
        return bool(self.total) if self.total is not None else self.iterable is not None

    def __contains__(self, item):
        return item in self.iterable

    def __reversed__(self):
        before, self.iterable = self.iterable, reversed(self.iterable)
        try:
            return iter(list(self))
        finally:
            self.iterable = before

    # -- words --

    def set_description(self, desc=None, refresh=True):
        self.desc = desc + ": " if desc else ""
        if refresh:
            self.refresh()

    def set_description_str(self, desc=None, refresh=True):
        self.desc = desc or ""
        if refresh:
            self.refresh()

    def set_postfix(self, ordered_dict=None, refresh=True, **kwargs):
        """Numbers after the rate: `loss=0.123`."""
        pairs = dict(ordered_dict or {})
        for key in sorted(kwargs):
            pairs[key] = kwargs[key]
        shown = []
        for key, value in pairs.items():
            if isinstance(value, (int, float)) and not isinstance(value, str):
                value = self.format_num(value)
            elif not isinstance(value, str):
                value = str(value)
            shown.append(f"{key}={value.strip()}")
        self.set_postfix_str(", ".join(shown), refresh)

    def set_postfix_str(self, s="", refresh=True):
        self.postfix = str(s)
        if refresh:
            self.refresh()

    @staticmethod
    def format_num(n):
        """At most three significant digits, unless the number itself is shorter."""
        short = f"{n:.3g}".replace("e+0", "e+").replace("e-0", "e-")
        plain = str(n)
        return short if len(short) < len(plain) else plain

    format_interval = staticmethod(_clock)
    format_sizeof = staticmethod(lambda num, suffix="", divisor=1000: _scaled(num, divisor) + suffix)

    # -- drawing --

    @property
    def format_dict(self):
        passed = time.time() - self.start_t if hasattr(self, "start_t") else 0
        seconds = 0 if self._overall else self._seconds()
        return {"n": self.n, "total": self.total, "elapsed": passed, "ncols": self.ncols, "prefix": self.desc, "unit": self.unit,
                "unit_scale": self.unit_scale, "rate": self._steps() / seconds if seconds else None,
                "bar_format": self.bar_format, "postfix": self.postfix, "initial": self.initial}

    def __str__(self):
        """The complete line."""
        known = self.format_dict
        n, total, passed, rate = self.n, self.total, known["elapsed"], known["rate"]
        if total and n >= total + 0.5:
            total = None
        scale = self.unit_scale
        if scale and scale not in (True, 1):
            # A factor, not a wish for prefixes.
            n, total, rate, scale = n * scale, total * scale if total else total, rate * scale if rate else rate, False
        if rate is None and passed:
            rate = (n - self.initial) / passed
        inverse = 1 / rate if rate else None
        # The divisor is for the count; rates always have prefixes of 1000, as tqdm's.
        fast = ((_scaled(rate) if scale else f"{rate:5.2f}") if rate else "?") + self.unit + "/s"
        slow = ((_scaled(inverse) if scale else f"{inverse:5.2f}") if inverse else "?") + "s/" + self.unit
        speed = slow if inverse and inverse > 1 else fast
        count = _scaled(n, self.unit_divisor) if scale else str(n)
        whole = (_scaled(total, self.unit_divisor) if scale else str(total)) if total is not None else "?"
        after = f", {self.postfix}" if self.postfix else ""
        left = _clock((total - n) / rate if rate and total else 0) if rate else "?"
        elapsed = _clock(passed)
        title = self.desc if not self.desc or self.desc[-2:] == ": " else self.desc + ": "
        if not total and not (self.bar_format and total is not None):
            if self.bar_format:
                return self._custom(locals(), title, "", None)
            title = f"{self.desc}: " if self.desc else ""
            return f"{title}{count}{self.unit} [{elapsed}, {speed}{after}]"
        share = n / total if total else 0
        if self.bar_format:
            return self._custom(locals(), title, f"{title}{share * 100:3.0f}%|", share)
        begin = f"{title}{share * 100:3.0f}%|"
        end = f"| {count}/{whole} [{elapsed}<{left}, {speed}{after}]"
        if self.ncols == 0:
            return begin[:-1] + end[1:]
        width = max(1, self.ncols - len(begin) - len(end)) if self.ncols else 10
        return begin + self._bar(share, width) + end

    def _custom(self, known, title, begin, share):
        end = f"| {known['count']}/{known['whole']} [{known['elapsed']}<{known['left']}, {known['speed']}{known['after']}]"
        names = {"l_bar": begin, "r_bar": end, "desc": title, "n": known["n"], "n_fmt": known["count"], "total": known["total"],
                 "total_fmt": known["whole"], "elapsed": known["elapsed"], "elapsed_s": known["passed"],
                 "remaining": known["left"], "rate": known["rate"] or 0, "rate_fmt": known["speed"],
                 "rate_noinv_fmt": known["fast"], "rate_inv_fmt": known["slow"], "postfix": known["after"], "unit": self.unit,
                 "percentage": (share or 0) * 100}
        if "{bar" not in self.bar_format:
            return self.bar_format.format(**names)
        start = self.bar_format.index("{bar")
        stop = self.bar_format.index("}", start)
        spec = self.bar_format[start + 4:stop].lstrip(":")
        before = self.bar_format[:start].format(**names)
        after = self.bar_format[stop + 1:].format(**names)
        width = int(spec) if spec.isdigit() else max(1, self.ncols - len(before) - len(after)) if self.ncols else 10
        return before + (self._bar(share, width) if share is not None else "") + after

    def _bar(self, share, width):
        encoding = str(getattr(self.fp, "encoding", "utf-8") or "").lower()
        plain = self.ascii is True or self.ascii is None and not encoding.startswith(("utf", "u8"))
        marks = _ASCII if plain else self.ascii if isinstance(self.ascii, str) else _BLOCKS
        steps = len(marks) - 1
        full, part = divmod(int(min(max(share, 0), 1) * width * steps), steps)
        bar = marks[-1] * full
        return bar if full >= width else bar + marks[part] + marks[0] * (width - full - 1)

    def refresh(self, nolock=False, lock_args=None):
        if not self.disable:
            self.display()
        return True

    def display(self, msg=None, pos=None):
        """Writes the line over the previous one."""
        text = str(self) if msg is None else msg
        self._write("\r" + text + " " * max(self._shown - len(text), 0))
        self._shown = len(text)

    def clear(self, nolock=False):
        if not self.disable:
            self._write("\r" + " " * self._shown + "\r")
            self._shown = 0

    def unpause(self):
        if not self.disable:
            now = time.time()
            self.start_t += now - self.last_print_t
            self.last_print_t = now

    def moveto(self, n):
        self._write("\n" * n)

    def _write(self, text):
        self.fp.write(text)
        if hasattr(self.fp, "flush"):
            self.fp.flush()

    @classmethod
    def write(cls, s, file=None, end="\n", nolock=False):
        """Prints a line without disturbing a bar."""
        file = sys.stdout if file is None else file
        file.write(s)
        file.write(end)

    @classmethod
    def pandas(cls, *args, **kwargs):
        raise NotImplementedError("tqdm.pandas")


def trange(*args, **kwargs):
    """`tqdm(range(...))`."""
    return tqdm(range(*args), **kwargs)
