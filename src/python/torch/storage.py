"""Storages in Python: the memory that tensors share.  A storage here is represented by a one-dimensional tensor that
covers all of it."""

import io

import _torch
from _torch import Tensor

# Name of the storage class for each dtype, as checkpoints name it.
_KINDS = {
    _torch.float64: "DoubleStorage",
    _torch.float32: "FloatStorage",
    _torch.float16: "HalfStorage",
    _torch.int64: "LongStorage",
    _torch.int32: "IntStorage",
    _torch.int16: "ShortStorage",
    _torch.int8: "CharStorage",
    _torch.uint8: "ByteStorage",
    _torch.bool: "BoolStorage",
    _torch.bfloat16: "BFloat16Storage",
    _torch.complex128: "ComplexDoubleStorage",
    _torch.complex64: "ComplexFloatStorage",
}
_DTYPES = {name: dtype for dtype, name in _KINDS.items()}

# The methods of storages that convert them, and their dtypes.
_CONVERSIONS = {
    "float": _torch.float32, "double": _torch.float64, "half": _torch.float16, "bfloat16": _torch.bfloat16, "long": _torch.int64,
    "int": _torch.int32, "short": _torch.int16, "char": _torch.int8, "byte": _torch.uint8, "bool": _torch.bool,
    "complex_float": _torch.complex64, "complex_double": _torch.complex128,
}

# Numbers of the storages that `share_memory_` was called for. Another process couldn't see them, since there is only one.
_shared = set()


class _Storage:
    """What both kinds of storages have."""

    is_sparse = is_hpu = False
    # No storage here is a file that is mapped into memory.
    filename = None

    def resizable(self):
        return True

    def _converted(self, dtype):
        """A copy whose elements have another dtype."""
        numbers = _torch.tensor(self.tolist(), dtype=self._dtype_of_elements(), device=self.device)
        return TypedStorage(wrap_storage=UntypedStorage._of(numbers.to(dtype)), dtype=dtype, _internal=True)


def _conversion(name, dtype):
    def method(self):
        return self._converted(dtype)

    method.__name__, method.__doc__ = name, f"A copy with elements of {dtype}."
    return method


for _name, _dtype in _CONVERSIONS.items():
    setattr(_Storage, _name, _conversion(_name, _dtype))


