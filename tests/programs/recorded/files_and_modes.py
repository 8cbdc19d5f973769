"""Checkpoints with nested tensors and hooks of weight_norm, what load would refuse, torch.from_file, and iterated nested tensors."""
import io, os, pickle, tempfile, warnings
import torch
from torch import nn
from torch.overrides import TorchFunctionMode, resolve_name

warnings.simplefilter('ignore')


def t(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e).split(' </')[0][:200])


def saved(o, **options):
    b = io.BytesIO()
    torch.save(o, b, **options)
    b.seek(0)
    return b


class A:
    pass


unsafe = torch.serialization.get_unsafe_globals_in_checkpoint
t(lambda: unsafe(saved({'a': torch.ones(1)})))
t(lambda: sorted(unsafe(saved([A(), A(), nn.Linear(1, 1), print, torch.float32, {1}]))))
t(lambda: unsafe(saved(A(), pickle_protocol=4)))
t(lambda: unsafe(saved(A(), _use_new_zipfile_serialization=False)))
with torch.serialization.safe_globals([A]):
    t(lambda: unsafe(saved([A(), nn.ReLU()])))
with tempfile.TemporaryDirectory() as d:
    f = os.path.join(d, 'r')
    torch.arange(6.).numpy().tofile(f)
    for call in (lambda: torch.from_file(f, size=6), lambda: torch.from_file(f, size=2, dtype=torch.int32),
                 lambda: torch.from_file(f), lambda: torch.from_file(f, size=9), lambda: torch.from_file(f, False, 3, dtype=torch.float64),
                 lambda: torch.from_file(f, size=1, requires_grad=True), lambda: torch.from_file(f + 'x', size=6),
                 lambda: torch.from_file(3)):
        t(call)
n = torch.nested.nested_tensor([torch.ones(1), torch.arange(2.)], requires_grad=True)
t(lambda: torch.load(saved(n)))
t(lambda: torch.load(saved(n), weights_only=False))
for i, row in enumerate(n):
    print(i, row)
a, b = n.detach()
print(b, next(iter(n)), [r.sum() for r in n.detach()])
t(lambda: list(n))
print(torch.nested.to_padded_tensor(n, 7., (4, 3)))
for make in (nn.utils.weight_norm, nn.utils.spectral_norm):
    m = make(nn.Linear(2, 2))
    print([type(hook) for hook in pickle.loads(pickle.dumps(m))._forward_pre_hooks.values()])


class Log(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print('  ', resolve_name(func), sorted(kwargs or {}))
        return func(*args, **(kwargs or {}))


with Log():
    nn.Linear(2, 2)
    nn.init.constant_(torch.empty(2), 3.)
    nn.init.normal_(tensor=torch.empty(2), std=2.)
    nn.functional.linear(torch.ones(2), torch.ones(1, 2))


class Bad(torch.utils.data.Dataset):
    def __getitem__(self, i):
        raise KeyError('no %d' % i)

    def __len__(self):
        return 2


try:
    list(torch.utils.data.DataLoader(Bad(), num_workers=1))
except KeyError as e:
    lines = str(e).split('\n')
    print(lines[0], lines[1], lines[-2])
o = torch.ones(1, 1, 1, 1)
t(lambda: nn.MaxUnpool2d(2)(o, torch.tensor([[[[9]]]])))
t(lambda: nn.MaxUnpool3d(2)(o[None], torch.tensor([[[[[-9]]]]])))
