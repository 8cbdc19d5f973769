"""Decision trees aren't here. Their names can be imported, and making one says so."""


def missing(module, name):
    def __init__(self, *args, **options):
        raise NotImplementedError(f"sklearn.{module}.{name}: trees, forests and support vector machines aren't part of this sklearn")

    return type(name, (), {"__init__": __init__, "__module__": f"sklearn.{module}"})


DecisionTreeClassifier, DecisionTreeRegressor = (missing("tree", name) for name in ("DecisionTreeClassifier", "DecisionTreeRegressor"))