class UntypedStorage(_Storage):
    """Bytes on one device."""

    is_sparse_csr = False

    # Whether it's a slice of another storage.
    _is_part = False

    def __init__(self, *args, device=None):
        size = args[0] if args else 0
        if isinstance(size, (list, tuple)):
            self._flat = _torch.tensor(size, dtype=_torch.uint8, device=device or "cpu")
        else:
            self._flat = _torch.zeros(size, dtype=_torch.uint8, device=device or "cpu")

    @classmethod
    def _of(cls, tensor):
        """The storage of a tensor."""
        kind = _torch._parts_layout(tensor)
        if kind is not None:
            own = {"sparse_coo": "SparseTensorImpl", "nested": "NestedTensorImpl"}.get(kind, "SparseCsrTensorImpl")
            raise NotImplementedError(f"Cannot access storage of {own}")
        storage = object.__new__(cls)
        storage._flat = _torch._storage_flat(tensor)
        return storage

    @property
    def device(self):
        return self._flat.device

    @property
    def is_cuda(self):
        return self._flat.is_cuda

    @property
    def _cdata(self):
        return _torch._storage_id(self._flat)

    def _dtype_of_elements(self):
        return _torch.uint8

    def nbytes(self):
        return self._flat.nbytes

    def size(self):
        return self._flat.nbytes

    __len__ = nbytes

    def element_size(self):
        return 1

    def data_ptr(self):
        return self._flat.data_ptr()

    def get_device(self):
        return self._flat.get_device()

    def is_pinned(self, device="cuda"):
        return self._flat.is_pinned()

    def is_shared(self):
        return self.is_cuda or self._cdata in _shared

    def share_memory_(self):
        if self.device.type in ("cpu", "meta"):
            _shared.add(self._cdata)
        return self

    def untyped(self):
        return self

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            return "torch.cuda.UntypedStorage" if self.is_cuda else "torch.UntypedStorage"
        raise NotImplementedError("torch.UntypedStorage.type(dtype)")

    def _moved(self, flat):
        return self if flat is self._flat else UntypedStorage._of(flat)

    def cpu(self):
        """This storage if it's in host memory, otherwise a copy there."""
        return self._moved(self._flat.cpu())

    def cuda(self, device=None, non_blocking=False):
        return self._moved(self._flat.cuda(device, non_blocking))

    def mps(self):
        return self._moved(self._flat.to("mps"))

    def to(self, *, device, non_blocking=False):
        return self._moved(self._flat.to(device, non_blocking=non_blocking))

    def pin_memory(self, device="cuda"):
        return self._moved(self._flat.pin_memory())

    def clone(self):
        return UntypedStorage._of(self._flat.clone())

    def copy_(self, source, non_blocking=False):
        if len(self) != len(source):
            raise RuntimeError(f"size does not match, self was {len(self)} bytes but src was {len(source)} bytes")
        self._bytes().copy_(source._bytes(), non_blocking)
        return self

    def new(self):
        return UntypedStorage(device=self.device)

    def fill_(self, value):
        self._bytes().fill_(value)
        return self

    def _bytes(self):
        """The bytes as a tensor, through which they're changed."""
        return self._flat if self._flat.dtype is _torch.uint8 else self._flat.view(_torch.uint8)

    def resize_(self, size):
        raise NotImplementedError("torch.UntypedStorage.resize_")

    def tolist(self):
        """The bytes, as ints."""
        if self._is_part:
            return self._flat.tolist()
        return list(_torch._storage_bytes(self._flat))

    def __getitem__(self, index):
        if isinstance(index, slice):
            # A storage over the same memory.
            part = object.__new__(UntypedStorage)
            part._flat, part._is_part = self._bytes()[slice(*self._range(index))], True
            return part
        if not isinstance(index, int):
            raise TypeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        # PyTorch's message names a negative index after the size is added.
        size = len(self)
        if not -size <= index < size:
            raise IndexError(f"index {index + size if index < 0 else index} out of range for storage of size {size}")
        return self.tolist()[index]

    def _range(self, index):
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise RuntimeError(f"Trying to slice with a step of {step}, but only a step of 1 is supported")
        return start, max(start, stop)

    def __setitem__(self, index, value):
        if type(value) not in (int, bool):
            raise RuntimeError(f"can only set storage content with a int types, but got {type(value).__name__} instead")
        if isinstance(index, slice):
            start, stop = self._range(index)
        elif isinstance(index, int):
            size = len(self)
            if not -size <= index < size:
                raise RuntimeError("out of bounds")
            start, stop = index % size, index % size + 1
        else:
            raise RuntimeError(f"can't index a torch.UntypedStorage with {type(index).__name__}")
        # One byte of a larger number.
        self._bytes()[start:stop].fill_(value & 255)

    def __iter__(self):
        return iter(self.tolist())

    def __eq__(self, other):
        return isinstance(other, UntypedStorage) and self._cdata == other._cdata

    def __hash__(self):
        return self._cdata

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        known = memo.setdefault("torch", {})
        if self._cdata not in known:
            known[self._cdata] = self.clone()
        return known[self._cdata]

    def __reduce__(self):
        import torch

        buffer = io.BytesIO()
        torch.save(self, buffer, _use_new_zipfile_serialization=False)
        return _load_from_bytes, (buffer.getvalue(),)

    def __repr__(self):
        about = f"[torch.storage.UntypedStorage(device={self.device}) of size {len(self)}]"
        if self.device.type == "meta":
            return "...\n" + about
        return " " + "\n ".join(map(str, self.tolist())) + "\n" + about


