"""Tensors in the data of torch.tensor, items of indices that don't fit, equations of einsum, and sizes that don't fit."""
import numpy as np
import torch

ones = torch.ones


def say(*calls):
    for call in calls:
        try:
            print(call())
        except Exception as error:
            print(type(error).__name__, "|", error)


say(lambda: torch.tensor([ones(1), ones(1)]), lambda: torch.tensor([ones(1, 1), ones(1, 1)]), lambda: torch.tensor([[ones(1)], [ones(1)]]),
    lambda: torch.tensor([ones(2), ones(2)]), lambda: torch.tensor([ones(1), 2]), lambda: torch.tensor([2, ones(1)]),
    lambda: torch.tensor([[1.0, 2], ones(2)]), lambda: torch.tensor([ones(2), [1.0, 2]]), lambda: torch.tensor((ones(2),)),
    lambda: torch.tensor([ones(2), ones(2)], dtype=torch.long), lambda: torch.tensor([ones(1)], dtype=torch.long),
    lambda: torch.tensor([ones(1).long()], dtype=torch.int32), lambda: torch.tensor([ones(0), ones(0)]),
    lambda: torch.tensor([torch.tensor(1), torch.tensor(2.5)]), lambda: torch.Tensor([ones(2), ones(2)]),
    lambda: torch.FloatTensor([ones(1), ones(1)]), lambda: torch.as_tensor([ones(2), ones(2)]),
    lambda: np.array([ones(2), ones(2)]), lambda: torch.stack([ones(2), ones(2)]),
    lambda: torch.tensor([["a", 1]]), lambda: torch.tensor([1, "a"]), lambda: torch.tensor(["a"]), lambda: torch.tensor([[1, "a"]]))

x = ones(2, 3, 4)
for key in ((..., 9), (slice(None), ..., 9), (None, 9), (0, None, 9), (..., 0, 9), (True, 9), (..., None, 9), ([0], 9), (9,), (0, 9),
            (slice(None, None, 0),), (slice(None, None, -1),), ([0, 1], [0, 1, 2]), (ones(2, 2).bool(),), (..., ones(3).bool()),
            (slice(None), ones(3, 3).bool()), (ones(2, 3, 3).bool(),), (0, ones(3).bool(), 9)):
    say(lambda: x[key].shape)
for dim in (0, 1, 2, -2):
    say(lambda: x.index_select(dim, torch.tensor([0, 9])))
say(lambda: torch.einsum("ij->i.", ones(2, 2)), lambda: torch.einsum("ij->...i...", ones(2, 2)), lambda: torch.einsum("i j->i $", ones(2, 2)),
    lambda: torch.einsum("..i", ones(2, 2)), lambda: torch.einsum("i...j...", ones(2, 2, 2)), lambda: torch.einsum("i1->i", ones(2, 2)),
    lambda: torch.einsum("i->i->j", ones(2)))
say(lambda: torch.histc(ones(2), 2, 5, 1), lambda: torch.broadcast_shapes((2, 3), (4,)), lambda: torch.broadcast_shapes(2, (3, 1)),
    lambda: ones(6).resize(2, 3), lambda: ones(6).resize(2, 2), lambda: torch.linalg.multi_dot([ones(2, 2), ones(3, 2)]),
    lambda: torch.linalg.cond(ones(2, 3), 1), lambda: torch.meshgrid(torch.arange(2), ones(2), indexing="ij"),
    lambda: torch.meshgrid(torch.arange(2), ones(2, 2), indexing="ij"), lambda: torch.addmm(ones(3), ones(2, 2), ones(2, 2)),
    lambda: torch.set_rng_state("a"), lambda: torch.func.vmap(torch.nn.functional.one_hot)(torch.tensor([0, 1])),
    lambda: torch.func.vmap(torch.nn.BatchNorm1d(3))(ones(2, 4, 3)))
