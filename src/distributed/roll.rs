//! Which of the processes that torchrun started on one machine have joined the group, and whose programs have ended.
//!
//! Each of these facts is an empty file in a folder of the run, because a process that is still waiting for another has no
//! connection to it yet. With several machines, each machine has its own folder.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A fact about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It has called `init_process_group`.
    Came,
    /// Its program has ended without a failure.
    Ended,
}

/// The folder with the marks of one run.
pub struct Roll(PathBuf);

impl Roll {
    /// The environment variable that names the folder.
    pub const VARIABLE: &str = "TENSORYARD_TORCHRUN_DIR";

    /// The marks of the run that this process belongs to; `None` if torchrun didn't start it.
    pub fn here() -> Option<Roll> {
        std::env::var_os(Roll::VARIABLE).map(|folder| Roll(folder.into()))
    }

    /// Makes the folder for a new run.
    ///
    /// # Errors
    /// A sentence for the user that says why it can't be made.
    pub fn begin() -> std::result::Result<Roll, String> {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let name = format!("tensoryard-torchrun-{}-{}", std::process::id(), since.as_nanos());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Roll(folder))
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    fn file(&self, mark: Stage, rank: usize) -> PathBuf {
        let name = match mark {
            Stage::Came => "came",
            Stage::Ended => "ended",
        };
        self.0.join(format!("{name}.{rank}"))
    }

    /// Makes a mark. If that fails, nobody sees it, and processes that wait for it wait until their timeout.
    pub fn mark(&self, mark: Stage, rank: usize) {
        // On another machine of the run, the folder doesn't exist yet.
        let _ = std::fs::create_dir_all(&self.0);
        let _ = std::fs::write(self.file(mark, rank), []);
    }

    pub fn has(&self, mark: Stage, rank: usize) -> bool {
        self.file(mark, rank).exists()
    }

    /// Removes the folder when no process needs it any more.
    pub fn end(&self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }

    /// Like [`Roll::end`], once the programs of all these ranks have ended.
    pub fn end_if_all(&self, mut ranks: Range<usize>) {
        if ranks.all(|rank| self.has(Stage::Ended, rank)) {
            self.end();
        }
    }

    /// Marks that `rank` has joined, and waits for the others of `ranks`. `poll` may end the wait.
    ///
    /// # Errors
    /// A program that has ended without joining; the timeout, with the ranks that are missing; the error of `poll`.
    pub fn call(
        &self,
        rank: usize,
        ranks: Range<usize>,
        timeout: Duration,
        mut poll: impl FnMut() -> Result<()>,
    ) -> Result<()> {
        self.mark(Stage::Came, rank);
        let began = Instant::now();
        loop {
            // The ends are read first, so that a process that joins and then ends isn't taken for one that never
            // joined.
            let ended: Vec<usize> = ranks.clone().filter(|&rank| self.has(Stage::Ended, rank)).collect();
            let missing: Vec<usize> = ranks.clone().filter(|&rank| !self.has(Stage::Came, rank)).collect();
            if missing.is_empty() {
                return Ok(());
            }
            if let Some(gone) = missing.iter().find(|rank| ended.contains(rank)) {
                return Err(gone_without(rank, *gone));
            }
            if began.elapsed() > timeout {
                let missing: Vec<String> = missing.iter().map(usize::to_string).collect();
                return Err(Error::dist_store(format!(
                    "init_process_group: rank {rank} timed out after waiting {} ms for rank {} to call it",
                    timeout.as_millis(),
                    missing.join(", ")
                )));
            }
            poll()?;
            std::thread::sleep(LOOK_EVERY);
        }
    }
}

/// The error of a process that waits for one that will never join.
pub(super) fn gone_without(rank: usize, gone: usize) -> Error {
    Error::runtime(format!(
        "init_process_group: rank {rank} waits for rank {gone}, whose program has ended without calling it"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rank that never calls `init_process_group` doesn't leave the others waiting forever.
    #[test]
    fn who_is_missing_is_named() {
        let roll = Roll::begin().unwrap();
        let call = |rank, milliseconds| roll.call(rank, 0..3, Duration::from_millis(milliseconds), || Ok(()));
        let late = call(0, 50).unwrap_err().message;
        assert_eq!(late, "init_process_group: rank 0 timed out after waiting 50 ms for rank 1, 2 to call it");
        roll.mark(Stage::Ended, 2);
        let gone = call(1, 10_000).unwrap_err().message;
        assert_eq!(gone, "init_process_group: rank 1 waits for rank 2, whose program has ended without calling it");
        roll.mark(Stage::Came, 2);
        assert_eq!(call(1, 10_000), Ok(()));
        roll.end_if_all(0..3);
        assert!(roll.folder().exists());
        roll.mark(Stage::Ended, 0);
        roll.mark(Stage::Ended, 1);
        roll.end_if_all(0..3);
        assert!(!roll.folder().exists());
    }
}
