import torch
import torch.nn as nn
model = nn.Linear(4, 2).cuda()
model.eval()
correct = 0
total_loss = 0
criterion = nn.CrossEntropyLoss()
with torch.no_grad():
    for _ in range(5):
        x = torch.randn(6, 4, device="cuda")
        y = torch.randint(0, 2, (6,), device="cuda")
        out = model(x)
        total_loss += criterion(out, y)
        correct += (out.argmax(1) == y).sum()
print(total_loss.item() / 5, correct.item())
