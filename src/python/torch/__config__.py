"""How this engine was built, as torch.__config__. It has none of the libraries that PyTorch lists here."""

import torch


def show():
    return f"Tensoryard, with the interface of PyTorch {torch.__version__}. Its kernels are its own: no MKL, no oneDNN.\n"


def parallel_info():
    return f"\tat::get_num_threads() : {torch.get_num_threads()}\n"
