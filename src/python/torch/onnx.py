"""There are no ONNX files here. The names can be imported, and calling one says so."""


def _missing(name):
    def refused(*args, **kwargs):
        raise NotImplementedError(f"torch.onnx.{name}: ONNX files can't be had here")

    refused.__name__ = name
    return refused


export = _missing("export")
dynamo_export = _missing("dynamo_export")
load = _missing("load")
