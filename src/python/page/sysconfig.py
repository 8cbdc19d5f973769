"""`sysconfig` for a program that runs in a web page, where Python is installed nowhere."""

import sys


def get_python_version():
    return "%d.%d" % sys.version_info[:2]


def get_platform():
    return sys.platform


def get_path_names():
    return ("stdlib", "platstdlib", "purelib", "platlib", "include", "scripts", "data")


def get_paths(scheme=None, vars=None, expand=True):
    return dict.fromkeys(get_path_names(), "")


def get_path(name, scheme=None, vars=None, expand=True):
    return get_paths()[name]


def get_config_vars(*names):
    known = {"py_version_short": get_python_version(), "prefix": "", "exec_prefix": ""}
    return [known.get(name) for name in names] if names else known


def get_config_var(name):
    return get_config_vars(name)[0]


def is_python_build(check_home=None):
    return False
