//! Graphs: kernels that are recorded once and then launched all at once, any number of times.
//!
//! An executor without graphs of its own keeps each kernel with the memory it uses, and launches one after the other. An
//! executor whose hardware has graphs keeps its own form in a [`Recording`].

use std::any::Any;

use super::{Buffer, Compute, Done, Fault, Kernel, KernelOf};
use crate::dtype::DType;

/// The number of a graph's memory pool: graphs with the same number share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphPool(pub u32);

/// A graph in its executor's own form.
pub struct Recording(Box<dyn Any>);

impl Recording {
    pub fn new(own: impl Any) -> Recording {
        Recording(Box::new(own))
    }

    /// # Errors
    /// The graph belongs to another executor.
    pub fn own<T: 'static>(&self) -> Done<&T> {
        self.0.downcast_ref().ok_or_else(|| Fault::Unsupported("a graph of another executor".into()))
    }

    /// # Errors
    /// Those of [`Recording::own`].
    pub(crate) fn own_mut<T: 'static>(&mut self) -> Done<&mut T> {
        self.0.downcast_mut().ok_or_else(|| Fault::Unsupported("a graph of another executor".into()))
    }
}

/// The place in the generator's stream where the draws of a replay begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draws {
    pub seed: u64,
    /// Added to the offsets of the recorded draws.
    pub offset: u64,
}

/// The recording of an executor that has no graphs of its own: kernels with the memory they use.
#[derive(Default)]
pub struct Listed(Vec<KernelOf<Buffer>>);

impl Listed {
    pub fn keep(&mut self, kernel: &Kernel<'_>) {
        self.0.push(kernel.on(|&buffer| buffer.clone()));
    }

    /// Calls `launch` with every kernel, in order.
    ///
    /// # Errors
    /// Those of `launch`.
    pub fn each(&self, draws: Draws, launch: impl Fn(&Kernel<'_>) -> Done) -> Done {
        for kept in &self.0 {
            let mut kernel = kept.on(|buffer| buffer);
            if let Kernel::Random { philox, .. } = &mut kernel {
                philox.seed = draws.seed;
                philox.offset = philox.offset.wrapping_add(draws.offset);
            }
            launch(&kernel)?;
        }
        Ok(())
    }
}

/// Hardware that can record kernels and launch them again. The defaults keep each kernel with its memory, and launch one after
/// the other.
pub trait Graphs: Compute {
    /// Like [`Compute::allocate`], for a tensor of a graph. An executor that decides itself where memory is takes it from that
    /// pool.
    fn allocate_in(&self, numel: usize, dtype: DType, _pool: GraphPool) -> Done<Buffer> {
        self.allocate(numel, dtype)
    }

    /// Begins a graph, whose memory comes from `pool`. Other work may continue meanwhile. Recording a kernel doesn't
    /// launch it.
    fn begin_graph(&self, _pool: GraphPool) -> Done<Recording> {
        Ok(Recording::new(Listed::default()))
    }

    /// Adds a kernel to a graph instead of launching it.
    fn record(&self, graph: &mut Recording, kernel: &Kernel<'_>) -> Done {
        graph.own_mut::<Listed>()?.keep(kernel);
        Ok(())
    }

    /// Makes a graph ready for replays.
    fn end_graph(&self, graph: Recording) -> Done<Recording> {
        Ok(graph)
    }

    /// Queues all kernels of a graph, in order. Its draws begin at `draws`.
    fn replay(&self, graph: &Recording, draws: Draws) -> Done {
        graph.own::<Listed>()?.each(draws, |kernel| self.launch(kernel))
    }

    /// Writes a graph that is ready for replays as a file in the DOT language; if `verbose`, with everything that is known
    /// about its nodes.
    ///
    /// # Errors
    /// The hardware has no graphs of its own; a file that can't be written.
    fn dump_graph(&self, _graph: &Recording, _path: &str, _verbose: bool) -> Done {
        Err(Fault::Unsupported("writing down a graph that is not the hardware's own".into()))
    }

    /// The number of kernels in each graph that the executor made automatically from repeated launches and has launched
    /// since the last call.
    fn take_steps(&self) -> Vec<usize> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::cpu::CpuExecutor;
    use crate::executor::{Draw, Operand, Philox, View};
    use crate::shape::Layout;

    fn floats(cpu: &CpuExecutor, buffer: &Buffer) -> Vec<f32> {
        let mut out = vec![0; buffer.numel * 4];
        cpu.read(buffer, 0, &mut out).unwrap();
        out.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }

    /// Recording runs nothing. Each replay runs all kernels on the same memory, which the graph keeps alive, and draws
    /// from the given place.
    #[test]
    fn recorded_kernels_run_at_every_replay() {
        let cpu = CpuExecutor::new();
        let layout = Layout::contiguous(&[4]);
        let (x, y) = (cpu.allocate(4, DType::F32).unwrap(), cpu.allocate(4, DType::F32).unwrap());
        cpu.launch(&Kernel::Fill { out: View::new(&x, &layout), value: 1.0.into() }).unwrap();
        cpu.launch(&Kernel::Fill { out: View::new(&y, &layout), value: 0.0.into() }).unwrap();
        let mut graph = cpu.begin_graph(GraphPool(1)).unwrap();
        {
            let noise = cpu.allocate(4, DType::F32).unwrap();
            let at = |buffer| View::new(buffer, &layout);
            let philox = Philox { seed: 9, offset: 4, multiprocessors: 108 };
            let draw = Draw::Uniform { from: 0.0, to: 1.0 };
            let record = |graph: &mut Recording, kernel| cpu.record(graph, &kernel).unwrap();
            record(&mut graph, Kernel::Random { draw, philox, out: at(&noise) });
            let op = crate::executor::BinaryOp::Add;
            let (a, b) = (Operand::View(at(&x)), Operand::View(at(&noise)));
            record(&mut graph, Kernel::Binary { op, a, b, compute: DType::F32, out: at(&y) });
        }
        let graph = cpu.end_graph(graph).unwrap();
        assert_eq!(floats(&cpu, &y), [0.0; 4], "a capture runs nothing");
        for offset in [0, 8] {
            cpu.replay(&graph, Draws { seed: 7, offset }).unwrap();
            let mut expected = [0_f32; 4];
            let state = Philox { seed: 7, offset: 4 + offset, multiprocessors: 108 };
            crate::rng::philox::uniform_f32(state, &mut expected, 0.0, 1.0);
            assert_eq!(floats(&cpu, &y), expected.map(|v| v + 1.0), "offset {offset}");
        }
    }
}
