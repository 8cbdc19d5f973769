# rule: D13
# line: 6
import torch
image = torch.rand(1, 3, 4, 4)
image.requires_grad_()
image = image.to("cuda")
score = image.mean()
score.backward()
saliency = image.grad
print(saliency is None)
