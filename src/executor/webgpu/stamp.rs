//! The times of timing events: the device's own clock, or, if it has none, when the host heard that the work was done.

use std::any::Any;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use super::buffers::Pool;
use super::device::Gpu;
use super::stream::Stream;
use crate::executor::{Done, Fault, Stamp};
use crate::trace::now_micros;

const BYTES: u64 = 8;

pub(super) struct GpuStamp {
    gpu: Rc<Gpu>,
    time: Time,
}

enum Time {
    /// Holds one number, in ticks of the device's clock, once the device has done the work before the stamp.
    Ticks(wgpu::Buffer),
    /// When the host was told that the work is done, in microseconds of its clock; empty until then.
    Heard(Arc<OnceLock<f64>>),
}

impl GpuStamp {
    /// Records a stamp after all work so far, and submits it.
    pub(super) fn new(gpu: &Rc<Gpu>, clock: &OnceCell<wgpu::QuerySet>, stream: &mut Stream, pool: &Pool) -> GpuStamp {
        let device = &gpu.device;
        let time = if device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            let clock = clock.get_or_init(|| {
                let ty = wgpu::QueryType::Timestamp;
                device.create_query_set(&wgpu::QuerySetDescriptor { label: Some("clock"), ty, count: 1 })
            });
            let ticks = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("ticks"),
                size: BYTES,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            });
            stream.time(clock, &ticks, pool);
            Time::Ticks(ticks)
        } else {
            stream.submit(pool);
            let heard = Arc::new(OnceLock::new());
            let tell = heard.clone();
            gpu.queue.on_submitted_work_done(move || {
                let _ = tell.set(now_micros());
            });
            Time::Heard(heard)
        };
        GpuStamp { gpu: gpu.clone(), time }
    }

    /// The ticks in two buffers.
    fn ticks(&self, buffers: [&wgpu::Buffer; 2]) -> Done<[u64; 2]> {
        self.gpu.lost()?;
        let staging = self.gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("ticks on the host"),
            size: 2 * BYTES,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        for (buffer, at) in buffers.into_iter().zip([0, BYTES]) {
            encoder.copy_buffer_to_buffer(buffer, 0, &staging, at, Some(BYTES));
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.map(&staging, 2 * BYTES)?;
        let bytes =
            staging.slice(..).get_mapped_range().map_err(|e| Fault::Lost(format!("reading back failed: {e}")))?;
        let mut words = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        Ok([words.next().unwrap_or_default(), words.next().unwrap_or_default()])
    }
}

impl Stamp for GpuStamp {
    fn since(&self, start: &dyn Stamp) -> Done<f64> {
        let other = || Fault::Unsupported("the time between events of different devices".into());
        let start = (start as &dyn Any).downcast_ref::<GpuStamp>().ok_or_else(other)?;
        match (&start.time, &self.time) {
            (Time::Ticks(a), Time::Ticks(b)) if Rc::ptr_eq(&self.gpu, &start.gpu) => {
                let [a, b] = self.ticks([a, b])?;
                // Nanoseconds in a tick. A browser rounds times, so the later one may seem to be the earlier one.
                let period = f64::from(self.gpu.queue.get_timestamp_period());
                Ok((i128::from(b) - i128::from(a)) as f64 * period / 1e6)
            }
            (Time::Heard(a), Time::Heard(b)) => {
                let time = |heard: &OnceLock<f64>| *heard.get_or_init(now_micros);
                let (a, b) = (time(a), time(b));
                Ok((b - a) / 1e3)
            }
            _ => Err(other()),
        }
    }
}
