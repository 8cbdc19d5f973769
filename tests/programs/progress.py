import io
import re

from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto
from tqdm.notebook import tqdm as notebook


class Screen(io.StringIO):
    encoding = "utf-8"


def shown(run):
    """What a bar wrote, without times and rates."""
    screen = Screen()
    run(screen)
    text = re.sub(r"\d\d:\d\d", "T", screen.getvalue())
    text = re.sub(r"[\d.]+(s/\w+|\w+/s)", r"R\1", text)
    print(repr(re.sub(r", +R", ", R", re.sub(r" +(?=[\r'\n]|$)", "", text))))


shown(lambda f: list(tqdm(range(3), file=f)))
shown(lambda f: list(tqdm(range(3), desc="epoch", file=f, leave=False)))
shown(lambda f: list(tqdm(iter(range(3)), file=f)))
shown(lambda f: list(tqdm(range(3), file=f, ncols=60, ascii=True)))
shown(lambda f: list(trange(4, file=f, bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt}")))
shown(lambda f: list(auto(range(2), file=f, bar_format="{desc}{percentage:3.0f}%|{bar:20}{r_bar}", unit="batch")) and None)
shown(lambda f: list(notebook(range(2), file=f, disable=True)))


def by_hand(f):
    bar = tqdm(total=10, file=f, postfix={"loss": 0.12345})
    bar.update(3)
    bar.set_postfix(acc=0.5, n=3, name="x", tiny=1e-7)
    bar.set_description("x")
    bar.close()


def in_bytes(f):
    with tqdm(total=2048, unit="B", unit_scale=True, unit_divisor=1024, file=f) as bar:
        bar.update(1024)


shown(by_hand)
shown(in_bytes)
shown(lambda f: tqdm.write("a line", file=f))
print(len(tqdm(range(7), disable=True)), list(tqdm([1, 2], disable=True)), tqdm.format_interval(3725), tqdm.format_num(123456789))
