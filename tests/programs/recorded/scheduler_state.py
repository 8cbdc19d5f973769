# What schedulers keep, in the order in which it is printed.
import torch
from torch.optim import lr_scheduler as L

p = torch.nn.Parameter(torch.ones(1))


class Tenth(L.LRScheduler):
    def get_lr(self):
        return [base / 10 if self._get_lr_called_within_step else base for base in self.base_lrs]


for make in [
    lambda o: L.StepLR(o, 2), lambda o: L.LambdaLR(o, lambda e: 1), lambda o: L.MultiStepLR(o, [1, 2]),
    lambda o: L.OneCycleLR(o, 0.5, 10), lambda o: L.OneCycleLR(o, 0.5, 10, three_phase=True, anneal_strategy="linear"),
    lambda o: L.CosineAnnealingLR(o, 5), lambda o: L.CosineAnnealingWarmRestarts(o, 5), lambda o: L.CyclicLR(o, 0.1, 0.2),
    lambda o: L.CyclicLR(o, 0.1, 0.2, scale_fn=lambda x: 0.5), L.ReduceLROnPlateau,
    lambda o: L.SequentialLR(o, [L.ConstantLR(o), L.ExponentialLR(o, 0.9)], [2]),
    lambda o: L.ChainedScheduler([L.ConstantLR(o)]), L.LinearLR, L.PolynomialLR, lambda o: L.MultiplicativeLR(o, lambda e: 0.5),
    Tenth,
]:
    optimizer = torch.optim.SGD([p], lr=0.1, momentum=0.9)
    scheduler = make(optimizer)
    print(type(scheduler).__name__)
    for _ in range(2):
        print({k: v for k, v in scheduler.state_dict().items() if "anneal" not in k})
        optimizer.step()
        scheduler.step(1.0) if isinstance(scheduler, L.ReduceLROnPlateau) else scheduler.step()
    again = make(torch.optim.SGD([p], lr=0.1, momentum=0.9))
    again.load_state_dict(scheduler.state_dict())
    print(again.get_last_lr() if hasattr(again, "_last_lr") else None, again.last_epoch if hasattr(again, "last_epoch") else None)
