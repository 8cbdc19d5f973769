"""Options of the compiler. They can be set, but nothing reads them, because nothing is compiled."""

suppress_errors = False
verbose = False
cache_size_limit = recompile_limit = 8
accumulated_recompile_limit = 256
dynamic_shapes = True
capture_scalar_outputs = False
