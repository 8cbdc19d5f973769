"""Data sets, samplers, collating and loaders. PyTorch 2.15 recorded `data_parts.txt` from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import torch, numpy as np, math
from torch import nn
from torch.nn import functional as F
from torch.utils.data import *
import torch.utils.data as data
class D(Dataset):
    def __init__(s, n=10): s.n = n
    def __len__(s): return s.n
    def __getitem__(s, i):
        if i >= s.n: raise IndexError(i)
        return {'x': torch.full((2,), float(i)), 'y': i, 's': str(i), 'f': i / 2}
d = D()
t('add', lambda: len(d + d))
t('type', lambda: [type(d + d).__name__, (d+d).cumulative_sizes, (d+d).datasets[0] is d])
t('cat', lambda: ConcatDataset([d, D(3)])[-1])
t('cat2', lambda: ConcatDataset([d, D(3)])[-20])
t('cat3', lambda: ConcatDataset([]))
t('cat4', lambda: ConcatDataset([d, D(3)])[13])
t('sub', lambda: [Subset(d, [1, 2])[1], len(Subset(d, range(3))), Subset(d,[1,2]).indices])
t('sub3', lambda: Subset(d, [1, 2]).__getitems__([0, 1]))
t('rs', lambda: [list(x.indices) for x in random_split(d, [7, 3], generator=torch.Generator().manual_seed(42))])
t('rs2', lambda: [list(x.indices) for x in random_split(d, [0.7, 0.2, 0.1], torch.Generator().manual_seed(1))])
t('rs3', lambda: random_split(d, [7, 4]))
t('rs4', lambda: random_split(d, [0.7, 0.4]))
t('rs6', lambda: random_split(d, [1.5, -0.5]))
t('dl', lambda: next(iter(DataLoader(d, batch_size=3))))
torch.manual_seed(0)
t('dl2', lambda: [b['s'] for b in DataLoader(d, 4, shuffle=True, drop_last=True)])
t('dl3', lambda: [b['y'].tolist() for b in DataLoader(d, sampler=SubsetRandomSampler([1,2,3,4]), batch_size=2)])
t('dl4', lambda: [b['y'].tolist() for b in DataLoader(d, sampler=WeightedRandomSampler(torch.arange(10.), 6), batch_size=3)])
t('dl5', lambda: [b['y'].tolist() for b in DataLoader(d, batch_sampler=BatchSampler(SequentialSampler(d), 4, False))])
t('dl6', lambda: [b['y'] for b in DataLoader(d, batch_size=None)][:2])
t('dl7', lambda: DataLoader(d, batch_size=2, shuffle=True, sampler=SequentialSampler(d)))
t('dl8', lambda: DataLoader(d, batch_size=0))
t('dl9', lambda: DataLoader(d, batch_size=2, batch_sampler=BatchSampler(SequentialSampler(d), 4, False)))
t('dl10', lambda: DataLoader(d, num_workers=-1))
t('dl11', lambda: DataLoader(d, timeout=-1))
t('dl12', lambda: DataLoader(d, prefetch_factor=2))
t('dl13', lambda: DataLoader(d, persistent_workers=True))
t('dl14', lambda: [len(DataLoader(d, 3)), DataLoader(d, 3).dataset is d, type(DataLoader(d, 3).sampler).__name__, DataLoader(d,3).batch_size, DataLoader(d,3).drop_last, DataLoader(d,3).num_workers, DataLoader(d,3).pin_memory, DataLoader(d,3).collate_fn.__name__])
t('dl15', lambda: setattr(DataLoader(d, 3), 'batch_size', 4))
t('rand', lambda: list(RandomSampler(d, replacement=True, num_samples=5, generator=torch.Generator().manual_seed(3))))
t('rand2', lambda: list(RandomSampler(d, num_samples=12, generator=torch.Generator().manual_seed(3))))
t('rand3', lambda: RandomSampler([]) and None)
t('bs', lambda: [list(BatchSampler(range(5), 2, True)), len(BatchSampler(range(5), 2, False))])
t('bs2', lambda: BatchSampler(range(5), 0, True))
class I(IterableDataset):
    def __init__(s, a, b): s.a, s.b = a, b
    def __iter__(s):
        w = get_worker_info()
        lo, hi = s.a, s.b
        if w is not None:
            per = math.ceil((s.b - s.a) / w.num_workers); lo = s.a + w.id * per; hi = min(lo + per, s.b)
        return iter(range(lo, hi))
t('it', lambda: [list(DataLoader(I(3, 7))), list(DataLoader(I(3, 7), batch_size=3))])
t('it2', lambda: [x.tolist() for x in DataLoader(I(3, 7), num_workers=2)])
t('it3', lambda: DataLoader(I(3, 7), shuffle=True))
t('it4', lambda: DataLoader(I(3, 7), sampler=range(3)))
t('it5', lambda: len(DataLoader(I(3, 7))))
t('chain', lambda: list(ChainDataset([I(0,2), I(5,6)])))
t('chain+', lambda: list(I(0,2)+ I(5,6)))
t('chain2', lambda: len(ChainDataset([I(0,2), I(5,6)])))
t('td', lambda: TensorDataset(torch.ones(2), torch.ones(3)))
t('td2', lambda: [TensorDataset(torch.arange(4), torch.arange(4.))[1:3], len(TensorDataset(torch.arange(4))), TensorDataset(torch.arange(4)).tensors])
t('td3', lambda: TensorDataset(np.arange(3)))
t('stack', lambda: [StackDataset(torch.arange(3), torch.arange(3.))[1], StackDataset(a=[1,2], b=[3,4])[0], len(StackDataset([1]))])
t('coll', lambda: default_collate([(1, 'a', np.float64(2)), (2, 'b', np.float64(3))]))
t('coll2', lambda: default_collate([[1, 2], [3]]))
t('coll3', lambda: default_collate([torch.ones(2), torch.ones(3)]))
t('coll4', lambda: default_collate([object()]))
t('coll5', lambda: default_collate([None]))
t('coll6', lambda: default_collate([np.array(['a'])]))
import collections
P = collections.namedtuple('P', 'a b')
t('coll7', lambda: default_collate([P(1, 2.), P(3, 4.)]))
t('conv', lambda: default_convert({'a': np.ones(2), 'b': [1, np.int64(3)], 'c': 's'}))
t('utils', lambda: [data._utils.collate.default_collate([1,2]), data.dataloader.default_collate([1.,2.])])
t('mod', lambda: [data.dataset.Dataset is Dataset, data.sampler.Sampler is Sampler, data.dataset.TensorDataset is TensorDataset])
t('pad', lambda: nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True, padding_value=-1, padding_side='left'))
class S(Sampler):
    def __init__(s, ds): s.ds = ds
    def __iter__(s): yield from reversed(range(len(s.ds)))
    def __len__(s): return len(s.ds)
t('smp', lambda: [b['y'].tolist() for b in DataLoader(d, 4, sampler=S(d))])
t('gen', lambda: [b['y'].tolist() for b in DataLoader(d, 4, shuffle=True, generator=torch.Generator().manual_seed(5))])
t('wrk', lambda: [b['y'].tolist() for b in DataLoader(d, 4, num_workers=2, worker_init_fn=lambda i: None, persistent_workers=True, prefetch_factor=2)])
def bad(b): raise ValueError('broken')
t('badc', lambda: list(DataLoader(d, 4, collate_fn=bad)))
t('abs', lambda: Dataset()[0])
t('abs2', lambda: len(Dataset()))
t('dist', lambda: [list(DistributedSampler(d, num_replicas=2, rank=1, seed=3)), len(DistributedSampler(d, 3, 0))])
t('dist2', lambda: DistributedSampler(d, num_replicas=2, rank=2))
t('dist3', lambda: DistributedSampler(d))
t('winfo', lambda: get_worker_info())
t('repr', lambda: repr(DataLoader(d))[:50])
t('slice', lambda: d[2:3])
t('iterds', lambda: [x['y'] for x in d][:3])
t('iter', lambda: [type(iter(DataLoader(d))).__name__, len(iter(DataLoader(d, 3))), type(iter(DataLoader(d, num_workers=1))).__name__])
t('next', lambda: iter(DataLoader(d)).next())
t('od', lambda: type(next(iter(DataLoader([collections.OrderedDict(a=1), collections.OrderedDict(a=2)], 2)))))
t('ac', lambda: [DataLoader(d)._auto_collation, DataLoader(d, batch_size=None)._auto_collation, DataLoader(d, batch_size=None).collate_fn.__name__])
t('ac2', lambda: list(DataLoader([np.ones(2), np.int64(3), 'a'], batch_size=None)))
class SS(Subset):
    def __getitem__(self, i): return 3
t('ss', lambda: SS(d, [1]))
t('stk', lambda: [b for b in DataLoader(StackDataset(a=[1,2,3], b=TensorDataset(torch.arange(3))), 2)])
t('stk', lambda: StackDataset())
t('stk', lambda: StackDataset([1], a=[2]))
t('stk', lambda: StackDataset([1], [2, 3]))
t('cc', lambda: ConcatDataset([I(0,1)]))
t('cc', lambda: len(ChainDataset([d])))
from torch.utils.data._utils.collate import collate, default_collate_fn_map
class X: pass
t('cm', lambda: collate([X(), X()], collate_fn_map={X: lambda b, collate_fn_map: len(b)}))
t('cm2', lambda: collate([(X(), 1.5, np.ones(2)), (X(), 2., np.ones(2))], collate_fn_map={**default_collate_fn_map, X: lambda b, collate_fn_map: len(b)}))
t('set', lambda: setattr(DataLoader(d), 'collate_fn', 3))
t('setd', lambda: setattr(DataLoader(d), 'dataset', 3))
t('rng', lambda: default_collate([range(2), range(2)]))
t('bool', lambda: default_collate([True, False]))
t('npb', lambda: default_collate([np.bool_(True), np.bool_(False)]))
t('bytes', lambda: default_collate([b'a', b'b']))
t('npstr', lambda: default_collate([np.str_('a'), np.str_('b')]))
