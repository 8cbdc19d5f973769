import torch
import transformers_of_nobody

print(torch.ones(2))
