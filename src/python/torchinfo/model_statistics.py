"""The table, and the sums below it."""

import math

_TITLES = {
    "kernel_size": "Kernel Shape",
    "input_size": "Input Shape",
    "output_size": "Output Shape",
    "num_params": "Param #",
    "params_percent": "Param %",
    "mult_adds": "Mult-Adds",
    "trainable": "Trainable",
}


class FormattingOptions:
    def __init__(self, max_depth, verbose, col_names, col_width, row_settings):
        self.max_depth, self.verbose, self.col_names, self.col_width = max_depth, verbose, col_names, col_width
        self.row_settings = row_settings
        self.show_var_name, self.show_depth = "var_names" in row_settings, "depth" in row_settings
        self.ascii_only, self.hide_recursive_layers = "ascii_only" in row_settings, "hide_recursive_layers" in row_settings
        self.layer_name_width = 40

    def set_layer_name_width(self, layers):
        longest = max((len(i.get_layer_name(self.show_var_name, self.show_depth)) + i.depth * 5 + 1 for i in layers), default=0)
        if longest >= self.layer_name_width:
            self.layer_name_width = math.ceil(longest / 5) * 5

    def get_total_width(self):
        return len(self.col_names) * self.col_width + self.layer_name_width

    def row(self, name, cells):
        line = f"{name:<{self.layer_name_width}} " + "".join(f"{cells.get(c, ''):<{self.col_width}} " for c in self.col_names)
        return line.rstrip() + "\n"

    def start(self, depth):
        if depth == 0:
            return ""
        last = "+ " if self.ascii_only else "├─" if depth == 1 else "└─"
        return ("|    " if self.ascii_only else "│    ") * (depth - 1) + last


class ModelStatistics:
    def __init__(self, summary_list, input_size, total_input_size, formatting):
        self.summary_list, self.input_size, self.total_input, self.formatting = (
            summary_list,
            input_size,
            total_input_size,
            formatting,
        )
        self.total_mult_adds = self.total_params = self.trainable_params = 0
        self.total_param_bytes = self.total_output_bytes = 0
        for info in summary_list:
            if info.is_leaf_layer:
                self.total_mult_adds += info.macs
                # Once forward and once for the gradient.
                self.total_output_bytes += info.output_bytes * 2 if info.num_params > 0 else 0
            if info.is_recursive:
                continue
            if info.is_leaf_layer:
                self.total_param_bytes += info.param_bytes
                self.total_params += max(info.num_params, 0)
                self.trainable_params += max(info.trainable_params, 0)
            else:
                self.total_params += max(info.leftover_params(), 0)
                self.trainable_params += max(info.leftover_trainable_params(), 0)
        formatting.set_layer_name_width(summary_list)

    @staticmethod
    def to_megabytes(num):
        return num / 1e6

    @staticmethod
    def float_to_megabytes(num):
        return num * 4 / 1e6

    @staticmethod
    def _scaled(number):
        for unit, scale in (("TERABYTES", 1e12), ("GIGABYTES", 1e9), ("MEGABYTES", 1e6)):
            if number >= scale or unit == "MEGABYTES":
                value = number / scale
                break
        text = f"{int(value):,d}" if value.is_integer() else f"{value:,.2f}"
        return f" (Units.{unit}): {text}"

    def _rows(self):
        form, made = self.formatting, ""
        for info in self.summary_list:
            if info.depth > form.max_depth or form.hide_recursive_layers and info.is_recursive:
                continue
            whole = info.depth == form.max_depth
            cells = {c: info.shown(c, self.total_params, whole) for c in form.col_names}
            made += form.row(form.start(info.depth) + info.get_layer_name(form.show_var_name, form.show_depth), cells)
            if form.verbose == 2:
                for name, inner in info.inner_layers.items():
                    made += form.row(form.start(info.depth + 1) + name, inner)
        return made

    def __repr__(self):
        form = self.formatting
        line = "=" * form.get_total_width()
        head = "Layer (type" + (" (var_name)" if form.show_var_name else "") + (":depth-idx" if form.show_depth else "") + ")"
        text = f"{line}\n{form.row(head, _TITLES)}{line}\n{self._rows()}{line}\n"
        frozen = self.total_params - self.trainable_params
        text += f"Total params: {self.total_params:,}\nTrainable params: {self.trainable_params:,}\nNon-trainable params: {frozen:,}\n"
        if self.input_size:
            parts = (self.total_input, self.total_output_bytes, self.total_param_bytes)
            into, through, parameters = (n / 1e6 for n in parts)
            text += (
                f"Total mult-adds{self._scaled(self.total_mult_adds)}\n{line}\nInput size (MB): {into:0.2f}\n"
                f"Forward/backward pass size (MB): {through:0.2f}\nParams size (MB): {parameters:0.2f}\n"
                f"Estimated Total Size (MB): {sum(parts) / 1e6:0.2f}\n"
            )
        return text + line
