//! Several machines, on each of which someone runs torchrun: the first starts the processes of all.
//!
//! ```text
//! node 0: listens on the master's port ◄── "node 1, 4 processes" ── node 1 connects
//!         mpirun --host here:4,node1:4    (over ssh)                 waits
//!         its end ── the exit code ──────────────────────────────►   exits with it
//! ```
//!
//! This is how they find one another, not how tensors travel: that is MPI's.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

/// How long the first machine may be behind the others.
const PATIENCE: Duration = Duration::from_secs(60);
const AGAIN: Duration = Duration::from_millis(200);
const GREETING: &str = "tensoryard-torchrun";

/// The other machines of a run, by their ranks from 1.
pub struct Nodes(Vec<(IpAddr, TcpStream)>);

impl Nodes {
    /// On the first machine: waits for the others.
    ///
    /// # Errors
    /// A port that is taken, a machine that does not fit: a sentence for the user.
    pub fn gather(port: u16, nodes: usize, each: usize) -> Result<Nodes, String> {
        let failed = |error| format!("--master-port {port}: {error}");
        let listener = TcpListener::bind(("0.0.0.0", port)).map_err(failed)?;
        let mut found: Vec<Option<(IpAddr, TcpStream)>> = (1..nodes).map(|_| None).collect();
        while found.iter().any(Option::is_none) {
            let (stream, address) = listener.accept().map_err(failed)?;
            let mut line = String::new();
            // What else finds its way to this port is no node.
            if BufReader::new(&stream).take(100).read_line(&mut line).is_err() {
                continue;
            }
            let [greeting, node, count] = line.split_whitespace().collect::<Vec<_>>()[..] else { continue };
            let (Ok(node), Ok(count), GREETING) = (node.parse::<usize>(), count.parse::<usize>(), greeting) else {
                continue;
            };
            if count != each {
                return Err(format!(
                    "node {node} has --nproc-per-node {count} and node 0 has {each}: they must be the same"
                ));
            }
            match found.get_mut(node.wrapping_sub(1)) {
                Some(place @ None) => *place = Some((address.ip(), stream)),
                Some(_) => return Err(format!("two machines say --node-rank {node}")),
                None => return Err(format!("a machine says --node-rank {node} of --nnodes {nodes}")),
            }
        }
        Ok(Nodes(found.into_iter().flatten().collect()))
    }

    /// For mpirun: this machine, then the others, with so many processes each.
    pub fn hosts(&self, each: usize) -> String {
        let others = self.0.iter().map(|(address, _)| format!(",{address}:{each}"));
        std::iter::once(format!("localhost:{each}")).chain(others).collect()
    }

    /// Tells the others how the run ended.
    pub fn tell(self, code: u8) {
        for (_, mut stream) in self.0 {
            // A machine that has gone needs no word.
            let _ = stream.write_all(&[code]);
        }
    }
}

/// On another machine: reports to the first, and waits for the run's exit code.
///
/// # Errors
/// A first machine that does not answer, or ends without a word: a sentence for the user.
pub fn wait(host: &str, port: u16, node: usize, each: usize) -> Result<u8, String> {
    let began = Instant::now();
    let mut stream = loop {
        match TcpStream::connect((host, port)) {
            Ok(stream) => break stream,
            Err(_) if began.elapsed() < PATIENCE => std::thread::sleep(AGAIN),
            Err(error) => return Err(format!("node 0 at {host}:{port}: {error}")),
        }
    };
    let ended = |_| format!("node 0 at {host}:{port} ended without a word");
    stream.write_all(format!("{GREETING} {node} {each}\n").as_bytes()).map_err(ended)?;
    let mut code = [0];
    stream.read_exact(&mut code).map_err(ended)?;
    Ok(code[0])
}

/// Runs mpirun for all machines, and tells them its end.
///
/// # Errors
/// It cannot be started.
pub fn run(command: &mut Command, nodes: Nodes) -> std::io::Result<u8> {
    let status = command.status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    nodes.tell(code);
    Ok(code)
}
