import torch
x = torch.ones(1, device="cuda")
counts = {}
counts[x.device] = counts.get(x.device, 0) + 1
counts[torch.device("cpu")] = 2
print(sorted(str(d) for d in counts))
