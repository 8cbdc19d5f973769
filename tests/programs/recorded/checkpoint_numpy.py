"""Arrays and numbers of NumPy in pickles and checkpoints: they are written under NumPy's own names, and files that NumPy wrote are read."""

import base64
import copy
import io
import pickle

import numpy as np
import torch

print(type(np.dtype("float64")), type(np.dtype("U3")), np.dtypes.Int64DType(), isinstance(np.dtype("f4"), np.dtypes.Float32DType))
for name in ("float64", "int8", "bool", "U3", "S2", "O", "uint16", "complex64"):
    print(name, np.dtype(name).__reduce__()[1:], type(np.dtype(name)).__name__)
for value in (np.float64(1.5), np.float32(1.5), np.int64(-3), np.bool_(True), np.str_("abc"), np.bytes_(b"x"), np.float16(2),
              np.datetime64("2020-01-02"), np.timedelta64(3, "D"), np.complex64(1 + 2j), np.arange(4.).reshape(2, 2),
              np.arange(6).reshape(2, 3).T, np.array(["a", "bc"]), np.array([1, "a", None], dtype=object), np.array(2.5), np.zeros((0, 3)),
              np.array([True, False]), np.array(["2020-01-01"], dtype="M8[D]"), np.array([b"ab", b"c"]), np.dtype("f4"),
              np.ma.array([1, 2], mask=[0, 1]), np.array([[1, None], ["a", 2.5]], dtype=object).T):
    for protocol in (0, 2, 4, 5):
        back = pickle.loads(pickle.dumps(value, protocol))
        print(protocol, type(back).__name__, repr(back), back.flags.f_contiguous if isinstance(back, np.ndarray) else "")
    print(repr(copy.deepcopy(value)), repr(copy.copy(value)))
print(pickle.dumps(np.float64(1.5), 2))

# Written by NumPy 2.4, with protocols 2 and 5: an array in the order of Fortran, strings, objects, a number and a date.
OLDER = (
    "gAJ9cQAoWAEAAABhcQFjbnVtcHkuX2NvcmUubXVsdGlhcnJheQpfcmVjb25zdHJ1Y3QKcQJjbnVtcHkKbmRhcnJheQpxA0sAhXEEY19jb2RlY3MKZW5jb2Rl"
    "CnEFWAEAAABicQZYBgAAAGxhdGluMXEHhnEIUnEJh3EKUnELKEsBSwJLA4ZxDGNudW1weQpkdHlwZQpxDVgCAAAAZjhxDomIh3EPUnEQKEsDWAEAAAA8cRFO"
    "Tk5K/////0r/////SwB0cRJiiGgFWDEAAAAAAAAAAAAAAAAAAAAAAAhAAAAAAAAAw7A/AAAAAAAAEEAAAAAAAAAAQAAAAAAAABRAcRNoB4ZxFFJxFXRxFmJY"
    "AQAAAHNxF2gCaANLAIVxGGgJh3EZUnEaKEsBSwKFcRtoDVgCAAAAVTJxHImIh3EdUnEeKEsDaBFOTk5LCEsESwh0cR9iiWgFWBAAAAB4AAAAAAAAAHkAAAB6"
    "AAAAcSBoB4ZxIVJxInRxI2JYAQAAAG9xJGgCaANLAIVxJWgJh3EmUnEnKEsBSwKFcShoDVgCAAAATzhxKYmIh3EqUnErKEsDWAEAAAB8cSxOTk5K/////0r/"
    "////Sz90cS1iiV1xLihLAWgBZXRxL2JYAQAAAG5xMGNudW1weS5fY29yZS5tdWx0aWFycmF5CnNjYWxhcgpxMWgNWAIAAABpNHEyiYiHcTNScTQoSwNoEU5O"
    "Tkr/////Sv////9LAHRxNWJoBVgEAAAABwAAAHE2aAeGcTdScTiGcTlScTpYAQAAAGRxO2gCaANLAIVxPGgJh3E9UnE+KEsBSwGFcT9oDVgCAAAATThxQImI"
    "h3FBUnFCKEsEaBFOTk5K/////0r/////SwBOKGgFWAEAAABEcUNoB4ZxRFJxRUsBSwFLAXRxRoZxR3RxSGKJaAVYCAAAAEFJAAAAAAAAcUloB4ZxSlJxS3Rx"
    "TGJ1Lg=="
)
NEWER = (
    "gAWVFgIAAAAAAAB9lCiMAWGUjBNudW1weS5fY29yZS5udW1lcmljlIwLX2Zyb21idWZmZXKUk5QoljAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIQAAAAAAAAPA/"
    "AAAAAAAAEEAAAAAAAAAAQAAAAAAAABRAlIwFbnVtcHmUjAVkdHlwZZSTlIwCZjiUiYiHlFKUKEsDjAE8lE5OTkr/////Sv////9LAHSUYksCSwOGlIwBRpR0"
    "lFKUjAFzlGgEKJYQAAAAAAAAAHgAAAAAAAAAeQAAAHoAAACUaAiMAlUylImIh5RSlChLA2gMTk5OSwhLBEsIdJRiSwKFlIwBQ5R0lFKUjAFvlIwWbnVtcHku"
    "X2NvcmUubXVsdGlhcnJheZSMDF9yZWNvbnN0cnVjdJSTlGgGjAduZGFycmF5lJOUSwCFlEMBYpSHlFKUKEsBSwKFlGgIjAJPOJSJiIeUUpQoSwOMAXyUTk5O"
    "Sv////9K/////0s/dJRiiV2UKEsBaAFldJRijAFulGgdjAZzY2FsYXKUk5RoCIwCaTSUiYiHlFKUKEsDaAxOTk5K/////0r/////SwB0lGJDBAcAAACUhpRS"
    "lIwBZJRoH2ghSwCFlGgjh5RSlChLAUsBhZRoCIwCTTiUiYiHlFKUKEsEaAxOTk5K/////0r/////SwBOKEMBRJRLAUsBSwF0lIaUdJRiiUMIQUkAAAAAAACU"
    "dJRidS4="
)
for text in (OLDER, NEWER):
    print(pickle.loads(base64.b64decode(text)))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, str(error)[:900])


allowed = [np._core.multiarray.scalar, np._core.multiarray._reconstruct, np.dtype, np.ndarray]
for content in ({"loss": np.float64(2.), "acc": np.float32(1)}, {"weights": np.ones(2)}, {"words": np.array(["x"])}):
    file = io.BytesIO()
    torch.save(content, file)

    def load(**options):
        file.seek(0)
        return torch.load(file, **options)

    attempt(load)
    print(load(weights_only=False), sorted(torch.serialization.get_unsafe_globals_in_checkpoint(io.BytesIO(file.getvalue()))))
    with torch.serialization.safe_globals(allowed):
        attempt(load)
    with torch.serialization.safe_globals(allowed + [np.dtypes.Float64DType, np.dtypes.Float32DType, np.dtypes.StrDType]):
        attempt(load)
