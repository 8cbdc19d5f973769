"""Checkpoint files of PyTorch 2.15 read and written, and damaged or hostile ones refused: `check.py FOLDER` prints how many
cases agree. Files are written in the current folder."""

import io
import json
import os
import pickle
import struct
import sys
import warnings
from collections import OrderedDict

import torch
import torch.nn as nn
from torch.storage import TypedStorage

FOLDER = sys.argv[1]
ARCHIVES = ["bytesio", "checkpoint", "cuda_mixed", "cuda_state_dict", "mixed", "state_dict", "tensor", "whole_model"]

with open(f"{FOLDER}/contents.json") as f:
    CONTENTS = json.load(f)

CASES = []


def case(function):
    CASES.append((function.__name__, function))
    return function


def each(values):
    def add(function):
        for value in values:
            CASES.append((f"{function.__name__}({value})", lambda value=value: function(value)))
        return function

    return add


def recorded(name):
    with open(f"{FOLDER}/{name}.pt", "rb") as f:
        return f.read()


def same(got, want):
    """Whether a value is what the recording says of it."""
    if isinstance(want, dict) and "stride" in want:
        data = [float(v) if isinstance(v, str) else v for v in want["data"]]
        assert list(got.shape) == want["shape"] and str(got.dtype) == want["dtype"], (got, want)
        assert list(got.stride()) == want["stride"] and got.storage_offset() == want["offset"], (got, want)
        assert str(got.device) == want["device"] and got.requires_grad == want["requires_grad"], (got, want)
        assert got.detach().cpu().reshape(-1).tolist() == data, (got, want)
    elif isinstance(want, dict):
        assert [str(key) for key in got] == list(want), (list(got), list(want))
        for key, value in zip(got.values(), want.values()):
            same(key, value)
    elif isinstance(want, str):
        assert repr(got) == want, (got, want)
    else:
        assert got == want or json.loads(json.dumps(got)) == want, (got, want)


def refused(call, *kinds, text=""):
    try:
        found = call()
    except kinds as error:
        assert text in str(error), str(error)
        return str(error)
    raise AssertionError(f"not refused: {found!r:.200}")


# ---- what PyTorch wrote ----


@each(["state_dict", "mixed", "cuda_state_dict"])
def reads(name):
    same(torch.load(f"{FOLDER}/{name}.pt"), CONTENTS[name])


@case
def reads_a_checkpoint():
    got, want = torch.load(f"{FOLDER}/checkpoint.pt"), CONTENTS["checkpoint"]
    assert list(got) == ["epoch", "model_state_dict", "optimizer_state_dict", "loss"], list(got)
    assert (got["epoch"], got["loss"]) == (want["epoch"], want["loss"])
    same(got["model_state_dict"], want["model"])
    same(got["optimizer_state_dict"]["state"], want["optimizer_state"])
    same(got["optimizer_state_dict"]["param_groups"], want["optimizer_param_groups"])
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    assert str(model.load_state_dict(got["model_state_dict"])) == "<All keys matched successfully>"
    optimizer.load_state_dict(got["optimizer_state_dict"])
    assert optimizer.state[model[2].bias]["exp_avg"].tolist() == [0.4000000059604645]


@case
def shared_storages_stay_shared():
    got = torch.load(f"{FOLDER}/mixed.pt")
    assert got["a"].untyped_storage() == got["b"].untyped_storage()
    got["a"][0] = 42.0
    assert got["b"].reshape(-1).tolist().count(42.0) == 1


@each(["tensor", "bytesio", "legacy_tensor"])
def reads_one_tensor(name):
    got = torch.load(f"{FOLDER}/{name}.pt")
    assert isinstance(got, torch.Tensor) and got.device.type == "cpu", got
    if name != "bytesio":
        assert got.tolist() == [1.0, 2.0, 3.0], got


@case
def reads_tensors_of_several_devices():
    got = torch.load(f"{FOLDER}/cuda_mixed.pt")
    assert [str(got[key].device) for key in "wvc"] == ["cuda:0", "cuda:1", "cpu"]
    assert [got[key].tolist() for key in "wvc"] == [[1.0, 2.0], [3.0], [4.0]]


