"""The same bar: the page shows it in its output, a terminal in its last line."""

from tqdm.std import tqdm, trange

tqdm_notebook, tnrange = tqdm, trange
