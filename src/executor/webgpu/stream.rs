//! Recording and submitting: one open compute pass, few submissions.
//!
//! Kernels are recorded into one compute pass. The pass is submitted when it has [`BATCH`] dispatches, when the host wants to
//! read, or when it writes to a buffer that recorded work uses (a queue write happens before everything that isn't yet
//! submitted). Parameter blocks are in one uniform buffer at dynamic offsets, which one queue write fills for each
//! submission. So bind groups depend only on buffers, and the next training step finds them in the cache.

use std::collections::HashMap;
use std::rc::Rc;

use smallvec::SmallVec;

use super::buffers::{GpuBuffer, Pool};
use super::launch::{Key, Launch, PARAM_BYTES};
use super::pace::Pace;
use crate::executor::Done;

/// The most dispatches in a submission.
pub(super) const BATCH: usize = 64;

/// How many bind groups the cache keeps before it's cleared.
const GROUPS: usize = 4096;

struct Pipeline {
    pipeline: wgpu::ComputePipeline,
    layout: u32,
}

pub(super) struct Stream {
    device: wgpu::Device,
    queue: wgpu::Queue,
    encoder: Option<wgpu::CommandEncoder>,
    pass: Option<wgpu::ComputePass<'static>>,
    /// The key hash of the pipeline set in the open pass.
    current: Option<Rc<Pipeline>>,
    dispatches: usize,
    params: Vec<u8>,
    params_buffer: wgpu::Buffer,
    params_group: wgpu::BindGroup,
    params_layout: wgpu::BindGroupLayout,
    /// Number of the submission being recorded.
    serial: u64,
    pub pace: Pace,
    layouts: HashMap<(usize, u32), (u32, wgpu::BindGroupLayout, wgpu::PipelineLayout)>,
    layout_by_id: Vec<wgpu::BindGroupLayout>,
    pipelines: HashMap<Key, Rc<Pipeline>>,
    groups: HashMap<SmallVec<[u64; 8]>, wgpu::BindGroup>,
}

