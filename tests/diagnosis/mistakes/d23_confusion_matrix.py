# rule: D23
# line: 8
import torch
pred = torch.randint(0, 2, (50,)).cuda()
counts = [[0, 0], [0, 0]]
truth = [i % 2 for i in range(50)]
for i, t in enumerate(truth):
    counts[t][pred[i].item()] += 1
print(sum(map(sum, counts)))
