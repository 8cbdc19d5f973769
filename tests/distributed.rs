//! Several processes, started by `tensoryard torchrun`.

#![cfg(feature = "cli")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

/// The longest time between the end of one process and the end of all.
const AT_MOST: Duration = Duration::from_secs(10);

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/distributed").join(name)
}

/// A program in a folder for this test.
fn file(name: &str, content: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("distributed");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, content).unwrap();
    path
}

fn torchrun(options: &[&str], file: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.arg("torchrun").args(options).arg(file).args(args);
    for name in ["OMP_NUM_THREADS", "RAYON_NUM_THREADS", "CUDA_VISIBLE_DEVICES"] {
        command.env_remove(name);
    }
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn ran(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// Whether several processes can be started here. If not, prints why.
fn can_start() -> bool {
    if !tensoryard::distributed::HAS_MPI {
        println!("skipped: this build has no feature 'mpi'");
        return false;
    }
    let found = Command::new("mpirun").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        println!("skipped: mpirun is not installed");
    }
    found
}

fn numbers(line: &str) -> Vec<f64> {
    serde_json::from_str(line.trim()).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// Trains with one process and with several; the parameters must agree.
#[track_caller]
fn check_training(counts: &[&str], options: &[&str], args: &[&str]) {
    if !can_start() {
        return;
    }
    let train = program("train.py");
    let mut alone = vec!["--nproc-per-node", "1"];
    alone.extend(options);
    // A single process needs no messages.
    let expected = numbers(&ran(&mut torchrun(&alone, &train, args)));
    assert_eq!(expected.len(), 6 * 16 + 16 + 16 * 3 + 3);
    for count in counts {
        let mut several = vec!["--nproc-per-node", count];
        several.extend(options);
        let found = numbers(&ran(&mut torchrun(&several, &train, args)));
        assert_eq!(found.len(), expected.len());
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() <= 1e-6, "{count} processes, {args:?}: {a} against {b}");
        }
    }
}

#[test]
fn processes_with_sgd_get_the_parameters_of_one() {
    check_training(&["2", "4"], &["--machine", "cpu"], &["mpi", "sgd"]);
}

#[test]
fn processes_with_adam_get_the_parameters_of_one() {
    check_training(&["2", "4"], &["--machine", "cpu"], &["gloo", "adam"]);
}

#[test]
fn gradients_that_are_gathered_over_two_passes_are_averaged_once() {
    check_training(&["2"], &["--machine", "cpu"], &["gloo", "sgd", "accumulate"]);
}

#[test]
fn simulated_gpus_train_under_nccl_and_their_copies_are_in_the_trace() {
    check_training(&["2"], &["--machine", "cuda:2"], &["nccl", "sgd"]);
    if !can_start() {
        return;
    }
    let trace = file("trace.json", "").with_extension("json");
    let trace_of = |rank: usize| trace.with_extension(format!("{rank}.json"));
    let path = trace.display().to_string();
    let options = ["--nproc-per-node", "2", "--machine", "cuda:2", "--trace", &path];
    let output = torchrun(&options, &program("train.py"), &["nccl", "sgd"]).output().unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(stderr.matches("the backend 'nccl' is simulated").count(), 1, "{stderr}");
    for rank in 0..2 {
        let text = std::fs::read_to_string(trace_of(rank)).unwrap();
        // Four parameters in one bucket, twelve steps, to the host and back.
        let copies = text.matches("\"all_reduce\"").count();
        assert_eq!(copies, 12 * 2, "rank {rank}");
    }
}

