# Draws of the CUDA generator as bits: the same file under PyTorch and under Tensoryard, compared line by line.
import torch

device = "cuda"
for seed in (0, 42, 123456789012):
    for n in (1, 7, 1000, 4096, 1000003):
        torch.manual_seed(seed)
        uniform = torch.rand(n, device=device)
        integers = torch.randint(0, 1000, (n,), device=device)
        wide = torch.randint(-(2**40), 2**40, (n,), device=device)
        mask = torch.nn.functional.dropout(torch.ones(n, device=device), 0.3)
        double = torch.rand(n, device=device, dtype=torch.float64)
        normal = torch.randn(n, device=device)
        print(seed, n, "uniform", uniform.view(torch.int32).long().sum().item())
        print(seed, n, "integers", integers.sum().item(), "wide", wide.sum().item())
        print(seed, n, "dropout", int((mask != 0).sum().item()))
        print(seed, n, "double", f"{double.sum().item():.6f}")
        # A GPU's logarithm, sine and cosine may differ in the last bit.
        print(seed, n, "normal", " ".join(f"{v:.4f}" for v in normal[:4].tolist()), f"{normal.sum().item():.1f}")
