//! Kernels on the host.

use super::{Buffer, Done, Executor, Fault, Kernel};
use crate::dtype::DType;

/// The host's processor.
#[derive(Default)]
pub struct CpuExecutor;

impl CpuExecutor {
    pub fn new() -> CpuExecutor {
        CpuExecutor
    }
}

impl Executor for CpuExecutor {
    fn name(&self) -> &'static str {
        "cpu"
    }
    fn hardware(&self) -> String {
        "CPU".into()
    }
    fn is_async(&self) -> bool {
        false
    }
    fn allocate(&self, _: usize, _: DType) -> Done<Buffer> {
        Err(Fault::Unsupported("being written".into()))
    }
    fn write(&self, _: &Buffer, _: usize, _: &[u8]) -> Done {
        Err(Fault::Unsupported("being written".into()))
    }
    fn read(&self, _: &Buffer, _: usize, _: &mut [u8]) -> Done {
        Err(Fault::Unsupported("being written".into()))
    }
    fn launch(&self, _: &Kernel<'_>) -> Done {
        Err(Fault::Unsupported("being written".into()))
    }
    fn synchronize(&self) -> Done {
        Ok(())
    }
}
