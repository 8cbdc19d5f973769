"""Parameters as one vector and back, under the name of their file in PyTorch."""

from torch.nn.utils import parameters_to_vector, vector_to_parameters

__all__ = ["parameters_to_vector", "vector_to_parameters"]
