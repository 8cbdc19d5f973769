# rule: D26
# line: 6
import torch
from torch import nn
def load_into(model, weights):
    model.load_state_dict(weights)
    return model
source = nn.DataParallel(nn.Sequential(nn.Linear(2, 2), nn.ReLU()))
target = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
print(len(list(load_into(target, source.state_dict()).parameters())))
