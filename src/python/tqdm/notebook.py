"""The progress bar of tqdm.std under another name. The page shows it in the output, a terminal in its last line."""

from tqdm.std import tqdm, trange

tqdm_notebook, tnrange = tqdm, trange