impl Stream {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Stream {
        let params_buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("parameters"),
            size: (BATCH * PARAM_BYTES) as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let size = std::num::NonZeroU64::new(PARAM_BYTES as u64);
        let params_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("parameters"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: true,
                    min_binding_size: size,
                },
                count: None,
            }],
        });
        let params_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("parameters"),
            layout: &params_layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: &params_buffer,
                    offset: 0,
                    size,
                }),
            }],
        });
        Stream {
            device: device.clone(),
            queue: queue.clone(),
            encoder: None,
            pass: None,
            current: None,
            dispatches: 0,
            params: Vec::with_capacity(BATCH * PARAM_BYTES),
            params_buffer,
            params_group,
            params_layout,
            serial: 1,
            pace: Pace::default(),
            layouts: HashMap::new(),
            layout_by_id: Vec::new(),
            pipelines: HashMap::new(),
            groups: HashMap::new(),
        }
    }

    /// Records one dispatch.
    pub(super) fn dispatch(&mut self, mut launch: Launch<'_>, pool: &Pool) -> Done {
        launch.check()?;
        let (x, y) = launch.groups();
        if x == 0 {
            return Ok(());
        }
        let pipeline = self.pipeline(&launch);
        let group = self.group(&launch, pipeline.layout);
        let offset = self.params.len();
        self.params.extend(launch.words().iter().flat_map(|w| w.to_le_bytes()));
        self.params.resize(offset + PARAM_BYTES, 0);

        let serial = self.serial;
        for (buffer, _) in launch.bindings() {
            buffer.last_use.set(serial);
        }
        let fresh = self.pass.is_none();
        let encoder = self.encoder.get_or_insert_with(|| self.device.create_command_encoder(&Default::default()));
        let pass = self.pass.get_or_insert_with(|| encoder.begin_compute_pass(&Default::default()).forget_lifetime());
        if fresh || !self.current.as_ref().is_some_and(|c| Rc::ptr_eq(c, &pipeline)) {
            pass.set_pipeline(&pipeline.pipeline);
        }
        pass.set_bind_group(0, &group, &[]);
        pass.set_bind_group(1, &self.params_group, &[offset as u32]);
        pass.dispatch_workgroups(x, y, 1);
        self.current = Some(pipeline);
        self.dispatches += 1;
        if self.dispatches >= BATCH {
            self.submit(pool);
        }
        Ok(())
    }

    /// Whether recorded work that hasn't been submitted uses the buffer.
    pub(super) fn uses(&self, buffer: &GpuBuffer) -> bool {
        buffer.last_use.get() == self.serial
    }

    /// Records a copy after all recorded kernels.
    pub(super) fn copy(&mut self, from: &wgpu::Buffer, offset: u64, to: &wgpu::Buffer, to_offset: u64, bytes: u64) {
        self.pass = None;
        self.current = None;
        let encoder = self.encoder.get_or_insert_with(|| self.device.create_command_encoder(&Default::default()));
        encoder.copy_buffer_to_buffer(from, offset, to, to_offset, Some(bytes));
    }

    /// Records that the device puts the time into a buffer, after all recorded work, and submits that.
    pub(super) fn time(&mut self, clock: &wgpu::QuerySet, to: &wgpu::Buffer, pool: &Pool) {
        self.pass = None;
        self.current = None;
        let encoder = self.encoder.get_or_insert_with(|| self.device.create_command_encoder(&Default::default()));
        let writes = wgpu::ComputePassTimestampWrites {
            query_set: clock,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: None,
        };
        drop(encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes: Some(writes) }));
        encoder.resolve_query_set(clock, 0..1, to, 0);
        self.submit(pool);
    }

    /// Counts a write to a buffer. When enough has been written, it's submitted.
    pub(super) fn wrote(&mut self, bytes: usize, pool: &Pool) {
        if self.pace.wrote(bytes) {
            self.encoder.get_or_insert_with(|| self.device.create_command_encoder(&Default::default()));
            self.submit(pool);
        }
    }

    /// Sends what is recorded to the device.
    pub(super) fn submit(&mut self, pool: &Pool) {
        self.pass = None;
        self.current = None;
        let Some(encoder) = self.encoder.take() else { return };
        if !self.params.is_empty() {
            self.queue.write_buffer(&self.params_buffer, 0, &self.params);
        }
        let submission = self.queue.submit([encoder.finish()]);
        self.pace.submitted(self.dispatches, submission, &self.queue);
        self.params.clear();
        self.dispatches = 0;
        self.serial += 1;
        if pool.is_full() {
            // Cached bind groups would keep the buffers alive.
            self.groups.clear();
            pool.release();
        }
    }

    fn pipeline(&mut self, launch: &Launch<'_>) -> Rc<Pipeline> {
        let key = launch.key();
        if let Some(found) = self.pipelines.get(&key) {
            return found.clone();
        }
        let mut mask = 0u32;
        let mut count = 0;
        for (i, (_, written)) in launch.bindings().enumerate() {
            mask |= u32::from(written) << i;
            count += 1;
        }
        let next = self.layout_by_id.len() as u32;
        let (device, params_layout, by_id) = (&self.device, &self.params_layout, &mut self.layout_by_id);
        let (layout, _, pipeline_layout) = self.layouts.entry((count, mask)).or_insert_with(|| {
            let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..count)
                .map(|i| wgpu::BindGroupLayoutEntry {
                    binding: i as u32,
                    visibility: wgpu::ShaderStages::COMPUTE,
                    ty: wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Storage { read_only: mask >> i & 1 == 0 },
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                    count: None,
                })
                .collect();
            let layout =
                device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
            let pipeline = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(&layout), Some(params_layout)],
                immediate_size: 0,
            });
            by_id.push(layout.clone());
            (next, layout, pipeline)
        });
        let source = launch.source();
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(launch.file.name),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(launch.file.name),
            layout: Some(pipeline_layout),
            module: &module,
            entry_point: Some(launch.entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        let made = Rc::new(Pipeline { pipeline, layout: *layout });
        self.pipelines.insert(key, made.clone());
        made
    }

    fn group(&mut self, launch: &Launch<'_>, layout: u32) -> wgpu::BindGroup {
        let mut key: SmallVec<[u64; 8]> = SmallVec::new();
        key.push(u64::from(layout));
        key.extend(launch.bindings().map(|(b, _)| b.id));
        if let Some(found) = self.groups.get(&key) {
            return found.clone();
        }
        if self.groups.len() >= GROUPS {
            self.groups.clear();
        }
        let entries: Vec<wgpu::BindGroupEntry<'_>> = launch
            .bindings()
            .filter_map(|(b, _)| b.raw())
            .enumerate()
            .map(|(i, raw)| wgpu::BindGroupEntry { binding: i as u32, resource: raw.as_entire_binding() })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &self.layout_by_id[layout as usize],
            entries: &entries,
        });
        self.groups.insert(key, group.clone());
        group
    }
}
