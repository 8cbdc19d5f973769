# rule: D15
# line: 8
# machine: cpu
# fixture: gpu_state
import torch
from torch import nn
def restore(path, model):
    model.load_state_dict(torch.load(path))
    return model.eval()
print(restore("FIXTURE", nn.Linear(2, 1)).training)
