"""The packages that are built in, as `importlib.metadata` describes installed ones."""

import importlib
import sys
from importlib.metadata import Distribution, Prepared

# Projects whose packages have other names.
_PROJECTS = {"IPython": "ipython", "PIL": "pillow", "sklearn": "scikit-learn"}


class _BuiltIn(Distribution):
    """A package of this build. Its version is the one that it says itself."""

    def __init__(self, package, version):
        self._package = package
        self._metadata = f"Metadata-Version: 2.1\nName: {_PROJECTS.get(package, package)}\nVersion: {version}\n"

    def read_text(self, filename):
        return {"METADATA": self._metadata, "top_level.txt": self._package + "\n"}.get(filename)

    def locate_file(self, path):
        raise FileNotFoundError(f"{self._package} is built into Tensoryard, so it has no files")


def find(context):
    """The packages with the context's name; all of them if it has none."""
    packages = next(finder.packages for finder in sys.meta_path if hasattr(finder, "packages"))
    for package in packages:
        project = _PROJECTS.get(package, package)
        if context.name is not None and Prepared.normalize(context.name) != Prepared.normalize(project):
            continue
        version = getattr(importlib.import_module(package), "__version__", None)
        # A package that comes with another one has no version of its own.
        if version is not None:
            yield _BuiltIn(package, version)
