"""Streams and events.  On an NVIDIA GPU, a stream is a CUDA stream. Other hardware has one queue per device, which
works in order. There, a stream only affects which blocks of memory can be reused, not when anything runs."""

import _torch
from _torch import device as _device

_current = {}
_HIGHEST_PRIORITY = -3


class Stream:
    """A queue of work for one device."""

    def __init__(self, device=None, priority=0, **options):
        cuda_count, _, cuda_build = _torch._machine()
        if not cuda_count:
            if not cuda_build:
                raise RuntimeError("torch.cuda.Stream requires CUDA support")
            raise _torch.AcceleratorError(
                "CUDA error: CUDA driver version is insufficient for CUDA runtime version\nSearch for "
                "`cudaErrorInsufficientDriver' in https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for "
                "more information.\nDevice-side assertions were explicitly omitted for this error check; the error probably "
                "arose while initializing the DSA handlers.")
        self.device_index = _torch._cuda_index(device)
        self.priority = max(priority, _HIGHEST_PRIORITY)
        if "stream_id" in options:
            self.stream_id = options["stream_id"]
        else:
            self.stream_id = _torch._stream_new(self.device_index, priority)

    @staticmethod
    def priority_range():
        """The lowest and the highest priority."""
        return 0, _HIGHEST_PRIORITY

    @property
    def device(self):
        return _device("cuda", self.device_index)

    @property
    def cuda_stream(self):
        """The handle that other libraries use for it."""
        return _torch._stream_handle(self.device_index, self.stream_id)

    def synchronize(self):
        """Waits for the queued work."""
        _torch._stream_synchronize(self.device_index, self.stream_id)

    def query(self):
        """Whether all queued work is done."""
        return _torch._stream_query(self.device_index, self.stream_id)

    def wait_stream(self, stream):
        """Makes later work of this stream wait for the other stream's present work."""
        self.wait_event(stream.record_event())

    def wait_event(self, event):
        """Makes later work of this stream wait for the event."""
        event.wait(self)

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def __eq__(self, other):
        return isinstance(other, Stream) and (self.stream_id, self.device_index) == (other.stream_id, other.device_index)

    def __hash__(self):
        return hash((self.stream_id, self.device_index))

    def __repr__(self):
        return f"<torch.cuda.Stream device={self.device} cuda_stream={self.cuda_stream:#x}>"

    def __enter__(self):
        self._context = StreamContext(self)
        self._context.__enter__()
        return self

    def __exit__(self, *exc):
        self._context.__exit__(*exc)


class ExternalStream(Stream):
    """A stream from its `cudaStream_t`. If another library made it, that library must keep it while it's used here,
    and destroy it."""

    def __init__(self, stream_ptr, device=None, **options):
        super().__init__(device, stream_id=0)
        self.stream_id = _torch._stream_external(self.device_index, stream_ptr)


class Event:
    """A mark in a stream, with a time if requested."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False, external=False):
        cuda_count, _, cuda_build = _torch._machine()
        if not cuda_count and not cuda_build:
            raise RuntimeError("Tried to instantiate dummy base class Event")
        self._timing = enable_timing
        self._recorded = False
        self._device = None
        # The place in its stream.
        self._mark = None
        # The stream in which it was recorded, and the capture in which the stream took part then; 0 if none.
        self._stream = self._captured = 0

    @property
    def device(self):
        return None if self._device is None else _device("cuda", self._device)

    def record(self, stream=None):
        _torch._cuda_require()
        stream = current_stream() if stream is None else stream
        device = stream.device_index
        if self._device is None:
            self._device = device
        elif self._device != device:
            raise RuntimeError(f"Event device {self._device} does not match recording stream's device {device}.")
        self._recorded = True
        self._mark, self._stream = None, stream.stream_id
        self._captured = _torch._capture_of(device, stream.stream_id)
        if self._captured:
            return
        self._mark = _torch._stream_record(device, stream.stream_id, self._timing)

    def wait(self, stream=None):
        """Makes later work of the stream wait for this event."""
        if not self._recorded:
            return
        stream = current_stream() if stream is None else stream
        if _torch._capture_waits(stream.device_index, stream.stream_id, self._device, self._stream, self._captured):
            return
        if self._mark is not None:
            self._mark.hold(stream.device_index, stream.stream_id)

    def query(self):
        if self._captured:
            _torch._captured_event(self._device)
        return self._mark is None or self._mark.query()

    def synchronize(self):
        if self._captured:
            _torch._captured_event(self._device)
        if self._mark is not None:
            self._mark.synchronize()

    def elapsed_time(self, end_event):
        """Milliseconds between two events."""
        if not self._timing or not end_event._timing:
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not self._recorded or not end_event._recorded:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        for event in (self, end_event):
            if event._captured:
                _torch._captured_event(event._device)
        return end_event._mark.since(self._mark)

    def __repr__(self):
        return f"<torch.cuda.Event {id(self):#x}>" if self._recorded else "<torch.cuda.Event uninitialized>"


class StreamContext:
    """Makes a stream current, together with its device, inside a `with` block."""

    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        if self.stream is None:
            return
        self._device = _torch._cuda_current_device()
        _torch._cuda_set_device(self.stream.device_index)
        self._before = current_stream()
        set_stream(self.stream)

    def __exit__(self, *exc):
        if self.stream is None:
            return
        set_stream(self._before)
        _torch._cuda_set_device(self._device)


def stream(stream):
    return StreamContext(stream)


def default_stream(device=None):
    _torch._cuda_require()
    return Stream(device, stream_id=0)


def current_stream(device=None):
    _torch._cuda_require()
    return _current.get(_torch._cuda_index(device)) or default_stream(device)


def set_stream(stream):
    if stream is not None:
        _current[stream.device_index] = stream
        _torch._cuda_set_stream(stream.device_index, stream.stream_id)


def _record_stream(self, stream):
    """Notes that a stream uses this tensor's memory, so that it isn't reused before that stream is done with it."""
    if not self.is_cuda:
        raise NotImplementedError(f"Could not run 'aten::record_stream' with arguments from the '{self.device.type.upper()}' "
                                  "backend.")
    if not isinstance(stream, Stream):
        raise TypeError(f"record_stream(): argument 's' (position 1) must be Stream, not {type(stream).__name__}")
    _torch._stream_uses(self, stream.stream_id)


_torch._set_method("record_stream", _record_stream)
