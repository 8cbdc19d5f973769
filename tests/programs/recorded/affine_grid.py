# The identity's grid lands beside pixel centers exactly where PyTorch's does: the gradient of a place depends on the side.
import torch
import torch.nn.functional as F

torch.manual_seed(0)
image = torch.rand(1, 2, 28, 20)
theta = torch.tensor([[[1.0, 0, 0], [0, 1, 0]]], requires_grad=True)
for align in (False, True):
    grid = F.affine_grid(theta, (1, 2, 28, 20), align_corners=align)
    print((grid[0, :, 0, 1].double() * 2 ** 24).int().tolist())
    print(((F.grid_sample(image, grid, align_corners=align) - image).abs() < 1e-5).all())
    (F.grid_sample(image, grid, align_corners=align) ** 2).sum().backward()
    print(theta.grad / 1000)
    theta.grad = None
grid = F.affine_grid(torch.eye(3, 4).unsqueeze(0), (1, 1, 1, 3, 5), align_corners=False)
print(grid.shape, grid[0, 0, :, :, 0])
