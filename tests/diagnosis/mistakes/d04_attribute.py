# rule: D04
# line: 8
import torch
class State:
    def __init__(self):
        self.memory = torch.zeros(4)
    def to_gpu(self):
        self.memory.to("cuda")
s = State()
s.to_gpu()
print(s.memory.device, s.memory.sum().item())
