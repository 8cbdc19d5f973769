"""`MetricCollection`: several metrics that see the same batches."""

from torch import nn

from .metric import Metric


class MetricCollection(nn.ModuleDict):
    def __init__(self, metrics, *additional_metrics, prefix=None, postfix=None, compute_groups=True):
        super().__init__()
        self.prefix, self.postfix = self._checked(prefix, "prefix"), self._checked(postfix, "postfix")
        self.add_metrics(metrics, *additional_metrics)

    @staticmethod
    def _checked(text, name):
        if text is None or isinstance(text, str):
            return text
        raise ValueError(f"Expected input `{name}` to be a string, but got {type(text)}")

    def add_metrics(self, metrics, *additional_metrics):
        if isinstance(metrics, Metric):
            metrics = [metrics]
        if isinstance(metrics, dict):
            for name in sorted(metrics):
                if not isinstance(metrics[name], (Metric, MetricCollection)):
                    raise ValueError(
                        f"Value {metrics[name]} belonging to key {name} is not an instance of `torchmetrics.Metric` or "
                        "`torchmetrics.MetricCollection`"
                    )
                self[name] = metrics[name]
            return
        if not isinstance(metrics, (list, tuple)):
            raise ValueError(
                f"Unknown input to MetricCollection. Expected, `Metric`, `MetricCollection` or `dict`/`sequence` of the "
                f"previous, but got {metrics}"
            )
        for metric in [*metrics, *additional_metrics]:
            if not isinstance(metric, (Metric, MetricCollection)):
                raise ValueError(
                    f"Input {metric} to `MetricCollection` is not a instance of `torchmetrics.Metric` or "
                    "`torchmetrics.MetricCollection`"
                )
            name = type(metric).__name__
            if name in self:
                raise ValueError(f"Encountered two metrics both named {name}")
            self[name] = metric

    def _named(self, name):
        return f"{self.prefix or ''}{name}{self.postfix or ''}"

    def _results(self, found):
        made = {}
        for name, value in found.items():
            if isinstance(value, dict):
                made.update({self._named(k): v for k, v in value.items()})
            else:
                made[self._named(name)] = value
        return made

    def forward(self, *args, **options):
        return self._results({name: metric(*args, **options) for name, metric in nn.ModuleDict.items(self)})

    def update(self, *args, **options):
        for _, metric in nn.ModuleDict.items(self):
            metric.update(*args, **options)

    def compute(self):
        return self._results({name: metric.compute() for name, metric in nn.ModuleDict.items(self)})

    def reset(self):
        for _, metric in nn.ModuleDict.items(self):
            metric.reset()

    def clone(self, prefix=None, postfix=None):
        import copy

        made = copy.deepcopy(self)
        if prefix is not None:
            made.prefix = self._checked(prefix, "prefix")
        if postfix is not None:
            made.postfix = self._checked(postfix, "postfix")
        return made

    def keys(self, keep_base=False):
        return nn.ModuleDict.keys(self) if keep_base else {self._named(n): None for n in nn.ModuleDict.keys(self)}.keys()

    def items(self, keep_base=False, copy_state=True):
        return nn.ModuleDict.items(self) if keep_base else {self._named(n): m for n, m in nn.ModuleDict.items(self)}.items()

    def __getitem__(self, key, copy_state=True):
        for part, cut in ((self.prefix, str.removeprefix), (self.postfix, str.removesuffix)):
            if part:
                key = cut(key, part)
        return self._modules[key]

    def plot(self, *args, **options):
        raise NotImplementedError("torchmetrics: MetricCollection.plot isn't here")

    def __repr__(self):
        text = super().__repr__()[:-2]
        if self.prefix:
            text += f",\n  prefix={self.prefix}{',' if self.postfix else ''}"
        if self.postfix:
            text += f"{',' if not self.prefix else ''}\n  postfix={self.postfix}"
        return text + "\n)"
