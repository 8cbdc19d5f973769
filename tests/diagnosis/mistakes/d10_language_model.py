# rule: D10
# line: 15
import torch
from torch import nn
class LM(nn.Module):
    def __init__(self, vocab):
        super().__init__()
        self.embed = nn.Embedding(vocab, 6)
        self.out = nn.Linear(6, vocab)
    def forward(self, idx):
        return self.out(self.embed(idx))
device = "cuda"
lm = LM(11).to(device)
context = torch.zeros((1, 4), dtype=torch.long)
print(lm(context).shape)
