"""CIFAR-10 and CIFAR-100."""

import os
import pickle

import numpy as np

from torchvision._image import image_of
from torchvision.datasets.vision import VisionDataset, no_download


class CIFAR10(VisionDataset):
    """Color images of 10 classes. `root`/cifar-10-batches-py holds the files of the Python version.

    `data` is an array uint8 (N, 32, 32, 3), `targets` a list. An item is an image and its class."""

    base_folder = "cifar-10-batches-py"
    train_list = [[f"data_batch_{i}", None] for i in range(1, 6)]
    test_list = [["test_batch", None]]
    meta = {"filename": "batches.meta", "key": "label_names"}

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if not self._check_integrity():
            if download:
                folder = os.path.join(self.root, self.base_folder)
                raise no_download(type(self).__name__, folder, self._files())
            raise RuntimeError("Dataset not found or corrupted. You can use download=True to download it")
        parts, self.targets = [], []
        for name, _ in self.train_list if train else self.test_list:
            entry = self._load(name)
            parts.append(entry["data"].array)
            self.targets.extend(entry["labels"] if "labels" in entry else entry["fine_labels"])
        self.data = np.vstack(parts).reshape(-1, 3, 32, 32).transpose((0, 2, 3, 1))
        self.classes = self._load(self.meta["filename"])[self.meta["key"]]
        self.class_to_idx = {name: i for i, name in enumerate(self.classes)}

    def _files(self):
        return [name for name, _ in self.train_list + self.test_list] + [self.meta["filename"]]

    def _check_integrity(self):
        return all(os.path.exists(os.path.join(self.root, self.base_folder, name)) for name in self._files())

    def _load(self, name):
        with open(os.path.join(self.root, self.base_folder, name), "rb") as f:
            return _Unpickler(f, encoding="latin1").load()

    def __getitem__(self, index):
        return self._transformed(image_of(np.ascontiguousarray(self.data[index])), self.targets[index])

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class CIFAR100(CIFAR10):
    """Color images of 100 classes, in `root`/cifar-100-python."""

    base_folder = "cifar-100-python"
    train_list = [["train", None]]
    test_list = [["test", None]]
    meta = {"filename": "meta", "key": "fine_label_names"}


class _Unpickler(pickle.Unpickler):
    """Reads arrays that NumPy pickled under Python 2, and nothing else that would run code."""

    def find_class(self, module, name):
        known = {"_reconstruct": _Array, "ndarray": _Array, "dtype": _Dtype}
        if (module, name) == ("_codecs", "encode"):
            # Python 3 writes bytes this way in old formats.
            return str.encode
        if module.startswith("numpy") and name in known:
            return known[name]
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a file of CIFAR")


class _Dtype:
    def __init__(self, name, *_):
        self.name = name

    def __setstate__(self, state):
        pass


class _Array:
    """Takes the place of an array while a file is read."""

    def __init__(self, *_):
        pass

    def __setstate__(self, state):
        _, shape, dtype, by_columns, raw = state
        if dtype.name not in ("u1", "uint8") or by_columns:
            raise pickle.UnpicklingError(f"a file of CIFAR holds bytes in rows, not {dtype.name}")
        # Python 2 wrote the bytes as a string.
        raw = raw.encode("latin1") if isinstance(raw, str) else raw
        self.array = np.frombuffer(raw, dtype="uint8").reshape(shape)
