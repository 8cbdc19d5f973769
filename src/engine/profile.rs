//! How long the work took on a device that runs asynchronously: there is a mark before and after each piece of work of a
//! profiled program, and the marks' times are read when the profile ends.

use std::cell::RefCell;
use std::rc::Rc;

use super::launches::Launches;
use crate::device::Device;
use crate::error::{ErrorKind, Result};
use crate::executor::{Fault, Mark};
use crate::trace::Why;
use crate::trace::profile::Span;

/// The mark before a piece of work.
pub struct Started {
    device: Device,
    mark: Rc<dyn Mark>,
}

/// The marks around the work of one span.
struct Timed {
    span: usize,
    started: Started,
    ended: Rc<dyn Mark>,
}

/// What is collected while a program is profiled.
#[derive(Default)]
pub struct Times(RefCell<Vec<Timed>>);

impl Launches {
    fn mark_time(&self, device: Device) -> Option<Rc<dyn Mark>> {
        // A device that can't make a mark reports the reason with its next work. Here the time stays unknown.
        self.devices.executor(device).mark(true).ok().flatten()
    }

    /// Makes a mark before the work of a device, if the program is profiled and the device's marks have times.
    pub(crate) fn start_work(&self, device: Device) -> Option<Started> {
        if !self.trace.profile().is_on() || device.is_cpu() || device.is_meta() || self.devices.is_capturing(device) {
            return None;
        }
        self.mark_time(device).map(|mark| Started { device, mark })
    }

    /// Makes a mark after the work of `span`, or of the latest span.
    pub(crate) fn end_work(&self, started: Option<Started>, span: Option<usize>) {
        let span = span.or_else(|| self.trace.profile().latest());
        let Some((started, span)) = started.zip(span) else { return };
        if let Some(ended) = self.mark_time(started.device) {
            self.times.0.borrow_mut().push(Timed { span, started, ended });
        }
    }

    /// Ends a profile and waits for the devices that worked for it, as PyTorch does. Their work then has its times, on the
    /// host's clock. If the device was lost, it has none.
    ///
    /// # Errors
    /// Stop.
    pub(crate) fn end_profile(&self) -> Result<Vec<Span>> {
        let mut spans = self.trace.profile().stop(self.trace.now());
        let mut all = self.times.0.take();
        while let Some(device) = all.first().map(|one| one.started.device) {
            let (here, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.started.device == device);
            all = others;
            match self.synchronize(device, Why::Synchronize) {
                Ok(()) => {}
                Err(error) if error.kind == ErrorKind::Interrupt => return Err(error),
                Err(_) => continue,
            }
            // The device's clock and the host's are compared at one moment: now, when there is nothing to wait for.
            let Some(last) = self.mark_time(device).filter(|last| last.wait().is_ok()) else { continue };
            let now = self.trace.now();
            for one in here {
                let took = |from: &Rc<dyn Mark>, to: &Rc<dyn Mark>| Ok::<f64, Fault>(to.since(&**from)? * 1e3);
                let times =
                    took(&one.started.mark, &last).and_then(|ago| Ok((ago, took(&one.started.mark, &one.ended)?)));
                if let (Ok((ago, took)), Some(span)) = (times, spans.get_mut(one.span)) {
                    span.worked = Some((now - ago, now - ago + took));
                }
            }
        }
        Ok(spans)
    }

    /// Ends a profile whose result nobody needs.
    pub(crate) fn drop_profile(&self) {
        self.trace.profile().stop(self.trace.now());
        self.times.0.take();
    }
}
