// One optimizer step for one parameter: PyTorch's single-tensor formulas. Factors that depend on the step number are
// computed on the host in float64.

fn gradient(i: u32) -> f32 {
    return p_direction() * grad_load(i);
}

fn lerp_to(a: f32, b: f32, w: f32) -> f32 {
    if (abs(w) < 0.5) {
        return a + w * (b - a);
    }
    return b - (b - a) * (1.0 - w);
}

fn sgd(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    param_store(i, p - p_lr() * g);
}

fn sgd_momentum(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let buffer = p_keep() * momentum_load(i) + p_take() * g;
    momentum_store(i, buffer);
    param_store(i, p - p_lr() * (p_gradient_share() * g + p_buffer_share() * buffer));
}

// The first step sets the buffer: what it held is never read.
fn sgd_momentum_first(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    momentum_store(i, g);
    param_store(i, p - p_lr() * (p_gradient_share() * g + p_buffer_share() * g));
}

fn adam_moments(i: u32, g: f32) -> vec2<f32> {
    let m = lerp_to(exp_avg_load(i), g, p_one_minus_beta1());
    let v = exp_avg_sq_load(i) * p_beta2() + p_one_minus_beta2() * g * g;
    exp_avg_store(i, m);
    exp_avg_sq_store(i, v);
    return vec2<f32>(m, v);
}

fn adam(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let s = adam_moments(i, g);
    param_store(i, p * p_shrink() - p_step_size() * s.x / (sqrt(s.y) / p_correction() + p_eps()));
}

fn adam_amsgrad(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let s = adam_moments(i, g);
    let most = max_f(max_exp_avg_sq_load(i), s.y);
    max_exp_avg_sq_store(i, most);
    param_store(i, p * p_shrink() - p_step_size() * s.x / (sqrt(most) / p_correction() + p_eps()));
}

fn square_average(i: u32, g: f32) -> f32 {
    let v = square_avg_load(i) * p_alpha() + p_one_minus_alpha() * g * g;
    square_avg_store(i, v);
    return v;
}

fn spread(i: u32, g: f32) -> f32 {
    return sqrt(square_average(i, g)) + p_eps();
}

fn spread_centered(i: u32, g: f32) -> f32 {
    let v = square_average(i, g);
    let mean = lerp_to(grad_avg_load(i), g, p_one_minus_alpha());
    grad_avg_store(i, mean);
    return sqrt(v - mean * mean) + p_eps();
}

fn rmsprop(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    param_store(i, p - p_lr() * g / $SPREAD(i, g));
}

fn rmsprop_momentum(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let buffer = p_momentum() * momentum_load(i) + g / $SPREAD(i, g);
    momentum_store(i, buffer);
    param_store(i, p - p_lr() * buffer);
}

fn adagrad(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let sum = sum_load(i) + g * g;
    sum_store(i, sum);
    param_store(i, p - p_lr() * g / (sqrt(sum) + p_eps()));
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
    $RULE(i);
}
