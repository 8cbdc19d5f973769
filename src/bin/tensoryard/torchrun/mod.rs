//! Several processes that run one program, as PyTorch's `torchrun` starts them.
//!
//! ```text
//! with MPI:    tensoryard torchrun ─becomes─► mpirun ─starts N─► tensoryard torchrun-rank ─starts─► tensoryard run FILE
//! without it:  tensoryard torchrun ─starts N─► tensoryard run FILE
//! ```
//!
//! MPI's process manager connects the processes and ends them all if one fails. The process between it and the program gives
//! each program its environment, and reports which one failed and how, because it's still there if a program is killed.
//! Without MPI, [`own`] does all this, and the processes find each other at the master's address.

mod nodes;
mod own;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::time::Duration;

use clap::{Args, ValueEnum};
use tensoryard::distributed::{self, Roll, Stage, store};
use tensoryard::sha256;

use super::hardware;

/// Runs a program in several connected processes, like PyTorch's torchrun.
#[derive(Args)]
pub struct Torchrun {
    /// How many processes on each machine: a number, or cpu, gpu, auto.
    #[arg(long, alias = "nproc_per_node", default_value = "1", value_name = "N")]
    nproc_per_node: String,
    /// How many machines.
    #[arg(long, default_value_t = 1, value_name = "N")]
    nnodes: usize,
    /// The number of this machine; machine 0 starts the processes of all.
    #[arg(long, alias = "node_rank", default_value_t = 0, value_name = "N")]
    node_rank: usize,
    /// The address of the first machine, which programs get in MASTER_ADDR.
    #[arg(long, alias = "master_addr", default_value = "127.0.0.1", value_name = "HOST")]
    master_addr: String,
    /// The port at which the others reach the first machine, and which programs get in MASTER_PORT.
    #[arg(long, alias = "master_port", default_value_t = 29500, value_name = "PORT")]
    master_port: u16,
    /// Only on this machine, with a free port.
    #[arg(long)]
    standalone: bool,
    /// What starts the processes.
    #[arg(long, default_value = "auto", value_name = "WHAT")]
    launcher: Launcher,
    #[command(flatten)]
    program: Ranks,
}

/// What starts the processes. Groups over MPI ('gloo', 'mpi') need mpi; 'nccl' works with all.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Launcher {
    /// mpirun if this build has MPI and mpirun is installed, otherwise torchrun itself.
    Auto,
    /// mpirun.
    Mpi,
    /// torchrun itself, separately on each machine.
    Own,
}

