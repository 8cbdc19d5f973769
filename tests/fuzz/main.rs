//! Everything that reads a stranger's bytes, and random programs of torch calls: nothing may panic, crash or hang.
//!
//! Each target runs for a few seconds here. `FUZZ_SECONDS=3600 cargo test --release --test fuzz NAME -- --nocapture` runs one for
//! an hour, with new inputs each time. Inputs come from mutating a corpus: the project's own files, and what once failed (`corpus/TARGET/`). An input that
//! panics is left in `target/tmp/fuzz/TARGET`, and the seed of the run in `TARGET.seed`: `FUZZ_SEED` repeats a run whose process died.

#![cfg(all(unix, feature = "cli"))]

mod bytes;
mod calls;
mod network;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mutatis::Session;

/// The longest time of a processor for one input.
const SLOW: Duration = Duration::from_secs(10);
/// The longest time by the clock, on a machine that also does other work or stands still for a while.
const HANGING: Duration = Duration::from_secs(300);
/// A corpus's largest input; mutated ones may be a little larger.
const LARGEST: usize = 1 << 16;

/// How long a target runs.
fn budget() -> Duration {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(5))
}

/// The time that processors have spent on this thread.
fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call fills the structure that it is given.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(done, 0, "the thread has a clock");
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec.cast_unsigned() as u32)
}

/// The seed in `FUZZ_SEED`; otherwise a new one for each long run, which prints it, and always the same one for a short run: a
/// change that breaks nothing must not fail by chance.
fn seed() -> u64 {
    let given = std::env::var("FUZZ_SEED").ok().and_then(|text| text.parse().ok());
    let long = std::env::var_os("FUZZ_SECONDS").is_some();
    let new = || std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos() as u64);
    given.unwrap_or_else(|| if long { new() } else { 20_261_122 })
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where a target's input is stored while it's tried.
fn kept(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).expect("the folder for build outputs can be written");
    folder.join(target)
}

/// The files of a folder of the repository whose names end in `ending`, the shortest first.
fn files(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(repository().join(folder)) else { return Vec::new() };
    let paths = entries.flatten().map(|entry| entry.path()).filter(|path| path.to_string_lossy().ends_with(ending));
    let mut files: Vec<Vec<u8>> = paths.filter_map(|path| std::fs::read(path).ok()).collect();
    files.retain(|file| file.len() <= LARGEST);
    files.sort_by_key(|file| (file.len(), file.clone()));
    files
}

/// Tries mutated inputs until the time is over. `target` must not panic, abort or take longer than [`SLOW`].
fn fuzz(name: &str, mut corpus: Vec<Vec<u8>>, mut target: impl FnMut(&[u8])) {
    let once_failed = files(&format!("tests/fuzz/corpus/{name}"), "");
    corpus.extend(once_failed);
    assert!(!corpus.is_empty(), "{name}: the corpus is empty");
    let seed = seed();
    let mut session = Session::new().seed(seed);
    let (begun, budget, path) = (Instant::now(), budget(), kept(name));
    std::fs::write(kept(&format!("{name}.seed")), seed.to_string()).expect("the seed can be kept");
    let (mut inputs, mut slowest) = (0_usize, Duration::ZERO);
    while inputs < corpus.len() || begun.elapsed() < budget {
        // The unchanged corpus comes first.
        let input = match corpus.get(inputs) {
            Some(whole) => whole.clone(),
            None => mutated(&corpus, &mut session),
        };
        let (clock, processor) = (Instant::now(), processor_time());
        let ended = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let (clock, processor) = (clock.elapsed(), processor_time() - processor);
        slowest = slowest.max(processor);
        let is_slow = processor >= SLOW || clock >= HANGING;
        if ended.is_err() || is_slow {
            std::fs::write(&path, &input).expect("the input can be kept");
        }
        assert!(ended.is_ok(), "{name}: an input panicked; it is {} (seed {seed})", path.display());
        assert!(!is_slow, "{name}: an input took {processor:?} of {clock:?}; it is {} (seed {seed})", path.display());
        inputs += 1;
    }
    println!("{name}: {inputs} inputs in {:.0?}, the slowest took {slowest:.1?} (seed {seed})", begun.elapsed());
}

/// An entry of the corpus with a few bytes changed, cut, doubled, or copied from another entry.
fn mutated(corpus: &[Vec<u8>], session: &mut Session) -> Vec<u8> {
    // A number below `length`; 0 if there is nothing to choose from.
    let below =
        |session: &mut Session, length: usize| session.generate::<u32>().map_or(0, |n| n as usize % length.max(1));
    let mut input = corpus[below(session, corpus.len())].clone();
    for _ in 0..=below(session, 6) {
        let at = below(session, input.len() + 1);
        let end = (at + below(session, 64)).min(input.len());
        match below(session, 8) {
            0 => input.truncate(at),
            1 => drop(input.splice(at..at, input[at..end].to_vec())),
            2 => {
                let other = &corpus[below(session, corpus.len())];
                let from = below(session, other.len() + 1);
                let piece = &other[from..(from + end - at).min(other.len())];
                drop(input.splice(at..end, piece.to_vec()));
            }
            3 => drop(input.drain(at..end)),
            // Lengths and offsets at their ends.
            4 => {
                let ends = [0_u64, 1, 0x7f, 0xff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX];
                let number = ends[below(session, ends.len())].to_le_bytes();
                let width = [1, 2, 4, 8][below(session, 4)].min(input.len() - at);
                input[at..at + width].copy_from_slice(&number[..width]);
            }
            // A mutation that cannot be made leaves the input as it is.
            _ => session.mutate(&mut input).unwrap_or(()),
        }
    }
    input.truncate(2 * LARGEST);
    input
}
