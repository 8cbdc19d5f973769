"""Event files that TensorBoard reads, as in torch.utils.tensorboard."""

from .writer import FileWriter, SummaryWriter

__all__ = ["FileWriter", "SummaryWriter"]
