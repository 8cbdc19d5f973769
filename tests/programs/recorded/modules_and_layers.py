"""Hooks, containers, losses, sequences and checks of modules. PyTorch 2.15 recorded `modules_and_layers.txt` from this file."""

import warnings
from collections import OrderedDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import PackedSequence, invert_permutation, pack_padded_sequence, pad_sequence, unpad_sequence


def say(name, f):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            print(name, f())
        except Exception as e:
            print(name, type(e).__name__, e)
    for warning in caught:
        print("   warns", warning.category.__name__, str(warning.message).split(" (Triggered")[0])


torch.manual_seed(0)
x = torch.randn(2, 3, requires_grad=True)

# Hooks of the node that made the output.
two = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
seen = []
handle = two[0].register_backward_hook(lambda m, gi, go: seen.append((type(m).__name__, [None if g is None else g.shape for g in gi], len(go))))
say("one node", lambda: two(x).sum().backward())
whole = two.register_backward_hook(lambda m, gi, go: seen.append((len(gi), go[0].shape)))
say("several nodes", lambda: two(x).sum().backward())
print(seen, type(handle).__name__)
say("both", lambda: two[0].register_full_backward_hook(print))
handle.remove()
whole.remove()
full = nn.Linear(3, 1)
full.register_full_backward_hook(lambda *a: None)
say("both", lambda: full.register_backward_hook(print))
changed = nn.Tanh()
changed.register_backward_hook(lambda m, gi, go: (gi[0] * 10,))
x.grad = None
changed(x).sum().backward()
print(x.grad)
nested = nn.Module()
nested.forward = lambda a: {"out": [a * 2]}
nested.register_backward_hook(lambda m, gi, go: print("nested", len(go)))
say("nested", lambda: nested(x)["out"][0].sum().backward())


class Base:
    def __init__(self, size=0, **more):
        self.size = size
        print("base", size, more)


class Cooperative(nn.Module, Base):
    call_super_init = True


say("cooperative", lambda: Cooperative(size=3).size)
say("not", lambda: type("Other", (nn.Module, Base), {})(size=3))

# Containers.
named = nn.Sequential(OrderedDict(a=nn.ReLU(), b=nn.Tanh()))
say("insert", lambda: named.insert(0, nn.ELU()))
say("insert", lambda: nn.Sequential(nn.ReLU(), nn.Tanh()).insert(-1, nn.ELU()))
say("list", lambda: nn.ParameterList([torch.ones(1)])(1))
say("extend", lambda: nn.ParameterList().extend(torch.ones(2)))
say("key", lambda: nn.ParameterDict().__setitem__(1, torch.ones(1)))
print(nn.LSTM(2, 3, 1, bidirectional=True)._all_weights, nn.GRU(2, 3)._flat_weights_names, len(nn.LSTM(2, 3, 2).all_weights[1]))

# Losses and layers.
weight = torch.tensor([[1.0, 2.0, 0.5]] * 2)
for reduction in ("none", "mean", "sum", "other"):
    say(reduction, lambda: F.huber_loss(x * 3, torch.zeros(2, 3), reduction, 1.5, weight))
say("weights", lambda: F.huber_loss(x, torch.zeros(2, 3), weight=torch.ones(3)))
say("instance", lambda: nn.InstanceNorm2d(3)(torch.ones(1, 4, 2, 2)).shape)
say("instance", lambda: nn.InstanceNorm2d(3, affine=True)(torch.ones(1, 4, 2, 2)).shape)
say("unflatten", lambda: nn.Unflatten(1, (2, "a")))
say("interpolate", lambda: F.interpolate(torch.ones(2, 2), size=3))
say("gain", lambda: nn.init.calculate_gain("leaky_relu", "a"))
say("pad", lambda: F.pad(x, (1, 1), "reflect", 2.0))
say("bilinear", lambda: nn.Bilinear(3, 2, 1)(x, x))
say("bilinear", lambda: nn.Bilinear(3, 3, 1)(x.double(), x.double()))
say("bag", lambda: F.embedding_bag(torch.tensor([1, 2]), torch.ones(4, 2), torch.tensor([1])))
say("bag", lambda: F.embedding_bag(torch.tensor([1, 2]), torch.ones(4, 2), torch.tensor([0, 5])))
say("cell", lambda: nn.LSTMCell(3, 4)(x, torch.zeros(2, 4)))
say("rnn", lambda: nn.RNN(3, 4)(torch.ones(3)))
log_probs = torch.randn(6, 1, 4).log_softmax(2)
say("ctc", lambda: F.ctc_loss(log_probs, torch.tensor([[1.0, 2.0]]), torch.tensor([6]), torch.tensor([2])))
say("ctc", lambda: F.ctc_loss(log_probs, torch.tensor([[1.0, 2.0]]), (6,), (2,)))

# Sequences.
parts = [torch.arange(n, dtype=torch.float) for n in (2, 4, 3)]
for more in (dict(), dict(batch_first=True, padding_value=-1.0), dict(padding_side="left"), dict(padding_side="middle")):
    say(more, lambda: pad_sequence(parts, **more))
say("dtype of the first", lambda: pad_sequence([torch.ones(1, dtype=torch.int), torch.ones(2) * 1.5]))
say("empty", lambda: pad_sequence([]))
say("number", lambda: pad_sequence([1]))
say("list", lambda: pad_sequence([torch.ones(1), [2.0]]))
say("padding", lambda: pad_sequence(parts, padding_value="a"))
say("scalar", lambda: pad_sequence([torch.tensor(1.0)]))
say("unlike", lambda: pad_sequence([torch.ones(2, 3), torch.ones(2, 4)]))
padded = pad_sequence(parts)
print(unpad_sequence(padded, torch.tensor([2, 4, 3])), padded.shape)
say("float lengths", lambda: pack_padded_sequence(torch.ones(4, 2, 1), torch.tensor([4.0, 1.0])).batch_sizes)
say("packed", lambda: PackedSequence(torch.ones(3)))
say("pair", lambda: PackedSequence((torch.ones(3), torch.tensor([2, 1]))))
print(invert_permutation(torch.tensor([2, 0, 1])))

# Tensors.
t = torch.arange(3.0)
print(t.clone().apply_(lambda v: v * 2), t.clone().map_(torch.ones(3), lambda a, b: a + b), t.map2_(t, t, lambda a, b, c: a + b * c))
say("apply", lambda: x.apply_(lambda v: v))
say("map", lambda: torch.ones(2).map_(torch.ones(2).int(), lambda a, b: a))
print(t.is_xpu, t.is_xla, t.name)
say("volatile", lambda: t.volatile)
say("resize", lambda: t.resize(1, 3))
