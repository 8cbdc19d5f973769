"""The gradient scaler, under the name of its file in PyTorch."""

from torch.cuda.amp import GradScaler
