# What modules, losses, optimizers, schedulers and data loaders say of inputs and settings that are wrong, beside right ones.
import warnings

import torch
from torch import nn, optim
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler, SequentialSampler, TensorDataset, WeightedRandomSampler, random_split

warnings.simplefilter("ignore")


def show(label, call):
    torch.manual_seed(0)
    try:
        result = call()
        shown = (result.dtype, list(result.shape)) if isinstance(result, torch.Tensor) else type(result).__name__
        print(label, "->", shown)
    except Exception as error:
        print(label, "!!", type(error).__name__, str(error).replace("\n", "|"))


x = torch.ones(2, 3)
inputs = {
    "[2, 3]": x, "integers": x.long(), "[3]": torch.ones(3), "[]": torch.tensor(1.0), "[2, 3, 4]": torch.ones(2, 3, 4),
    "image": torch.ones(2, 3, 8, 8), "[2, 5]": torch.ones(2, 5), "bool": x.bool(), "double": x.double(), "half": x.half(),
    "[0, 3]": torch.ones(0, 3), "str": "a", "list": [1.0, 2.0, 3.0], "None": None, "float": 1.5,
}
modules = [
    nn.Linear(3, 4), nn.Conv1d(3, 4, 2), nn.Conv2d(3, 4, 3), nn.ConvTranspose2d(3, 4, 3), nn.BatchNorm1d(3), nn.BatchNorm2d(3),
    nn.LayerNorm(3), nn.GroupNorm(3, 3), nn.InstanceNorm2d(3), nn.InstanceNorm1d(3), nn.RNN(3, 4), nn.LSTM(3, 4), nn.GRU(3, 4),
    nn.LSTMCell(3, 4), nn.TransformerEncoderLayer(3, 1, 8), nn.Flatten(), nn.Dropout2d(0.5), nn.ReLU(), nn.Softmax(dim=1),
    nn.MaxPool2d(2), nn.AvgPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Upsample(scale_factor=2), nn.PixelShuffle(2), nn.ZeroPad2d(1),
    nn.ReflectionPad2d(1), nn.Unflatten(1, (3, 1)), nn.PReLU(3), nn.GELU(), nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 2)),
    nn.ModuleList([nn.Linear(1, 1)]), nn.ModuleDict({"a": nn.ReLU()}), nn.Module(), nn.Unfold(2), nn.Identity(),
]
for module in modules:
    for name, value in inputs.items():
        show(f"{type(module).__name__} of {name}", lambda: module(value))
for module in (nn.Bilinear(3, 3, 2), nn.CosineSimilarity(), nn.PairwiseDistance()):
    for name, value in inputs.items():
        show(f"{type(module).__name__} of {name}", lambda: module(value, value))
for name, value in inputs.items():
    if name != "bool":
        show(f"Embedding of {name}", lambda: nn.Embedding(3, 4)(value))

targets = {
    "[2, 3]": x, "classes": torch.tensor([0, 1]), "too large": torch.tensor([0, 3]), "[2]": torch.ones(2), "[2, 5]": torch.ones(2, 5),
    "double": x.double(), "[]": torch.tensor(1.0), "[3]": torch.ones(3), "str": "a", "None": None, "int": 1, "[1, 2]": torch.ones(1, 2),
    "column": torch.tensor([[0], [1]]), "negative": -x, "int32": torch.tensor([0, 1], dtype=torch.int32),
}
losses = [
    nn.MSELoss, nn.L1Loss, nn.CrossEntropyLoss, nn.NLLLoss, nn.BCELoss, nn.BCEWithLogitsLoss, nn.KLDivLoss, nn.HingeEmbeddingLoss,
    nn.MultiMarginLoss, nn.MultiLabelMarginLoss, nn.PoissonNLLLoss,
]
for loss in losses:
    for name, target in targets.items():
        show(f"{loss.__name__} with {name}", lambda: loss()(x, target))
        show(f"{loss.__name__} of {name}", lambda: loss()(target, x))

