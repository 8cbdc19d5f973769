//! Validates every shader that a kernel can use with naga, without a device.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::{Sink, lower};
use crate::dtype::DType;
use crate::executor::every::{Harness, every_kernel, room, views_outside};
use crate::executor::webgpu::buffers::GpuBuffer;
use crate::executor::webgpu::launch::{Key, Launch};
use crate::executor::webgpu::source;
use crate::executor::*;

/// Collects what is dispatched instead of running it.
struct Recorder {
    software: bool,
    next: Cell<u64>,
    fault: GpuBuffer,
    keys: RefCell<HashSet<Key>>,
    /// From the text of each module to its file and entry point.
    modules: RefCell<BTreeMap<String, (&'static str, &'static str)>>,
}

impl Recorder {
    fn new(software: bool) -> Recorder {
        Recorder {
            software,
            next: Cell::new(1000),
            fault: GpuBuffer::fake(999),
            keys: RefCell::default(),
            modules: RefCell::default(),
        }
    }

    fn id(&self) -> u64 {
        self.next.replace(self.next.get() + 1)
    }
}

impl Harness for Recorder {
    fn buffer(&self, numel: usize, dtype: DType) -> Buffer {
        Buffer::new(Rc::new(GpuBuffer::fake(self.id())), room(numel), dtype)
    }

    fn run(&self, kernel: Kernel<'_>) {
        if let Err(fault) = lower(&kernel, self) {
            // A kernel may refuse a dtype with a message that says so; no other error is allowed.
            match fault {
                Fault::Unsupported(text) => {
                    assert!(text.contains(" kernel for ") || text.contains("float64"), "{}: {text}", kernel.name())
                }
                other => panic!("{}: {other:?}", kernel.name()),
            }
        }
    }
}

impl Sink for Recorder {
    fn dispatch(&self, mut launch: Launch<'_>) -> Done {
        launch.check()?;
        if self.keys.borrow_mut().insert(launch.key()) {
            self.modules.borrow_mut().insert(launch.source(), (launch.file.name, launch.entry));
        }
        Ok(())
    }

    fn storage(&self, _words: usize) -> Done<GpuBuffer> {
        Ok(GpuBuffer::fake(self.id()))
    }

    fn fault_buffer(&self) -> &GpuBuffer {
        &self.fault
    }

    fn is_software(&self) -> bool {
        self.software
    }
}

fn validate(modules: &BTreeMap<String, (&'static str, &'static str)>) {
    use wgpu::naga;
    for (text, (file, entry)) in modules {
        assert!(!text.contains('$'), "{file} {entry}: a $NAME without a value\n{text}");
        let module = naga::front::wgsl::parse_str(text)
            .unwrap_or_else(|e| panic!("{file} {entry}: {}\n{text}", e.emit_to_string(text)));
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::empty())
            .validate(&module)
            .unwrap_or_else(|e| panic!("{file} {entry}: {}\n{text}", e.emit_to_string(text)));
    }
}

#[test]
fn every_shader_is_valid() {
    let mut files = HashSet::new();
    for software in [true, false] {
        let r = Recorder::new(software);
        every_kernel(&r);
        let modules = r.modules.into_inner();
        validate(&modules);
        files.extend(modules.values().map(|(file, _)| *file));
    }
    for file in source::FAMILIES {
        assert!(files.contains(file.name), "no kernel uses {}", file.name);
    }
}

#[test]
fn webgpu_views_outside_their_buffers_are_refused() {
    let r = Recorder::new(false);
    let buffers = [12, 1].map(|n| Buffer::new(Rc::new(GpuBuffer::fake(r.id())), n, DType::F32));
    views_outside(&buffers[0], &buffers[1], &|kernel| lower(kernel, &r));
}
