def parse(text):
    try:
        return int(text)
    except ValueError:
        return None
    finally:
        seen.append(1)


class Stop(Exception):
    pass


seen = []
good = 0
for i in range(40_000):
    if parse(str(i) if i % 2 else "no") is not None:
        good += 1
caught = 0
for i in range(40_000):
    try:
        if i % 3 == 0:
            raise Stop(i)
    except Stop as stop:
        caught += stop.args[0] % 2
assert good == 20_000 and caught == 6_667 and len(seen) == 40_000, caught