class TypedStorage(_Storage):
    """A storage read as elements of one dtype."""

    def __init__(self, *args, wrap_storage=None, dtype=None, device=None, _internal=False):
        if wrap_storage is not None:
            if dtype is None:
                raise RuntimeError("TypedStorage() argument 'dtype' must be specified when 'wrap_storage' is specified")
            self._untyped_storage, self.dtype = wrap_storage, dtype
            return
        self.dtype = dtype if dtype is not None else _torch.get_default_dtype()
        size = args[0] if args else 0
        if isinstance(size, int):
            flat = _torch.zeros(size, dtype=self.dtype, device=device or "cpu")
        else:
            flat = _torch.tensor(list(size), dtype=self.dtype, device=device or "cpu")
        self._untyped_storage = UntypedStorage._of(flat)

    def untyped(self):
        return self._untyped_storage

    @property
    def _flat(self):
        return self._untyped_storage._flat

    @property
    def device(self):
        return self._untyped_storage.device

    @property
    def is_cuda(self):
        return self._untyped_storage.is_cuda

    @property
    def _cdata(self):
        return self._untyped_storage._cdata

    def _dtype_of_elements(self):
        return self.dtype

    def type(self, dtype=None, non_blocking=False):
        if dtype is None:
            return f"torch.{'cuda.' if self.is_cuda else ''}{self._pickle_storage_type()}"
        raise NotImplementedError("torch.TypedStorage.type(dtype)")

    def pickle_storage_type(self):
        return self._pickle_storage_type()

    def _pickle_storage_type(self):
        if self.dtype not in _KINDS:
            raise NotImplementedError(f"torch.save of a tensor of {self.dtype}")
        return _KINDS[self.dtype]

    def nbytes(self):
        return self._untyped_storage.nbytes()

    def element_size(self):
        return self.dtype.itemsize

    def size(self):
        return self.nbytes() // self.element_size()

    __len__ = _size = size

    def data_ptr(self):
        return self._untyped_storage.data_ptr()

    def get_device(self):
        return self._untyped_storage.get_device()

    def is_pinned(self, device="cuda"):
        return self._untyped_storage.is_pinned()

    def is_shared(self):
        return self._untyped_storage.is_shared()

    def share_memory_(self):
        self._untyped_storage.share_memory_()
        return self

    def _typed(self, untyped):
        return TypedStorage(wrap_storage=untyped, dtype=self.dtype, _internal=True)

    def cpu(self):
        return self._typed(self._untyped_storage.cpu())

    def cuda(self, device=None, non_blocking=False):
        return self._typed(self._untyped_storage.cuda(device, non_blocking))

    def pin_memory(self, device="cuda"):
        return self._typed(self._untyped_storage.pin_memory(device))

    def clone(self):
        return self._typed(self._untyped_storage.clone())

    def copy_(self, source, non_blocking=False):
        self._flat.copy_(source._flat, non_blocking)
        return self

    def fill_(self, value):
        self._flat.fill_(value)
        return self

    def tolist(self):
        return self._flat.tolist()

    def __getitem__(self, index):
        if isinstance(index, slice):
            raise RuntimeError("slices are only supported in UntypedStorage.__getitem__")
        if isinstance(index, int) and not -len(self._flat) <= index < len(self._flat):
            raise IndexError(f"index {index} out of range for storage of size {len(self._flat)}")
        return self._flat[index].item()

    def __setitem__(self, index, value):
        self._flat[index] = value

    def __iter__(self):
        return iter(self.tolist())

    def __copy__(self):
        return self.clone()

    def __deepcopy__(self, memo):
        return self._typed(self._untyped_storage.__deepcopy__(memo))

    def __reduce__(self):
        import torch

        buffer = io.BytesIO()
        torch.save(self, buffer, _use_new_zipfile_serialization=False)
        return _load_from_bytes, (buffer.getvalue(),)

    def __repr__(self):
        about = f"[torch.storage.TypedStorage(dtype={self.dtype}, device={self.device}) of size {len(self)}]"
        if self.device.type == "meta":
            return "...\n" + about
        return " " + "\n ".join(map(str, self.tolist())) + "\n" + about


def _load_from_bytes(b):
    import torch

    return torch.load(io.BytesIO(b), weights_only=False)


class _LegacyMeta(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, TypedStorage) and instance.dtype == cls.dtype


def _legacy_classes():
    """`torch.FloatStorage` and the like: classes that make a `TypedStorage` of one dtype."""

    def make(name, dtype):
        def new(cls, *args, device=None):
            return TypedStorage(*args, dtype=dtype, device=device)

        return _LegacyMeta(name, (), {"__module__": "torch", "__new__": new, "dtype": dtype})

    return {name: make(name, dtype) for dtype, name in _KINDS.items()}


def _warn_typed():
    from torch._said import warn_once

    warn_once(
        "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage "
        "class. This should only matter to you if you are using storages directly.  To access UntypedStorage "
        "directly, use tensor.untyped_storage() instead of tensor.storage()", 4)


def _untyped_storage(self):
    """The storage of this tensor."""
    return UntypedStorage._of(self)


def _typed_storage(self):
    return TypedStorage(wrap_storage=UntypedStorage._of(self), dtype=self.dtype, _internal=True)


def _storage(self):
    _warn_typed()
    return _typed_storage(self)


def is_storage(obj):
    return isinstance(obj, (UntypedStorage, TypedStorage))


UntypedStorage.__module__ = TypedStorage.__module__ = "torch.storage"


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=False, requires_grad=False):
    """A tensor with the first `size` elements of a file. With `shared`, changes of the tensor would change the file, and that
    isn't here."""
    import os

    import torch

    if not isinstance(filename, str):
        raise TypeError(f"from_file(): argument 'filename' (position 1) must be str, not {type(filename).__name__}")
    if shared:
        raise NotImplementedError("torch.from_file(shared=True): a tensor over the memory of a file")
    if layout not in (None, torch.strided) or pin_memory or (device is not None and torch.device(device).type != "cpu"):
        raise NotImplementedError("torch.from_file: a tensor that isn't strided, in the CPU's memory that can be paged")
    dtype = torch.get_default_dtype() if dtype is None else dtype
    needed = size * dtype.itemsize
    try:
        with open(filename, "rb") as file:
            found = os.fstat(file.fileno()).st_size
            contents = file.read(max(needed, 0))
    except OSError as error:
        raise RuntimeError(f"unable to open file <{filename}> in read-only mode: {os.strerror(error.errno)} "
                           f"({error.errno})") from None
    if needed < 0:
        raise RuntimeError(f"unable to mmap {needed} bytes from file <{filename}>: Cannot allocate memory (12)")
    if found < needed:
        raise RuntimeError(f"file <{filename}> size <{found}> is smaller than the required mapping size <{needed}>")
    made = torch.frombuffer(bytearray(contents), dtype=dtype) if needed else torch.empty(0, dtype=dtype)
    return made.requires_grad_(requires_grad)
