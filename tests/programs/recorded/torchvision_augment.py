"""Transforms that choose among changes. torchvision 0.29 recorded `torchvision_augment.txt` from this file."""

def t(name, f):
    try:
        r = f()
        if r is not None: print(name, '->', r)
        else: print(name, 'ok')
    except BaseException as e:
        print(name, 'ERR', type(e).__name__, str(e)[:300])
import numpy as np, torch
from PIL import Image
from torchvision import transforms as T
from torchvision.transforms import autoaugment, AutoAugment, AutoAugmentPolicy, InterpolationMode as IM
g = np.random.RandomState(0)
im = Image.fromarray((g.rand(24, 20, 3) * 255).astype(np.uint8))
gray = Image.fromarray((g.rand(24, 20) * 255).astype(np.uint8))
x = T.functional.pil_to_tensor(im)
def look(y):
    y = y if isinstance(y, torch.Tensor) else T.functional.pil_to_tensor(y)
    return [tuple(y.shape), str(y.dtype), int((y.long() * torch.arange(1, y.numel() + 1).reshape(y.shape) % 9973).sum()), int(torch.randint(1000, (1,)))]
for make in (T.TrivialAugmentWide(), T.RandAugment(), AutoAugment(), AutoAugment(AutoAugmentPolicy.CIFAR10), AutoAugment(AutoAugmentPolicy.SVHN), T.TrivialAugmentWide(num_magnitude_bins=5, fill=3), T.RandAugment(3, 5, 11, fill=[1, 2, 3])):
    print(make)
    for seed in range(14):
        torch.manual_seed(seed)
        t(f'pil {seed}', lambda: look(make(im)))
        torch.manual_seed(seed)
        if make.fill is None and "CIFAR" not in str(make): t(f"tensor {seed}", lambda: look(make(x)))
print(T.AugMix())
t('p', lambda: AutoAugment('imagenet'))
t('p', lambda: T.AugMix(severity=11))
t('p', lambda: [p.value for p in AutoAugmentPolicy])
t('p', lambda: AutoAugment().policies[1])
t('space', lambda: {k: (v[0].tolist(), v[1]) for k, v in T.TrivialAugmentWide(5)._augmentation_space(5).items()})
t('space', lambda: list(T.AugMix()._augmentation_space(10, (4, 8))))
t('float', lambda: T.TrivialAugmentWide()(torch.ones(3, 4, 4)))
for seed in range(3):
    torch.manual_seed(seed); t(f'augmix {seed}', lambda: look(T.AugMix()(im)))
    torch.manual_seed(seed); t(f'augmix {seed}', lambda: look(T.AugMix(chain_depth=1, all_ops=False)(x)))
