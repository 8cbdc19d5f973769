"""Programs with sparse tensors: graphs, rankings, bags of words, empty and three-dimensional tensors. PyTorch 2.15 recorded
`sparse_graphs.txt` from this file."""

import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")


def say(text):
    """What an expression gives; or its error, as far as that doesn't tell how PyTorch was built."""
    try:
        print(text, "->", repr(eval(text)))
    except Exception as error:
        print(text, "!!", type(error).__name__ + ":", str(error).split("resolutions.")[0].split(chr(10))[0])


# A graph convolution over a normalized adjacency matrix.
edges = torch.tensor([[0, 0, 1, 2, 3, 4, 4, 5], [1, 2, 2, 3, 4, 5, 0, 3]])
both = torch.cat([edges, edges.flip(0)], 1)
loops = torch.arange(6).repeat(2, 1)
places = torch.cat([both, loops], 1)
adjacency = torch.sparse_coo_tensor(places, torch.ones(places.shape[1]), (6, 6)).coalesce()
print(adjacency.indices().tolist())
degree = torch.sparse.sum(adjacency, 1).to_dense()
scale = degree.pow(-0.5)
row, column = adjacency.indices()
normal = torch.sparse_coo_tensor(adjacency.indices(), scale[row] * adjacency.values() * scale[column], (6, 6))
features = torch.eye(6)
first = nn.Parameter((torch.arange(24.0).reshape(6, 4) % 7 - 3) / 10)
second = nn.Parameter((torch.arange(8.0).reshape(4, 2) % 5 - 2) / 10)
target = torch.tensor([0, 0, 0, 1, 1, 1])
optimizer = torch.optim.Adam([first, second], lr=0.05)
for step in range(5):
    optimizer.zero_grad()
    hidden = torch.relu(torch.sparse.mm(normal, features @ first))
    loss = F.cross_entropy(torch.sparse.mm(normal, hidden @ second), target)
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
print(first.grad.abs().sum())

# A ranking by powers of a matrix.
out = torch.sparse.sum(torch.sparse_coo_tensor(edges, torch.ones(8), (6, 6)), 1).to_dense()
links = torch.sparse_coo_tensor(edges.flip(0), 1 / out[edges[0]], (6, 6)).coalesce().to_sparse_csr()
rank = torch.full((6, 1), 1 / 6)
for _ in range(20):
    rank = 0.85 * (links @ rank) + 0.15 / 6
print(rank.flatten())

# Bags of words, as rows of counts.
words = torch.tensor([[0, 3], [0, 1], [0, 3], [1, 2], [1, 2], [2, 0]]).t()
counts = torch.sparse_coo_tensor(words, torch.ones(6), (3, 5))
say("counts.coalesce()")
say("counts.to_dense()")
say("torch.sparse.softmax(counts, 1).to_dense()")
weight = nn.Parameter(torch.arange(10.0).reshape(5, 2) / 10)
score = torch.sparse.mm(counts, weight)
score.pow(2).sum().backward()
say("score")
say("weight.grad")

# Factors of a table of ratings, with sparse gradients.
users, items = nn.Embedding(4, 2, sparse=True), nn.Embedding(5, 2, sparse=True)
with torch.no_grad():
    users.weight.copy_(torch.arange(8.0).reshape(4, 2) / 8)
    items.weight.copy_(torch.arange(10.0).reshape(5, 2).flip(0) / 10)
who, what, rating = torch.tensor([0, 1, 1, 3]), torch.tensor([4, 4, 2, 0]), torch.tensor([1.0, 0.0, 2.0, 1.0])
optimizer = torch.optim.SparseAdam(list(users.parameters()) + list(items.parameters()), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    loss = ((users(who) * items(what)).sum(1) - rating).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}", users.weight.grad._nnz(), items.weight.grad.is_coalesced())
print(users.weight.detach())
print(items.weight.detach())

