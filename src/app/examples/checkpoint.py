import io

import torch
import torch.nn as nn

model = nn.Linear(4, 2).to("cuda")
file = io.BytesIO()
torch.save(model.state_dict(), file)

file.seek(0)
state = torch.load(file, map_location="cpu")   # without map_location it comes back to where it was
print({name: tensor.device for name, tensor in state.items()})

other = nn.Linear(4, 2)
other.load_state_dict(state)
print(torch.equal(other.weight, model.weight.cpu()))
