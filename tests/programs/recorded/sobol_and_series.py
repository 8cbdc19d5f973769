"""Sobol' sequences, shared storages, abstract classes, and tensors of pandas' columns. PyTorch 2.15 recorded
`sobol_and_series.txt` from this file.
"""

import abc

import pandas as pd
import torch
from torch import nn

s = torch.quasirandom.SobolEngine(dimension=3)
print(s.draw(4), s, s.draw(1), s.num_generated)
print(s.reset().draw(2), s.fast_forward(2).draw(1), s.dimension, s.MAXDIM, s.MAXBIT)
s = torch.quasirandom.SobolEngine(2, scramble=True, seed=3)
print(s, s.draw(4), s.draw_base2(2).shape, s.draw(2, dtype=torch.float64).dtype)
print(torch.quasirandom.SobolEngine(40, True, 7).draw(3)[:, ::8])
t = torch.arange(6.0).view(2, 3)
print(t.is_shared(), t.share_memory_() is t, t.is_shared(), t[0].is_shared(), t.clone().is_shared())
m = nn.Linear(2, 2)
print(m.share_memory() is m, all(p.is_shared() for p in m.parameters()), t.untyped_storage().is_shared())
df = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [1, 2, 3], "c": ["x", "y", "x"], "d": [True, False, True]})


class Base(abc.ABC):
    @abc.abstractmethod
    def forward(self): ...

    @property
    @abc.abstractmethod
    def size(self): ...


class Part(Base):
    def forward(self):
        return 1


class Net(nn.Module, abc.ABC):
    @abc.abstractmethod
    def features(self, x): ...


for f in (
    lambda: torch.quasirandom.SobolEngine(0),
    lambda: torch.quasirandom.SobolEngine(30000),
    lambda: s.draw_base2(3),
    lambda: torch.tensor(df["a"]),
    lambda: torch.tensor(df["b"]),
    lambda: torch.tensor(df["d"]),
    lambda: torch.tensor(df["c"]),
    lambda: torch.tensor(df[["a", "b"]]),
    lambda: torch.tensor(df["a"][1:]),
    lambda: torch.tensor(df.iloc[0]),
    lambda: torch.as_tensor(df["a"]),
    lambda: torch.tensor(df["a"], dtype=torch.float32, requires_grad=True),
    lambda: torch.tensor(df["a"].iloc[[0, 2]]),
    Base,
    Part,
    Net,
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
