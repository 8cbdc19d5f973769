import numpy as np
import torch


def fails(f):
    try:
        print("no error:", f())
    except Exception as e:
        print(type(e).__name__, e)


# One memory.
t = torch.arange(6.0)
a = t.numpy()
a[0] = 42
t[1] = -1
print(t, a, a.dtype)
n = np.ones(3)
u = torch.from_numpy(n)
n += 1
u.mul_(10)
print(u, n, torch.as_tensor(n).data_ptr() == u.data_ptr(), torch.tensor(n).data_ptr() == u.data_ptr())
x = torch.from_numpy(np.ones(2))
y = x.cuda()
x[0] = 5
print(x, y)

# What NumPy writes, autograd does not see.
w = torch.ones(2, requires_grad=True)
s = (w * w).sum()
w.detach().numpy()[0] = 3
print(w._version, w)
s.backward()
print(w.grad)

# Dtypes.
print(torch.tensor(np.array([1.5, 2], dtype=np.float32)), torch.tensor(np.arange(3)), torch.tensor(np.float64(2.0)))
print(torch.tensor([np.array([1, 2]), np.array([3, 4])]), torch.Tensor(np.array([1, 2])), torch.from_numpy(np.array([True])))

# Indices and numbers.
print(t[np.array([0, 2])], t[np.int64(1)], t[np.array([True] * 3 + [False] * 3)], torch.zeros(np.int64(2), np.int64(2)).shape)
print(t[:2] * np.float32(2), np.float64(2) * t[:2], t[:2] + np.float64(1), t[:2].view(np.int64(1), -1))

# Operators: NumPy takes tensors, PyTorch takes no arrays.
print(t + np.ones(6), np.multiply(np.ones(6), t))
fails(lambda: np.ones(6) + t)
fails(lambda: torch.add(t, np.ones(6)))

# Refusals.
fails(lambda: torch.from_numpy([1, 2]))
fails(lambda: torch.from_numpy(np.arange(3)[::-1]))
fails(lambda: torch.ones(2, requires_grad=True).numpy())
fails(lambda: torch.zeros(1, dtype=torch.bfloat16).numpy())
fails(lambda: torch.zeros(1, device="meta").numpy())
fails(lambda: torch.ones(2, device="cuda").numpy())
fails(lambda: np.array(torch.ones(2, device="cuda")))
fails(lambda: np.mean([torch.tensor(1.0, device="cuda"), torch.tensor(2.0, device="cuda")]))
fails(lambda: np.sum(torch.ones(2, device="cuda")))
fails(lambda: np.array(["a"]))
fails(lambda: np.arange(3)[::-1].__setitem__(0, 1))
print(torch.ones(1, device="cuda", requires_grad=True).numpy(force=True), torch.ones(2, requires_grad=True).detach().numpy())

# The default device is not NumPy's.
torch.set_default_device("cuda")
print(torch.from_numpy(np.ones(2)).device, np.zeros(2) + 1)
torch.set_default_device(None)

# Loaders.
pairs = [(np.array([1.0, 2.0]), 1), (np.array([3.0, 4.0]), 0)]
for batch in torch.utils.data.DataLoader(pairs, batch_size=2):
    print(batch)
