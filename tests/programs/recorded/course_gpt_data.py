"""From text to batches: tiktoken, a sliding window, embeddings and one attention head."""

import tiktoken
import torch
from torch.utils.data import DataLoader, Dataset

text = ("The brook ran past the mill and under the bridge. Every morning the miller's daughter counted the geese, "
        "and every evening one of them was missing. ") * 8


class Windows(Dataset):
    def __init__(self, text, tokenizer, length, stride):
        ids = tokenizer.encode(text, allowed_special={"<|endoftext|>"})
        self.inputs = [torch.tensor(ids[i:i + length]) for i in range(0, len(ids) - length, stride)]
        self.targets = [torch.tensor(ids[i + 1:i + length + 1]) for i in range(0, len(ids) - length, stride)]

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, at):
        return self.inputs[at], self.targets[at]


tokenizer = tiktoken.get_encoding("gpt2")
data = Windows(text, tokenizer, 4, 4)
loader = DataLoader(data, batch_size=8, shuffle=False, drop_last=True)
inputs, targets = next(iter(loader))
print(len(data), len(loader), inputs, targets)
print([tokenizer.decode(row) for row in inputs[:2].tolist()])
torch.manual_seed(123)
tokens, places = torch.nn.Embedding(tokenizer.n_vocab, 8), torch.nn.Embedding(4, 8)
x = tokens(inputs) + places(torch.arange(4))
print(x.shape, x[0, 0])
query, key, value = (torch.nn.Linear(8, 6, bias=False) for _ in range(3))
scores = query(x) @ key(x).transpose(1, 2)
mask = torch.triu(torch.ones(4, 4), diagonal=1).bool()
weights = torch.softmax(scores.masked_fill(mask, -torch.inf) / 6 ** 0.5, dim=-1)
print(weights[0], (weights @ value(x)).shape)
def to_ids(text):
    return torch.tensor(tokenizer.encode(text)).unsqueeze(0)
print(to_ids("Hello, I am"), tokenizer.decode(to_ids("Hello, I am").squeeze(0).tolist()))
