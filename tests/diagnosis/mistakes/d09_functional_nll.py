# rule: D09
# line: 7
import torch
import torch.nn.functional as F
logp = torch.randn(3, 4, device="cuda").log_softmax(1)
truth = torch.tensor([1, 0, 3])
print(F.nll_loss(logp, truth).item() > 0)
