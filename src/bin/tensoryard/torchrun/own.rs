//! The processes of this machine, started and watched by this process, without MPI and without anything to install.
//!
//! ```text
//! tensoryard torchrun ─starts N─► tensoryard run FILE
//! │                              │ ends with 0: a mark in the run's folder, for those that wait for it
//! └── SIGTERM to the others ◄────┴ ends otherwise: one line names it
//! ```

use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tensoryard::distributed::{Roll, Stage};

use super::{cannot_start, ending, say};

/// How often to check whether a process has ended.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a process may take to end after SIGTERM, before it's killed.
const GRACE: Duration = Duration::from_secs(5);
/// torchrun's exit code after any process has failed.
const FAILED: u8 = 1;

/// Set when this process was told to end.
static STOP: OnceLock<AtomicBool> = OnceLock::new();

fn stopped() -> bool {
    STOP.get().is_some_and(|stop| stop.load(Ordering::SeqCst))
}

/// Runs the processes until they end. `first` is the rank of the first one. Returns the exit code.
///
/// # Errors
/// A sentence for the user, if one can't be started. The others are then ended.
pub fn run(commands: Vec<Command>, first: usize, roll: &Roll) -> Result<u8, String> {
    STOP.get_or_init(AtomicBool::default);
    // Ctrl-C reaches the processes themselves, which print their tracebacks, so this process waits for them.
    let handler = ctrlc::set_handler(|| STOP.get_or_init(AtomicBool::default).store(true, Ordering::SeqCst));
    handler.map_err(|error| format!("signals: {error}"))?;
    let mut ranks = Vec::new();
    for (local, mut command) in commands.into_iter().enumerate() {
        end_with_parent(&mut command);
        match command.spawn() {
            Ok(child) => ranks.push(Rank { local, number: first + local, child, status: None }),
            Err(error) => {
                end(&mut ranks);
                return Err(cannot_start(&command, &error));
            }
        }
    }
    loop {
        for rank in &mut ranks {
            let Some(status) = rank.look() else { continue };
            if status.success() {
                roll.mark(Stage::Ended, rank.number);
                continue;
            }
            if !stopped() {
                let (number, local, process) = (rank.number, rank.local, rank.child.id());
                let how = ending(status).0;
                say(&format!(
                    "tensoryard: torchrun: rank {number} (local rank {local}, process {process}) {how}; the other ranks are \
                     ended"
                ));
            }
            end(&mut ranks);
            return Ok(FAILED);
        }
        if stopped() {
            end(&mut ranks);
            return Ok(FAILED);
        }
        if ranks.iter().all(|rank| rank.status.is_some()) {
            return Ok(0);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

struct Rank {
    local: usize,
    number: usize,
    child: Child,
    status: Option<ExitStatus>,
}

impl Rank {
    /// Its exit status, the first time that it's found to have ended.
    fn look(&mut self) -> Option<ExitStatus> {
        if self.status.is_some() {
            return None;
        }
        self.status = self.child.try_wait().ok().flatten();
        self.status
    }
}

/// Ends the running processes, first with a signal that a program may handle.
fn end(ranks: &mut [Rank]) {
    for rank in ranks.iter_mut() {
        if rank.look().is_none() && rank.status.is_none() {
            ask_to_end(&mut rank.child);
        }
    }
    let began = Instant::now();
    while began.elapsed() < GRACE {
        for rank in ranks.iter_mut() {
            rank.look();
        }
        if ranks.iter().all(|rank| rank.status.is_some()) {
            return;
        }
        std::thread::sleep(LOOK_EVERY);
    }
    for rank in ranks.iter_mut().filter(|rank| rank.status.is_none()) {
        // It may have ended by itself meanwhile.
        let _ = rank.child.kill();
        let _ = rank.child.wait();
    }
}

#[cfg(unix)]
fn ask_to_end(child: &mut Child) {
    // SAFETY: a process of ours that has not been waited for, so that its number is still its own.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
}

#[cfg(not(unix))]
fn ask_to_end(child: &mut Child) {
    let _ = child.kill();
}

/// The process must not outlive this one, even if this one crashes.
#[cfg(target_os = "linux")]
fn end_with_parent(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    // SAFETY: a single system call between fork and exec, which takes no lock and allocates nothing.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            Ok(())
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent(_: &mut Command) {}