@case
def map_location():
    path = f"{FOLDER}/cuda_mixed.pt"
    asked = []

    def devices(where):
        return [str(t.device) for t in torch.load(path, map_location=where).values()]

    def keep(storage, location):
        asked.append((str(storage.device), location))

    assert devices("cpu") == devices(torch.device("cpu")) == devices(lambda s, l: s) == ["cpu"] * 3
    assert devices("cuda:1") == ["cuda:1"] * 3
    assert devices({"cuda:1": "cuda:0"}) == ["cuda:0", "cuda:0", "cpu"]
    assert devices({"cuda:0": "cpu", "cpu": "cuda:1"}) == ["cpu", "cuda:1", "cuda:1"]
    assert devices(lambda s, l: s.cuda(0) if l == "cpu" else None) == ["cuda:0", "cuda:1", "cuda:0"]
    assert devices(keep) == ["cuda:0", "cuda:1", "cpu"]
    assert asked == [("cpu", "cuda:0"), ("cpu", "cuda:1"), ("cpu", "cpu")], asked
    with torch.cuda.device(1):
        assert devices("cuda") == ["cuda:1"] * 3
    refused(lambda: devices("gpu"), RuntimeError, text="don't know how to restore data location")
    refused(lambda: devices("cuda:9"), RuntimeError, text="Attempting to deserialize object on CUDA device 9")


@case
def reads_a_whole_model_on_request():
    refused(lambda: torch.load(f"{FOLDER}/whole_model.pt"), pickle.UnpicklingError, text="GLOBAL torch.nn.modules.container")
    model = torch.load(f"{FOLDER}/whole_model.pt", weights_only=False)
    assert repr(model).startswith("Sequential(") and model(torch.ones(2, 2)).shape == (2, 1)
    with torch.serialization.safe_globals([nn.Sequential, nn.Linear, nn.BatchNorm1d]):
        assert len(torch.load(f"{FOLDER}/whole_model.pt")) == 3


# ---- the same bytes again ----


@each(ARCHIVES)
def writes_the_same_bytes(name):
    value = torch.load(f"{FOLDER}/{name}.pt", weights_only=name != "whole_model")
    if name == "bytesio":
        file = io.BytesIO()
        torch.save(value, file)
        got = file.getvalue()
    else:
        torch.save(value, f"{name}.pt")
        with open(f"{name}.pt", "rb") as f:
            got = f.read()
    want = recorded(name)
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    assert got == want, f"{len(got)} bytes for {len(want)}, different from {at}: {got[at:at+24]} for {want[at:at+24]}"


@case
def writes_what_a_program_made():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
    torch.save(model.state_dict(), "state_dict.pt")
    with open("state_dict.pt", "rb") as f:
        assert f.read() == recorded("state_dict")


@case
def writes_the_old_format():
    file = io.BytesIO()
    torch.save(torch.tensor([1.0, 2.0, 3.0]), file, _use_new_zipfile_serialization=False)
    got, want = file.getvalue(), recorded("legacy_tensor")
    # The storage's key is an address.
    assert got[:160] == want[:160] and got[-20:] == want[-20:], got
    file.seek(0)
    assert torch.load(file).tolist() == [1.0, 2.0, 3.0]


# ---- there and back ----


def back(value, **options):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **options)


@case
def every_dtype_and_layout():
    for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
                  torch.int8, torch.uint8, torch.bool, torch.complex64, torch.complex128):
        for t in (torch.arange(6).to(dtype).reshape(2, 3), torch.zeros(0, dtype=dtype), torch.ones((), dtype=dtype)):
            for view in (t, t.t() if t.dim() == 2 else t, t[1:] if t.dim() else t):
                got = back(view)
                assert got.dtype == dtype and got.stride() == view.stride() and torch.equal(got, view), (got, view)


