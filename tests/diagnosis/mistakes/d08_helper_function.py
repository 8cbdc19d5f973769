# rule: D08
# line: 5
import torch
def add_bias_column(matrix):
    ones = torch.ones(matrix.shape[0], 1)
    return torch.cat((matrix, ones), dim=1)
print(add_bias_column(torch.rand(4, 2, device="cuda")).shape)
