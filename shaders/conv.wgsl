// 2-D convolution and its gradients, one sum for every element of the result. Pairs are (height, width).

struct Place {
    n: u32,
    c: u32,
    y: u32,
    x: u32,
}

fn place_of(i: u32, channels: u32, height: u32, width: u32) -> Place {
    let q = i / width;
    let r = q / height;
    return Place(r / channels, r % channels, q % height, i % width);
}

fn x_of(n: u32, c: u32, y: u32, x: u32) -> f32 {
    return x_load(n * p_xs(0u) + c * p_xs(1u) + y * p_xs(2u) + x * p_xs(3u));
}

fn w_of(o: u32, c: u32, y: u32, x: u32) -> f32 {
    return w_load(o * p_ws(0u) + c * p_ws(1u) + y * p_ws(2u) + x * p_ws(3u));
}

fn grad_of(n: u32, o: u32, y: u32, x: u32) -> f32 {
    return grad_load(n * p_gs(0u) + o * p_gs(1u) + y * p_gs(2u) + x * p_gs(3u));
}

@compute @workgroup_size($WG)
fn main_forward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let at = place_of(i, p_outputs(), p_out_height(), p_out_width());
    let first = at.c / p_outputs_a_group() * p_inputs_a_group();
    var sum = 0.0;
    for (var ky = 0u; ky < p_kernel_height(); ky = ky + 1u) {
        // An input row above the image wraps to a large number and fails the test below.
        let y = at.y * p_stride(0u) + ky * p_dilation(0u) - p_padding(0u);
        if (y >= p_height()) {
            continue;
        }
        for (var kx = 0u; kx < p_kernel_width(); kx = kx + 1u) {
            let x = at.x * p_stride(1u) + kx * p_dilation(1u) - p_padding(1u);
            if (x >= p_width()) {
                continue;
            }
            for (var c = 0u; c < p_inputs_a_group(); c = c + 1u) {
                sum = fma(x_of(at.n, first + c, y, x), w_of(at.c, c, ky, kx), sum);
            }
        }
    }
    out_store(out_at(i), sum + bias_load(at.c * p_bias_stride()));
}

@compute @workgroup_size($WG)
fn main_grad_input(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let at = place_of(i, p_inputs(), p_height(), p_width());
    let block = at.c / p_inputs_a_group();
    let c = at.c % p_inputs_a_group();
    var sum = 0.0;
    for (var ky = 0u; ky < p_kernel_height(); ky = ky + 1u) {
        let sy = at.y + p_padding(0u) - ky * p_dilation(0u);
        let y = sy / p_stride(0u);
        if (y >= p_out_height() || y * p_stride(0u) != sy) {
            continue;
        }
        for (var kx = 0u; kx < p_kernel_width(); kx = kx + 1u) {
            let sx = at.x + p_padding(1u) - kx * p_dilation(1u);
            let x = sx / p_stride(1u);
            if (x >= p_out_width() || x * p_stride(1u) != sx) {
                continue;
            }
            for (var k = 0u; k < p_outputs_a_group(); k = k + 1u) {
                let o = block * p_outputs_a_group() + k;
                sum = fma(grad_of(at.n, o, y, x), w_of(o, c, ky, kx), sum);
            }
        }
    }
    out_store(out_at(i), sum);
}

var<workgroup> partial: array<f32, $WG>;

// One workgroup for each weight; its threads share the positions of the output.
@compute @workgroup_size($WG)
fn main_grad_weight(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = group_of(group, groups);
    if (i >= p_n()) {
        return;
    }
    let at = place_of(i, p_inputs_a_group(), p_kernel_height(), p_kernel_width());
    let o = at.n;
    let c = o / p_outputs_a_group() * p_inputs_a_group() + at.c;
    let area = p_out_height() * p_out_width();
    var sum = 0.0;
    for (var j = lane; j < p_batch() * area; j = j + u32($WG)) {
        let n = j / area;
        let oy = (j % area) / p_out_width();
        let ox = j % p_out_width();
        let y = oy * p_stride(0u) + at.y * p_dilation(0u) - p_padding(0u);
        let x = ox * p_stride(1u) + at.x * p_dilation(1u) - p_padding(1u);
        if (y < p_height() && x < p_width()) {
            sum = fma(grad_of(n, o, oy, ox), x_of(n, c, y, x), sum);
        }
    }
    partial[lane] = sum;
    workgroupBarrier();
    for (var half = u32($WG) / 2u; half > 0u; half = half / 2u) {
        if (lane < half) {
            partial[lane] = partial[lane] + partial[lane + half];
        }
        workgroupBarrier();
    }
    if (lane == 0u) {
        out_store(out_at(i), partial[0]);
    }
}
