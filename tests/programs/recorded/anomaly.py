# A backward pass that computes NaN is an error while anomalies are looked for.
import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)


def attempt(f):
    try:
        f()
        print("fine", x.grad)
    except RuntimeError as e:
        print("RuntimeError", "returned nan values" in str(e))
    x.grad = None


def nan():
    (x.sqrt() * 0).sum().backward()


attempt(nan)
with torch.autograd.set_detect_anomaly(True):
    attempt(nan)
    attempt(lambda: (x * 2).sum().backward())
    attempt(lambda: torch.autograd.grad((x.sqrt() * 0).sum(), x))
    attempt(lambda: torch.autograd.backward([(x.sqrt() * 0).sum()]))
    print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
attempt(nan)
with torch.autograd.detect_anomaly():
    attempt(nan)
with torch.autograd.detect_anomaly(check_nan=False):
    attempt(nan)
torch.autograd.set_detect_anomaly(True)
attempt(nan)
torch.autograd.set_detect_anomaly(False)
attempt(nan)
print(torch.is_anomaly_enabled())
