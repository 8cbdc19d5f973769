# rule: D11
# line: 5
import torch
def to_list(t):
    return t.numpy().tolist()
print(to_list(torch.ones(2).cuda()))