@case
def containers_and_numbers():
    value = {"n": 1, "big": 2**40, "f": 0.5, "s": "ü", "l": [1, [2, None]], "t": (1, 2, 3, 4), "b": True,
             "o": OrderedDict(a=1), "set": {1, 2}, "bytes": b"\x00\xff", "array": bytearray(b"ab"), "c": 1j,
             "size": torch.Size([2, 3]), "device": torch.device("cuda:1"), "dtype": torch.bfloat16}
    assert back(value) == value, back(value)


@case
def parameters_attributes_and_gradients():
    p = nn.Parameter(torch.ones(2))
    p.note = "mine"
    t = torch.ones(2)
    t.note = [1]
    got = back({"p": p, "t": t, "frozen": nn.Parameter(torch.ones(1), requires_grad=False)})
    assert type(got["p"]) is nn.Parameter and got["p"].requires_grad and got["p"].note == "mine"
    assert type(got["t"]) is torch.Tensor and got["t"].note == [1] and not got["frozen"].requires_grad


@case
def tied_parameters_and_meta():
    a = nn.Linear(2, 2)
    b = nn.Linear(2, 2)
    b.weight = a.weight
    got = back(nn.ModuleList([a, b]), weights_only=False)
    assert got[0].weight is got[1].weight
    meta = back(torch.empty(2, 3, device="meta"))
    assert meta.is_meta and meta.shape == (2, 3)
    assert back(torch.ones(2), map_location="meta").is_meta


@case
def pickle_and_copy():
    import copy

    t = torch.arange(3.0, device="cuda:1")
    got = pickle.loads(pickle.dumps(t))
    assert str(got.device) == "cuda:1" and got.tolist() == [0.0, 1.0, 2.0]
    assert copy.copy(t).data_ptr() == t.data_ptr() and copy.deepcopy(t).data_ptr() != t.data_ptr()


@case
def storages():
    t = torch.arange(4.0)
    storage = t[1:].untyped_storage()
    assert (storage.nbytes(), len(storage), str(storage.device)) == (16, 16, "cpu") and storage.data_ptr() == t.data_ptr()
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        typed = t.storage()
    assert "TypedStorage is deprecated" in str(seen[0].message) and typed.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert isinstance(typed, torch.FloatStorage) and not isinstance(typed, torch.LongStorage) and torch.is_storage(typed)
    assert torch.equal(back(t.untyped_storage())._flat, t) or back(t.untyped_storage()).nbytes() == 16


# ---- refused ----


def archive(pickled, data=(b"\x00" * 8,)):
    return torch._C._archive_write("a", pickled, list(data))


def load(data, **options):
    return torch.load(io.BytesIO(data), **options)


@each([0.2, 0.5, 0.9, 0.999])
def a_cut_file(part):
    whole = recorded("checkpoint")
    refused(lambda: load(whole[: int(len(whole) * part)]), RuntimeError, text="failed finding central directory")


@case
def every_changed_byte_of_a_record():
    whole = bytearray(recorded("tensor"))
    for at in (*range(64, 214, 7), *range(704, 716)):
        damaged = bytes(whole[:at]) + bytes([whole[at] ^ 0x55]) + bytes(whole[at + 1 :])
        refused(lambda: load(damaged), RuntimeError, text="CRC-32 check failed")


@case
def no_archive_at_all():
    refused(lambda: load(b""), EOFError)
    refused(lambda: load(b"hello"), KeyError, text="101")
    refused(lambda: load(b"PK\x03\x04" + bytes(100)), RuntimeError, text="failed finding central directory")
    refused(lambda: load(bytes(range(256))), Exception)
    refused(lambda: torch.load("missing.pt"), FileNotFoundError)


