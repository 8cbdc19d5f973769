# rule: D13
# line: 6
import torch
def make_variable(n):
    v = torch.full((n,), 0.5, requires_grad=True)
    return v.to("cuda")
v = make_variable(3)
(v * v).sum().backward()
print(v.grad)
