"""There are no ONNX files here. The names can be imported, and calling one says so."""

from torch._utils import _refusing

export = _refusing("torch.onnx", "export", "ONNX files can't be had here")
dynamo_export = _refusing("torch.onnx", "dynamo_export", "ONNX files can't be had here")
load = _refusing("torch.onnx", "load", "ONNX files can't be had here")
