"""SimCLR, triplet and siamese losses, knowledge distillation, ArcFace, BYOL. PyTorch 2.15 recorded `program_contrastive.txt` from this file."""

import copy
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import (
    Dataset,
    DataLoader,
    Sampler,
    WeightedRandomSampler,
    Subset,
    ConcatDataset,
    ChainDataset,
    IterableDataset,
    get_worker_info,
)

torch.manual_seed(5)


class Blobs(Dataset):
    def __init__(self, n=40, transform=None):
        g = torch.Generator().manual_seed(9)
        self.y = torch.arange(n) % 4
        self.x = torch.randn(n, 6, generator=g) + 3 * F.one_hot(self.y, 6)
        self.transform = transform

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x, y = self.x[i], int(self.y[i])
        return (x, y) if self.transform is None else (*self.transform(x), y)


class Two:
    def __init__(self, noise):
        self.noise = noise

    def __call__(self, x):
        return [x + self.noise * torch.randn_like(x) for _ in range(2)]


class BalancedSampler(Sampler):
    def __init__(self, labels, per):
        self.labels, self.per = labels, per

    def __iter__(self):
        by = {int(c): (self.labels == c).nonzero().flatten().tolist() for c in self.labels.unique()}
        while all(len(v) >= self.per for v in by.values()):
            yield [v.pop() for v in by.values() for _ in range(self.per)]

    def __len__(self):
        return int(self.labels.bincount().min()) // self.per


def nt_xent(z1, z2, tau=0.5):
    n = len(z1)
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.T / tau
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target), (sim.argmax(1) == target).float().mean()


class ArcFace(nn.Module):
    def __init__(self, d, k, s=8.0, m=0.3):
        super().__init__()
        self.s, self.m = s, m
        self.weight = nn.Parameter(torch.FloatTensor(k, d))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, y):
        cos = F.linear(F.normalize(x), F.normalize(self.weight)).clamp(-1 + 1e-7, 1 - 1e-7)
        phi = torch.cos(torch.acos(cos) + self.m)
        one = torch.zeros_like(cos).scatter_(1, y.view(-1, 1).long(), 1)
        return self.s * (one * phi + (1.0 - one) * cos)


net = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 8))
ds = Blobs(transform=Two(0.1))
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=1e-4)
print(opt)
bs = BalancedSampler(ds.y, 2)
print(len(bs), [b[:3] for b in bs][:2])
for e in range(2):
    for a, b, y in DataLoader(ds, batch_sampler=bs):
        l, acc = nt_xent(net(a), net(b))
        opt.zero_grad()
        l.backward()
        opt.step()
    print(f"{e} {l.item():.3f} {acc:.2f}", y.tolist(), a.shape)
print(
    type(l.grad_fn).__name__,
    l.grad_fn.next_functions[0][0].name(),
    [f.name() for f, _ in l.grad_fn.next_functions[0][0].next_functions],
)
plain = Blobs()
w = WeightedRandomSampler([1.0, 1.0, 1.0, 5.0] * 10, 12, replacement=True, generator=torch.Generator().manual_seed(3))
print(list(w), len(w))
for x, y in DataLoader(plain, sampler=w, batch_size=5):
    print(x.shape, y, y.dtype)
cat = ConcatDataset([plain, Subset(plain, [0, 3])])
print(len(cat), cat[41][1], cat.cumulative_sizes)


class Stream(IterableDataset):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def __iter__(self):
        print("worker", get_worker_info())
        return iter(range(self.a, self.b))


print(
    [b for b in DataLoader(Stream(0, 5), batch_size=2)],
    list(DataLoader(ChainDataset([Stream(0, 2), Stream(5, 6)]), batch_size=None)),
)
for f in (
    lambda: DataLoader(Stream(0, 3), shuffle=True),
    lambda: DataLoader(plain, batch_size=2, batch_sampler=bs),
    lambda: len(DataLoader(Stream(0, 3))),
    lambda: DataLoader(plain, sampler=w, shuffle=True),
    lambda: DataLoader(plain, batch_size=0),
    lambda: next(iter(DataLoader([(torch.zeros(2), 1), (torch.zeros(3), 2)], batch_size=2))),
    lambda: next(iter(DataLoader([object()]))),
    lambda: next(iter(DataLoader([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], batch_size=2))),
    lambda: next(iter(DataLoader([[1, 2.0], [3, 4.0]], batch_size=2))),
    lambda: cat[99],
    lambda: DataLoader(plain, num_workers=-1),
    lambda: DataLoader(plain, timeout=-1),
    lambda: DataLoader(plain, prefetch_factor=2),
):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
trip = nn.TripletMarginLoss(margin=1.0, p=2)
cosd = nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: 1 - F.cosine_similarity(a, b), margin=0.5)
a, p, n = (torch.randn(4, 3, requires_grad=True) for _ in range(3))
print(trip(a, p, n), cosd(a, p, n), trip, cosd)
d = F.pairwise_distance(a, p)
lab = torch.tensor([1.0, 0, 1, 0])
contr = ((1 - lab) * d.pow(2) + lab * torch.clamp(2.0 - d, min=0).pow(2)).mean()
print(
    d,
    contr,
    F.cosine_embedding_loss(a, p, lab * 2 - 1),
    F.margin_ranking_loss(a[:, 0], p[:, 0], lab * 2 - 1),
    torch.cdist(a, n).shape,
)
arc = ArcFace(3, 5)
print(
    arc(a, torch.tensor([0, 1, 2, 3])).shape,
    arc(a, torch.tensor([0, 1, 2, 3])).grad_fn.name(),
    list(dict(arc.named_parameters())),
)
teacher, student = nn.Linear(6, 4), nn.Linear(6, 4)
teacher.requires_grad_(False)
x, y = plain.x[:8], plain.y[:8]
T = 2.0
kd = nn.KLDivLoss(reduction="batchmean")(F.log_softmax(student(x) / T, dim=1), F.softmax(teacher(x) / T, dim=1)) * T * T
tot = 0.5 * kd + 0.5 * F.cross_entropy(student(x), y)
tot.backward()
print(kd, tot, teacher.weight.grad, student.weight.grad.shape, any(p.requires_grad for p in teacher.parameters()))
online, target = net, copy.deepcopy(net)
for q in target.parameters():
    q.requires_grad = False
with torch.no_grad():
    for o, t in zip(online.parameters(), target.parameters()):
        t.data = 0.9 * t.data + 0.1 * o.data
        t.lerp_(o, 0.5)
target.train(False)
print(
    all(torch.allclose(o, t, atol=1e-6) for o, t in zip(online.parameters(), target.parameters())),
    target.training,
    target[1].training,
)
print(
    F.kl_div(torch.zeros(2, 2).log_softmax(1), torch.full((2, 2), 0.5)),
    F.huber_loss(a, p),
    F.smooth_l1_loss(a, p, beta=0.5),
    F.multi_margin_loss(a, torch.tensor([0, 1, 2, 0])),
    F.soft_margin_loss(a[:, 0], lab * 2 - 1),
)
