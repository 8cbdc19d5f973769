# rule: D16
# line: 11
# fixture: cuda2_state
import torch
from torch import nn
class Resume:
    def __init__(self, path):
        self.path = path
        self.model = nn.Linear(2, 1)
    def load(self):
        state = torch.load(self.path)
        self.model.load_state_dict(state)
        return self
print(Resume("FIXTURE").load().model.weight.shape)
