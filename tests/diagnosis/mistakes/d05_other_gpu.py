# rule: D05
# line: 7
# machine: cuda:2
import torch
from torch import nn
teacher = nn.Linear(3, 3).to("cuda:0")
student = teacher.to("cuda:1")
x = torch.ones(1, 3, device="cuda:0")
a = teacher(x)
b = student(x.to("cuda:1"))
print(a.device, b.device)
