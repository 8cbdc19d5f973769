# rule: D10
# line: 8
import torch
def take(matrix, rows):
    return matrix[rows]
matrix = torch.arange(9.0).view(3, 3)
rows = torch.tensor([0, 2]).cuda()
print(take(matrix, rows).shape)
