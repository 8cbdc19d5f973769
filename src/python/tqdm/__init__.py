"""Progress bars of text."""

from tqdm.std import tqdm, trange

tqdm_notebook, tnrange = tqdm, trange
__version__ = "4.70.1"
__all__ = ["tqdm", "trange", "tqdm_notebook", "tnrange"]

from tqdm import auto, autonotebook, notebook