# More dimensions, and none.
t = torch.sparse_coo_tensor([[0, 1, 1], [0, 0, 2], [1, 1, 0]], [1.0, 2.0, 3.0], (2, 3, 2))
e = torch.sparse_coo_tensor(size=(3, 0))
z = torch.sparse_coo_tensor(size=(2, 3))
hy = torch.sparse_coo_tensor([[2, 0, 2]], torch.arange(6.0).reshape(3, 2), (3, 2))
cx = torch.sparse_coo_tensor([[0, 1, 1]], [1 + 2j, 2j, 3.0], (2,))
bl = torch.sparse_coo_tensor([[0, 1, 1, 2]], [True, False, True, False], (4,))
lg = torch.sparse_coo_tensor([[5, 5, 1]], [1, 2, 3], (7,))
hf = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.5, 2.5], (2, 2), dtype=torch.float16)
b3 = torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 1]], [[1.0, 2.0], [3.0, 4.0]], (2, 2, 2))
bs = torch.sparse_bsr_tensor([0, 1, 2], [0, 1], torch.arange(8.0).reshape(2, 2, 2))
cc = torch.sparse_csc_tensor([0, 1, 2], [1, 0], [5.0, 6.0])
i32 = torch.sparse_csr_tensor(torch.tensor([0, 1, 2], dtype=torch.int32), torch.tensor([1, 0], dtype=torch.int32), [1.0, 2.0])
for text in """
t
t.to_dense()
t.sum(0).to_dense()
t.sum((0, 2)).to_dense()
torch.sparse.sum(t, (1, 2)).to_dense()
t.transpose(0, 2)
t.permute(2, 0, 1).coalesce()
t.permute(2, 0, 1).to_dense()
t[1]
t[1, 2]
t[1, 2, 0]
t[:, 0]
t[..., 1]
t.unsqueeze(1).shape
t.index_select(1, torch.tensor([2, 0])).to_dense()
torch.stack([t, t * 2]).to_dense()
torch.cat([t, t], 2).to_dense()
torch.bmm(t, torch.ones(2, 2, 2))
t @ torch.ones(2, 2, 2)
t.to_sparse(2)
t.to_dense().to_sparse(2)
t.to_dense().to_sparse(1)
t.to_sparse_csr()
t.norm()
t * t.to_dense()
(t + t).to_dense()
e
e.to_dense()
e.coalesce()
e + e
z
z.to_dense()
z @ torch.ones(3, 2)
z.sum()
z.sum(0)
z.coalesce() is z
z.t()
z * 2
z.to_sparse_csr()
torch.sparse.softmax(z, 1)
z.norm()
z._values().dtype
hy
hy.coalesce()
hy.to_dense()
hy.sum(0)
hy.sum(1)
hy * 2
hy + hy
hy.is_coalesced()
hy.sparse_dim(), hy.dense_dim()
hy[2]
hy[2, 1]
hy[1]
hy.t()
hy.index_select(0, torch.tensor([2, 2]))
torch.cat([hy, hy])
hy.to_dense().to_sparse(1)
cx
cx.to_dense()
cx.coalesce()
cx * 2
cx.conj()
cx.real
cx.abs()
bl
bl.to_dense()
bl.coalesce()
bl.any()
bl.sum()
lg
lg.coalesce()
lg.to_dense()
lg * 2
lg / 2
lg // 2
lg.float()
lg.sum(0)
lg + lg.double()
hf
hf.to_dense()
hf @ torch.ones(2, 1, dtype=torch.float16)
hf.sum()
b3
b3.to_dense()
b3._nnz()
b3.crow_indices()
b3 * 2
b3.to_sparse()
bs
bs.to_dense()
bs.shape
bs.values().shape
bs.to_sparse()
bs.to_sparse_csr()
bs @ torch.ones(4, 1)
bs.t()
bs.to_dense().to_sparse_bsr((2, 2))._nnz()
bs.to_dense().to_sparse_bsc((2, 1)).to_dense()
cc
cc.to_dense()
cc.t()
cc @ torch.ones(2, 1)
cc.ccol_indices()
cc.row_indices()
cc.crow_indices()
cc.to_sparse_csr()
i32
i32.crow_indices().dtype
i32 @ torch.ones(2, 2)
i32.to_sparse()._indices().dtype
torch.sparse_csr_tensor([0, 1], [0], [1.0, 2.0], (1, 2))
torch.sparse_csr_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (3, 2))
torch.sparse_csr_tensor([0, 1, 1], [0], [1.0], (2, 2))
torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), layout=torch.sparse_csc)
torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], (2, 2), layout=torch.sparse_coo)
torch.sparse.spdiags(torch.arange(9.0).reshape(3, 3), torch.tensor([0, -1, 2]), (3, 3))
torch.sparse.spdiags(torch.ones(2, 3), torch.tensor([0, 0]), (3, 3))
torch.sparse.check_sparse_tensor_invariants.is_enabled()
torch.eye(3).to_sparse() @ torch.eye(3).to_sparse()
torch.eye(3).to_sparse() @ torch.ones(2, 3)
torch.eye(3).to_sparse() @ torch.ones(3)
torch.ones(3) @ torch.eye(3).to_sparse()
torch.ones(2, 3) @ torch.eye(3).to_sparse()
torch.mm(torch.eye(3).to_sparse(), torch.ones(3, 2, dtype=torch.float64))
torch.sparse.mm(torch.eye(3).to_sparse_csr(), torch.ones(3, 2))
torch.addmm(torch.ones(3, 3), torch.eye(3).to_sparse(), torch.ones(3, 3), beta=0.5, alpha=2)
torch.sparse.sampled_addmm(torch.eye(3).to_sparse_csr(), torch.ones(3, 2), torch.ones(2, 3), beta=0.5)
torch.eye(2).to_sparse().to(torch.float64)
torch.eye(2).to_sparse().half()
torch.eye(2).to_sparse().type(torch.int32)
torch.eye(2).to_sparse().requires_grad_()
torch.eye(2).to_sparse() == 1
torch.eye(2).to_sparse() > torch.eye(2).to_sparse()
torch.eye(2).to_sparse().exp()
torch.eye(2).to_sparse().log()
torch.eye(2).to_sparse().cos()
torch.eye(2).to_sparse().sinh()
torch.eye(2).to_sparse().erf()
torch.eye(2).to_sparse().sigmoid()
torch.eye(2).to_sparse().mean(0)
torch.eye(2).to_sparse().max(0)
torch.eye(2).to_sparse().argmin()
torch.eye(2).to_sparse().view(4)
torch.eye(2).to_sparse().squeeze()
torch.eye(2).to_sparse().numpy()
torch.eye(2).to_sparse().storage()
torch.eye(2).to_sparse_csr().exp()
torch.eye(2).to_sparse_csr().sin()
torch.eye(2).to_sparse_csr().relu()
torch.eye(2).to_sparse_csr().sum()
torch.eye(2).to_sparse_csr().view(4)
torch.eye(2).to_sparse_csr()[0]
torch.eye(2).to_sparse_csr().coalesce()
torch.eye(2).to_sparse_csr().unsqueeze(0)
torch.eye(2).to_sparse_csr() + torch.eye(2).to_sparse_csr()
torch.eye(2).to_sparse_csr() @ torch.eye(2).to_sparse_csr()
torch.eye(2).to_sparse_csc().to_sparse_csr()
torch.eye(2).to_sparse_bsr((1, 2))
""".strip().split("\n"):
    say(text)
with torch.sparse.check_sparse_tensor_invariants():
    say("torch.sparse.check_sparse_tensor_invariants.is_enabled()")
    say("torch.sparse_coo_tensor([[0, 3]], [1.0, 2.0], (2,))")
    say("torch.sparse_csr_tensor([0, 1, 2], [0, 5], [1.0, 2.0], (2, 2))")
    say("torch.sparse_csr_tensor([1, 1, 2], [0, 1], [1.0, 2.0], (2, 2))")
