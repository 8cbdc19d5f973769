//! The engine with the CPU executor: its reports account for every byte, a program can continue after running out of
//! memory, and a training step learns.

use tensoryard::autograd::Pass;
use tensoryard::device::Device;
use tensoryard::dtype::DType;
use tensoryard::engine::{self, Engine};
use tensoryard::error::ErrorKind;
use tensoryard::executor::UnaryOp;
use tensoryard::machine::{AcceleratorKind, DeviceSpec, Machine};
use tensoryard::ops::transfer::{To, to};
use tensoryard::ops::{self, matmul};
use tensoryard::shape::Layout;
use tensoryard::tensor::Tensor;
use tensoryard::trace::replay::replay;
use tensoryard::trace::{EventKind, Why};

fn machine(memory_mib: usize) -> Machine {
    let spec = DeviceSpec { memory_mib, ..DeviceSpec::new(AcceleratorKind::Cuda) };
    Machine { devices: vec![spec.clone(), spec], ..Machine::preset("cuda:2").unwrap() }
}

fn floats(values: &[f32], shape: &[usize], device: Device) -> Tensor {
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
    Tensor::from_bytes(&bytes, shape, DType::F32, device).unwrap()
}

fn read(t: &Tensor) -> Vec<f32> {
    ops::transfer::to_host(t, Why::Tolist)
        .unwrap()
        .chunks(4)
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

#[test]
fn replaying_the_events_rebuilds_every_byte() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    engine.trace.set_on(true);
    engine.trace.restart();
    let (a, b) = (Device::cuda(0), Device::cuda(1));
    let mut kept: Vec<Tensor> = Vec::new();
    let mut refused = 0;
    let mut seed = 1u64;
    let mut random = |n: u64| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) % n
    };
    for step in 0..3000 {
        let device = [Device::CPU, a, b][random(3) as usize];
        match random(8) {
            0..=3 => match ops::create::zeros(&[random(2_000_000) as usize], DType::F32, device) {
                Ok(t) => kept.push(t),
                Err(e) => {
                    assert_eq!(e.kind, ErrorKind::OutOfMemory, "{e}");
                    refused += 1;
                }
            },
            4 | 5 if !kept.is_empty() => drop(kept.swap_remove(random(kept.len() as u64) as usize)),
            6 if !kept.is_empty() => {
                let t = kept[random(kept.len() as u64) as usize].clone();
                if let Ok(moved) = to(&t, To { device: Some(device), ..To::default() }) {
                    kept.push(moved);
                }
            }
            _ if step % 97 == 0 => engine.devices.empty_cache().unwrap(),
            _ => {}
        }
        if kept.len() > 60 {
            kept.drain(..30);
        }
    }
    assert!(refused > 10, "the capacity was never reached");
    let events = engine.trace.drain();
    let state = replay(&events).unwrap_or_else(|e| panic!("{e:?}"));
    for device in [a, b] {
        let planner = engine.devices.accelerator(device).unwrap().planner.borrow();
        assert_eq!(state.memory(device), (planner.allocated(), planner.reserved()), "{device}");
    }
    assert_eq!(state.memory(Device::CPU).0, engine.devices.cpu_allocated());
    let mut alive: Vec<u64> = kept.iter().map(|t| t.storage().id()).collect();
    alive.sort_unstable();
    alive.dedup();
    assert_eq!(state.live.keys().copied().collect::<Vec<_>>(), alive);
}

