"""There are no exported programs here. The names can be imported, and calling one says so."""


def _missing(name):
    def refused(*args, **kwargs):
        raise NotImplementedError(f"torch.export.{name}: exported programs can't be had here")

    refused.__name__ = name
    return refused


export = _missing("export")
save = _missing("save")
load = _missing("load")
