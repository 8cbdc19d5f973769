"""Checkpoints: `torch.save` and `torch.load`."""

import io
import os
import pickle
import re
import struct
import sys

import _torch
from _torch import device as _device

from torch import _weights_only_unpickler
from torch._weights_only_unpickler import _add_safe_globals, _clear_safe_globals, _get_safe_globals, _safe_globals
from torch.storage import _DTYPES, TypedStorage, UntypedStorage, is_storage

DEFAULT_PROTOCOL = 2
MAGIC_NUMBER = 0x1950A86A20F9469CFC6C
PROTOCOL_VERSION = 1001

safe_globals = _safe_globals


def add_safe_globals(safe_globals):
    """Allows `torch.load(weights_only=True)` these classes or functions."""
    _add_safe_globals(safe_globals)


def get_safe_globals():
    return _get_safe_globals()


def clear_safe_globals():
    _clear_safe_globals()


def get_unsafe_globals_in_checkpoint(f):
    """The names of classes and functions in a file that `torch.load(weights_only=True)` would refuse, each once."""
    import pickletools

    if hasattr(f, "read"):
        contents = f.read()
    else:
        with open(f, "rb") as file:
            contents = file.read()
    if not contents.startswith(b"PK\x03\x04"):
        raise ValueError("Expected input to be a checkpoint returned by torch.save")
    allowed = {**_weights_only_unpickler._default_allowed(), **_weights_only_unpickler._user_allowed()}
    found = {}
    for opcode, argument, _ in pickletools.genops(_torch._archive_read(contents).get_record("data.pkl")):
        if opcode.name == "STACK_GLOBAL":
            raise pickle.UnpicklingError("Unsupported operand 149")
        if opcode.name != "GLOBAL":
            continue
        module, name = argument.split(" ")
        # Names of Python 2, which protocol 2 writes.
        path = f"{'builtins' if module == '__builtin__' else module}.{name}"
        if path not in allowed:
            found[path] = None
    return list(found)


def _get_layout(name):
    import torch

    known = {repr(layout): layout for layout in (
        torch.strided, torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)}
    if name not in known:
        raise NotImplementedError(f"torch.load: a tensor whose layout is {name}")
    return known[name]


class StorageType:
    """The storage class that a checkpoint names. Only its dtype matters."""

    def __init__(self, name):
        self._dtype = _DTYPES[name]

    @property
    def dtype(self):
        return self._dtype

    def __str__(self):
        return f"StorageType(dtype={self.dtype})"


# ---- where a storage is, and where it goes ---------------------------------------------------------------------------

_registry = []


def register_package(priority, tagger, deserializer):
    """Adds a kind of location: `tagger(storage)` names it, `deserializer(storage, location)` restores it. Each returns
    None for a location of another kind. The lowest `priority` is tried first."""
    _registry.append((priority, tagger, deserializer))
    _registry.sort(key=lambda entry: entry[0])


def _move(storage, device):
    return UntypedStorage._of(_torch._storage_move(storage._flat, device))


def _cpu_tag(obj):
    if obj.device.type == "cpu":
        return "cpu"


def _cpu_deserialize(obj, location):
    if location == "cpu":
        return obj


def _cuda_tag(obj):
    if obj.device.type == "cuda":
        return "cuda:" + str(obj.device.index)


def validate_cuda_device(location):
    """The index of the CUDA device that a location names, if the machine has it."""
    import torch

    index = _device(location).index
    if not torch.cuda.is_available():
        raise RuntimeError("Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If "
                           "you are running on a CPU-only machine, please use torch.load with "
                           "map_location=torch.device('cpu') to map your storages to the CPU.")
    index = torch.cuda.current_device() if index is None else index
    count = torch.cuda.device_count()
    if index >= count:
        raise RuntimeError(f"Attempting to deserialize object on CUDA device {index} but torch.cuda.device_count() is "
                           f"{count}. Please use torch.load with map_location to map your storages to an existing device.")
    return index


def _cuda_deserialize(obj, location):
    if location.startswith("cuda"):
        return _move(obj, _device("cuda", validate_cuda_device(location)))


def _mps_tag(obj):
    if obj.device.type == "mps":
        return "mps"


def _mps_deserialize(obj, location):
    if location.startswith("mps"):
        return _move(obj, "mps")


def _meta_tag(obj):
    if obj.device.type == "meta":
        return "meta"


def _meta_deserialize(obj, location):
    if location == "meta":
        return _move(obj, "meta")


register_package(10, _cpu_tag, _cpu_deserialize)
register_package(20, _cuda_tag, _cuda_deserialize)
register_package(21, _mps_tag, _mps_deserialize)
register_package(22, _meta_tag, _meta_deserialize)


