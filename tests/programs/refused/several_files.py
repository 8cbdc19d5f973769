import torch
import helper_functions
from helper_functions import double

print(double(torch.ones(2)), helper_functions.double(2))
