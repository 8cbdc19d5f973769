//! The host's memory, for devices that share it or can access it themselves.

use std::any::Any;
use std::ptr::NonNull;
use std::rc::Rc;

use super::{Buffer, Compute, Done, Fault};
use crate::dtype::DType;

/// Page-locked memory of the host. When it's dropped, queued copies may still use it: the owner keeps it until they are
/// done.
pub struct Pinned {
    at: NonNull<u8>,
    bytes: usize,
    owner: Rc<dyn Any>,
}

impl Pinned {
    /// # Safety
    /// `bytes` initialized bytes at `at`, a multiple of 64, belong to `owner` alone for as long as it lives.
    pub unsafe fn new(at: NonNull<u8>, bytes: usize, owner: Rc<dyn Any>) -> Pinned {
        Pinned { at, bytes, owner }
    }

    pub(crate) fn as_ptr(&self) -> *mut u8 {
        self.at.as_ptr()
    }

    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The owner, if it has this type.
    pub fn owner<T: 'static>(&self) -> Option<&T> {
        self.owner.downcast_ref()
    }
}

/// Hardware whose memory is the host's, or that copies from and to page-locked memory without the host. The defaults are for a
/// device that does neither.
pub trait HostMemory: Compute {
    /// The bytes of a buffer if the host can read them in place.
    fn host_bytes<'a>(&self, _buffer: &'a Buffer) -> Option<&'a [u8]> {
        None
    }

    /// Page-locked memory of the host; `None` if the device has no use for it.
    fn pin(&self, _bytes: usize) -> Done<Option<Pinned>> {
        Ok(None)
    }

    /// A buffer in page-locked memory. Only an executor whose memory is the host's can make one.
    fn adopt(&self, _memory: Pinned, _numel: usize, _dtype: DType) -> Done<Buffer> {
        Err(Fault::Unsupported("page-locked memory as a buffer".into()))
    }

    /// The page-locked memory that contains a buffer.
    fn pinned<'a>(&self, _buffer: &'a Buffer) -> Option<&'a Pinned> {
        None
    }

    /// Queues a copy of `bytes` bytes from page-locked memory, `at` bytes from its start, to elements `offset..` of a buffer.
    /// They are read when the copy runs. `false` if they can't be copied later and must be written now.
    fn write_later(&self, _buffer: &Buffer, _offset: usize, _from: &Pinned, _at: usize, _bytes: usize) -> Done<bool> {
        Ok(false)
    }

    /// Queues a copy to page-locked memory, whose bytes change when the copy runs. `false` if it must be read now.
    fn read_later(&self, _buffer: &Buffer, _offset: usize, _to: &Pinned, _at: usize, _bytes: usize) -> Done<bool> {
        Ok(false)
    }
}
