import torch
class Batch:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def to(self, device):
        self.x = self.x.to(device)
        self.y = self.y.to(device)
        return self
b = Batch(torch.ones(2), torch.zeros(2))
b.to("cuda")
print((b.x + b.y).device)
