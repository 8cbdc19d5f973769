"""Data sets. Nothing is downloaded: they read files that you give."""

from torchvision.datasets.cifar import CIFAR10, CIFAR100
from torchvision.datasets.fakedata import FakeData
from torchvision.datasets.folder import IMG_EXTENSIONS, DatasetFolder, ImageFolder
from torchvision.datasets.mnist import MNIST, FashionMNIST, KMNIST
from torchvision.datasets.vision import VisionDataset

_ELSEWHERE = """
Caltech101 Caltech256 CelebA Cityscapes CocoCaptions CocoDetection Country211 DTD EMNIST EuroSAT FER2013 FGVCAircraft Flickr30k
Flickr8k Flowers102 Food101 GTSRB HMDB51 ImageNet Imagenette INaturalist Kinetics KITTI LFWPairs LFWPeople LSUN MovingMNIST
Omniglot OxfordIIITPet PCAM Places365 QMNIST RenderedSST2 SBDataset SBU SEMEION STL10 StanfordCars SUN397 SVHN UCF101 USPS
VOCDetection VOCSegmentation WIDERFace
""".split()


def __getattr__(name):
    if name in _ELSEWHERE:
        raise NotImplementedError(
            f"torchvision.datasets.{name} isn't here. These are: MNIST, FashionMNIST, KMNIST, CIFAR10, CIFAR100, FakeData, "
            "ImageFolder and DatasetFolder."
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
