# rule: D07
# line: 9
import torch
from torch import nn
class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 4)
        self.anchors = torch.tensor([[10.0, 13.0, 16.0, 30.0]])
    def forward(self, x):
        raw = self.head(x).sigmoid()
        boxes = raw * self.anchors
        return boxes
print(Detector().to(torch.device("cuda"))(torch.rand(5, 4, device="cuda")).shape)