#[track_caller]
fn check_collectives(count: &str, options: &[&str], backend: &str) {
    if !can_start() {
        return;
    }
    let mut all = vec!["--nproc-per-node", count];
    all.extend(options);
    let printed = ran(&mut torchrun(&all, &program("collectives.py"), &[backend]));
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort();
    let expected: Vec<_> =
        (0..count.parse().unwrap()).map(|r: usize| format!("rank {r} of {count}: all as it should be")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn every_collective_computes_what_it_should() {
    check_collectives("4", &["--machine", "cpu"], "mpi");
    check_collectives("3", &["--machine", "cpu"], "gloo");
    check_collectives("2", &["--machine", "cuda:1"], "nccl");
}

#[test]
fn synchronized_batch_norm_is_that_of_one_process() {
    if !can_start() {
        return;
    }
    for count in ["2", "3"] {
        let options = ["--nproc-per-node", count, "--machine", "cuda:4"];
        let printed = ran(&mut torchrun(&options, &program("sync_batch_norm.py"), &[]));
        assert_eq!(printed, format!("batch norm is synchronized over {count}\n"));
    }
}

#[test]
fn ddp_handles_unused_parameters_and_buffers() {
    if !can_start() {
        return;
    }
    let options = ["--nproc-per-node", "3", "--machine", "cpu"];
    let printed = ran(&mut torchrun(&options, &program("ddp_rules.py"), &[]));
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort();
    assert_eq!(lines, ["rank 0: kept", "rank 1: kept", "rank 2: kept"]);
}

#[test]
fn torchrun_sets_the_environment_that_pytorchs_does() {
    let show = file(
        "environment.py",
        "import os, sys\n\
         names = ['RANK', 'LOCAL_RANK', 'WORLD_SIZE', 'LOCAL_WORLD_SIZE', 'GROUP_RANK', 'GROUP_WORLD_SIZE', 'ROLE_RANK',\n\
         'ROLE_WORLD_SIZE', 'ROLE_NAME', 'MASTER_ADDR', 'MASTER_PORT', 'TORCHELASTIC_RUN_ID',\n\
         'TORCHELASTIC_RESTART_COUNT', 'TORCHELASTIC_MAX_RESTARTS', 'OMP_NUM_THREADS']\n\
         print(' '.join(os.environ.get(n, '-') for n in names), sys.argv[1:])\n",
    );
    // Both spellings. A single process needs no MPI.
    for options in [
        ["--nproc-per-node=1", "--master-addr=h", "--master-port=7"],
        ["--nproc_per_node=1", "--master_addr=h", "--master_port=7"],
    ] {
        let printed = ran(&mut torchrun(&options, &show, &["--lr", "0.1"]));
        assert_eq!(printed, "0 0 1 1 0 1 0 1 default h 7 none 0 0 - ['--lr', '0.1']\n");
    }
    if !can_start() {
        return;
    }
    let output = torchrun(&["--nproc-per-node", "2"], &show, &["a"]).output().unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let mut lines: Vec<_> = stdout.lines().collect();
    lines.sort();
    let expected = [0, 1].map(|r| format!("{r} {r} 2 2 0 1 {r} 2 default 127.0.0.1 29500 none 0 0 1 ['a']"));
    assert_eq!(lines, expected, "{stderr}");
    assert!(stderr.contains("Setting OMP_NUM_THREADS environment variable for each process to be 1"), "{stderr}");
    let output =
        torchrun(&["--standalone", "--nproc-per-node", "2"], &show, &[]).env("OMP_NUM_THREADS", "3").output().unwrap();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert!(stdout.contains(" localhost ") && !stdout.contains(" 29500 ") && stdout.contains(" 3 []"), "{stdout}");
    assert_eq!(stderr, "");
}

/// Two torchruns on one machine stand for two machines.
#[test]
fn two_nodes_make_one_world() {
    if !can_start() {
        return;
    }
    let show = file(
        "nodes.py",
        "import os, sys, torch, torch.distributed as dist\n\
         dist.init_process_group('mpi')\n\
         x = torch.tensor(float(dist.get_rank()))\n\
         dist.all_reduce(x)\n\
         names = ['RANK', 'LOCAL_RANK', 'GROUP_RANK', 'GROUP_WORLD_SIZE', 'LOCAL_WORLD_SIZE', 'WORLD_SIZE']\n\
         print(' '.join(os.environ[n] for n in names), x.item(), flush=True)\n\
         dist.barrier()\n\
         sys.exit(5 if len(sys.argv) > 1 and dist.get_rank() == 3 else 0)\n",
    );
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    for args in [&[][..], &["fail"]] {
        let node = |rank: &str| {
            let options = ["--nnodes", "2", "--node-rank", rank, "--nproc-per-node", "2", "--master-port", &port];
            let mut command = torchrun(&options, &show, args);
            command
                .env("TENSORYARD_TORCHRUN_TOKEN", "a token for a test")
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
        // The second machine may be started first.
        let nodes = [node("1"), node("0")];
        let [second, first] = nodes.map(|node| node.wait_with_output().unwrap());
        let (stdout, stderr) = (text(&first.stdout), text(&first.stderr));
        let code = if args.is_empty() { 0 } else { 5 };
        assert_eq!(
            (first.status.code(), second.status.code()),
            (Some(code), Some(code)),
            "{stderr}\n{}",
            text(&second.stderr)
        );
        let mut lines: Vec<_> = stdout.lines().collect();
        lines.sort();
        assert_eq!(lines, ["0 0 0 2 2 4 6.0", "1 1 0 2 2 4 6.0", "2 0 1 2 2 4 6.0", "3 1 1 2 2 4 6.0"], "{stderr}");
    }
}

#[test]
fn several_processes_are_refused_in_a_sentence_where_they_cannot_be() {
    let fine = file("fine.py", "print('ran')\n");
    let refused = |options: &[&str], path: Option<&str>| {
        let mut command = torchrun(options, &fine, &[]);
        if let Some(path) = path {
            command.env("PATH", path);
        }
        let output = command.output().unwrap();
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        text(&output.stderr)
    };
    assert_eq!(
        refused(&["--nproc-per-node", "0"], None),
        "tensoryard: --nproc-per-node 0: expected at least one process\n"
    );
    let unknown = "tensoryard: --nproc-per-node many: expected a number, cpu, gpu or auto\n";
    assert_eq!(refused(&["--nproc-per-node", "many"], None), unknown);
    let text = refused(&["--nproc-per-node", "2", "--launcher", "mpi"], Some("/nowhere"));
    let expected = match tensoryard::distributed::HAS_MPI {
        true => "mpirun was not found: install Open MPI (Debian's openmpi-bin)",
        false => "--launcher mpi: this build leaves MPI out: build with '--features mpi' (docs/distributed.md)",
    };
    assert!(text.ends_with(&format!("tensoryard: {expected}\n")), "{text}");
}

/// Without MPI, torchrun starts the processes itself.
#[test]
fn torchrun_needs_no_mpi() {
    let path = file(
        "own.py",
        "import os, torch.distributed as dist\n\
         names = ['RANK', 'LOCAL_RANK', 'WORLD_SIZE', 'LOCAL_WORLD_SIZE', 'GROUP_RANK', 'GROUP_WORLD_SIZE', 'MASTER_ADDR',\n\
         'MASTER_PORT']\n\
         print(' '.join(os.environ[n] for n in names) + '\\n', end='', flush=True)\n\
         if os.environ['RANK'] == '0':\n    \
             try:\n        \
                 dist.init_process_group('gloo')\n    \
             except RuntimeError as error:\n        \
                 print(error)\n",
    );
    let gloo = match tensoryard::distributed::HAS_MPI {
        true => {
            "torch.distributed: the backend 'gloo' of 4 processes needs MPI, and torchrun started them without it: install Open \
             MPI (Debian's openmpi-bin), and leave out '--launcher own'"
        }
        false => {
            "torch.distributed: rank 0 of 4 processes need MPI, which this build of tensoryard leaves out: build with \
             '--features mpi' (docs/distributed.md)"
        }
    };
    for (node, expected) in
        [("0", vec!["0 0 4 2 0 2 h 7", "1 1 4 2 0 2 h 7", gloo]), ("1", vec!["2 0 4 2 1 2 h 7", "3 1 4 2 1 2 h 7"])]
    {
        let options = ["--nnodes", "2", "--node-rank", node, "--nproc-per-node", "2", "--master-addr", "h"];
        let mut command = torchrun(&[&options[..], &["--master-port", "7"]].concat(), &path, &[]);
        let printed = ran(command.env("PATH", "/nowhere"));
        let mut lines: Vec<_> = printed.lines().collect();
        lines.sort();
        assert_eq!(lines, expected);
    }
}

/// Like mpirun, torchrun ends the other processes if one fails, and names the one that failed.
#[cfg(unix)]
#[test]
fn torchrun_itself_ends_the_others_after_a_failure() {
    for (how, report) in [
        ("raise ValueError('no')", "exited with code 1"),
        ("sys.exit(3)", "exited with code 3"),
        ("os.kill(os.getpid(), 9)", "was ended by signal 9 (SIGKILL)"),
    ] {
        let path = file(
            "own_ends.py",
            &format!(
                "import os, signal, sys, time\n\
                 rank = os.environ['RANK']\n\
                 if rank == '1':\n    time.sleep(0.3)\n    {how}\n\
                 # One is asked to end and the other does not hear.\n\
                 if rank == '2': signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
                 print(os.getpid(), end='\\n', flush=True)\n\
                 time.sleep(600)\n"
            ),
        );
        let began = SystemTime::now();
        let output = torchrun(&["--launcher", "own", "--nproc-per-node", "3"], &path, &[]).output().unwrap();
        let stderr = text(&output.stderr);
        assert!(began.elapsed().unwrap() <= AT_MOST, "{how}");
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        check_report(&stderr, 1, report);
        for process in text(&output.stdout).lines() {
            assert!(!Path::new("/proc").join(process).exists(), "{how}: {process} still runs");
        }
    }
    // If torchrun is ended, so are the processes that it started.
    let path = file("own_long.py", "import os, time\nprint(os.getpid(), end='\\n', flush=True)\ntime.sleep(600)\n");
    for signal in ["TERM", "KILL"] {
        let mut command = torchrun(&["--launcher", "own", "--nproc-per-node", "2"], &path, &[]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
        let processes: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
        // The shell's own: not every machine has a program for it.
        let killed = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status();
        assert!(killed.unwrap().success() && !child.wait().unwrap().success());
        let began = SystemTime::now();
        while processes.iter().any(|process| Path::new("/proc").join(process).exists()) {
            assert!(began.elapsed().unwrap() <= AT_MOST, "SIG{signal}: {processes:?} still run");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// If a rank ends normally without calling `init_process_group`, no other rank keeps waiting for it.
#[test]
fn who_never_comes_is_named() {
    if !can_start() {
        return;
    }
    let path = file(
        "never.py",
        "import os, sys, time, torch.distributed as dist\n\
         from datetime import timedelta\n\
         if os.environ['RANK'] == '1':\n    \
             if sys.argv[1] == 'late': time.sleep(4)\n    \
             sys.exit(0)\n\
         try:\n    \
             dist.init_process_group('mpi', timeout=timedelta(seconds=1 if sys.argv[1] == 'late' else 60))\n\
         except RuntimeError as error:\n    \
             print(f'{type(error).__name__}: {error}\\n', end='')\n",
    );
    for (how, expected) in [
        (
            "gone",
            "RuntimeError: init_process_group: rank 0 waits for rank 1, whose program has ended without calling it\n",
        ),
        ("late", "DistStoreError: init_process_group: rank 0 timed out after waiting 1000 ms for rank 1 to call it\n"),
    ] {
        let began = SystemTime::now();
        let printed = ran(&mut torchrun(&["--nproc-per-node", "2", "--machine", "cpu"], &path, &[how]));
        assert_eq!(printed, expected);
        assert!(began.elapsed().unwrap() <= AT_MOST, "{how}");
    }
}

/// A process that expects others never forms a group alone.
#[test]
fn a_process_that_nobody_started_with_others_says_so() {
    let path = file(
        "lonely.py",
        "import os, sys, torch.distributed as dist\n\
         os.environ.update(RANK='0', WORLD_SIZE='4', MASTER_ADDR='127.0.0.1', MASTER_PORT='29500')\n\
         try:\n    dist.init_process_group(sys.argv[1])\n\
         except RuntimeError as error:\n    print(error)\n\
         print(dist.is_initialized(), dist.is_mpi_available())\n",
    );
    for backend in ["gloo", "mpi"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
        let printed = ran(command.arg("run").arg(&path).arg(backend));
        let why = match (tensoryard::distributed::HAS_MPI, backend) {
            (true, _) => {
                "torch.distributed: the world size is 4, but MPI has not started this process as one of 4: run 'tensoryard \
                 torchrun --nproc-per-node 4 FILE'\nFalse True\n"
            }
            (false, "gloo") => {
                "torch.distributed: rank 0 of 4 processes need MPI, which this build of tensoryard leaves out: build with \
                 '--features mpi' (docs/distributed.md)\nFalse False\n"
            }
            (false, _) => {
                "Distributed package doesn't have MPI built in. MPI is only included if you build PyTorch from source on a \
                 host that has MPI installed.\nFalse False\n"
            }
        };
        assert_eq!(printed, why);
    }
}

/// Rank 1 of three ends as `how` says, while rank 0 waits for it and rank 2 sleeps.
fn one_ends(name: &str, how: &str) -> Option<Output> {
    if !can_start() {
        return None;
    }
    let path = file(
        &format!("{name}.py"),
        &format!(
            "import os, sys, time, torch, torch.distributed as dist\n\
             folder = sys.argv[1]\n\
             def note(what):\n    \
                 with open(os.path.join(folder, what), 'w') as f: f.write(str(os.getpid()))\n\
             dist.init_process_group('mpi')\n\
             rank = dist.get_rank()\n\
             note(f'pid{{rank}}')\n\
             dist.barrier()\n\
             if rank == 1:\n    \
                 time.sleep(0.5)\n    \
                 note('end')\n    \
                 {how}\n\
             elif rank == 0:\n    \
                 dist.all_reduce(torch.ones(2))\n\
             else:\n    \
                 time.sleep(600)\n\
             print('not reached')\n"
        ),
    );
    let folder = path.with_extension("");
    std::fs::create_dir_all(&folder).unwrap();
    let options = ["--nproc-per-node", "3", "--machine", "cpu"];
    let output = torchrun(&options, &path, &[&folder.display().to_string()]).output().unwrap();
    let ended = SystemTime::now();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let began = std::fs::metadata(folder.join("end")).unwrap_or_else(|e| panic!("{e}: {stderr}")).modified().unwrap();
    let took = ended.duration_since(began).unwrap();
    assert!(took <= AT_MOST, "{name}: {took:?}\n{stderr}");
    assert!(!output.status.success(), "{name}: {stderr}");
    assert!(!stdout.contains("not reached") || name == "returns", "{name}: {stdout}");
    for rank in 0..3 {
        let process = std::fs::read_to_string(folder.join(format!("pid{rank}"))).unwrap();
        // A killed process exists until its parent has waited for it.
        while Path::new("/proc").join(&process).exists() {
            let late = SystemTime::now().duration_since(began).unwrap() > AT_MOST;
            assert!(!late, "{name}: rank {rank} still runs\n{stderr}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    Some(output)
}

#[test]
fn a_rank_that_raises_ends_the_others() {
    let Some(output) = one_ends("raises", "raise ValueError('no')") else { return };
    let stderr = text(&output.stderr);
    assert!(stderr.contains("ValueError: no\n"), "{stderr}");
    check_report(&stderr, 1, "exited with code 1");
}

#[test]
fn a_rank_that_exits_ends_the_others() {
    let Some(output) = one_ends("exits", "sys.exit(3)") else { return };
    check_report(&text(&output.stderr), 1, "exited with code 3");
    assert_eq!(output.status.code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_rank_that_is_killed_ends_the_others() {
    let Some(output) = one_ends("killed", "os.kill(os.getpid(), 9)") else { return };
    check_report(&text(&output.stderr), 1, "was ended by signal 9 (SIGKILL)");
}

/// If a program ends normally while another rank waits for it, that rank's error says so.
#[test]
fn a_rank_that_returns_early_ends_those_that_wait_for_it() {
    let Some(output) = one_ends("returns", "pass") else { return };
    let stderr = text(&output.stderr);
    let error = "RuntimeError: all_reduce: rank 0 waits for rank 1, whose program has ended; every rank must make the same calls\n";
    assert!(stderr.contains(error), "{stderr}");
    check_report(&stderr, 0, "exited with code 1");
}

/// Ranks that make different calls get an error instead of waiting.
#[test]
fn ranks_that_disagree_are_told() {
    if !can_start() {
        return;
    }
    let path = file(
        "disagree.py",
        "import torch, torch.distributed as dist\n\
         dist.init_process_group('mpi')\n\
         rank = dist.get_rank()\n\
         for call in (lambda: dist.all_reduce(torch.ones(2 + rank)),\n             \
                      lambda: dist.barrier() if rank else dist.broadcast(torch.ones(1), src=0)):\n    \
             try:\n        \
                 call()\n        \
                 print(rank, 'passed')\n    \
             except RuntimeError as error:\n        \
                 print(error, end='\\n', flush=True)\n\
         dist.all_reduce(torch.ones(1))\n",
    );
    let printed = ran(&mut torchrun(&["--nproc-per-node", "2", "--machine", "cpu"], &path, &[]));
    let mut lines: Vec<_> = printed.lines().collect();
    lines.sort();
    let expected = [
        "rank 0 calls all_reduce of 2 elements of torch.float32 by Sum, but rank 1 calls all_reduce of 3 elements of \
         torch.float32 by Sum; every rank must make the same calls",
        "rank 0 calls broadcast from rank 0 of 4 bytes, but rank 1 calls barrier; every rank must make the same calls",
        "rank 1 calls all_reduce of 3 elements of torch.float32 by Sum, but rank 0 calls all_reduce of 2 elements of \
         torch.float32 by Sum; every rank must make the same calls",
        "rank 1 calls barrier, but rank 0 calls broadcast from rank 0 of 4 bytes; every rank must make the same calls",
    ];
    assert_eq!(lines, expected);
}

/// One line names the rank that failed, and no other line does.
#[track_caller]
fn check_report(stderr: &str, rank: usize, how: &str) {
    let reports: Vec<_> = stderr.lines().filter(|line| line.starts_with("tensoryard: torchrun: ")).collect();
    let [report] = reports[..] else { panic!("{stderr}") };
    let begin = format!("tensoryard: torchrun: rank {rank} (local rank {rank}, process ");
    assert!(report.starts_with(&begin) && report.ends_with(&format!(") {how}; the other ranks are ended")), "{report}");
}
