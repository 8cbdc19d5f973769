# rule: D24
# line: 6
import torch
def prepare(t):
    t = t.to("cuda")
    return t.pin_memory()
print(prepare(torch.zeros(2)).shape)
