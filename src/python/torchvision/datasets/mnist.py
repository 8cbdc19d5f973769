"""MNIST and data sets in its format."""

import os
import struct
import zlib

import numpy as np
import torch

from torchvision._image import image_of
from torchvision.datasets.vision import VisionDataset, no_download

_DTYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}


class MNIST(VisionDataset):
    """Handwritten digits. `root`/MNIST/raw holds the four files `train-images-idx3-ubyte` and so on, or these with .gz.

    `data` is uint8 (N, 28, 28), `targets` int64 (N,). An item is an image and its class."""

    classes = "0 - zero,1 - one,2 - two,3 - three,4 - four,5 - five,6 - six,7 - seven,8 - eight,9 - nine".split(",")

    def __init__(self, root, train=True, transform=None, target_transform=None, download=False):
        super().__init__(root, transform=transform, target_transform=target_transform)
        self.train = train
        if not self._check_exists():
            if download:
                raise no_download(type(self).__name__, self.raw_folder, self._files())
            raise RuntimeError("Dataset not found. You can use download=True to download it")
        images, labels = self._files()[:2] if train else self._files()[2:]
        self.data = _read(os.path.join(self.raw_folder, images), 3)
        self.targets = _read(os.path.join(self.raw_folder, labels), 1).long()

    @staticmethod
    def _files():
        return [f"{part}-{kind}-ubyte" for part in ("train", "t10k") for kind in ("images-idx3", "labels-idx1")]

    @property
    def raw_folder(self):
        return os.path.join(self.root, type(self).__name__, "raw")

    @property
    def processed_folder(self):
        return os.path.join(self.root, type(self).__name__, "processed")

    @property
    def class_to_idx(self):
        return {name: i for i, name in enumerate(self.classes)}

    train_labels = test_labels = property(lambda self: self.targets)
    train_data = test_data = property(lambda self: self.data)

    def _check_exists(self):
        paths = [os.path.join(self.raw_folder, name) for name in self._files()]
        return all(os.path.exists(path) or os.path.exists(path + ".gz") for path in paths)

    def __getitem__(self, index):
        return self._transformed(image_of(self.data[index].numpy()), int(self.targets[index]))

    def __len__(self):
        return len(self.data)

    def extra_repr(self):
        return f"Split: {'Train' if self.train else 'Test'}"


class FashionMNIST(MNIST):
    """Clothes, in the format of MNIST, in `root`/FashionMNIST/raw."""

    classes = "T-shirt/top,Trouser,Pullover,Dress,Coat,Sandal,Shirt,Sneaker,Bag,Ankle boot".split(",")


class KMNIST(MNIST):
    """Japanese characters, in the format of MNIST, in `root`/KMNIST/raw."""

    classes = "o ki su tsu na ha ma ya re wo".split()


def _read(path, dims):
    """An IDX file as a tensor; the file may be compressed."""
    compressed = not os.path.exists(path)
    with open(path + ".gz" if compressed else path, "rb") as f:
        content = f.read()
    if compressed:
        # 31 stands for the gzip format.
        content = zlib.decompress(content, 31)
    zeros, kind, count = struct.unpack(">HBB", content[:4])
    if zeros or kind not in _DTYPES or count != dims:
        raise ValueError(f"{path} isn't an IDX file of {dims} dimensions")
    shape = struct.unpack(f">{count}I", content[4 : 4 + 4 * count])
    array = np.frombuffer(content[4 + 4 * count :], dtype=_DTYPES[kind])
    size = 1
    for n in shape:
        size *= n
    if array.size != size:
        raise ValueError(f"{path} should hold {size} values, and holds {array.size}")
    return torch.from_numpy(np.array(array).reshape(shape))
