"""How a small language model's next token is chosen, trained with a schedule and a moving average, and documents packed into a row."""

import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(11)
VOCAB = 12
logits = torch.randn(3, VOCAB) * 2


def top_k(logits, k):
    values, places = torch.topk(logits, k)
    return torch.full_like(logits, -float("inf")).scatter(-1, places, values)


def top_p(logits, p):
    ordered, places = logits.sort(-1, descending=True)
    before = ordered.softmax(-1).cumsum(-1) - ordered.softmax(-1)
    drop = before > p
    return logits.masked_fill(drop.scatter(-1, places, drop), -torch.inf)


def min_p(logits, p):
    probs = logits.softmax(-1)
    return logits.masked_fill(probs < p * probs.amax(-1, keepdim=True), -torch.inf)


def repetition_penalty(logits, previous, penalty=1.3):
    score = logits.gather(1, previous)
    return logits.scatter(1, previous, torch.where(score < 0, score * penalty, score / penalty))


print(top_k(logits, 3))
print(top_p(logits, 0.8).isfinite().sum(-1), min_p(logits, 0.2).isneginf().int())
print(repetition_penalty(logits, torch.tensor([[0, 1], [2, 3], [4, 4]]))[:, :5])
for temperature in (0.1, 1.0, 10.0):
    probs = (logits[0] / temperature).softmax(-1)
    print(f"T={temperature:<5}", probs.max(), -(probs * probs.log()).sum().item(), torch.distributions.Categorical(probs).entropy())

# Speculative sampling: a draft of one model, accepted by another.
target, draft = logits[0].softmax(-1), logits[1].softmax(-1)
tokens = torch.multinomial(draft, 8, replacement=True)
accepted = torch.rand(8) < (target[tokens] / draft[tokens]).clamp(max=1)
rest = (target - draft).clamp(min=0)
rest /= rest.sum()
print(tokens, accepted, (~accepted).nonzero()[:1].flatten(), accepted.cumprod(0).sum(), torch.multinomial(rest, 1), rest.max())


class Tiny(nn.Module):
    def __init__(self, vocab=VOCAB, width=8):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.rnn = nn.GRU(width, width, 2, batch_first=True, dropout=0.2)
        self.head = nn.Linear(width, vocab)
        self.head.weight = self.embed.weight

    def forward(self, x, hidden=None):
        out, hidden = self.rnn(self.embed(x), hidden)
        return self.head(out), hidden


model = Tiny()
print(model, sum(p.numel() for p in model.parameters()), [n for n in model.state_dict() if "rnn" not in n])
ids = torch.randint(0, VOCAB, (40,))
model.eval()
total, count = 0.0, 0
with torch.inference_mode():
    for start in range(0, len(ids) - 1, 8):
        labels = ids[start + 1:start + 9][None]
        out, _ = model(ids[start:start + 8][None, :labels.size(1)])
        total += F.cross_entropy(out.transpose(1, 2), labels, reduction="sum")
        count += labels.numel()
print(total / count, math.exp(total / count), torch.exp(total / count), total.is_inference(), count)

model.train()
optimizer = torch.optim.Adamax(model.parameters(), lr=0.05)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min((step + 1) ** -0.5, (step + 1) * 4 ** -1.5))
average = copy.deepcopy(model).requires_grad_(False)
hidden = None
for step in range(6):
    x, y = (ids.view(4, 10)[:, at:at + 3] for at in (step, step + 1))
    out, hidden = model(x, hidden)
    hidden = hidden.detach()
    loss = F.cross_entropy(out.reshape(-1, VOCAB), y.reshape(-1), label_smoothing=0.05)
    optimizer.zero_grad()
    loss.backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    optimizer.step()
    schedule.step()
    for slow, fast in zip(average.parameters(), model.parameters()):
        slow.lerp_(fast, 0.1)
    print(f"{step} {loss:.4f} {norm:.3f} {schedule.get_last_lr()[0]:.4f}")

documents = [torch.arange(3), torch.arange(5), torch.arange(2)]
packed = torch.cat(documents)
ends = F.pad(torch.tensor([len(d) for d in documents]).cumsum(0), (1, 0))
owner = torch.repeat_interleave(torch.arange(3), ends.diff())
mask = (owner[:, None] == owner[None]) & torch.ones(10, 10).tril().bool()
print(packed, ends, owner, torch.arange(10) - ends[owner], mask.int(), sep="\n")
print(torch.bucketize(torch.arange(10), ends[1:], right=True), torch.searchsorted(ends, torch.tensor([2, 3])))
