def numbers(n):
    i = 0
    while i < n:
        yield i
        i += 1


def pairs(values):
    before = None
    for value in values:
        if before is not None:
            yield before, value
        before = value


def walk(depth):
    if depth:
        yield from walk(depth - 1)
        yield depth
        yield from walk(depth - 1)


total = sum(b - a for a, b in pairs(numbers(120_000)))
steps = sum(1 for _ in walk(13))
assert total == 119_999 and steps == 8_191
