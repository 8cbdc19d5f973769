def counter():
    count = 0

    def step(by):
        nonlocal count
        count += by
        return count

    return step


def twice(function):
    return lambda x: function(function(x))


step = counter()
for i in range(120_000):
    step(i & 3)
add = twice(twice(lambda x: x + 1))
total = 0
for i in range(30_000):
    total = add(total)
assert step(0) == 180_000 and total == 120_000
