import numpy as np
import torch
a = np.arange(6, dtype=np.float32).reshape(2, 3)
t = torch.from_numpy(a).cuda()
back = (t * 2).cpu().numpy()
print(back.sum())
