"""Nested and masked tensors, packed sequences and bags on a GPU, and gradients that PyTorch doesn't have for the jagged layout."""

import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.masked import masked_tensor
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence, pad_sequence

warnings.simplefilter("ignore")
torch.manual_seed(0)


def jagged(*pieces, **options):
    return torch.nested.nested_tensor(list(pieces), layout=torch.jagged, **options)


def fails(f):
    try:
        f()
    except (AssertionError, RuntimeError, TypeError) as error:
        print(type(error).__name__, str(error).split("\n")[0])


nt = jagged(torch.ones(2, 4), torch.ones(3, 4))
there = nt.to("cuda")
print(there, there.values().device, there.shape == nt.shape, there.cpu().device, there.is_cuda)
leaf = jagged(torch.ones(2, 4), torch.ones(3, 4), device="cuda", requires_grad=True)
layer = nn.Linear(4, 4).cuda()
layer(leaf).sum().backward()
print(leaf.grad.device, layer.weight.grad.device)
fails(lambda: torch.nested.nested_tensor_from_jagged(torch.ones(5, 2, device="cuda"), torch.tensor([0, 2, 5])))
mt = masked_tensor(torch.ones(3, device="cuda"), torch.tensor([True, False, True], device="cuda"), requires_grad=True)
(mt * 2).sum().backward()
print(mt.grad, mt.grad.device, mt.cpu().get_mask().device)
packed = pack_sequence([torch.ones(1, 2), torch.ones(3, 2)], enforce_sorted=False).cuda()
print(packed.data.device, packed.batch_sizes.device, packed.sorted_indices.device, packed.cuda() is packed, packed.cpu().is_cuda)
print([t.device for t in pad_packed_sequence(packed)], nn.LSTM(2, 3).cuda()(packed)[0].data.device)
print(pad_sequence([torch.ones(2, device="cuda"), torch.ones(1, device="cuda")]).device)
for mode in ("sum", "mean", "max"):
    bag = nn.EmbeddingBag(5, 2, mode=mode, padding_idx=1).cuda()
    found = bag(torch.tensor([1, 2, 3], device="cuda"), torch.tensor([0, 2], device="cuda"))
    found.sum().backward()
    print(mode, found.device, bag.weight.grad.device)

# Each of these is compared with the same function of the pieces.
pieces = [torch.randn(n, 4, requires_grad=True) for n in (2, 5, 3)]
weight = torch.randn(4)


def agrees(name, whole, single):
    def gradients(losses):
        return torch.autograd.grad(losses, pieces)

    ours = whole(torch.nested.as_nested_tensor(pieces, layout=torch.jagged))
    theirs = sum(single(p).pow(2).sum() for p in pieces)
    print(name, torch.allclose(ours, theirs, atol=1e-5),
          all(torch.allclose(a, b, atol=1e-5) for a, b in zip(gradients(ours), gradients(theirs))))


def heads(t):
    return t.unflatten(-1, (2, 2)).transpose(-3, -2)


agrees("sum", lambda t: t.sum(1).pow(2).sum(), lambda p: p.sum(0))
agrees("mean", lambda t: t.mean(1).pow(2).sum(), lambda p: p.mean(0))
agrees("amax", lambda t: t.amax(1).pow(2).sum(), lambda p: p.amax(0))
agrees("prod", lambda t: t.prod(1).pow(2).sum(), lambda p: p.prod(0))
agrees("softmax", lambda t: (t.softmax(1) * weight).pow(2).sum(), lambda p: p.softmax(0) * weight)
agrees("log_softmax", lambda t: F.log_softmax(t, -1).pow(2).sum(), lambda p: F.log_softmax(p, -1))
agrees("layer_norm", lambda t: (F.layer_norm(t, (4,)) * weight).pow(2).sum(), lambda p: F.layer_norm(p, (4,)) * weight)
agrees("rms_norm", lambda t: (F.rms_norm(t, (4,)) * weight).pow(2).sum(), lambda p: F.rms_norm(p, (4,)) * weight)
agrees("select", lambda t: t[..., 1].pow(2).sum(), lambda p: p[..., 1])
agrees("product", lambda t: (t.transpose(1, 2) @ t).pow(2).sum(), lambda p: p.T @ p)
for causal in (False, True):
    def attended(t):
        return F.scaled_dot_product_attention(heads(t), heads(t), heads(t), is_causal=causal)

    agrees("attention", lambda t: attended(t).transpose(1, 2).flatten(-2).pow(2).sum(), attended)