HOSTILE = {
    "os.system": b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.",
    "posix.system": b"\x80\x02cposix\nsystem\nX\x04\x00\x00\x00true\x85R.",
    "builtins.eval": b"\x80\x02c__builtin__\neval\nX\x04\x00\x00\x001 + \x85R.",
    "builtins.getattr": b"\x80\x02cbuiltins\ngetattr\n.",
    "torch.load": b"\x80\x02ctorch\nload\n.",
    "a method of an allowed class": b"\x80\x02ccollections\nOrderedDict.fromkeys\n.",
    "instance": b"\x80\x02(cos\nsystem\no.",
    "old instance": b"\x80\x02(ios\nsystem\n.",
    "stack global": b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
    "object of a class that is not allowed": b"\x80\x02cbuiltins\nobject\n)\x81.",
    "a call of a value": b"\x80\x02K\x01)R.",
    "append to a dictionary": b"\x80\x02}K\x01a.",
    "item of a list": b"\x80\x02]K\x00K\x01s.",
    "state of a list": b"\x80\x02]}b.",
    "bytearray of a size": b"\x80\x02c__builtin__\nbytearray\nJ\xff\xff\xff\x7f\x85R.",
    "codec that unpacks": b"\x80\x02c_codecs\nencode\nX\x01\x00\x00\x00xX\x04\x00\x00\x00zlib\x86R.",
    "persistent id that is text": b"\x80\x02X\x01\x00\x00\x00xQ.",
    "persistent id of a module": b"\x80\x02X\x06\x00\x00\x00module\x85Q.",
    "memo that is not there": b"\x80\x02h\x07.",
    "empty stack": b"\x80\x02R.",
    "no end": b"\x80\x02]q\x00",
    "cut number": b"\x80\x02J\x01",
    "text that is not UTF-8": b"\x80\x02X\x02\x00\x00\x00\xff\xfe.",
    "unknown instruction": b"\x80\x02\xff.",
}


@each(HOSTILE)
def a_pickle_with(name):
    refused(lambda: load(archive(HOSTILE[name])), pickle.UnpicklingError, text="Weights only load failed")


def reference(kind=b"FloatStorage", key="0", location="cpu", numel=2):
    """A pickle that is a storage."""
    class Reference(pickle.Pickler):
        def persistent_id(self, obj):
            return obj.pid if isinstance(obj, Pid) else None

    class Pid:
        pid = ("storage", getattr(torch, kind.decode()), key, location, numel)

    file = io.BytesIO()
    Reference(file, 2).dump(Pid())
    return file.getvalue()


@case
def storages_that_lie():
    data = [struct.pack("<2f", 1, 2)]
    assert load(archive(reference(), data)).tolist() == [1.0, 2.0]
    refused(lambda: load(archive(reference(numel=3), data)), RuntimeError, text="8 bytes where the pickle says 12")
    refused(lambda: load(archive(reference(numel=2**60), data)), RuntimeError, text="where the pickle says")
    refused(lambda: load(archive(reference(numel=-1), data)), pickle.UnpicklingError, text="wrong type")
    refused(lambda: load(archive(reference(key="7"), data)), RuntimeError, text="failed locating file data/7")
    refused(lambda: load(archive(reference(key="../data.pkl"), data)), RuntimeError, text="file not found")
    refused(lambda: load(archive(reference(key=0), data)), pickle.UnpicklingError, text="wrong type")
    refused(lambda: load(archive(reference(location="tpu"), data)), RuntimeError, text="tagged with tpu")


@case
def tensors_beyond_their_storage():
    def pickled(offset, size, stride):
        from torch import _utils

        class Rebuilt:
            def __reduce__(self):
                storage = TypedStorage(wrap_storage=torch.ones(2).untyped_storage(), dtype=torch.float32)
                return _utils._rebuild_tensor_v2, (storage, offset, size, stride, False, OrderedDict())

        file = io.BytesIO()
        torch.save(Rebuilt(), file)
        return file.getvalue()

    assert load(pickled(1, (1,), (1,))).tolist() == [1.0]
    for offset, size, stride in ((0, (3,), (1,)), (2, (1,), (1,)), (0, (2, 2), (1, 1)), (0, (2**40, 2**40), (0, 0)),
                                 (0, (2,), (2**62,))):
        refused(lambda: load(pickled(offset, size, stride)), RuntimeError)
    for offset, size, stride in ((-1, (1,), (1,)), (0, (-1,), (1,)), (0, (1,), (-1,)), (0, (1, 1), (1,))):
        refused(lambda: load(pickled(offset, size, stride)), RuntimeError)


