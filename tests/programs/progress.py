import io
import re
import time


class Clock:
    """The time that a bar reads. It moves when the program says so: how fast the machine is must not show."""

    now = 1000.0

    def __call__(self):
        return self.now


clock = time.time = Clock()

from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto
from tqdm.notebook import tqdm as notebook

tqdm.monitor_interval = 0


class Screen(io.StringIO):
    encoding = "utf-8"


def shown(run):
    """What a bar wrote, without the spaces that overwrite a longer line."""
    screen = Screen()
    run(screen)
    print(repr(re.sub(r" +(?=[\r'\n]|$)", "", screen.getvalue())))


def every(seconds, bar):
    """Walks along a bar, a step in so many seconds."""
    for item in bar:
        clock.now += seconds


# Steps of 1/64 s: shorter than the 0.1 s in which a bar is drawn at most once.
shown(lambda f: every(1 / 64, tqdm(range(3), file=f)))
shown(lambda f: every(1 / 64, tqdm(range(3), desc="epoch", file=f, leave=False)))
shown(lambda f: every(1 / 64, tqdm(iter(range(3)), file=f)))
shown(lambda f: every(1 / 64, tqdm(range(3), file=f, ncols=60, ascii=True)))
shown(lambda f: every(1 / 64, trange(4, file=f, bar_format="{l_bar}{bar}| {n_fmt}/{total_fmt}")))
shown(lambda f: every(1 / 64, auto(range(2), file=f, bar_format="{desc}{percentage:3.0f}%|{bar:20}{r_bar}", unit="batch")))
shown(lambda f: every(1 / 64, notebook(range(2), file=f, disable=True)))
# Longer steps are each drawn, with the rate and the time that is left.
shown(lambda f: every(0.25, tqdm(range(4), file=f)))
shown(lambda f: every(40, tqdm(range(100, 104), file=f, mininterval=60)))
shown(lambda f: every(1 / 32, tqdm(range(12), file=f, smoothing=0)))


def by_hand(f):
    bar = tqdm(total=10, file=f, postfix={"loss": 0.12345})
    clock.now += 0.05
    bar.update(3)
    bar.set_postfix(acc=0.5, n=3, name="x", tiny=1e-7)
    bar.set_description("x")
    clock.now += 2
    bar.update(4)
    bar.close()


def in_bytes(f):
    with tqdm(total=2048, unit="B", unit_scale=True, unit_divisor=1024, file=f) as bar:
        clock.now += 1 / 16
        bar.update(1024)


shown(by_hand)
shown(in_bytes)
shown(lambda f: tqdm.write("a line", file=f))
print(len(tqdm(range(7), disable=True)), list(tqdm([1, 2], disable=True)), tqdm.format_interval(3725), tqdm.format_num(123456789))