def location_tag(storage):
    for _, tagger, _ in _registry:
        location = tagger(storage)
        if location:
            return location
    raise RuntimeError("don't know how to determine data location of " + _typename(storage))


def default_restore_location(storage, location):
    for _, _, restore in _registry:
        result = restore(storage, location)
        if result is not None:
            return result
    raise RuntimeError(f"don't know how to restore data location of {_typename(storage)} (tagged with {location})")


def _typename(obj):
    return f"{type(obj).__module__}.{type(obj).__qualname__}"


def _restorer(map_location):
    if map_location is None:
        return default_restore_location
    if isinstance(map_location, dict):
        return lambda storage, location: default_restore_location(storage, map_location.get(location, location))
    if isinstance(map_location, (str, bytes, _device)):
        where = map_location.decode("ascii") if isinstance(map_location, bytes) else str(map_location)
        return lambda storage, location: default_restore_location(storage, where)

    def restore(storage, location):
        result = map_location(storage, location)
        return default_restore_location(storage, location) if result is None else result

    return restore


# ---- writing ---------------------------------------------------------------------------------------------------------


def save(obj, f, pickle_module=pickle, pickle_protocol=DEFAULT_PROTOCOL, _use_new_zipfile_serialization=True,
         _disable_byteorder_record=False):
    """Writes an object to a file, which is given by name or open for writing.  Each storage is written once, however
    many tensors share it, with the name of its device."""
    if not isinstance(f, (str, os.PathLike)) and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    if _disable_byteorder_record:
        raise NotImplementedError("torch.save(_disable_byteorder_record=True)")
    root = "archive"
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        folder = os.path.dirname(path)
        if _use_new_zipfile_serialization and folder and not os.path.isdir(folder):
            raise RuntimeError(f"Parent directory {folder} does not exist.")
        if path.isascii():
            root = os.path.splitext(os.path.basename(path))[0]
    write = _zip_bytes if _use_new_zipfile_serialization else _legacy_bytes
    data = write(obj, pickle_module, pickle_protocol, root)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "wb") as file:
            file.write(data)
    else:
        f.write(data)


def _untyped(obj):
    """Storage, the name of its class in the checkpoint, and the number of elements."""
    import torch

    if isinstance(obj, TypedStorage):
        return obj._untyped_storage, getattr(torch, obj._pickle_storage_type()), obj._size(), obj.dtype
    return obj, UntypedStorage, obj.nbytes(), _torch.uint8


class _Storages:
    """The storages that a checkpoint refers to, in order of first use."""

    def __init__(self, key):
        self._key = key
        self._names = {}
        self._dtypes = {}
        self.found = {}

    def refer(self, obj):
        storage, kind, numel, dtype = _untyped(obj)
        identity = storage._cdata
        if storage.data_ptr() != 0 and self._dtypes.setdefault(identity, dtype) != dtype:
            raise RuntimeError("Cannot save multiple tensors or storages that view the same data as different types")
        if identity not in self._names:
            self._names[identity] = self._key(len(self._names), storage)
        name = self._names[identity]
        self.found[name] = (storage, dtype)
        return "storage", kind, name, location_tag(storage), numel


def _dump(pickler, obj):
    """Pickles. If Python's pickler fails, raises the error of the pickler in C, which PyTorch uses."""
    try:
        pickler.dump(obj)
    except pickle.PicklingError as error:
        found = re.fullmatch(r"(Can't pickle .*): it's not found as (\w+(?:\.\w+)*)\.([^.]+)", str(error), re.DOTALL)
        if found is None:
            raise
        what, module, name = found.groups()
        raise pickle.PicklingError(f"{what}: attribute lookup {name} on {module} failed") from None


def _zip_bytes(obj, pickle_module, protocol, root):
    storages = _Storages(lambda count, storage: _torch._storage_key(count))

    class PyTorchPickler(pickle_module.Pickler):
        def persistent_id(self, obj):
            return storages.refer(obj) if is_storage(obj) else None

    buffer = io.BytesIO()
    _dump(PyTorchPickler(buffer, protocol=protocol), obj)
    data = [_torch._storage_bytes(storage._flat) for storage, _ in storages.found.values()]
    return _torch._archive_write(root, buffer.getvalue(), data)


