import torch
class Sample:
    def __init__(self, **fields):
        self.fields = fields
    def to(self, device):
        return Sample(**{k: v.to(device) if torch.is_tensor(v) else v for k, v in self.fields.items()})
s = Sample(image=torch.ones(2, 2), label=torch.tensor(1), name="cat")
s = s.to("cuda")
print(s.fields["image"].device, s.fields["label"].device)
