// Writing by index. If elements are combined, each is changed by compare-and-exchange on its word, so duplicates
// accumulate; 64-bit sums add the low word, then the high word with the carry. Operations without such a form use
// `main_serial`: a single invocation handles one element after the other.

fn narrow_same(x: $T) -> $T {
    return x;
}

fn put(k: u32, v: $T) {
    out_store(k, v);
}

fn add_f(a: f32, b: f32) -> f32 {
    return a + b;
}

fn mul_f(a: f32, b: f32) -> f32 {
    return a * b;
}

fn add_i(a: i32, b: i32) -> i32 {
    return a + b;
}

fn mul_i(a: i32, b: i32) -> i32 {
    return a * b;
}

fn change_word(k: u32, v: $T) {
    let at = out_base() + k;
    var old = atomicLoad(&$out[at]);
    loop {
        let changed = bitcast<u32>($NARROW($COMBINE(bitcast<$T>(old), v)));
        let result = atomicCompareExchangeWeak(&$out[at], old, changed);
        if (result.exchanged) {
            break;
        }
        old = result.old_value;
    }
}

fn add_long(k: u32, v: vec2<u32>) {
    let at = 2u * (out_base() + k);
    let old = atomicAdd(&$out[at], v.x);
    let carry = select(0u, 1u, old + v.x < old);
    atomicAdd(&$out[at + 1u], v.y + carry);
}

fn change_plain(k: u32, v: $T) {
    out_store(k, $COMBINE(out_load(k), v));
}

fn times_f(v: f32) -> f32 {
    return p_alpha() * v;
}

fn times_i(v: i32) -> i32 {
    return p_alpha() * v;
}

fn times_l(v: vec2<u32>) -> vec2<u32> {
    return l_mul(p_alpha(), v);
}

// With an index along one dimension.
fn scatter_one(i: u32) {
    let index = index_load(index_at(i));
    if (index.y != 0u || index.x >= p_size()) {
        report(1u, index, p_dim(), p_size());
        return;
    }
    $APPLY(out_at(i) + index.x * p_stride(), $SCALE(src_load(src_at(i))));
}

// With the places that `main_place` of index.wgsl computed.
fn scatter_place(i: u32) {
    let place = bitcast<u32>(place_load(place_at(i)));
    if (place != 0xffffffffu) {
        $APPLY(out_at(i) + place, src_load(src_at(i)));
    }
}

@compute @workgroup_size($WG)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = thread_of(group, groups, lane, u32($WG));
    if (i >= p_n()) {
        return;
    }
    $EACH(i);
}

@compute @workgroup_size($WG)
fn main_serial() {
    for (var i = 0u; i < p_n(); i = i + 1u) {
        $EACH(i);
    }
}
