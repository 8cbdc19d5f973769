//! Several machines on each of which someone runs torchrun: the first starts the processes of all.
//!
//! ```text
//! node 0: listens at the master's address ◄── node 1 connects
//! a random number ──►
//! ◄── "node 1, 4 processes", a number of its own, proof
//! proof ──►
//! mpirun --host here:4,node1:4    (over ssh)                 waits
//! its end ── the exit code ──────────────────────────────►   exits with it
//! ```
//!
//! Only the machines find each other in this way. Tensors are sent by MPI.
//!
//! `mpirun` opens ssh to a node's address and passes it the environment. So both ends prove that they know the
//! token of the run, with an HMAC of the other end's last message. A connection that sends nothing or a wrong proof delays
//! nobody.

use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use tensoryard::distributed::store;
use tensoryard::sha256;

/// How long the other machines wait for the first one to start.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the exchange of proofs may take.
const GREETED: Duration = Duration::from_secs(10);
const AGAIN: Duration = Duration::from_millis(200);
const GREETING: &str = "tensoryard-torchrun";
/// The longest line in bytes.
const LINE: usize = 200;
/// How many connections may exchange proofs at the same time.
const GUESTS: usize = 64;

/// The other machines of a run, ordered by node number, from 1.
pub struct Nodes(Vec<(IpAddr, TcpStream)>);

/// A machine that has proved that it belongs to this run.
struct Node {
    rank: usize,
    each: usize,
    address: IpAddr,
    stream: TcpStream,
    /// The line that it waits for.
    answer: String,
}

impl Nodes {
    /// On the first machine: listens at its address, and waits for the others.
    ///
    /// # Errors
    /// A sentence for the user: the port is taken, the address belongs to another machine, or a machine doesn't fit.
    pub fn gather(host: &str, port: u16, nodes: usize, each: usize, token: &str) -> Result<Nodes, String> {
        Nodes::among(&store::listener(host, port).map_err(|error| refused(host, port, &error))?, nodes, each, token)
    }

    fn among(listener: &TcpListener, nodes: usize, each: usize, token: &str) -> Result<Nodes, String> {
        let failed = |error| format!("waiting for the other machines: {error}");
        // A slow connection must not delay the others.
        listener.set_nonblocking(true).map_err(failed)?;
        let (tell, told) = mpsc::channel();
        let mut guests = 0;
        let mut warned = false;
        let mut found: Vec<Option<(IpAddr, TcpStream)>> = (1..nodes).map(|_| None).collect();
        while found.iter().any(Option::is_none) {
            match listener.accept() {
                Ok((stream, address)) if guests < GUESTS => {
                    let (tell, token) = (tell.clone(), token.to_string());
                    let greeted = std::thread::Builder::new().name("node".into()).spawn(move || {
                        // Once all nodes are there, nothing receives this any more.
                        let _ = tell.send(greet(stream, address.ip(), &token).map_err(|_| address.ip()));
                    });
                    guests += usize::from(greeted.is_ok());
                }
                // A dropped connection is tried again, if it's from a node.
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(store::KNOCK_EVERY),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
            while let Ok(guest) = told.try_recv() {
                guests -= 1;
                match guest {
                    Ok(node) => admit(node, &mut found, each)?,
                    Err(address) if !warned => {
                        warned = true;
                        eprintln!(
                            "tensoryard: torchrun: {address} connected and did not prove that it knows {}; it is not taken in",
                            store::TOKEN
                        );
                    }
                    Err(_) => {}
                }
            }
        }
        Ok(Nodes(found.into_iter().flatten().collect()))
    }

    /// The list of machines for mpirun: this one, then the others, with the number of processes on each.
    pub fn hosts(&self, each: usize) -> String {
        let others = self.0.iter().map(|(address, _)| format!(",{address}:{each}"));
        std::iter::once(format!("localhost:{each}")).chain(others).collect()
    }

    /// Tells the others how the run ended.
    pub fn tell(self, code: u8) {
        for (_, mut stream) in self.0 {
            // A machine that is gone needs no answer.
            let _ = stream.write_all(&[code]);
        }
    }
}

/// The sentence that says why nothing can listen at the master's address.
fn refused(host: &str, port: u16, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrNotAvailable => format!(
            "--master-addr {host} is not an address of this machine, which is node 0: set {} to the address to listen on",
            store::LISTEN
        ),
        _ => format!("--master-addr {host} --master-port {port}: {error}"),
    }
}

