# rule: D20
# line: 7
# memory: 64
import torch
stored = []
for i in range(40):
    stored.append(torch.zeros(1024, 1024, device="cuda"))
print(len(stored))
