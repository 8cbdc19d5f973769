# rule: D05
# line: 6
import torch
from torch import nn
base = nn.Linear(2, 2)
fast = base.to("cuda")
x = torch.randn(3, 2)
slow_out = base(x)
fast_out = fast(x.cuda())
print(torch.allclose(slow_out, fast_out.cpu()))
