# rule: D23
# line: 20
import torch
from torch import nn

class Trainer:
    def __init__(self, model, device):
        self.model = model.to(device)
        self.device = device
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def epoch(self, batches):
        for x, y in batches:
            x, y = x.to(self.device), y.to(self.device)
            loss = nn.functional.mse_loss(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            # talk about everything
            print("loss is now", loss.item())

torch.manual_seed(0)
batches = [(torch.randn(4, 2), torch.randn(4, 1)) for _ in range(60)]
trainer = Trainer(nn.Linear(2, 1), "cuda")
for _ in range(2):
    trainer.epoch(batches)
