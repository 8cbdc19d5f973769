//! Programs of lessons on all processors.

use std::sync::atomic::{AtomicUsize, Ordering};

use tensoryard::engine::{self, Engine};
use tensoryard::machine::Machine;

/// Python's frames need as much stack as a main thread has.
const STACK: usize = 16 << 20;

/// The results of `work` for all jobs, in the jobs' order. There are as many threads as processors, and each calls `begin`
/// for something that it keeps for all its jobs.
///
/// # Errors
/// A thread couldn't start, one job's program broke the interpreter, or the first error of `work`.
pub fn on_all<Job: Sync, Kept, Done: Send>(
    jobs: &[Job],
    begin: impl Fn() -> Kept + Sync,
    work: impl Fn(&mut Kept, &Job) -> Result<Done, String> + Sync,
) -> Result<Vec<Done>, String> {
    let next = AtomicUsize::new(0);
    let thread = || -> Result<Vec<(usize, Done)>, String> {
        let mut kept = begin();
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(at) else {
                // Releases a GPU while the thread is still running: when the thread ends, the driver's thread-local data is
                // destroyed first.
                engine::install(Engine::on_cpu(Machine::preset("cpu").map_err(|error| error.to_string())?));
                return Ok(done);
            };
            done.push((at, work(&mut kept, job)?));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len());
    let mut done = std::thread::scope(|scope| {
        let started: Vec<_> =
            (0..threads).map(|_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, thread)).collect();
        let mut done = Vec::new();
        for thread in started {
            let thread = thread.map_err(|error| format!("no thread: {error}"))?;
            done.extend(thread.join().map_err(|_| "a lesson's program broke the interpreter")??);
        }
        Ok::<_, String>(done)
    })?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, done)| done).collect())
}
