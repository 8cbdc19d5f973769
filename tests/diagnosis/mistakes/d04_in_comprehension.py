# rule: D04
# line: 5
import torch
xs = [torch.ones(1) for _ in range(3)]
[x.to("cuda") for x in xs]
print([str(x.device) for x in xs], sum(xs).item())
