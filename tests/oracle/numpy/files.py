import io
import os
import tempfile

import numpy as np

folder = tempfile.mkdtemp()
at = lambda name: os.path.join(folder, name)
a = np.arange(6, dtype="float32").reshape(2, 3)

# The bytes of a file are NumPy's own.
for x in (a, a.T, np.array(3), np.array([True, False]), np.array(["pear", "fig"]), np.array([1 + 2j]), np.zeros((0, 2))):
    out = io.BytesIO()
    np.save(out, x)
    print(out.getvalue())
    out.seek(0)
    back = np.load(out)
    print(repr(back), back.dtype, back.flags.f_contiguous)

np.save(at("a"), a)
print(sorted(os.listdir(folder)), np.load(at("a.npy")))
for save in (np.savez, np.savez_compressed):
    save(at("many.npz"), a, named=np.arange(3))
    with np.load(at("many.npz")) as found:
        print(found.files, found["arr_0"], found["named"], "named" in found, len(found))
        try:
            found["other"]
        except KeyError as error:
            print(error)
try:
    np.load(at("none.npy"))
except FileNotFoundError as error:
    print(type(error).__name__)
np.save(at("objects.npy"), np.array([1, None], dtype=object))
try:
    np.load(at("objects.npy"))
except ValueError as error:
    print(error)

np.savetxt(at("a.txt"), a, header="three columns", fmt="%.2f")
print(open(at("a.txt")).read())
print(np.loadtxt(at("a.txt")), np.loadtxt(at("a.txt"), usecols=1, skiprows=1), np.loadtxt(at("a.txt"), unpack=True))
out = io.StringIO()
np.savetxt(out, [1.5, 2], delimiter=",")
print(out.getvalue())
print(np.loadtxt(io.StringIO("1,2\n3,4\n"), delimiter=",", dtype=int), np.loadtxt(io.StringIO("7")), np.loadtxt(["1 2"], ndmin=2))
print(np.loadtxt(["a b", "c d"], dtype=str), np.loadtxt(["1 2 # x", "# y", "3 4"], max_rows=1))
for lines in (["1 2", "3"], ["1 x"]):
    try:
        np.loadtxt(lines)
    except ValueError as error:
        print(error)
print(np.genfromtxt(io.StringIO("1,,3\n4,x,6"), delimiter=","), np.genfromtxt(["a b", "1 2"], skip_header=1))
print(np.genfromtxt(["1,,3"], delimiter=",", filling_values=0), np.fromstring("1 2", sep=" "))
a.tofile(at("raw"))
print(np.fromfile(at("raw"), dtype="float32"), os.path.getsize(at("raw")))