#[test]
fn copies_happen_only_where_pytorch_makes_them() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    engine.trace.set_on(true);
    let x = floats(&[1.0, 2.0, 3.0, 4.0], &[2, 2], Device::CPU);
    engine.trace.restart();
    let y = to(&x, To { device: Some(Device::cuda(0)), ..To::default() }).unwrap();
    let again = to(&y, To { device: Some(Device::cuda(0)), ..To::default() }).unwrap();
    assert!(again.is_same(&y));
    let product = matmul::mm(&y, &y).unwrap();
    let sum = ops::reduce::sum(&product, &[], false, None).unwrap();
    let crossing = |events: &[tensoryard::trace::Event]| {
        events.iter().filter(|e| matches!(e.kind, EventKind::Transfer { .. })).count()
    };
    assert_eq!(crossing(&engine.trace.drain()), 1, "only .to crosses");
    assert_eq!(ops::transfer::item(&sum, Why::Item).unwrap().as_f64(), 54.0);
    assert_eq!(crossing(&engine.trace.drain()), 1, ".item crosses");
}

// Like PyTorch's `memcpy_and_sync`, a copy between the host and a device waits in both directions and for any kind of
// memory.
#[test]
fn the_host_waits_for_copies_where_pytorch_waits() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    let (a, b) = (Device::cuda(0), Device::cuda(1));
    let x = floats(&[1.0, -2.0, 3.0], &[3], a);
    let host = floats(&[1.0, -2.0, 3.0], &[3], Device::CPU);
    let pinned = Tensor::empty_with(Layout::contiguous(&[3]), DType::F32, Device::CPU, true).unwrap();
    ops::transfer::copy_data(&pinned, &host).unwrap();
    engine.trace.set_on(true);
    for (from, device, non_blocking, waits) in [
        (&x, b, false, 0),
        (&x, b, true, 0),
        (&x, Device::CPU, true, 0),
        (&x, Device::CPU, false, 1),
        (&x, a, false, 0),
        (&host, a, false, 1),
        (&host, a, true, 0),
        (&pinned, a, false, 1),
        (&pinned, a, true, 0),
        (&host, Device::CPU, false, 0),
    ] {
        engine.trace.restart();
        let y = to(from, To { device: Some(device), non_blocking, ..To::default() }).unwrap();
        let z = Tensor::empty(&[3], DType::F32, device).unwrap();
        let waited = |events: Vec<tensoryard::trace::Event>| {
            events.iter().filter(|e| matches!(e.kind, EventKind::Sync { .. })).count()
        };
        assert_eq!(waited(engine.trace.drain()), waits, "to {device:?}, non_blocking={non_blocking}");
        // Only `.to` pins the host memory of a non-blocking copy.
        if !(device.is_cpu() && non_blocking) {
            ops::transfer::copy_(&z, from, non_blocking).unwrap();
            assert_eq!(waited(engine.trace.drain()), waits, "copy_ to {device:?}, non_blocking={non_blocking}");
            assert_eq!(read(&z), [1.0, -2.0, 3.0]);
        }
        assert_eq!(read(&y), [1.0, -2.0, 3.0]);
        engine.trace.drain();
    }
    // Ordinary host memory has been filled when the call returns.
    let y = floats(&[0.0; 3], &[3], Device::CPU);
    engine.trace.restart();
    ops::transfer::copy_with(&y, &x, true, Why::Copy).unwrap();
    assert!(engine.trace.drain().iter().any(|e| matches!(e.kind, EventKind::Sync { .. })));
    assert_eq!(read(&y), [1.0, -2.0, 3.0]);
}

