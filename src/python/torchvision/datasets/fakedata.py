"""Random images."""

import torch

from torchvision.datasets.vision import VisionDataset
from torchvision.transforms.functional import to_pil_image


class FakeData(VisionDataset):
    """`size` random images with random classes. Each index has its own seed, so an item is always the same."""

    def __init__(
        self,
        size=1000,
        image_size=(3, 224, 224),
        num_classes=10,
        transform=None,
        target_transform=None,
        random_offset=0,
    ):
        super().__init__(transform=transform, target_transform=target_transform)
        self.size = size
        self.num_classes = num_classes
        self.image_size = image_size
        self.random_offset = random_offset

    def __getitem__(self, index):
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        before = torch.get_rng_state()
        torch.manual_seed(index + self.random_offset)
        image = torch.randn(*self.image_size)
        target = torch.randint(0, self.num_classes, size=(1,), dtype=torch.long)[0]
        torch.set_rng_state(before)
        image, target = self._transformed(to_pil_image(image), target)
        return image, target.item() if isinstance(target, torch.Tensor) else target

    def __len__(self):
        return self.size
