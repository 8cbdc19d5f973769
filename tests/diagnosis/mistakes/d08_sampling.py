# rule: D08
# line: 10
import torch
from torch import nn
class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu, self.logvar = nn.Linear(4, 2), nn.Linear(4, 2)
    def sample(self, mu, logvar):
        eps = torch.randn(mu.size(0), mu.size(1))
        return mu + eps * (0.5 * logvar).exp()
    def forward(self, x):
        return self.sample(self.mu(x), self.logvar(x))
print(VAE().cuda()(torch.ones(3, 4, device="cuda")).shape)