/// PyTorch's `copy_kernel_cuda` converts on the host if the copy blocks, so that it needs no GPU memory, and on the GPU
/// if the copy is non-blocking.
#[test]
fn a_copy_that_converts_does_it_where_pytorch_does() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    let gpu = Device::cuda(0);
    let host = floats(&[1.0, -2.0, 3.0], &[3], Device::CPU);
    let there = floats(&[1.0, -2.0, 3.0], &[3], gpu);
    engine.trace.set_on(true);
    for (from, device, dtype, non_blocking, crossed, kernels) in [
        (&host, gpu, DType::F16, false, 6, 0),
        (&host, gpu, DType::F16, true, 12, 1),
        (&there, Device::CPU, DType::F64, false, 12, 0),
        (&there, Device::CPU, DType::F64, true, 24, 1),
    ] {
        engine.trace.restart();
        let y = to(from, To { device: Some(device), dtype: Some(dtype), non_blocking, ..To::default() }).unwrap();
        let events = engine.trace.drain();
        let bytes: usize =
            events.iter().map(|e| if let EventKind::Transfer { bytes, .. } = e.kind { bytes } else { 0 }).sum();
        let launched =
            events.iter().filter(|e| matches!(e.kind, EventKind::Kernel { device, .. } if device == gpu)).count();
        assert_eq!((bytes, launched), (crossed, kernels), "{dtype} to {device}, non_blocking={non_blocking}");
        assert_eq!(read(&to(&y, To { dtype: Some(DType::F32), ..To::default() }).unwrap()), [1.0, -2.0, 3.0]);
    }
}

#[test]
fn different_devices_are_refused_in_pytorchs_words() {
    engine::install(Engine::on_cpu(machine(64)));
    let cpu = floats(&[1.0; 3], &[3], Device::CPU);
    let gpu = floats(&[1.0; 3], &[3], Device::cuda(0));
    let text = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
    assert_eq!(ops::add(&cpu, &gpu).unwrap_err().message, text);
    assert_eq!(ops::add(&gpu, &cpu).unwrap_err().message, text);
    let number = floats(&[2.0], &[], Device::CPU);
    assert_eq!(read(&ops::add(&gpu, &number).unwrap()), [3.0; 3]);
    let other = floats(&[1.0; 3], &[3], Device::cuda(1));
    assert!(ops::add(&other, &gpu).unwrap_err().message.ends_with("cuda:1 and cuda:0!"));
    let w = floats(&[1.0; 6], &[2, 3], Device::cuda(0));
    let bias = floats(&[1.0; 2], &[2], Device::cuda(0));
    let x = floats(&[1.0; 3], &[1, 3], Device::CPU);
    assert_eq!(
        matmul::linear(&x, &w, Some(&bias)).unwrap_err().message,
        "Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)"
    );
}

#[test]
fn out_of_memory_is_raised_and_survived() {
    engine::install(Engine::on_cpu(machine(64)));
    let error = ops::create::zeros(&[100 << 20], DType::U8, Device::cuda(0)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::OutOfMemory);
    assert!(
        error
            .message
            .starts_with("CUDA out of memory. Tried to allocate 100.00 MiB. GPU 0 has a total capacity of 64.00 MiB")
    );
    let smaller = ops::create::zeros(&[10 << 20], DType::U8, Device::cuda(0)).unwrap();
    assert_eq!(smaller.numel(), 10 << 20);
    assert!(
        ops::create::zeros(&[1_000_000_000_000], DType::F32, Device::CPU)
            .unwrap_err()
            .message
            .contains("you tried to allocate 4000000000000 bytes")
    );
}

#[test]
fn a_step_of_gradient_descent_lowers_the_loss() {
    engine::install(Engine::on_cpu(machine(64)));
    let x = floats(&[1.0, 0.0, 0.0, 1.0], &[2, 2], Device::cuda(0));
    let w = floats(&[3.0, -4.0], &[1, 2], Device::cuda(0));
    w.set_requires_grad(true).unwrap();
    let loss = |w: &Tensor| {
        let y = matmul::linear(&x, w, None).unwrap();
        ops::reduce::sum(&ops::unary(UnaryOp::Square, &y).unwrap(), &[], false, None).unwrap()
    };
    let before = loss(&w);
    ops::backward(Pass { roots: std::slice::from_ref(&before), ..Pass::default() }).unwrap();
    let grad = w.grad().unwrap();
    assert_eq!(read(&grad), [6.0, -8.0]);
    assert_eq!(grad.device(), Device::cuda(0));
    assert!(
        ops::backward(Pass { roots: &[before], ..Pass::default() })
            .unwrap_err()
            .message
            .starts_with("Trying to backward through the graph a second time")
    );
}

