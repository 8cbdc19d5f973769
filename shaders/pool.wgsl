// 2-D pooling. `x` is [N, C, height, width], the output [N, C, out_height, out_width]; `plane` counts over N and C.

fn x_of(plane: u32, y: u32, x: u32) -> f32 {
    return x_load(plane + y * p_xs(0u) + x * p_xs(1u));
}

fn grad_of(plane: u32, y: u32, x: u32) -> f32 {
    return grad_load(plane + y * p_gs(0u) + x * p_gs(1u));
}

// Which taps of a window are inside the input: from the first result up to, not including, the second. A window may be
// far larger.
fn taps(o: u32, d: u32, size: u32) -> vec2<u32> {
    let begin = o * p_stride(d);
    var first = 0u;
    if (p_padding(d) > begin) {
        first = (p_padding(d) - begin - 1u) / p_dilation(d) + 1u;
    }
    // If no window begins here, there is no output.
    let room = size + p_padding(d) - begin;
    return vec2<u32>(first, min(p_kernel(d), (room - 1u) / p_dilation(d) + 1u));
}

@compute @workgroup_size($WG)
fn main_max(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let area = p_out_height() * p_out_width();
    let plane = x_plane(i / area);
    let oy = (i % area) / p_out_width();
    let ox = i % p_out_width();
    var best = -inf_value();
    var where_best = 0u;
    var found = false;
    let rows = taps(oy, 0u, p_height());
    let columns = taps(ox, 1u, p_width());
    for (var ky = rows.x; ky < rows.y; ky = ky + 1u) {
        let y = oy * p_stride(0u) + ky * p_dilation(0u) - p_padding(0u);
        for (var kx = columns.x; kx < columns.y; kx = kx + 1u) {
            let x = ox * p_stride(1u) + kx * p_dilation(1u) - p_padding(1u);
            let value = x_of(plane, y, x);
            if (!found || value > best || is_nan(value)) {
                best = value;
                where_best = y * p_width() + x;
                found = true;
            }
        }
    }
    out_store(out_at(i), best);
    indices_store(indices_at(i), l_from_u(where_best));
}

// First and last (exclusive) row of an average's window in the padded image, and the divisor.
fn window(o: u32, d: u32, size: u32) -> vec2<i32> {
    let start = i32(o * p_stride(d)) - i32(p_padding(d));
    // The end of a large window may exceed 32 bits; the end of the padded image never does.
    return vec2<i32>(start, start + i32(min(p_kernel(d), size + 2u * p_padding(d) - o * p_stride(d))));
}

fn inside(w: vec2<i32>, size: u32) -> vec2<i32> {
    return vec2<i32>(max(w.x, 0), min(w.y, i32(size)));
}

fn divisor(oy: u32, ox: u32) -> f32 {
    if (p_divisor() != 0.0) {
        return p_divisor();
    }
    let y = window(oy, 0u, p_height());
    let x = window(ox, 1u, p_width());
    if (p_count_padding() == 1u) {
        return f32(y.y - y.x) * f32(x.y - x.x);
    }
    let iy = inside(y, p_height());
    let ix = inside(x, p_width());
    return f32(iy.y - iy.x) * f32(ix.y - ix.x);
}

@compute @workgroup_size($WG)
fn main_average(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let area = p_out_height() * p_out_width();
    let plane = x_plane(i / area);
    let oy = (i % area) / p_out_width();
    let ox = i % p_out_width();
    let y = inside(window(oy, 0u, p_height()), p_height());
    let x = inside(window(ox, 1u, p_width()), p_width());
    var sum = 0.0;
    for (var r = y.x; r < y.y; r = r + 1) {
        for (var c = x.x; c < x.y; c = c + 1) {
            sum = sum + x_of(plane, u32(r), u32(c));
        }
    }
    if (y.y <= y.x || x.y <= x.x) {
        out_store(out_at(i), 0.0);
        return;
    }
    out_store(out_at(i), sum / divisor(oy, ox));
}

// The first and the last window that contain position `at`.
fn windows(at: u32, d: u32, count: u32) -> vec2<u32> {
    let padded = at + p_padding(d);
    var first = 0u;
    if (padded >= p_kernel(d)) {
        first = (padded - p_kernel(d)) / p_stride(d) + 1u;
    }
    return vec2<u32>(first, min(padded / p_stride(d) + 1u, count));
}

@compute @workgroup_size($WG)
fn main_average_backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let area = p_height() * p_width();
    let plane = grad_plane(i / area);
    let ys = windows((i % area) / p_width(), 0u, p_out_height());
    let xs = windows(i % p_width(), 1u, p_out_width());
    var sum = 0.0;
    for (var oy = ys.x; oy < ys.y; oy = oy + 1u) {
        for (var ox = xs.x; ox < xs.y; ox = ox + 1u) {
            sum = sum + grad_of(plane, oy, ox) / divisor(oy, ox);
        }
    }
    out_store(out_at(i), sum);
}

// The window of a cell in adaptive pooling: floor(o * size / cells) .. ceil((o + 1) * size / cells).
fn cell(o: u32, size: u32, cells: u32) -> vec2<u32> {
    return vec2<u32>(o * size / cells, ((o + 1u) * size + cells - 1u) / cells);
}

@compute @workgroup_size($WG)
fn main_adaptive(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let area = p_out_height() * p_out_width();
    let plane = x_plane(i / area);
    let y = cell((i % area) / p_out_width(), p_height(), p_out_height());
    let x = cell(i % p_out_width(), p_width(), p_out_width());
    var sum = 0.0;
    for (var r = y.x; r < y.y; r = r + 1u) {
        for (var c = x.x; c < x.y; c = c + 1u) {
            sum = sum + x_of(plane, r, c);
        }
    }
    out_store(out_at(i), sum / f32((y.y - y.x) * (x.y - x.x)));
}

@compute @workgroup_size($WG)
fn main_adaptive_backward(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    let area = p_height() * p_width();
    let plane = grad_plane(i / area);
    let y = (i % area) / p_width();
    let x = i % p_width();
    // The cells whose windows may contain (y, x).
    let ys = cell(y, p_out_height(), p_height());
    let xs = cell(x, p_out_width(), p_width());
    var sum = 0.0;
    for (var oy = ys.x; oy < min(ys.y, p_out_height()); oy = oy + 1u) {
        let wy = cell(oy, p_height(), p_out_height());
        if (y < wy.x || y >= wy.y) {
            continue;
        }
        for (var ox = xs.x; ox < min(xs.y, p_out_width()); ox = ox + 1u) {
            let wx = cell(ox, p_width(), p_out_width());
            if (x >= wx.x && x < wx.y) {
                sum = sum + grad_of(plane, oy, ox) / f32((wy.y - wy.x) * (wx.y - wx.x));
            }
        }
    }
    out_store(out_at(i), sum);
}
