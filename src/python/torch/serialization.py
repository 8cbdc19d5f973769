"""Checkpoints."""


def save(obj, f, *args, **kwargs):
    raise NotImplementedError("torch.save")


def load(f, *args, **kwargs):
    raise NotImplementedError("torch.load")
