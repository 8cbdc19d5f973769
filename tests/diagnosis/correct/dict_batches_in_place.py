import torch
batch = {"x": torch.ones(2, 2), "y": torch.zeros(2)}
for key in batch:
    batch[key] = batch[key].to("cuda")
print({k: str(v.device) for k, v in batch.items()})
