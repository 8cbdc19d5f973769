"""What a worker sets in its data set stays there. PyTorch 2.15 recorded `data_worker_copies.txt` from this file."""

import torch, numpy as np, random, collections
from torch.utils.data import Dataset, DataLoader, IterableDataset, TensorDataset, Subset, get_worker_info
class Cache:
    def __init__(self): self.hits, self.store = 0, {}
P = collections.namedtuple("P", "a b")
class DS(Dataset):
    def __init__(self):
        self.cache = {}; self.n = [0]; self.obj = Cache(); self.p = P([0], 1); self.t = (1, [2]); self.q = collections.deque([1], 3); self.dd = collections.defaultdict(list); self.c = collections.Counter(); self.me = self; self.f = lambda: self.n[0]
        self.rng = random.Random(5); self.np = np.random.default_rng(5); self.nr = np.random.RandomState(5); self.g = torch.Generator().manual_seed(5)
    def __len__(self): return 4
    def __getitem__(self, i):
        self.cache[i] = i; self.n[0] += 1; self.obj.hits += 1; self.obj.store[i] = 1; self.p.a[0] += 1; self.t[1].append(i); self.q.append(i); self.dd["x"].append(i); self.c[i] += 1; self.me.last = i
        return i, self.n[0], self.obj.hits, self.p.a[0], len(self.t[1]), len(self.dd["x"]), round(self.rng.random(), 4), round(float(self.nr.rand()), 4), round(torch.rand(1, generator=self.g).item(), 4)
    def state(self): return self.cache, self.n, self.obj.hits, self.obj.store, self.p, self.t, list(self.q), dict(self.dd), dict(self.c), hasattr(self, "last")
def col(b): return b
for n in (2, 0):
    d = DS()
    for e in range(2):
        for b in DataLoader(d, 2, num_workers=n, collate_fn=col): print(b)
    print(d.state())
s = Subset(DS(), [0, 3]); print(list(DataLoader(s, 1, num_workers=1, collate_fn=col)), s.dataset.n)
d = DS(); dl = DataLoader(d, 2, num_workers=1, persistent_workers=True, collate_fn=col); print([[x[1] for x in b] for _ in range(2) for b in dl], d.n)
class ID(IterableDataset):
    def __init__(self): self.seen = []; self.it = iter(range(5))
    def __iter__(self):
        for i in range(3): self.seen.append(i); yield i, len(self.seen)
i = ID(); print(list(DataLoader(i, num_workers=1, batch_size=None)), i.seen)
def wi(w): get_worker_info().dataset.n[0] = 100 * w
d = DS(); print([[x[1] for x in b] for b in DataLoader(d, 2, num_workers=2, worker_init_fn=wi, collate_fn=col)], d.n)
