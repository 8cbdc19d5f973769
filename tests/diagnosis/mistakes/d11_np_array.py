# rule: D11
# line: 6
import numpy as np
import torch
heat = torch.rand(3, 3, device="cuda")
grid = np.array(heat)
print(grid.shape)
