"""The enums of pretrained weights. They say which weights there are and how their images are prepared; the weights themselves
can't be downloaded."""

import enum
import functools
import inspect
import warnings
from dataclasses import dataclass, field

from torchvision.transforms._presets import ImageClassification

BUILDERS = {}


@dataclass
class Weights:
    """What one entry of an enum stands for: `transforms` makes the preparation of images."""

    transforms: object
    meta: dict = field(default_factory=dict)

    @property
    def url(self):
        raise RuntimeError(_cannot("These weights"))

    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


def _cannot(what):
    return (
        f"{what} can't be downloaded: programs here have no connection to the internet. Build the model with weights=None. If "
        "you have a file of its weights, model.load_state_dict(torch.load(FILE)) loads it."
    )


class WeightsEnum(enum.Enum):
    @property
    def transforms(self):
        return self.value.transforms

    @property
    def meta(self):
        return self.value.meta

    @property
    def url(self):
        return self.value.url

    def get_state_dict(self, *args, **kwargs):
        raise RuntimeError(_cannot(f"The weights {self}"))

    @classmethod
    def verify(cls, given):
        """The entry that `given` names, or None."""
        if isinstance(given, str):
            return cls[given.removeprefix(cls.__name__ + ".")]
        if given is not None and not isinstance(given, cls):
            raise TypeError(f"Invalid Weight class provided; expected {cls.__name__} but received {type(given).__name__}.")
        return given

    def __repr__(self):
        return f"{type(self).__name__}.{self._name_}"


def weights_of(name, entries, default):
    """An enum with `entries` (name: arguments of `ImageClassification`), and DEFAULT as another name for `default`."""
    values = {entry: Weights(functools.partial(ImageClassification, **prepared)) for entry, prepared in entries.items()}
    values["DEFAULT"] = values[default]
    return WeightsEnum(name, values, module="torchvision.models")


def imagenet(versions=1, newer=None, **first):
    """The usual entries: the first recipe, and for two `versions` the newer one, whose images are resized to 232."""
    entries = {"IMAGENET1K_V1": {"crop_size": 224, **first}}
    if versions == 2:
        entries["IMAGENET1K_V2"] = {"crop_size": 224, "resize_size": 232, **(newer or {})}
    return entries


def builder(enumeration):
    """Makes `build(**settings)` a model's function, which takes `weights`, `progress` and the `pretrained` of old."""

    def wrap(build):
        @functools.wraps(build)
        def model(*args, weights=None, progress=True, **settings):
            if args:
                raise TypeError(f"{build.__name__}() takes 0 positional arguments but {len(args)} were given")
            if "pretrained" in settings:
                warnings.warn(
                    "The parameter 'pretrained' is deprecated since 0.13 and may be removed in the future, please use 'weights' "
                    "instead.",
                    stacklevel=2,
                )
                weights = enumeration.DEFAULT if settings.pop("pretrained") else None
            if enumeration.verify(weights) is not None:
                raise RuntimeError(_cannot(f"The weights of {build.__name__}"))
            return build(**settings)

        # What `inspect` shows are the real names, not those of the wrapper alone.
        own = inspect.signature(build).parameters.values()
        first = [inspect.Parameter("weights", inspect.Parameter.KEYWORD_ONLY, default=None)]
        first.append(inspect.Parameter("progress", inspect.Parameter.KEYWORD_ONLY, default=True))
        model.__signature__ = inspect.Signature(first + list(own))
        model.enumeration = enumeration
        BUILDERS[build.__name__] = model
        return model

    return wrap


def get_model(name, **config):
    """The model that `name` names, such as "resnet18"."""
    try:
        build = BUILDERS[name.lower()]
    except KeyError:
        raise ValueError(f"Unknown model {name}") from None
    return build(**config)


def get_model_builder(name):
    if name.lower() not in BUILDERS:
        raise ValueError(f"Unknown model {name}")
    return BUILDERS[name.lower()]


def get_weight(name):
    """The entry that a string such as "ResNet50_Weights.DEFAULT" names."""
    import torchvision.models

    parts = name.split(".")
    if len(parts) != 2:
        raise ValueError(f"Invalid weight name provided: '{name}'.")
    kind = vars(torchvision.models).get(parts[0])
    if not (isinstance(kind, type) and issubclass(kind, WeightsEnum)):
        raise ValueError(f"The weight enum '{parts[0]}' for the specific method couldn't be retrieved.")
    return kind[parts[1]]


def get_model_weights(name):
    """The enum of a model's weights; `name` may be the model's function."""
    return (get_model_builder(name) if isinstance(name, str) else name).enumeration


def list_models():
    """The names of the models that are here."""
    return sorted(BUILDERS)
