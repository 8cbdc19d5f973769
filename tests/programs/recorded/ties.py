# Which of several equal elements topk, kthvalue, median and nanmedian pick, and in which order, on the CPU.
import torch

torch.manual_seed(3)


def told(name, values, indices):
    print(name, values.tolist(), indices.tolist())


for n in (1, 2, 3, 4, 5, 8, 15, 16, 17, 18, 33, 40, 64, 65, 100, 130, 300):
    x = torch.randint(0, 4, (n,))
    for k in sorted({1, 2, 3, n // 2, n - 1, n}):
        if 0 < k <= n:
            for largest in (True, False):
                told(f"topk {n} {k} {largest}", *x.topk(k, largest=largest))
                told("    as found", *x.topk(k, largest=largest, sorted=False))
            told(f"kth {n} {k}", *x.kthvalue(k))
    told(f"median {n}", *x.median(0))
    y = x.float()
    y[torch.rand(n) < 0.2] = float("nan")
    told(f"nanmedian {n}", *y.nanmedian(0))
    told(f"median with nan {n}", *y.median(0))
    told(f"topk with nan {n}", *y.topk(min(n, 7)))
    told(f"smallest with nan {n}", *y.topk(min(n, 7), largest=False))
    told(f"kth with nan {n}", *y.kthvalue((n + 1) // 2))

# A line whose order makes every split bad: the algorithms turn to heaps.
for n in (64, 200, 1000):
    x = torch.minimum(torch.arange(n), n - torch.arange(n)) // 3
    told(f"piped {n}", *x.topk(5))
    told(f"piped half {n}", *(t[:20] for t in x.topk(n // 2)))
    told(f"piped median {n}", *x.median(0))
    told(f"piped kth {n}", *x.kthvalue(n // 3))
    same = torch.zeros(n)
    told(f"equal {n}", *same.topk(4))
    told(f"equal half {n}", *(t[:20] for t in same.topk(n // 2)))
    told(f"equal median {n}", *same.median(0))
    told(f"equal kth {n}", *same.kthvalue(n // 3))

# Along other dimensions, and of results that are half-precision or transposed.
x = torch.randint(0, 3, (4, 6, 5))
for dim in (0, 1, -1):
    told(f"dim {dim}", *x.topk(3, dim=dim))
    told(f"dim {dim} median", *x.median(dim))
    told(f"dim {dim} kth", *x.kthvalue(2, dim, keepdim=True))
told("transposed", *x.transpose(0, 2).topk(2, dim=1))
told("half", *x.half().topk(4, dim=1))
told("bfloat16", *x.bfloat16().median(1))

# The gradient goes to the element that was picked.
w = torch.tensor([1.0, 2.0, 2.0, 2.0, 1.0, 2.0, 0.0], requires_grad=True)
w.topk(2)[0].sum().backward()
print(w.grad)
w.grad = None
w.median(0)[0].backward()
print(w.grad)
w.grad = None
w.kthvalue(5)[0].backward()
print(w.grad)

# Samples without replacement where some weights are 0.
torch.manual_seed(1)
print(torch.multinomial(torch.tensor([0.0, 0.0, 3.0, 0.0, 1.0]), 2), torch.multinomial(torch.ones(40), 12))
