"""Characters of names: counts of pairs, as a table and as a tensor."""

import pandas as pd
import torch

names = pd.Series("emma olivia ava isabella sophia charlotte mia amelia harper evelyn abigail emily ella".split(), name="name")
print(names.str.len().describe())
letters = sorted(set("".join(names)))
index = {c: i + 1 for i, c in enumerate(letters)} | {".": 0}
counts = torch.zeros(len(index), len(index), dtype=torch.int32)
for name in names:
    for a, b in zip("." + name, name + "."):
        counts[index[a], index[b]] += 1
table = pd.DataFrame(counts.numpy(), index=["."] + letters, columns=["."] + letters)
print(table.iloc[:5, :8])
print(table.sum(axis=1).sort_values(ascending=False, kind="stable").head(4))
print(table.stack().sort_values(ascending=False, kind="stable").head(3))
probabilities = (counts + 1).float()
probabilities /= probabilities.sum(1, keepdim=True)
generator = torch.Generator().manual_seed(2147483647)
for _ in range(3):
    made, at = [], 0
    while True:
        at = torch.multinomial(probabilities[at], num_samples=1, replacement=True, generator=generator).item()
        if at == 0 or len(made) > 12:
            break
        made.append(letters[at - 1])
    print("".join(made))
total, n = 0.0, 0
for name in names:
    for a, b in zip("." + name, name + "."):
        total += torch.log(probabilities[index[a], index[b]])
        n += 1
print(f"{-total / n:.4f}", n, names[names.str.startswith("e")].tolist(), names.str.contains("ll").sum())