/// Gives a machine its place in the run.
///
/// # Errors
/// A sentence for the user and for that machine, if it doesn't fit.
fn admit(node: Node, found: &mut [Option<(IpAddr, TcpStream)>], each: usize) -> Result<(), String> {
    let Node { rank, each: count, address, mut stream, answer } = node;
    let nodes = found.len() + 1;
    let why = match found.get_mut(rank.wrapping_sub(1)) {
        _ if count != each => {
            format!("node {rank} has --nproc-per-node {count} and node 0 has {each}: they must be the same")
        }
        Some(place @ None) => {
            // If the machine is gone, it will connect again.
            if stream.write_all(answer.as_bytes()).is_ok() {
                *place = Some((address, stream));
            }
            return Ok(());
        }
        Some(_) => format!("two machines say --node-rank {rank}"),
        None => format!("a machine says --node-rank {rank} of --nnodes {nodes}"),
    };
    // The machine's process ends anyway when this process does.
    let _ = stream.write_all(format!("no {why}\n").as_bytes());
    Err(why)
}

/// The proof of a node, for its number and its processes on one connection.
fn nodes_proof(token: &str, number: &str, said: &str) -> [u8; 32] {
    sha256::hmac(token.as_bytes(), &[b"node ", number.as_bytes(), b" ", said.as_bytes()])
}

fn proves(said: &str, proof: &[u8; 32]) -> bool {
    sha256::same(said.as_bytes(), sha256::hex(proof).as_bytes())
}

/// The proof of the first machine.
fn masters_proof(token: &str, number: &str) -> [u8; 32] {
    sha256::hmac(token.as_bytes(), &[b"master ", number.as_bytes()])
}

/// Reads one line from the other end, until the time is over.
fn line(stream: &mut TcpStream, until: Instant) -> io::Result<String> {
    let mut text = Vec::new();
    while text.len() < LINE {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        if byte == *b"\n" {
            return String::from_utf8(text).map_err(|_| io::ErrorKind::InvalidData.into());
        }
        text.push(byte[0]);
    }
    Err(io::ErrorKind::InvalidData.into())
}

/// On the first machine: finds out who has connected.
fn greet(mut stream: TcpStream, address: IpAddr, token: &str) -> io::Result<Node> {
    let until = Instant::now() + GREETED;
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(GREETED))?;
    let number = sha256::hex(&sha256::random());
    stream.write_all(format!("{GREETING} {number}\n").as_bytes())?;
    let said = line(&mut stream, until)?;
    let wrong = || io::Error::from(io::ErrorKind::InvalidData);
    let (said, proof) = said.rsplit_once(' ').ok_or_else(wrong)?;
    if !proves(proof, &nodes_proof(token, &number, said)) {
        return Err(wrong());
    }
    let [rank, each, own] = said.split(' ').collect::<Vec<_>>()[..] else { return Err(wrong()) };
    let (Ok(rank), Ok(each)) = (rank.parse(), each.parse()) else { return Err(wrong()) };
    let answer = format!("ok {}\n", sha256::hex(&masters_proof(token, own)));
    Ok(Node { rank, each, address, stream, answer })
}

/// On another machine: connects to the first, and waits for the run's exit code.
///
/// # Errors
/// A sentence for the user: the first machine doesn't answer, or ends without an exit code.
pub fn wait(host: &str, port: u16, node: usize, each: usize, token: &str) -> Result<u8, String> {
    let began = Instant::now();
    let (mut stream, answer) = loop {
        let tried = TcpStream::connect((host, port)).and_then(|mut stream| {
            let answer = introduce(&mut stream, node, each, token)?;
            Ok((stream, answer))
        });
        match tried {
            Ok(done) => break done,
            // If something else was listening there before the first machine, try again.
            Err(_) if began.elapsed() < PATIENCE => std::thread::sleep(AGAIN),
            Err(error) => {
                return Err(format!(
                    "node 0 at {host}:{port}: {error} (is {} the same on all machines?)",
                    store::TOKEN
                ));
            }
        }
    };
    if let Some(why) = answer {
        return Err(format!("node 0 at {host}:{port}: {why}"));
    }
    let ended = |_| format!("node 0 at {host}:{port} ended without a word");
    stream.set_read_timeout(None).map_err(ended)?;
    let mut code = [0];
    stream.read_exact(&mut code).map_err(ended)?;
    Ok(code[0])
}