/// What each process runs.
#[derive(Args)]
pub struct Ranks {
    /// The devices it sees, as for `tensoryard run`.
    #[arg(long)]
    machine: Option<String>,
    /// What executes its accelerators, as for `tensoryard run`.
    #[arg(long)]
    executor: Option<hardware::Executor>,
    /// Writes a trace of the run, for ui.perfetto.dev: OUT.0.json for rank 0.
    #[arg(long, value_name = "OUT.json")]
    trace: Option<PathBuf>,
    /// The program.
    file: PathBuf,
    /// Arguments for the program, in `sys.argv`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

const THREADS: &str = "*****************************************
Setting OMP_NUM_THREADS environment variable for each process to be 1 in default, to avoid your system being overloaded, please further tune the variable for optimal performance in your application as needed. 
*****************************************";

/// Starts the processes, or replaces this process with mpirun.
///
/// # Errors
/// A sentence for the user that says why it can't.
pub fn torchrun(options: Torchrun) -> Result<ExitCode, String> {
    let each = processes(&options)?;
    if options.node_rank >= options.nnodes {
        return Err(format!(
            "--node-rank {}: there are --nnodes {} machines, from 0",
            options.node_rank, options.nnodes
        ));
    }
    if options.standalone && options.nnodes > 1 {
        return Err("--standalone is for one machine".into());
    }
    let world = each * options.nnodes;
    let this = std::env::current_exe().map_err(|error| format!("this program's own file: {error}"))?;
    if world == 1 {
        let mut command = alone(&this, &options.program, 0, 1, 1);
        command.envs(shared(&options, each, port_of(&options)?));
        return become_it(command);
    }
    if !by_mpi(options.launcher)? {
        return by_itself(&options, each, world, &this);
    }
    if options.node_rank > 0 {
        let (host, port, node) = (&options.master_addr, options.master_port, options.node_rank);
        return nodes::wait(host, port, node, each, &agreed_token()?).map(ExitCode::from);
    }
    let port = port_of(&options)?;
    let nodes = match options.nnodes {
        1 => None,
        nodes => Some(nodes::Nodes::gather(&options.master_addr, port, nodes, each, &agreed_token()?)?),
    };
    let mut shared = shared(&options, each, port);
    shared.push((Roll::VARIABLE, Roll::begin()?.folder().display().to_string()));
    let away = nodes.as_ref().map(|nodes| (nodes.hosts(each), &shared[..]));
    let mut command = together(&this, world, away, &options.program);
    command.envs(shared);
    match nodes {
        None => become_it(command),
        Some(nodes) => {
            let ended = nodes::run(&mut command, nodes).map(ExitCode::from);
            ended.map_err(|error| cannot_start(&command, &error))
        }
    }
}

/// The token that the machines of a run share. The first machine opens ssh to the others and passes them its environment, so
/// nobody else may take their places.
///
/// # Errors
/// A sentence for the user, if there is none.
fn agreed_token() -> Result<String, String> {
    let token = store::token();
    match token.len() {
        0 => Err(format!(
            "several machines need {} in the environment, the same on each and known to nobody else (openssl rand -hex 16 \
             makes one)",
            store::TOKEN
        )),
        1..16 => Err(format!("{}: expected at least 16 characters, so that nobody guesses it", store::TOKEN)),
        _ => Ok(token),
    }
}

/// Whether MPI starts the processes.
///
/// # Errors
/// A sentence for the user, if MPI was named but isn't available.
fn by_mpi(launcher: Launcher) -> Result<bool, String> {
    match launcher {
        Launcher::Own => Ok(false),
        Launcher::Auto => Ok(distributed::HAS_MPI && has_mpirun()),
        Launcher::Mpi if !distributed::HAS_MPI => {
            Err("--launcher mpi: this build leaves MPI out: build with '--features mpi' (docs/distributed.md)".into())
        }
        Launcher::Mpi => Ok(true),
    }
}

fn has_mpirun() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("mpirun").is_file())
}

/// Starts this machine's processes and waits for them to end.
fn by_itself(options: &Torchrun, each: usize, world: usize, this: &Path) -> Result<ExitCode, String> {
    let shared = shared(options, each, port_of(options)?);
    let roll = Roll::begin()?;
    let first = options.node_rank * each;
    let commands = (first..first + each).map(|rank| {
        let mut command = alone(this, &options.program, rank, world, each);
        command.envs(shared.iter().map(|(name, value)| (name, value)));
        command.env(Roll::VARIABLE, roll.folder());
        command
    });
    let ended = own::run(commands.collect(), first, &roll);
    roll.end();
    ended.map(ExitCode::from)
}

fn port_of(options: &Torchrun) -> Result<u16, String> {
    if options.standalone { free_port() } else { Ok(options.master_port) }
}