/// Yards draw the shape in `Alloc`, so a reduction's block must have the shape of its result.
#[test]
fn a_reduction_takes_its_block_in_the_shape_of_its_result() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    let x = floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3], Device::cuda(0));
    engine.trace.set_on(true);
    let kept = [
        ops::reduce::sum(&x, &[], false, None).unwrap(),
        ops::reduce::mean(&x, &[1], false, None).unwrap(),
        ops::reduce::mean(&x, &[1], true, None).unwrap(),
        ops::reduce::arg_extreme(&x, true, None, false).unwrap(),
        ops::reduce::extreme_dim(&x, true, 0, false).unwrap().0,
    ];
    assert_eq!(read(&kept[1]), [2.0, 5.0]);
    assert_eq!(read(&kept[4]), [4.0, 5.0, 6.0]);
    let shapes: Vec<Vec<usize>> = engine
        .trace
        .drain()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Alloc { device, shape, .. } if device.is_cuda() => Some(shape),
            _ => None,
        })
        .collect();
    // The last pair are values and indices.
    assert_eq!(shapes, [vec![], vec![2], vec![2, 1], vec![], vec![3], vec![3]]);
}

/// A product borrows cuBLAS's workspace, which only shows in peaks and reserved memory.
#[test]
fn a_product_borrows_a_workspace() {
    let engine = engine::install(Engine::on_cpu(machine(64)));
    engine.trace.set_on(true);
    let a = floats(&[1.0; 64], &[8, 8], Device::cuda(0));
    let product = matmul::mm(&a, &a).unwrap();
    let planner = engine.devices.accelerators()[0].planner.borrow();
    let (live, workspace) = (2 * 512, 8_519_680);
    assert_eq!(planner.allocated(), live);
    assert_eq!(planner.stats().allocated_bytes.all.peak, live + workspace);
    assert_eq!(planner.reserved(), 22 << 20);
    drop(planner);
    let rebuilt = replay(&engine.trace.drain()).unwrap();
    assert_eq!(rebuilt.live.len(), 2, "the workspace is gone");
    drop(product);

    // If there's no room for it, a product fails, as in PyTorch, and takes nothing.
    let engine = engine::install(Engine::on_cpu(machine(8)));
    let a = floats(&[1.0; 64], &[8, 8], Device::cuda(0));
    let before = engine.devices.accelerators()[0].planner.borrow().allocated();
    let error = matmul::mm(&a, &a).unwrap_err();
    assert!(error.message.contains("Tried to allocate 20.00 MiB"), "{}", error.message);
    assert_eq!(engine.devices.accelerators()[0].planner.borrow().allocated(), before);
}

#[test]
fn the_devices_that_a_program_selects_are_an_event() {
    // The page used to draw the machine's first card even if the program's `cuda:0` was another one.
    let selected = |value: fn(&str) -> Option<String>| {
        let engine = engine::install(Engine::on_cpu(Machine::preset("cuda:4").unwrap()));
        engine.hooks.set_environment(value);
        engine.trace.set_on(true);
        engine.trace.restart();
        let count = engine.devices.cuda_count();
        let events = engine.trace.drain();
        replay(&events).unwrap();
        let places = |event: &tensoryard::trace::Event| match &event.kind {
            EventKind::Selected { places } => Some(places.clone()),
            _ => None,
        };
        (count, events.iter().filter_map(places).collect::<Vec<_>>())
    };
    assert_eq!(selected(|_| Some("2,0".into())), (2, vec![vec![2, 0]]));
    assert_eq!(selected(|_| Some(String::new())), (0, vec![vec![]]));
    for all in [|_: &str| None, |_: &str| Some("0,1,2,3".to_string())] {
        assert_eq!(selected(all), (4, vec![]));
    }
}
