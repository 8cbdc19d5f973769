// One optimizer step for one parameter: PyTorch's single-tensor formulas. Factors that depend on the step count are
// computed on the host in float64, or here if the count is in the device's memory.

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

// The first step sets the buffer, whose previous content is never read.
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

// The number of this step, from the count of earlier steps.
fn step_number() -> f32 {
    return count_load(0u) + 1.0;
}

fn given_rate() -> f32 {
    return rate_load(0u);
}

// 1 - beta^t as -expm1(t ln beta), which is accurate even in the first steps with a beta near 1.
fn counted_step_size() -> f32 {
    return -$RATE() / expm1_f(step_number() * p_log_beta1());
}

fn counted_correction() -> f32 {
    return sqrt(-expm1_f(step_number() * p_log_beta2()));
}

fn counted_shrink() -> f32 {
    return 1.0 - $RATE() * p_decoupled_decay();
}

fn adam(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let s = adam_moments(i, g);
    param_store(i, p * $SHRINK() - $STEP_SIZE() * s.x / (sqrt(s.y) / $CORRECTION() + p_eps()));
}

fn adam_amsgrad(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let s = adam_moments(i, g);
    let most = max_f(max_exp_avg_sq_load(i), s.y);
    max_exp_avg_sq_store(i, most);
    param_store(i, p * $SHRINK() - $STEP_SIZE() * s.x / (sqrt(most) / $CORRECTION() + p_eps()));
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
    param_store(i, p - $RATE() * g / $SPREAD(i, g));
}

fn rmsprop_momentum(i: u32) {
    let p = param_load(i);
    let g = gradient(i) + p_weight_decay() * p;
    let buffer = p_momentum() * momentum_load(i) + g / $SPREAD(i, g);
    momentum_store(i, buffer);
    param_store(i, p - $RATE() * buffer);
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

// Increases a parameter's step count.
@compute @workgroup_size($WG)
fn main_count() {
    count_store(0u, count_load(0u) + 1.0);
}
