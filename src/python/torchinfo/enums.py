"""What `summary` can be asked for."""

from enum import Enum, IntEnum, unique


@unique
class Mode(str, Enum):
    TRAIN = "train"
    EVAL = "eval"


@unique
class RowSettings(str, Enum):
    DEPTH = "depth"
    VAR_NAMES = "var_names"
    ASCII_ONLY = "ascii_only"
    HIDE_RECURSIVE_LAYERS = "hide_recursive_layers"


@unique
class ColumnSettings(str, Enum):
    KERNEL_SIZE = "kernel_size"
    INPUT_SIZE = "input_size"
    OUTPUT_SIZE = "output_size"
    NUM_PARAMS = "num_params"
    PARAMS_PERCENT = "params_percent"
    MULT_ADDS = "mult_adds"
    TRAINABLE = "trainable"


class Verbosity(IntEnum):
    QUIET, DEFAULT, VERBOSE = 0, 1, 2


@unique
class Units(str, Enum):
    AUTO = "auto"
    MEGABYTES = "M"
    GIGABYTES = "G"
    TERABYTES = "T"
    NONE = ""