def zipped(*records, method=0, overlap=False):
    """A zip file made by hand: `(name, bytes as stored, size it claims, checksum)`."""
    out, directory = b"", b""
    for name, raw, size, crc in records:
        name = name.encode()
        at = 0 if overlap else len(out)
        head = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 0, crc, len(raw), size, len(name), 0)
        out += b"PK\x03\x04" + head + name + raw
        directory += b"PK\x01\x02" + struct.pack("<H", 20) + head + struct.pack("<HHHII", 0, 0, 0, 0, at) + name
    end = struct.pack("<HHHHIIH", 0, 0, len(records), len(records), len(directory), len(out), 0)
    return out + directory + b"PK\x05\x06" + end


def record(name, data):
    from binascii import crc32

    return name, data, len(data), crc32(data)


EMPTY_LIST = b"\x80\x02]."


@case
def a_zip_of_another_writer():
    assert load(zipped(record("any/data.pkl", EMPTY_LIST), record("any/version", b"3\n"))) == []


@each(["../data.pkl", "a/../../data.pkl", "/a/data.pkl", "a\\..\\data.pkl", "c:/a/data.pkl"])
def a_name_that_climbs(name):
    data = zipped(record("a/data.pkl", EMPTY_LIST), record(name, b"x"))
    refused(lambda: load(data), RuntimeError, text="climbs out of the archive")


@case
def archives_that_lie():
    import zlib

    refused(lambda: load(zipped(record("data.pkl", EMPTY_LIST))), RuntimeError, text="not in a subdirectory: data.pkl")
    same_name = zipped(record("a/data.pkl", EMPTY_LIST), record("a/data.pkl", EMPTY_LIST))
    refused(lambda: load(same_name), RuntimeError, text="same name")
    shared = zipped(record("a/data.pkl", EMPTY_LIST), record("b/data.pkl", EMPTY_LIST), overlap=True)
    refused(lambda: load(shared), RuntimeError, text="share bytes")
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    small = squeeze.compress(EMPTY_LIST) + squeeze.flush()
    checksum = record("a", EMPTY_LIST)[3]
    assert load(zipped(("a/data.pkl", small, len(EMPTY_LIST), checksum), method=8)) == []
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = squeeze.compress(bytes(1 << 26)) + squeeze.flush()
    refused(lambda: load(zipped(("a/data.pkl", bomb, 1 << 26, 0), method=8)), RuntimeError, text="would unpack from")
    refused(lambda: load(zipped(("a/data.pkl", bomb, 100, 0), method=8)), RuntimeError, text="failed reading file data.pkl")
    refused(lambda: load(zipped(("a/data.pkl", bomb, 1 << 26, 0), method=12)), RuntimeError, text="unsupported method")
    refused(lambda: load(zipped(record("a/other", b"x"))), RuntimeError, text="failed locating file data.pkl")


@case
def the_old_format_cut():
    whole = recorded("legacy_tensor")
    for end in range(1, len(whole)):
        refused(lambda: load(whole[:end]), EOFError, RuntimeError, pickle.UnpicklingError, KeyError, IndexError, struct.error)


@case
def arguments():
    refused(lambda: torch.save(1, 2), AttributeError, text="expected 'f' to be string, path, or a file-like object")
    refused(lambda: torch.save(1, "no/such/folder/x.pt"), RuntimeError, text="Parent directory no/such/folder does not exist.")
    refused(lambda: load(b"", weights_only=True, pickle_module=pickle), RuntimeError, text="Can not safely load weights")


# ---- safetensors ----


