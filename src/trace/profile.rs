//! How long things took: the spans that `torch.profiler` shows.
//!
//! A span is an operator that the program called, a node of the backward pass, a kernel, a copy, a wait, or a block that the
//! program named. Spans nest. Memory that is taken and given back is counted in the innermost span.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::{EventKind, Why};
use crate::device::Device;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// A function of `torch`, or an operator.
    Operator,
    /// A node of the backward pass.
    Node,
    /// `record_function`.
    User,
    Kernel,
    Copy,
    Wait,
}

impl SpanKind {
    pub const fn name(self) -> &'static str {
        match self {
            SpanKind::Operator => "operator",
            SpanKind::Node => "node",
            SpanKind::User => "user",
            SpanKind::Kernel => "kernel",
            SpanKind::Copy => "copy",
            SpanKind::Wait => "wait",
        }
    }
}

/// Times are microseconds of the trace's clock.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    pub kind: SpanKind,
    pub name: Rc<str>,
    /// The device of a kernel, a copy or a wait.
    pub device: Option<Device>,
    pub begin: f64,
    pub end: f64,
    /// When its device began with it and finished it, if the device works asynchronously and has a clock.
    pub worked: Option<(f64, f64)>,
    /// The number of the span around it.
    pub parent: Option<usize>,
    pub flops: u64,
    /// Bytes taken minus bytes given back, on the host and on accelerators, without those of inner spans.
    pub host_bytes: i64,
    pub device_bytes: i64,
    /// The learner's line; 0 if none.
    pub line: u32,
    /// Sizes of the tensor arguments of an operator, if they are recorded.
    pub shapes: Vec<Vec<usize>>,
}

/// Where spans are collected while a program is profiled.
#[derive(Default)]
pub struct Profile {
    on: Cell<bool>,
    spans: RefCell<Vec<Span>>,
    open: RefCell<Vec<usize>>,
    keep_shapes: Cell<bool>,
}

impl Profile {
    #[inline]
    pub(crate) fn is_on(&self) -> bool {
        self.on.get()
    }

    pub(crate) fn keeps_shapes(&self) -> bool {
        self.keep_shapes.get()
    }

    pub fn start(&self, shapes: bool) {
        self.spans.borrow_mut().clear();
        self.open.borrow_mut().clear();
        self.keep_shapes.set(shapes);
        self.on.set(true);
    }

    /// Returns the collected spans. Spans that are still open end now.
    pub fn stop(&self, now: f64) -> Vec<Span> {
        self.on.set(false);
        let mut spans = self.spans.take();
        for at in self.open.take() {
            if let Some(span) = spans.get_mut(at) {
                span.end = now;
            }
        }
        spans
    }

    /// Opens a span. The returned number closes it.
    pub fn begin(&self, kind: SpanKind, name: &str, device: Option<Device>, now: f64, line: u32) -> usize {
        let mut spans = self.spans.borrow_mut();
        let at = spans.len();
        spans.push(Span {
            kind,
            name: name.into(),
            device,
            begin: now,
            end: now,
            worked: None,
            parent: self.open.borrow().last().copied(),
            flops: 0,
            host_bytes: 0,
            device_bytes: 0,
            line,
            shapes: Vec::new(),
        });
        self.open.borrow_mut().push(at);
        at
    }

    /// Closes a span, and any spans within it that an error left open.
    pub fn end(&self, at: usize, now: f64) {
        let mut open = self.open.borrow_mut();
        let Some(depth) = open.iter().rposition(|&o| o == at) else { return };
        for closed in open.drain(depth..) {
            if let Some(span) = self.spans.borrow_mut().get_mut(closed) {
                span.end = now;
            }
        }
    }

    /// The span that was opened last.
    pub fn latest(&self) -> Option<usize> {
        self.spans.borrow().len().checked_sub(1)
    }

    /// Changes a span, open or closed.
    pub fn with(&self, at: usize, change: impl FnOnce(&mut Span)) {
        if let Some(span) = self.spans.borrow_mut().get_mut(at) {
            change(span);
        }
    }

    /// Notes an event: copies and waits become spans, and memory is counted in the innermost open span.
    pub(super) fn note(&self, kind: &EventKind, now: f64, line: u32) {
        let closed = |kind, name: String, device, micros: f64| {
            let at = self.begin(kind, &name, Some(device), now - micros, line);
            self.end(at, now);
        };
        match kind {
            EventKind::Alloc { device, bytes, .. } => self.moved(*device, *bytes as i64),
            EventKind::Free { device, bytes, .. } => self.moved(*device, -(*bytes as i64)),
            EventKind::Transfer { from, to, pinned, micros, .. } => {
                let (direction, host) = match (from.is_cpu(), to.is_cpu()) {
                    (true, _) => ("HtoD", if *pinned { "Pinned" } else { "Pageable" }),
                    (_, true) => ("DtoH", if *pinned { "Pinned" } else { "Pageable" }),
                    _ => ("PtoP", "Device"),
                };
                let name = match direction {
                    "HtoD" => format!("Memcpy HtoD ({host} -> Device)"),
                    "DtoH" => format!("Memcpy DtoH (Device -> {host})"),
                    _ => "Memcpy PtoP (Device -> Device)".to_string(),
                };
                closed(SpanKind::Copy, name, if from.is_cpu() { *to } else { *from }, *micros);
            }
            EventKind::Sync { device, why, micros } => {
                let name = if *why == Why::Synchronize { "cudaDeviceSynchronize" } else { "cudaStreamSynchronize" };
                closed(SpanKind::Wait, name.to_string(), *device, *micros);
            }
            _ => {}
        }
    }

    fn moved(&self, device: Device, bytes: i64) {
        let Some(&at) = self.open.borrow().last() else { return };
        self.with(at, |span| match device.is_cpu() {
            true => span.host_bytes += bytes,
            false => span.device_bytes += bytes,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_nest_and_an_error_closes_what_it_left_open() {
        let profile = Profile::default();
        profile.start(false);
        let outer = profile.begin(SpanKind::User, "outer", None, 0.0, 1);
        let inner = profile.begin(SpanKind::Operator, "inner", None, 1.0, 2);
        profile.moved(Device::CPU, 64);
        let _left = profile.begin(SpanKind::Kernel, "left", Some(Device::CPU), 2.0, 2);
        profile.end(inner, 5.0);
        let _open = profile.begin(SpanKind::Operator, "open", None, 6.0, 3);
        profile.end(inner, 7.0);
        let spans = profile.stop(9.0);
        let seen: Vec<_> = spans.iter().map(|s| (&*s.name, s.parent, s.begin, s.end, s.host_bytes)).collect();
        assert_eq!(
            seen,
            [
                ("outer", None, 0.0, 9.0, 0),
                ("inner", Some(outer), 1.0, 5.0, 64),
                ("left", Some(inner), 2.0, 5.0, 0),
                ("open", Some(outer), 6.0, 9.0, 0)
            ]
        );
        assert!(!profile.is_on());
    }
}