def _legacy_bytes(obj, pickle_module, protocol, root):
    """The format before the zip archive: five pickles, then the storages, each after its number of elements."""
    storages = _Storages(lambda count, storage: str(storage._cdata))

    class PyTorchLegacyPickler(pickle_module.Pickler):
        def persistent_id(self, obj):
            return (*storages.refer(obj), None) if is_storage(obj) else None

    buffer = io.BytesIO()
    about = dict(protocol_version=PROTOCOL_VERSION, little_endian=sys.byteorder == "little",
                 type_sizes=dict(short=2, int=4, long=4))
    for part in (MAGIC_NUMBER, PROTOCOL_VERSION, about):
        pickle_module.dump(part, buffer, protocol=protocol)
    _dump(PyTorchLegacyPickler(buffer, protocol=protocol), obj)
    keys = sorted(storages.found)
    pickle_module.dump(keys, buffer, protocol=protocol)
    for key in keys:
        storage, dtype = storages.found[key]
        buffer.write(struct.pack("<q", storage.nbytes() // dtype.itemsize))
        buffer.write(_torch._storage_bytes(storage._flat))
    return buffer.getvalue()


# ---- reading ---------------------------------------------------------------------------------------------------------

_UNSAFE = ("In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` from `False` to "
           "`True`. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in "
           "arbitrary code execution. Do it only if you got the file from a trusted source.")
_DOCS = ("\n\nCheck the documentation of torch.load to learn more about types accepted by default with weights_only "
         "https://pytorch.org/docs/stable/generated/torch.load.html.")


def _weights_only_text(message):
    if re.search(r"GLOBAL (\S+) was not an allowed global by default.", message):
        return ("Weights only load failed. This file can still be loaded, to do so you have two options, \033[1mdo those "
                "steps only if you trust the source of the checkpoint\033[0m. "
                f"\n\t(1) {_UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` please check the recommended "
                f"steps in the following error message.\n\tWeightsUnpickler error: {message}{_DOCS}")
    text = f"Weights only load failed. {_UNSAFE}\n"
    if not re.search(r"whose module (\S+) is blocked", message):
        text += ("Please file an issue with the following so that we can make `weights_only=True` compatible with your use "
                 "case: WeightsUnpickler error: ")
    return f"{text}\n\n{message}{_DOCS}"


def load(f, map_location=None, pickle_module=None, *, weights_only=None, mmap=None, **pickle_load_args):
    """Reads a file that `save` has written.  Each storage goes back to the device on which it was, or to where
    `map_location` (a device, a string, a dictionary, or a function of storage and location) sends it. With
    `weights_only`, the default, only tensors, plain containers and what `add_safe_globals` allows can be read."""
    if weights_only is None:
        weights_only = pickle_module is None
    unknown = [name for name in pickle_load_args if name not in ("encoding", "errors", "fix_imports", "buffers")]
    if unknown:
        raise TypeError(f"Unpickler.__init__() got an unexpected keyword argument '{unknown[0]}'")
    if weights_only and pickle_module is not None:
        raise RuntimeError("Can not safely load weights when explicit pickle_module is specified")
    by_name = isinstance(f, (str, os.PathLike))
    if mmap and not by_name:
        raise ValueError("f must be a file path in order to use the mmap argument")
    if not by_name and not (hasattr(f, "read") and hasattr(f, "readline")):
        raise AttributeError(f"'{type(f).__name__}' object has no attribute 'seek'. You can only torch.load from a file that is "
                             "seekable. Please pre-load the data into a "
                             "buffer like io.BytesIO and try to load from it instead.")
    if by_name:
        with open(f, "rb") as file:
            data = io.BytesIO(file.read())
    else:
        data = f
    start = data.tell()
    is_zip = data.read(4) == b"PK\x03\x04"
    data.seek(start)
    read = _load_zip if is_zip else _load_legacy
    if mmap and not is_zip:
        raise RuntimeError(f"mmap can only be used with files saved with `torch.save({f}, _use_new_zipfile_serialization=True), "
                           "please torch.save your checkpoint with this option in order to use mmap.")
    if not weights_only:
        pickle_load_args.setdefault("encoding", "utf-8")
        return read(data, _restorer(map_location), pickle_module or pickle, pickle_load_args)
    try:
        return read(data, _restorer(map_location), _weights_only_unpickler, {})
    except pickle.UnpicklingError as error:
        raise pickle.UnpicklingError(_weights_only_text(str(error))) from None


def _unpickler(pickle_module, file, persistent_load, arguments, allowance):
    if pickle_module is _weights_only_unpickler:
        unpickler = pickle_module.Unpickler(file, **arguments)
        unpickler.persistent_load = persistent_load
        unpickler.allowance = allowance
        return unpickler

    class Unpickler(pickle_module.Unpickler):
        def find_class(self, module, name):
            if type(name) is str and name in _DTYPES:
                return StorageType(name)
            return super().find_class("torch._utils" if module == "torch.tensor" else module, name)

        def persistent_load(self, saved_id):
            return persistent_load(saved_id)

    return Unpickler(file, **arguments)


def _dtype_of(storage_type):
    return _torch.uint8 if storage_type is UntypedStorage else storage_type.dtype


def _parts(saved_id, count):
    """Checks the persistent id of a storage, because it comes from the file."""
    if type(saved_id) is not tuple or not saved_id or saved_id[0] not in ("storage", b"storage"):
        raise RuntimeError(f"Unknown typename for persistent_load, expected 'storage' but got '{saved_id!r:.80}'")
    if len(saved_id) != count + 1:
        raise pickle.UnpicklingError(f"a storage with {len(saved_id) - 1} of {count} fields")
    kind, key, location, numel = saved_id[1:5]
    if not (kind is UntypedStorage or isinstance(kind, StorageType)):
        raise pickle.UnpicklingError(f"a storage of unknown type {kind!r:.80}")
    texts = [value.decode("ascii") if isinstance(value, bytes) else value for value in (key, location)]
    if type(numel) is not int or numel < 0 or not all(type(text) is str for text in texts):
        raise pickle.UnpicklingError("a storage whose key, location or number of elements is of the wrong type")
    return _dtype_of(kind), *texts, numel


def _swapped(data, size):
    """Bytes in the other byte order."""
    out = bytearray(len(data))
    for at in range(size):
        out[at::size] = data[size - 1 - at :: size]
    return bytes(out)


def _load_zip(data, restore, pickle_module, arguments):
    contents = data.read()
    archive = _torch._archive_read(contents)
    if archive.has_record("constants.pkl"):
        raise NotImplementedError("torch.load: a TorchScript archive")
    swap = False
    if archive.has_record("byteorder"):
        order = archive.get_record("byteorder")
        if order not in (b"little", b"big"):
            raise ValueError("Unknown endianness type: " + order.decode("ascii", "replace"))
        swap = order == b"big"
    loaded = {}

    def persistent_load(saved_id):
        dtype, key, location, numel = _parts(saved_id, 4)
        if key not in loaded:
            raw = archive.get_record(f"data/{key}", numel * dtype.itemsize)
            raw = _swapped(raw, dtype.itemsize) if swap and dtype.itemsize > 1 else raw
            storage = restore(UntypedStorage._of(_torch._storage_from(raw, dtype)), location)
            loaded[key] = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
        return loaded[key]

    file = io.BytesIO(archive.get_record("data.pkl"))
    allowance = _weights_only_unpickler.allowance(len(contents))
    unpickler = _unpickler(pickle_module, file, persistent_load, arguments, allowance)
    if pickle_module is not _weights_only_unpickler:
        return unpickler.load()
    try:
        return unpickler.load()
    except (EOFError, IndexError, KeyError, UnicodeDecodeError, struct.error) as error:
        raise pickle.UnpicklingError(f"data.pkl is damaged ({type(error).__name__}: {error})") from error


def _load_legacy(data, restore, pickle_module, arguments):
    def part():
        return pickle_module.load(data, **arguments)

    if part() != MAGIC_NUMBER:
        raise RuntimeError("Invalid magic number; corrupt file?")
    version = part()
    if version != PROTOCOL_VERSION:
        raise RuntimeError(f"Invalid protocol version: {version}")
    part()
    start = data.tell()
    left = data.seek(0, io.SEEK_END) - start
    data.seek(start)
    loaded = {}

    allowance = _weights_only_unpickler.allowance(left)

    def persistent_load(saved_id):
        nonlocal left
        if type(saved_id) is tuple and saved_id[0] in ("module", b"module"):
            return saved_id[1]
        dtype, key, location, numel = _parts(saved_id, 5)
        if saved_id[5] is not None:
            raise NotImplementedError("torch.load: a storage that is part of another one")
        if key not in loaded:
            # Each storage's bytes come later in the file, so all of them together must fit into the rest of it.
            left -= numel * dtype.itemsize
            if left < 0:
                raise RuntimeError(f"torch.load refuses this file: a storage of {numel} elements cannot be in it")
            empty = _torch._storage_from(bytes(numel * dtype.itemsize), dtype)
            storage = restore(UntypedStorage._of(empty), location)
            loaded[key] = TypedStorage(wrap_storage=storage, dtype=dtype, _internal=True)
        return loaded[key]

    result = _unpickler(pickle_module, data, persistent_load, arguments, allowance).load()
    for key in part():
        if key not in loaded:
            raise RuntimeError(f"torch.load refuses this file: nothing refers to its storage {key!r:.80}")
        storage = loaded[key]
        raw = data.read(8)
        size = struct.unpack("<q", raw)[0] * storage.element_size() if len(raw) == 8 else -1
        raw = data.read(storage.nbytes())
        if size != storage.nbytes() or len(raw) != size:
            raise RuntimeError(f"unexpected EOF, expected {storage.nbytes() - len(raw)} more bytes. The file might be "
                               "corrupted.")
        if size and storage.device.type != "meta":
            storage._flat.copy_(_torch._storage_from(raw, storage.dtype))
    return result
