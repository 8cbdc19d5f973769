"""Keys of `t[key]` that aren't integers, slices or tensors."""

import warnings
from collections import deque

import numpy as np
import torch

x = torch.arange(12).reshape(3, 4)


class Pair:
    def __getitem__(self, i):
        if i > 1:
            raise IndexError
        return i

    def __len__(self):
        return 2


def show(name, key):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            said = x[key].tolist()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
    print(name, said, [str(warning.message).split(" (Triggered")[0] for warning in told])


for key in [
    [[0, 1], [1, 2]], [[0, 1], 1], [slice(0, 2), 1], [None, 0], [..., 0], [torch.tensor(1), 2],
    [torch.tensor([0, 1]), torch.tensor([1, 1])], [[0, 1]], [0, 1], [(0, 1)], [range(2)], ((0, 1),), ((0, 1), (1, 2)),
    [[True, False, True]], [True, False, True], ["a"], "a", "", b"\x00", [[[0, 1], [1, 0]]], [[[0]]], [[0]] * 33, [[]],
    [0.0, 1.7], [1j], [{0: 1}], [{0}], {0: 1}, {0}, 1.5, (range(3), [0, 1, 2]), (range(3), torch.tensor([0, 1, 2])),
    (slice(None), range(2)), [], (), range(0), range(2),
]:
    show(repr(key), key)
show("deque", deque([0, 1]))
show("class", Pair())
show("array", np.array([[0, 1], [1, 2]]))
show("list of arrays", [np.array([0, 1]), np.array([1, 2])])
show("numbers of numpy", [np.int64(1), np.int64(2)])
show("mask of numpy", np.array([[True] * 4, [False] * 4, [True] * 4]))

y = x.clone()
y[range(3), [0, 1, 2]] = -1
y[(0, 1), (1, 2)] = -2
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    y[[[1, 2], [3, 3]]] = -3
print(y)
