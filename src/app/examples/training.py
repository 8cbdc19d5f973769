import torch
import torch.nn as nn

torch.manual_seed(0)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

# The data stays on the host; one batch at a time crosses the link.
X = torch.randn(512, 16)
y = X[:, :4].sum(dim=1, keepdim=True)

model = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1)).to(device)
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for epoch in range(5):
    for start in range(0, 512, 64):
        batch_X = X[start:start + 64].to(device)
        batch_y = y[start:start + 64].to(device)

        loss = loss_fn(model(batch_X), batch_y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch + 1}: loss {loss.item():.4f}")