WRONG = ("a", None, -1, 0, 1.5, (1, 2), float("nan"))
makers = {
    "Linear in": lambda v: nn.Linear(v, 2), "Linear out": lambda v: nn.Linear(2, v), "Conv2d in": lambda v: nn.Conv2d(v, 2, 3),
    "Conv2d groups": lambda v: nn.Conv2d(2, 2, 3, groups=v), "Dropout": lambda v: nn.Dropout(v), "Embedding": lambda v: nn.Embedding(v, 2),
    "padding_idx": lambda v: nn.Embedding(3, 2, padding_idx=v), "LSTM in": lambda v: nn.LSTM(v, 2), "LSTM hidden": lambda v: nn.LSTM(2, v),
    "LSTM layers": lambda v: nn.LSTM(2, 2, v), "LSTM dropout": lambda v: nn.LSTM(2, 2, num_layers=2, dropout=v),
    "RNN": lambda v: nn.RNN(2, 2, nonlinearity=v), "heads": lambda v: nn.MultiheadAttention(4, v), "Sequential": lambda v: nn.Sequential(v),
    "ModuleList": lambda v: nn.ModuleList([v]), "Parameter": lambda v: nn.Parameter(v),
    "buffer name": lambda v: nn.Module().register_buffer(v, x), "buffer": lambda v: nn.Module().register_buffer("a", v),
    "register_parameter": lambda v: nn.Module().register_parameter("a", v), "add_module": lambda v: nn.Module().add_module("a", v),
    "max_pool2d": lambda v: nn.MaxPool2d(v)(torch.ones(1, 1, 4, 4)), "load_state_dict": lambda v: nn.Linear(2, 2).load_state_dict(v),
    "train": lambda v: nn.Linear(2, 2).train(v), "get_submodule": lambda v: nn.Sequential(nn.ReLU()).get_submodule(v),
    "index": lambda v: nn.Sequential(nn.ReLU())[v], "gain": lambda v: nn.init.calculate_gain(v),
}
for name, make in makers.items():
    for value in WRONG:
        show(f"{name} {value!r}", lambda: make(value))

parameters = [nn.Parameter(torch.ones(2))]
for optimizer in (optim.SGD, optim.Adam, optim.AdamW, optim.RMSprop, optim.Adagrad, optim.LBFGS):
    name = optimizer.__name__
    for value in WRONG:
        for option in ("lr", "weight_decay", "betas", "momentum", "eps"):
            show(f"{name} {option} {value!r}", lambda: optimizer(parameters, **{option: value}))
        show(f"{name} params {value!r}", lambda: optimizer(value))
    show(f"{name} without params", lambda: optimizer([{"lr": 1}]))
    show(f"{name} twice", lambda: optimizer([{"params": parameters}, {"params": parameters}]))
    show(f"{name} of a tensor", lambda: optimizer(parameters[0]))
    show(f"{name} of a result", lambda: optimizer([parameters[0] * 1]))
    show(f"{name} step(3)", lambda: optimizer(parameters).step(3))
    show(f"{name} state", lambda: optimizer(parameters).load_state_dict({}))
for name in ("StepLR", "ExponentialLR", "LambdaLR", "MultiplicativeLR", "MultiStepLR", "CosineAnnealingLR", "ReduceLROnPlateau",
             "OneCycleLR", "CyclicLR", "LinearLR", "ConstantLR", "PolynomialLR", "CosineAnnealingWarmRestarts"):
    scheduler = getattr(optim.lr_scheduler, name)
    show(f"{name}()", lambda: scheduler())
    show(f"{name} of a str", lambda: scheduler("a", 1))
    for value in WRONG:
        show(f"{name} {value!r}", lambda: scheduler(optim.SGD(parameters, lr=0.1), value))

data = TensorDataset(x, torch.arange(2))
loaders = {
    "batch_size": lambda v: DataLoader(data, batch_size=v), "shuffle": lambda v: DataLoader(data, shuffle=v),
    "num_workers": lambda v: DataLoader(data, num_workers=v), "sampler": lambda v: DataLoader(data, sampler=v, shuffle=True),
    "timeout": lambda v: DataLoader(data, timeout=v), "TensorDataset": lambda v: TensorDataset(x, v), "index": lambda v: data[v],
    "random_split": lambda v: random_split(data, v), "weighted": lambda v: WeightedRandomSampler([0.5, 0.5], v),
    "num_samples": lambda v: RandomSampler(data, num_samples=v), "batches": lambda v: BatchSampler(SequentialSampler(data), v, False),
    "drop_last": lambda v: BatchSampler(SequentialSampler(data), 1, v), "prefetch_factor": lambda v: DataLoader(data, prefetch_factor=v),
}
for name, load in loaders.items():
    for value in (*WRONG, 3, [1, 1], [0.5, 0.5], [3, 4]):
        show(f"{name} {value!r}", lambda: load(value))


class Empty(Dataset):
    pass


class Two(Dataset):
    def __init__(self, item=None):
        self.item = item

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.item(index)


show("len of a Dataset", lambda: len(Empty()))
show("item of a Dataset", lambda: Empty()[0])
show("shuffled without length", lambda: DataLoader(Empty(), shuffle=True))
for item in (lambda i: "a", lambda i: None, lambda i: torch.ones(i + 1), lambda i: {"a": i}, lambda i: data):
    show("a batch", lambda: next(iter(DataLoader(Two(item), batch_size=2))))
