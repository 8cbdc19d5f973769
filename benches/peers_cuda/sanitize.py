# Calls every family of kernels once, for compute-sanitizer. The sizes aren't multiples of a block, because mistakes at the edges
# of an array show there.
import torch
import torch.nn as nn
import torch.nn.functional as F

device = "cuda"
torch.manual_seed(0)
for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.float64):
    for n in (1, 33, 1025, 4099):
        x = torch.rand(n, device=device).to(dtype)
        y = (x + 1) * x.exp() - x.sigmoid() / 3
        y.sum().item(), y.max().item(), y.argmax().item(), y.var().item() if n > 1 else None
        y.cumsum(0), y.sort(), torch.where(y > 0, y, x)
        x[::2].add_(1)
        F.softmax(x.view(1, -1), 1), F.log_softmax(x.view(1, -1), 1)
    m = torch.rand(67, 35, device=device).to(dtype)
    (m @ m.t()).sum().item(), m.t().contiguous(), m.sum(0), m.mean(1), m.tril(), m.flip(0)
    index = torch.randint(0, 67, (50,), device=device)
    m[index], m.index_select(0, index), m.index_add_(0, index, m[index]), (m > 0.5).nonzero()
for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
    x = torch.randint(0, 2, (1027,), device=device).to(dtype)
    x.sum().item(), (x == 1).any().item(), x.sort(), x.float()
model = nn.Sequential(
    nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 4, 3, stride=2),
    nn.AvgPool2d(2), nn.Flatten(), nn.LazyLinear(16), nn.LayerNorm(16),
    nn.Dropout(0.5), nn.Linear(16, 10),
).to(device)
data, target = torch.randn(5, 3, 17, 19, device=device), torch.randint(0, 10, (5,), device=device)
model(data)
for make in (lambda p: torch.optim.SGD(p, 0.1, momentum=0.9), torch.optim.Adam, torch.optim.RMSprop, torch.optim.Adagrad,
             lambda p: torch.optim.AdamW(p, capturable=True)):
    optimizer = make(model.parameters())
    for _ in range(2):
        optimizer.zero_grad()
        F.cross_entropy(model(data), target).backward()
        optimizer.step()
torch.cuda.synchronize()
print("every family ran")