/// The environment that all processes of a run share.
fn shared(options: &Torchrun, each: usize, port: u16) -> Vec<(&'static str, String)> {
    let address = if options.standalone { "localhost" } else { &options.master_addr };
    let mut out = vec![
        ("LOCAL_WORLD_SIZE", each.to_string()),
        ("MASTER_ADDR", address.to_string()),
        ("MASTER_PORT", port.to_string()),
        ("ROLE_NAME", "default".into()),
        ("TORCHELASTIC_RUN_ID", "none".into()),
        ("TORCHELASTIC_RESTART_COUNT", "0".into()),
        ("TORCHELASTIC_MAX_RESTARTS", "0".into()),
        ("TORCHELASTIC_USE_AGENT_STORE", "False".into()),
        ("TORCH_NCCL_ASYNC_ERROR_HANDLING", "1".into()),
    ];
    // The processes of one machine inherit a secret. Several machines share the one that they were given, if any.
    let token = store::token();
    match (token.is_empty(), options.nnodes) {
        (false, _) => out.push((store::TOKEN, token)),
        (true, 1) if each > 1 => out.push((store::TOKEN, sha256::hex(&sha256::random()))),
        (true, _) => {}
    }
    let mut threads = std::env::var("OMP_NUM_THREADS").ok();
    if threads.is_none() && each > 1 {
        say(THREADS);
        threads = Some("1".into());
    }
    if let Some(threads) = threads {
        // PyTorch's kernels use OpenMP; those here use Rayon.
        if std::env::var_os("RAYON_NUM_THREADS").is_none() {
            out.push(("RAYON_NUM_THREADS", threads.clone()));
        }
        out.push(("OMP_NUM_THREADS", threads));
    }
    out
}

fn processes(options: &Torchrun) -> Result<usize, String> {
    let gpus = || {
        let engine = hardware::engine_for(options.program.machine.as_deref(), options.program.executor, false)?;
        Ok::<_, String>(engine.devices.cuda_count())
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let count = match options.nproc_per_node.as_str() {
        "cpu" => cores,
        "gpu" => match gpus()? {
            0 => return Err("--nproc-per-node gpu: there is no GPU here".into()),
            gpus => gpus,
        },
        "auto" => match gpus()? {
            0 => cores,
            gpus => gpus,
        },
        number => {
            number.parse().map_err(|_| format!("--nproc-per-node {number}: expected a number, cpu, gpu or auto"))?
        }
    };
    if count == 0 { Err("--nproc-per-node 0: expected at least one process".into()) } else { Ok(count) }
}

/// A process that needs no connection to others.
fn alone(this: &Path, program: &Ranks, rank: usize, world: usize, each: usize) -> Command {
    let mut command = Command::new(this);
    command.arg("run");
    program.pass_on(&mut command, Some(rank));
    command.envs(told(rank, world, each));
    command
}

/// mpirun for several processes, on this machine or on those of a list. It must pass them the environment that
/// processes here inherit.
fn together(this: &Path, count: usize, away: Option<(String, &[(&str, String)])>, program: &Ranks) -> Command {
    let mut command = Command::new("mpirun");
    // There may be more processes than cores, so none is bound to a core.
    command.args(["-np", &count.to_string(), "--oversubscribe", "--bind-to", "none"]);
    // Most containers forbid the kernel's copy between processes. Without it, shared memory is used and is as fast
    // here.
    command.args(["--mca", "btl_vader_single_copy_mechanism", "none"]);
    if is_root() {
        command.arg("--allow-run-as-root");
    }
    match away {
        Some((hosts, shared)) => {
            command.args(["--host", &hosts]);
            for (name, _) in shared {
                command.args(["-x", name]);
            }
        }
        // On one machine it needs no ssh. Its own messages are suppressed, because the process between it and the program
        // reports a failure in one line.
        None => drop(command.args(["--mca", "plm", "isolated", "--quiet"])),
    }
    command.arg(this).arg("torchrun-rank");
    program.pass_on(&mut command, None);
    command
}

impl Ranks {
    /// Adds these options to a command line, for all ranks or adapted to one rank.
    fn pass_on(&self, command: &mut Command, rank: Option<usize>) {
        if let Some(machine) = &self.machine {
            command.args(["--machine", machine]);
        }
        if let Some(executor) = self.executor {
            command.args(["--executor", executor.name()]);
        }
        if let Some(trace) = &self.trace {
            let own = rank.map(|rank| trace.with_extension(format!("{rank}.json")));
            command.arg("--trace").arg(own.as_ref().unwrap_or(trace));
        }
        command.arg(&self.file).args(&self.args);
    }
}

fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

fn free_port() -> Result<u16, String> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(|error| format!("no free port: {error}"))
}

