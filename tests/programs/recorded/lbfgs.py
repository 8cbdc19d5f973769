# LBFGS on several objectives, in float64 where rounding doesn't decide how many evaluations the line search takes.
import torch

torch.manual_seed(0)
X = torch.randn(30, 4, dtype=torch.float64)
Y = (X @ torch.tensor([1., -2., .5, 0.], dtype=torch.float64) + .3 * torch.randn(30, dtype=torch.float64) > 0).double()


def quartic(w):
    return ((w - 2) ** 4).sum()


def rosenbrock(w):
    return (100 * (w[1:] - w[:-1] ** 2) ** 2 + (1 - w[:-1]) ** 2).sum()


def logistic(w):
    return torch.nn.functional.binary_cross_entropy_with_logits(X @ w, Y) + .01 * w.pow(2).sum()


def run(f, start, dtype=torch.float64, steps=3, **options):
    w = torch.tensor(start, dtype=dtype, requires_grad=True)
    optimizer = torch.optim.LBFGS([w], **options)
    calls = []

    def closure():
        optimizer.zero_grad()
        loss = f(w)
        loss.backward()
        calls.append(1)
        return loss

    losses = [f"{optimizer.step(closure).item():.4g}" for _ in range(steps)]
    state = optimizer.state_dict()["state"][0]
    print(f.__name__, options, len(calls), losses, [f"{x:.4f}" for x in torch.view_as_real(w).flatten().tolist()] if
          w.is_complex() else [f"{x:.4f}" for x in w.tolist()])
    print("  ", {k: len(v) if isinstance(v, list) else type(v).__name__ for k, v in state.items()})


for f, start in (quartic, [0., 5., -3.]), (rosenbrock, [-1.2, 1.]), (logistic, [0.] * 4):
    for search in None, "strong_wolfe":
        for options in ({}, {"lr": .1}, {"max_iter": 5, "max_eval": 6}, {"tolerance_grad": 1e-2}, {"tolerance_change": 1e-2},
                        {"history_size": 2}, {"lr": torch.tensor(.5)}):
            run(f, start, line_search_fn=search, **options)


# A search whose trial steps overflow: the bracket is halved until the loss is a number again.
def steep(w):
    return ((w - 2) ** 4).sum() + (w ** 40).sum()


run(steep, [3.], torch.float32, line_search_fn="strong_wolfe", max_iter=4)
w = torch.nn.Parameter(torch.tensor(-1.0))
optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe", max_iter=4)


def adds_up():
    loss = (w - 2) ** 4
    loss.backward()
    return loss


for _ in range(3):
    print(f"{optimizer.step(adds_up).item():.3f} {w.item():.3f}", optimizer.state[w]["func_evals"])

# Complex parameters move by their real and imaginary parts.
run(lambda z: ((z - (1 + 2j)).abs() ** 2).sum(), [0j, 3 - 1j], torch.complex128, line_search_fn="strong_wolfe")
for call in (lambda: torch.optim.LBFGS([w], 1, 20, None, 1e-7, 1e-9, 100, None, True), lambda: torch.optim.LBFGS([w], lr=-1),
             lambda: torch.optim.LBFGS([w], lr=torch.ones(2)), lambda: torch.optim.LBFGS([{"params": [w]}, {"params": [w.clone()]}])):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