@case
def safetensors_there_and_back():
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    tensors = {"w": torch.arange(6.0).reshape(2, 3), "half": torch.ones(3, dtype=torch.bfloat16), "n": torch.tensor(7),
               "mask": torch.tensor([True, False]), "gpu": torch.ones(2, device="cuda"), "none": torch.zeros(0, 4)}
    save_file(tensors, "x.safetensors", metadata={"format": "pt"})
    got = load_file("x.safetensors")
    assert sorted(got) == sorted(tensors)
    for name, t in tensors.items():
        assert got[name].dtype == t.dtype and got[name].device.type == "cpu" and torch.equal(got[name], t.cpu()), name
    assert str(load_file("x.safetensors", device="cuda:1")["w"].device) == "cuda:1"
    with safe_open("x.safetensors", framework="pt") as f:
        assert f.metadata() == {"format": "pt"} and sorted(f.keys()) == sorted(tensors)
        assert f.get_slice("w")[:, 1].tolist() == [1.0, 4.0] and f.get_slice("w").get_shape() == [2, 3]


@case
def safetensors_by_hand():
    """The format's own example: the length of the header, the header, the data."""
    from safetensors.torch import load, save

    header = b'{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}'
    header += b" " * (-len(header) % 8)
    data = struct.pack("<Q", len(header)) + header + struct.pack("<2f", 1, 2)
    assert load(data)["a"].tolist() == [1.0, 2.0]
    assert save({"a": torch.tensor([1.0, 2.0])}) == data
    # A complex number is its two parts.
    data = data.replace(b'"F32","shape":[2]', b'"C64","shape":[1]')
    assert load(data)["a"].tolist() == [1 + 2j]
    assert save({"a": torch.tensor([1 + 2j])}) == data


@case
def safetensors_of_a_model():
    from safetensors.torch import load_model, save_model

    a = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    a[1].weight = a[0].weight
    save_model(a, "model.safetensors")
    b = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    b[1].weight = b[0].weight
    load_model(b, "model.safetensors")
    assert torch.equal(a[1].weight, b[1].weight) and torch.equal(a[1].bias, b[1].bias)


@case
def safetensors_refused():
    from safetensors import SafetensorError
    from safetensors.torch import load, load_file, save

    def file(header, data=b""):
        return struct.pack("<Q", len(header)) + header + data

    def entry(shape, begin, end, dtype="F32"):
        return json.dumps({"a": {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}}).encode()

    whole = save({"a": torch.ones(2)})
    for end in range(len(whole)):
        refused(lambda: load(whole[:end]), SafetensorError)
    refused(lambda: load(struct.pack("<Q", 2**40) + b"{}"), SafetensorError, text="header too large")
    refused(lambda: load(file(b"\xff\xff")), SafetensorError, text="header")
    refused(lambda: load(file(b"[]")), SafetensorError)
    refused(lambda: load(file(entry([3], 0, 8), bytes(8))), SafetensorError)
    refused(lambda: load(file(entry([2], 8, 16), bytes(16))), SafetensorError)
    refused(lambda: load(file(entry([2**62, 2**62], 0, 8), bytes(8))), SafetensorError)
    refused(lambda: load(file(entry([2], 0, 8), bytes(16))), SafetensorError, text="not fully covered")
    refused(lambda: load(file(entry([1], 0, 8, "U64"), bytes(8))), NotImplementedError, text="U64")
    refused(lambda: save({"a": torch.ones(1, dtype=torch.complex128)}), NotImplementedError, text="complex128")
    refused(lambda: load_file("missing.safetensors"), FileNotFoundError)
    shared = torch.ones(4)
    refused(lambda: save({"a": shared, "b": shared}), RuntimeError, text="share memory")
    refused(lambda: save({"a": torch.ones(2, 3).t()}), ValueError, text="non contiguous tensor: `a`")
    refused(lambda: save({"a": 1}), ValueError, text="Key `a` is invalid")


def main():
    warnings.simplefilter("ignore")
    agree = 0
    only = sys.argv[2] if len(sys.argv) > 2 else None
    cases = [(name, run) for name, run in CASES if only is None or name.startswith(only)]
    for name, run in cases:
        try:
            run()
            agree += 1
        except Exception as error:
            print(f"-- {name}: {type(error).__name__}: {error!s:.600}")
            if only:
                import traceback

                traceback.print_exc()
    print(f"files: {agree} of {len(cases)}")


main()
