import torch
from torch import nn

class Tagger(nn.Module):
    def __init__(self, vocab, dim, tags):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.out = nn.Linear(dim, tags)
    def forward(self, ids, mask):
        h = self.emb(ids) * mask.unsqueeze(-1)
        return self.out(h.mean(1))

device = "cuda"
model = Tagger(20, 8, 3).to(device)
batches = [{"ids": torch.randint(0, 20, (4, 5)), "mask": torch.ones(4, 5)} for _ in range(2)]
for batch in batches:
    batch = {k: v.to(device) for k, v in batch.items()}
    print(model(**batch).shape)
