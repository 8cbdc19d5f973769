import torch
def to_device(obj, device):
    if isinstance(obj, torch.Tensor):
        return obj.to(device)
    if isinstance(obj, dict):
        return {k: to_device(v, device) for k, v in obj.items()}
    if isinstance(obj, (list, tuple)):
        return type(obj)(to_device(v, device) for v in obj)
    return obj
nested = to_device({"a": [torch.ones(2), (torch.zeros(1), "text")], "n": 3}, "cuda")
print(nested["a"][0].device, nested["a"][1][0].device)
