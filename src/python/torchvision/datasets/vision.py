"""What all data sets share."""

import os

from torch.utils.data import Dataset


class VisionDataset(Dataset):
    """`transforms` of (image, target), or `transform` of the image and `target_transform` of the target."""

    def __init__(self, root=None, transforms=None, transform=None, target_transform=None):
        self.root = os.path.expanduser(root) if isinstance(root, str) else root
        apart = transform is not None or target_transform is not None
        if transforms is not None and apart:
            raise ValueError("Only transforms or transform/target_transform can be passed as argument")
        self.transform = transform
        self.target_transform = target_transform
        self.transforms = StandardTransform(transform, target_transform) if apart else transforms

    def __getitem__(self, index):
        raise NotImplementedError

    def __len__(self):
        raise NotImplementedError

    def _transformed(self, image, target):
        if self.transform is not None:
            image = self.transform(image)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return image, target

    def extra_repr(self):
        return ""

    def __repr__(self):
        body = [f"Number of datapoints: {len(self)}"]
        if self.root is not None:
            body.append(f"Root location: {self.root}")
        body += self.extra_repr().splitlines()
        if getattr(self, "transforms", None) is not None:
            body.append(repr(self.transforms))
        return "\n".join([f"Dataset {type(self).__name__}"] + [f"    {line}" for line in body])


class StandardTransform:
    def __init__(self, transform=None, target_transform=None):
        self.transform = transform
        self.target_transform = target_transform

    def __call__(self, input, target):
        if self.transform is not None:
            input = self.transform(input)
        if self.target_transform is not None:
            target = self.target_transform(target)
        return input, target

    def __repr__(self):
        body = ["StandardTransform"]
        for head, transform in (("Transform: ", self.transform), ("Target transform: ", self.target_transform)):
            if transform is not None:
                first, *rest = repr(transform).splitlines()
                body += [head + first] + [" " * len(head) + line for line in rest]
        return "\n".join(body)


def no_download(name, folder, files):
    """The error of a data set whose files aren't there."""
    return RuntimeError(
        f"{name} can't be downloaded: programs here have no connection to the internet. If you have the files, put them into "
        f"{folder}: {', '.join(files)}"
    )