/// Replaces this process, so that signals reach the new program and its exit code is this process's.
#[cfg(unix)]
fn become_it(mut command: Command) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt;
    let error = command.exec();
    Err(cannot_start(&command, &error))
}

#[cfg(not(unix))]
fn become_it(mut command: Command) -> Result<ExitCode, String> {
    let status = command.status().map_err(|error| cannot_start(&command, &error))?;
    Ok(ExitCode::from(status.code().unwrap_or(1) as u8))
}

fn cannot_start(command: &Command, error: &io::Error) -> String {
    let program = command.get_program().display();
    match error.kind() {
        io::ErrorKind::NotFound => format!("{program} was not found: install Open MPI (Debian's openmpi-bin)"),
        _ => format!("{program}: {error}"),
    }
}

/// The environment of one process about itself, as torchrun's only agent sets it.
fn told(rank: usize, world: usize, each: usize) -> [(&'static str, String); 7] {
    [
        ("RANK", rank.to_string()),
        ("WORLD_SIZE", world.to_string()),
        ("LOCAL_RANK", (rank % each).to_string()),
        ("GROUP_RANK", (rank / each).to_string()),
        ("GROUP_WORLD_SIZE", (world / each).to_string()),
        ("ROLE_RANK", rank.to_string()),
        ("ROLE_WORLD_SIZE", world.to_string()),
    ]
}

/// One process that mpirun started: runs the program and waits for it to end.
///
/// # Errors
/// A sentence for the user: mpirun didn't set what it should have, or the program can't be started.
pub fn rank(program: &Ranks) -> Result<ExitCode, String> {
    let number = |name: &str| {
        let value = std::env::var(name).ok().and_then(|value| value.parse::<usize>().ok());
        value.ok_or_else(|| format!("{name} is not set: 'tensoryard torchrun' starts this"))
    };
    let (rank, world) = (number("OMPI_COMM_WORLD_RANK")?, number("OMPI_COMM_WORLD_SIZE")?);
    let each = number("LOCAL_WORLD_SIZE")?.max(1);
    let this = std::env::current_exe().map_err(|error| format!("this program's own file: {error}"))?;
    let roll = Roll::here();
    let mut command = alone(&this, program, rank, world, each);
    let mut child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
    let process = child.id();
    let status = child.wait().map_err(|error| format!("rank {rank}: {error}"))?;
    if status.success() {
        if let Some(roll) = roll {
            roll.mark(Stage::Ended, rank);
            roll.end_if_all(rank - rank % each..rank - rank % each + each);
        }
        return Ok(ExitCode::SUCCESS);
    }
    let (how, code) = ending(status);
    if how == TERMINATED {
        // mpirun ends the others after one has failed, and then this process as well.
        std::thread::sleep(Duration::from_secs(3));
    }
    if let Some(roll) = roll {
        // The others have ended and don't need the folder any more.
        roll.end();
    }
    let local = rank % each;
    say(&format!(
        "tensoryard: torchrun: rank {rank} (local rank {local}, process {process}) {how}; the other ranks are ended"
    ));
    Ok(ExitCode::from(code))
}

const TERMINATED: &str = "was ended by signal 15 (SIGTERM)";

/// A description of how a process ended, and the exit code that a shell would report.
fn ending(status: ExitStatus) -> (String, u8) {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            let name = match signal {
                2 => " (SIGINT)",
                6 => " (SIGABRT)",
                9 => " (SIGKILL)",
                11 => " (SIGSEGV)",
                15 => " (SIGTERM)",
                _ => "",
            };
            return (format!("was ended by signal {signal}{name}"), 128u8.wrapping_add(signal as u8));
        }
    }
    let code = status.code().unwrap_or(1);
    (format!("exited with code {code}"), u8::try_from(code).unwrap_or(1))
}

fn say(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(io::stderr(), "{text}");
}
