# Costs of single calls, in microseconds (medians): runs under PyTorch and here, on the CPU or an accelerator.
import time

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def median(f, repeat=30, inner=200, finish=None):
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        for _ in range(inner):
            f()
        if finish:
            finish()
        times.append((time.perf_counter() - begin) / inner * 1e6)
    times.sort()
    return times[len(times) // 2]


a = torch.randn(1024, device=device)
b = torch.randn(1024, device=device)
one = torch.ones((), device=device)
wait = torch.cuda.synchronize if device.type == "cuda" else None

print(f"add_1k {median(lambda: a + b, finish=wait):.2f}")
print(f"tiny_dispatch {median(lambda: one.add_(1), finish=wait):.2f}")
print(f"item {median(lambda: one.item(), inner=50):.2f}")
big = torch.randn(4_000_000, device=device)
other = torch.randn(4_000_000, device=device)
micros = median(lambda: big + other, repeat=9, inner=5, finish=wait)
print(f"add_4m_gb_s {12 * 4_000_000 / micros / 1e3:.2f}")
for n in (256, 512, 1024):
    m = torch.randn(n, n, device=device)
    micros = median(lambda: m @ m, repeat=7, inner=3, finish=wait)
    print(f"matmul_{n}_gflop_s {2 * n**3 / micros / 1e3:.1f}")
for n in (100, 500):
    m = torch.randn(n, n, device=device)
    positive = m @ m.T + n * torch.eye(n, device=device)
    for name, f in {
        "cholesky": lambda: torch.linalg.cholesky(positive),
        "lu_factor": lambda: torch.linalg.lu_factor(m),
        "qr": lambda: torch.linalg.qr(m),
        "solve": lambda: torch.linalg.solve(m, m),
        "inv": lambda: torch.linalg.inv(m),
        "eigh": lambda: torch.linalg.eigh(positive),
        "svd": lambda: torch.linalg.svd(m),
    }.items():
        print(f"{name}_{n} {median(f, repeat=7, inner=3, finish=wait):.1f}")