/// Says which node this is and exchanges proofs. Returns why the machine isn't accepted, if it isn't.
fn introduce(stream: &mut TcpStream, node: usize, each: usize, token: &str) -> io::Result<Option<String>> {
    let until = Instant::now() + GREETED;
    stream.set_write_timeout(Some(GREETED))?;
    let wrong = || io::Error::new(io::ErrorKind::InvalidData, "what answers there is no torchrun of this run");
    let said = line(stream, until)?;
    let number = said.strip_prefix(GREETING).and_then(|rest| rest.strip_prefix(' ')).ok_or_else(wrong)?;
    let own = sha256::hex(&sha256::random());
    let said = format!("{node} {each} {own}");
    let proof = sha256::hex(&nodes_proof(token, number, &said));
    stream.write_all(format!("{said} {proof}\n").as_bytes())?;
    let answer = line(stream, until)?;
    match answer.split_once(' ') {
        Some(("ok", proof)) if proves(proof, &masters_proof(token, &own)) => Ok(None),
        Some(("no", why)) => Ok(Some(why.to_string())),
        _ => Err(wrong()),
    }
}

/// Runs mpirun for all machines, and tells them how it ended.
///
/// # Errors
/// It can't be started.
pub fn run(command: &mut Command, nodes: Nodes) -> std::io::Result<u8> {
    let status = command.status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    nodes.tell(code);
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listening() -> (TcpListener, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        (listener, port)
    }

    /// Any connection that came first used to become node 1, and a silent one delayed the run.
    #[test]
    fn only_machines_that_know_the_token_are_taken_in() {
        let (listener, port) = listening();
        let first = std::thread::spawn(move || Nodes::among(&listener, 2, 4, "the token"));
        let began = Instant::now();
        let silent = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // A message that an early version accepted from a node.
        let mut old = TcpStream::connect(("127.0.0.1", port)).unwrap();
        old.write_all(b"tensoryard-torchrun 1 4\n").unwrap();
        // One client that replays an earlier exchange, and one that guesses.
        let mut again = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let number = "00".repeat(16);
        let proof = sha256::hex(&nodes_proof("the token", &number, "1 4 x"));
        again.write_all(format!("1 4 x {proof}\n").as_bytes()).unwrap();
        let mut guess = TcpStream::connect(("127.0.0.1", port)).unwrap();
        assert!(introduce(&mut guess, 1, 4, "a token").is_err());
        let mut node = TcpStream::connect(("127.0.0.1", port)).unwrap();
        assert!(matches!(introduce(&mut node, 1, 4, "the token"), Ok(None)));
        let nodes = first.join().unwrap().unwrap();
        assert!(began.elapsed() < GREETED, "the silent one was waited for");
        assert_eq!(nodes.hosts(4), "localhost:4,127.0.0.1:4");
        nodes.tell(7);
        let mut code = [0];
        node.read_exact(&mut code).unwrap();
        assert_eq!(code, [7]);
        drop(silent);
    }

    #[test]
    fn a_machine_that_does_not_fit_is_told_why() {
        for (rank, each, why) in [
            (1, 2, "node 1 has --nproc-per-node 2 and node 0 has 4: they must be the same"),
            (3, 4, "a machine says --node-rank 3 of --nnodes 2"),
        ] {
            let (listener, port) = listening();
            let first = std::thread::spawn(move || Nodes::among(&listener, 2, 4, "t").map(|_| ()));
            let mut node = TcpStream::connect(("127.0.0.1", port)).unwrap();
            assert_eq!(introduce(&mut node, rank, each, "t").unwrap().as_deref(), Some(why));
            assert_eq!(first.join().unwrap(), Err(why.to_string()));
        }
    }

    /// It used to listen on every address of the machine.
    #[test]
    fn the_first_machine_listens_at_the_masters_address_alone() {
        let error = Nodes::gather("192.0.2.1", 0, 2, 1, "t").err().unwrap();
        let expected = "--master-addr 192.0.2.1 is not an address of this machine, which is node 0: set TENSORYARD_LISTEN to \
                        the address to listen on";
        assert_eq!(error, expected);
        let here = store::listener("127.0.0.1", 0).unwrap().local_addr().unwrap();
        assert!(here.ip().is_loopback(), "{here}");
    }
}
