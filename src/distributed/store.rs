//! Where processes find each other: names and values at an address that all of them know, a small version of PyTorch's
//! `TCPStore`.
//!
//! One process, the master, keeps the values and listens. All processes, including the master, are clients.
//!
//! ```text
//! server: a random number (16 bytes)
//! client: GREETING, rank or NOBODY (4 bytes), proof (32 bytes)
//! client: what (1 byte), key's length (2), value's length (4), key, value     ┐ as often
//! server: how it went (1 byte), length (4), bytes                             ┘ as wanted
//! ```
//!
//! Numbers are little-endian. Lengths are checked before anything is read or stored. A client that breaks the protocol loses
//! its connection, and so does one that sends nothing for [`PATIENCE`] after it has connected. If a rank's connection ends,
//! the rank is known to have left.
//!
//! Values say where processes can find each other, not what they compute. The proof is an HMAC of everything before it, keyed
//! with the run's token ([`TOKEN`]): torchrun makes one for a run on one machine, and several machines share one. Without a
//! token, anybody who reaches the port is a client, as with PyTorch's store. The store listens at the master's address, which
//! by default only this machine can reach, unless [`LISTEN`] names another.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::sha256;

/// The environment variable with the token of a run.
pub const TOKEN: &str = "TENSORYARD_TORCHRUN_TOKEN";
/// The environment variable with the address to listen on, if it isn't the master's.
pub const LISTEN: &str = "TENSORYARD_LISTEN";

const GREETING: &[u8; 16] = b"tensoryard-store";
const NOBODY: u32 = u32::MAX;
const MAX_KEY: usize = 1 << 10;
const MAX_VALUE: usize = 1 << 20;
/// The most bytes of keys and values that a store keeps.
const MAX_KEPT: usize = 64 << 20;
const MAX_CLIENTS: usize = 4096;
/// How long the other side may take for the rest of a message, or for its greeting.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a client asks for a key that doesn't exist yet.
const ASK_EVERY: Duration = Duration::from_millis(10);
/// How often a client tries to connect while nothing listens yet.
pub const KNOCK_EVERY: Duration = Duration::from_millis(50);

const SET: u8 = 1;
const GET: u8 = 2;
const ADD: u8 = 3;
const LEFT: u8 = 4;
const JOINED: u8 = 5;

const OK: u8 = 0;
const ABSENT: u8 = 1;
const REFUSED: u8 = 2;

// ---- the master's side -----------------------------------------------------------------------------------------------

#[derive(Default)]
struct Kept {
    values: HashMap<String, Vec<u8>>,
    bytes: usize,
    clients: usize,
    /// How many connections there have been.
    joined: usize,
    left: BTreeSet<u32>,
}

impl Kept {
    /// # Errors
    /// Why the value is refused.
    fn set(&mut self, key: String, value: Vec<u8>) -> std::result::Result<(), &'static str> {
        let freed = self.values.get(&key).map_or(0, |old| key.len() + old.len());
        let bytes = self.bytes - freed + key.len() + value.len();
        if bytes > MAX_KEPT {
            return Err("the store is full");
        }
        self.bytes = bytes;
        self.values.insert(key, value);
        Ok(())
    }

    /// Adds to a number, stored in decimal digits as in PyTorch. A missing number counts as 0.
    fn add(&mut self, key: String, value: &[u8]) -> std::result::Result<Vec<u8>, &'static str> {
        let number = |bytes: &[u8]| std::str::from_utf8(bytes).ok()?.parse::<i64>().ok();
        let old = self.values.get(&key).map_or(Some(0), |old| number(old)).ok_or("the key's value is no number")?;
        let sum = number(value).and_then(|n| old.checked_add(n)).ok_or("what is added is no number")?;
        let text = sum.to_string().into_bytes();
        self.set(key, text.clone())?;
        Ok(text)
    }

    fn answer(&mut self, what: u8, key: String, value: Vec<u8>) -> (u8, Vec<u8>) {
        let told = |done: std::result::Result<Vec<u8>, &str>| match done {
            Ok(bytes) => (OK, bytes),
            Err(why) => (REFUSED, why.as_bytes().to_vec()),
        };
        match what {
            SET => told(self.set(key, value).map(|()| Vec::new())),
            GET => self.values.get(&key).map_or((ABSENT, Vec::new()), |value| (OK, value.clone())),
            ADD => told(self.add(key, &value)),
            LEFT => (OK, self.left.iter().flat_map(|rank| rank.to_le_bytes()).collect()),
            JOINED => (OK, (self.joined as u32).to_le_bytes().to_vec()),
            _ => (REFUSED, b"the store knows no such request".to_vec()),
        }
    }
}

/// Locks the shared state. A thread that panicked can't have left it inconsistent.
fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The token of the run that this process belongs to; empty if there is none.
pub fn token() -> String {
    std::env::var(TOKEN).unwrap_or_default()
}

fn proof(token: &str, number: &[u8; 16], rank: u32) -> [u8; 32] {
    sha256::hmac(token.as_bytes(), &[number, GREETING, &rank.to_le_bytes()])
}

/// Listens until this process ends.
fn listen(listener: TcpListener, kept: &Arc<Mutex<Kept>>, token: &str) {
    let token: Arc<str> = token.into();
    for stream in listener.incoming().flatten() {
        {
            let mut kept = lock(kept);
            if kept.clients >= MAX_CLIENTS {
                continue;
            }
            kept.clients += 1;
        }
        let (own, token) = (kept.clone(), token.clone());
        let thread = std::thread::Builder::new().name("store".into()).spawn(move || {
            let rank = serve(stream, &own, &token);
            let mut kept = lock(&own);
            kept.clients -= 1;
            if let Some(rank) = rank {
                kept.left.insert(rank);
            }
        });
        if thread.is_err() {
            lock(kept).clients -= 1;
        }
    }
}

/// Serves one connection until it ends. Returns its rank.
fn serve(mut stream: TcpStream, kept: &Mutex<Kept>, token: &str) -> Option<u32> {
    let _ = stream.set_nodelay(true);
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let number = sha256::random();
    stream.write_all(&number).ok()?;
    let (mut greeting, mut rank, mut proved) = ([0; GREETING.len()], [0; 4], [0; 32]);
    for part in [&mut greeting[..], &mut rank, &mut proved] {
        stream.read_exact(part).ok()?;
    }
    let rank = u32::from_le_bytes(rank);
    if greeting != *GREETING || !sha256::same(&proved, &proof(token, &number, rank)) {
        return None;
    }
    let rank = Some(rank).filter(|&rank| rank != NOBODY);
    {
        let mut kept = lock(kept);
        kept.joined += 1;
        if let Some(rank) = rank {
            // The rank has connected again.
            kept.left.remove(&rank);
        }
    }
    while let Ok((what, key, value)) = request(&mut stream) {
        let (status, bytes) = lock(kept).answer(what, key, value);
        let mut message = vec![status];
        message.extend((bytes.len() as u32).to_le_bytes());
        message.extend(bytes);
        if stream.write_all(&message).is_err() {
            break;
        }
    }
    rank
}

/// The next request. Waits for its first byte without a limit, and then for the rest for at most [`PATIENCE`].
fn request(stream: &mut TcpStream) -> io::Result<(u8, String, Vec<u8>)> {
    let mut what = [0];
    stream.set_read_timeout(None)?;
    stream.read_exact(&mut what)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut lengths = [0; 6];
    stream.read_exact(&mut lengths)?;
    let [k0, k1, v @ ..] = lengths;
    let (key, value) = (u16::from_le_bytes([k0, k1]) as usize, u32::from_le_bytes(v) as usize);
    if key > MAX_KEY || value > MAX_VALUE {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let (mut key, mut value) = (vec![0; key], vec![0; value]);
    stream.read_exact(&mut key)?;
    stream.read_exact(&mut value)?;
    let key = String::from_utf8(key).map_err(|_| io::ErrorKind::InvalidData)?;
    Ok((what[0], key, value))
}

// ---- a client's side -------------------------------------------------------------------------------------------------

/// One process's connection to a store.
pub struct Store {
    stream: Mutex<TcpStream>,
    host: String,
    port: u16,
    timeout: Duration,
}

/// Called while a store waits; its error ends the wait.
pub type Poll<'a> = &'a dyn Fn(&Store) -> Result<()>;

/// The parameters for opening a store.
pub struct Opening<'a> {
    pub host: &'a str,
    /// 0 means any free port; only for the master.
    pub port: u16,
    /// Whether this process keeps the values and serves them.
    pub is_master: bool,
    /// The rank of this process, so that others learn when it ends.
    pub rank: Option<usize>,
    /// The limit for every wait.
    pub timeout: Duration,
    /// The secret that all clients of the store know; see [`token`].
    pub token: &'a str,
}

impl Store {
    /// Starts listening if this is the master, and connects.
    ///
    /// # Errors
    /// The port is taken; the master doesn't answer in time; the error of `poll`, which gets no store.
    pub fn open(opening: &Opening<'_>, poll: &dyn Fn() -> Result<()>) -> Result<Store> {
        let &Opening { host, mut port, is_master, rank, timeout, token } = opening;
        if is_master {
            let listener = bind(host, port)?;
            port = listener.local_addr().map_err(|error| not_listening(port, &error))?.port();
            let kept = Arc::<Mutex<Kept>>::default();
            let thread = std::thread::Builder::new().name("store".into());
            let known = token.to_string();
            let thread = thread.spawn(move || listen(listener, &kept, &known));
            thread.map_err(|error| not_listening(port, &error))?;
        }
        let mut stream = knock(host, port, timeout, poll)?;
        let rank = rank.map_or(NOBODY, |rank| rank as u32);
        introduce(&mut stream, token, rank).map_err(|error| broken(&error))?;
        let store = Store { stream: Mutex::new(stream), host: host.into(), port, timeout };
        // After this request, the server is known to have counted this client.
        store.joined()?;
        Ok(store)
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn ask(&self, what: u8, key: &str, value: &[u8]) -> Result<Option<Vec<u8>>> {
        if key.len() > MAX_KEY || value.len() > MAX_VALUE {
            return Err(Error::value(format!(
                "a store takes keys of up to {MAX_KEY} bytes and values of up to {MAX_VALUE}, not {} and {}",
                key.len(),
                value.len()
            )));
        }
        let mut stream = self.stream.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut message = vec![what];
        message.extend((key.len() as u16).to_le_bytes());
        message.extend((value.len() as u32).to_le_bytes());
        message.extend(key.as_bytes());
        message.extend(value);
        let answer = stream.write_all(&message).and_then(|()| answer(&mut *stream));
        let (status, bytes) = answer.map_err(|error| broken(&error))?;
        match status {
            OK => Ok(Some(bytes)),
            ABSENT => Ok(None),
            _ => Err(Error::dist_store(String::from_utf8_lossy(&bytes).into_owned())),
        }
    }

    /// # Errors
    /// The connection has ended; the key or value is too long.
    pub fn set(&self, key: &str, value: &[u8]) -> Result<()> {
        self.ask(SET, key, value).map(drop)
    }

    /// The value, if the key exists.
    ///
    /// # Errors
    /// Those of [`Store::set`].
    pub fn look(&self, key: &str) -> Result<Option<Vec<u8>>> {
        self.ask(GET, key, &[])
    }

    /// Adds to a number that begins as 0. Returns the sum.
    ///
    /// # Errors
    /// Those of [`Store::set`]; a value that isn't a number.
    pub fn add(&self, key: &str, number: i64) -> Result<i64> {
        let sum = self.ask(ADD, key, number.to_string().as_bytes())?.unwrap_or_default();
        let sum = std::str::from_utf8(&sum).ok().and_then(|text| text.parse().ok());
        sum.ok_or_else(|| Error::dist_network("the store answered with something else than a number"))
    }

    /// Waits until all keys exist.
    ///
    /// # Errors
    /// PyTorch's error after `timeout` (by default the store's); those of [`Store::set`]; the error of `poll`.
    pub fn wait(&self, keys: &[&str], timeout: Option<Duration>, poll: Poll<'_>) -> Result<()> {
        let (began, timeout) = (Instant::now(), timeout.unwrap_or(self.timeout));
        let mut missing = keys.iter();
        let mut next = missing.next();
        while let Some(key) = next {
            if self.look(key)?.is_some() {
                next = missing.next();
                continue;
            }
            if began.elapsed() >= timeout {
                let keys: Vec<String> = keys.iter().map(|key| format!("/{key}")).collect();
                return Err(Error::dist_store(format!(
                    "wait timeout after {}ms, keys: {}",
                    timeout.as_millis(),
                    keys.join(", ")
                )));
            }
            poll(self)?;
            std::thread::sleep(ASK_EVERY);
        }
        Ok(())
    }

    /// Waits until a key exists, and returns its value.
    ///
    /// # Errors
    /// Those of [`Store::wait`].
    pub fn get(&self, key: &str, poll: Poll<'_>) -> Result<Vec<u8>> {
        self.wait(&[key], None, poll)?;
        Ok(self.look(key)?.unwrap_or_default())
    }

    /// How many clients have connected, including this one.
    ///
    /// # Errors
    /// Those of [`Store::set`].
    pub fn joined(&self) -> Result<usize> {
        let bytes = self.ask(JOINED, "", &[])?.unwrap_or_default();
        let count = <[u8; 4]>::try_from(bytes).ok().map(|bytes| u32::from_le_bytes(bytes) as usize);
        count.ok_or_else(|| Error::dist_network("the store answered with something else than a count"))
    }

    /// Waits for this many clients.
    ///
    /// # Errors
    /// PyTorch's error after the store's timeout; the error of `poll`.
    pub(crate) fn wait_for_clients(&self, count: usize, poll: Poll<'_>) -> Result<()> {
        let began = Instant::now();
        loop {
            let joined = self.joined()?;
            if joined >= count {
                return Ok(());
            }
            // PyTorch adds one second.
            if began.elapsed() > self.timeout {
                return Err(Error::dist_store(format!(
                    "Timed out after {} seconds waiting for clients. {joined}/{count} clients joined.",
                    self.timeout.as_secs() + 1
                )));
            }
            poll(self)?;
            std::thread::sleep(ASK_EVERY);
        }
    }

    /// Ranks whose connections have ended.
    ///
    /// # Errors
    /// Those of [`Store::set`].
    pub fn left(&self) -> Result<Vec<usize>> {
        let bytes = self.ask(LEFT, "", &[])?.unwrap_or_default();
        Ok(bytes.as_chunks::<4>().0.iter().map(|rank| u32::from_le_bytes(*rank) as usize).collect())
    }
}

/// Says which rank the connection belongs to, and proves that it's allowed.
fn introduce(stream: &mut TcpStream, token: &str, rank: u32) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut number = [0; 16];
    stream.read_exact(&mut number)?;
    stream.write_all(&[&GREETING[..], &rank.to_le_bytes(), &proof(token, &number, rank)].concat())
}

fn answer(stream: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let [status, length @ ..] = head;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_VALUE {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok((status, bytes))
}

/// The addresses of a name, with this machine's own addresses first.
fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let mut found: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    found.sort_by_key(|address| !address.is_ipv4());
    found.dedup();
    Ok(found)
}

/// Listens at the master's address, or at the one in [`LISTEN`].
///
/// # Errors
/// The system's, also if the address belongs to another machine.
pub fn listener(host: &str, port: u16) -> io::Result<TcpListener> {
    let named = std::env::var(LISTEN).ok();
    TcpListener::bind(&addresses(named.as_deref().unwrap_or(host), port)?[..])
}

fn bind(host: &str, port: u16) -> Result<TcpListener> {
    listener(host, port).map_err(|error| {
        if error.kind() == io::ErrorKind::AddrNotAvailable {
            // The raised error has PyTorch's message, so the details are printed here.
            eprintln!(
                "tensoryard: the store can't listen at {host}, which is not an address of this machine: set {LISTEN} to the \
                 address to listen on"
            );
        }
        not_listening(port, &error)
    })
}

fn not_listening(port: u16, error: &io::Error) -> Error {
    let (name, message) = match error.kind() {
        io::ErrorKind::AddrInUse => ("EADDRINUSE".into(), "address already in use".into()),
        io::ErrorKind::AddrNotAvailable => ("EADDRNOTAVAIL".into(), "address not available".into()),
        kind => (format!("{kind:?}"), error.to_string()),
    };
    Error::dist_network(format!(
        "The server socket has failed to listen on any local network address. port: {port}, useIpv6: false, code: {}, name: \
         {name}, message: {message}",
        -error.raw_os_error().unwrap_or(0)
    ))
}

fn broken(error: &io::Error) -> Error {
    Error::dist_network(match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?".into()
        }
        io::ErrorKind::InvalidData => "the store answered with more than it may".into(),
        _ => format!("the store does not answer: {error}"),
    })
}

fn knock(host: &str, port: u16, timeout: Duration, poll: &dyn Fn() -> Result<()>) -> Result<TcpStream> {
    let began = Instant::now();
    loop {
        let left = timeout.saturating_sub(began.elapsed()).max(KNOCK_EVERY);
        for address in addresses(host, port).into_iter().flatten() {
            if let Ok(stream) = TcpStream::connect_timeout(&address, left.min(PATIENCE)) {
                return Ok(stream);
            }
        }
        if began.elapsed() >= timeout {
            return Err(Error::dist_network(format!(
                "The client socket has timed out after {}ms while trying to connect to ({host}, {port}).",
                timeout.as_millis()
            )));
        }
        poll()?;
        std::thread::sleep(KNOCK_EVERY);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(port: u16, is_master: bool, rank: Option<usize>, milliseconds: u64) -> Result<Store> {
        let timeout = Duration::from_millis(milliseconds);
        Store::open(&Opening { host: "127.0.0.1", port, is_master, rank, timeout, token: "t" }, &|| Ok(()))
    }

    const NEVER: Poll<'static> = &|_| Ok(());

    /// The messages are those that PyTorch 2.15's TCPStore raised.
    #[test]
    fn a_store_keeps_waits_and_counts() {
        let master = open(0, true, Some(0), 200).unwrap();
        let other = open(master.port(), false, Some(1), 5_000).unwrap();
        assert_eq!((master.joined(), other.left()), (Ok(2), Ok(vec![])));
        master.set("id", b"\0\xff").unwrap();
        assert_eq!(other.get("id", NEVER), Ok(vec![0, 255]));
        assert_eq!(
            (other.add("n", 3), master.add("n", -5), other.get("n", NEVER)),
            (Ok(3), Ok(-2), Ok(b"-2".to_vec()))
        );
        assert_eq!(other.add("id", 1).unwrap_err().message, "the key's value is no number");
        assert_eq!(master.get("zz", NEVER).unwrap_err().message, "wait timeout after 200ms, keys: /zz");
        let both = master.wait(&["n", "a", "b"], Some(Duration::from_millis(30)), NEVER);
        assert_eq!(both.unwrap_err().message, "wait timeout after 30ms, keys: /n, /a, /b");
        let few = master.wait_for_clients(3, NEVER).unwrap_err().message;
        assert_eq!(few, "Timed out after 1 seconds waiting for clients. 2/3 clients joined.");
        let taken = open(master.port(), true, None, 100).err().unwrap().message;
        assert!(
            taken.ends_with("useIpv6: false, code: -98, name: EADDRINUSE, message: address already in use"),
            "{taken}"
        );
        // A key that is set later ends a wait, and so does an error of `poll`.
        let port = master.port();
        let waits = std::thread::spawn(move || open(port, false, None, 5_000).unwrap().get("late", NEVER));
        std::thread::sleep(Duration::from_millis(30));
        master.set("late", b"1").unwrap();
        assert_eq!(waits.join().unwrap(), Ok(b"1".to_vec()));
        let stopped = other.get("never", &|_| Err(Error::interrupt()));
        assert_eq!(stopped, Err(Error::interrupt()));
        drop(other);
        let began = Instant::now();
        while master.left() != Ok(vec![1]) {
            assert!(began.elapsed() < Duration::from_secs(5), "nobody noticed the end of rank 1");
            std::thread::sleep(ASK_EVERY);
        }
    }

    #[test]
    fn nobody_is_waited_for_until_the_timeout() {
        // A port that was free a moment ago.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let text = open(port, false, None, 100).err().unwrap().message;
        assert_eq!(
            text,
            format!("The client socket has timed out after 100ms while trying to connect to (127.0.0.1, {port}).")
        );
    }

    /// Whatever bytes a client sends, the store keeps serving the others.
    #[test]
    fn a_client_that_breaks_the_rules_loses_its_connection() {
        let master = open(0, true, None, 1_000).unwrap();
        let said = |known: bool, message: &[u8]| {
            let mut stream = TcpStream::connect(("127.0.0.1", master.port())).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let mut number = [0; 16];
            stream.read_exact(&mut number).unwrap();
            let greeted = [&GREETING[..], &7u32.to_le_bytes(), &proof("t", &number, 7)].concat();
            stream.write_all(&[if known { &greeted[..] } else { &[] }, message].concat()).unwrap();
            let mut answer = Vec::new();
            // The other side may already be gone, and a connection that ends with unread bytes is reset.
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let _ = stream.read_to_end(&mut answer);
            answer
        };
        let greeted = |message: &[u8]| said(true, message);
        assert_eq!(said(false, b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"), b"");
        // A value of 4 GiB, a key that is too long, and a request that stops halfway: no memory is taken for any of
        // them.
        assert_eq!(greeted(&[SET, 1, 0, 255, 255, 255, 255, b'k']), b"");
        assert_eq!(greeted(&[SET, 255, 255, 0, 0, 0, 0]), b"");
        assert_eq!(greeted(&[SET, 1, 0, 9, 0, 0, 0, b'k', 1, 2]), b"");
        assert_eq!(greeted(&[GET, 1, 0, 0, 0, 0, 0, 0xff]), b"", "a key is text");
        assert_eq!(greeted(&[99, 0, 0, 0, 0, 0, 0])[0], REFUSED);
        assert_eq!(greeted(&[SET, 1, 0, 1, 0, 0, 0, b'k', 5]), [OK, 0, 0, 0, 0]);
        assert_eq!(master.look("k"), Ok(Some(vec![5])));
        assert!(master.set(&"k".repeat(MAX_KEY + 1), b"").is_err());
    }

    /// A stranger used to be able to set keys, and to claim that a rank had left.
    #[test]
    fn a_client_that_does_not_know_the_token_loses_its_connection() {
        let master = open(0, true, Some(0), 1_000).unwrap();
        for token in ["", "T", "tt"] {
            let timeout = Duration::from_secs(1);
            let opening =
                Opening { host: "127.0.0.1", port: master.port(), is_master: false, rank: Some(1), timeout, token };
            let refused = Store::open(&opening, &|| Ok(())).err().unwrap().message;
            let expected =
                "Failed to recv, got 0 bytes. Connection was likely closed. Did the remote server shutdown or crash?";
            assert_eq!(refused, expected, "{token}");
        }
        assert_eq!((master.joined(), master.left()), (Ok(1), Ok(vec![])));
    }

    /// The store used to listen on every address of the machine without saying so.
    #[test]
    fn an_address_of_another_machine_is_refused() {
        let timeout = Duration::from_secs(1);
        let opening = Opening { host: "192.0.2.1", port: 0, is_master: true, rank: None, timeout, token: "" };
        let message = Store::open(&opening, &|| Ok(())).err().unwrap().message;
        assert!(message.ends_with("code: -99, name: EADDRNOTAVAIL, message: address not available"), "{message}");
    }

    /// If the other side isn't a store, the client gets an error, and neither panics nor waits forever.
    #[test]
    fn an_answer_that_stops_or_is_too_long_is_an_error() {
        assert!(answer(&mut &[OK, 5, 0, 0, 0, 1][..]).is_err());
        assert!(answer(&mut &[OK, 0, 0][..]).is_err());
        assert!(answer(&mut &[OK, 255, 255, 255, 255][..]).is_err());
        assert_eq!(answer(&mut &[OK, 1, 0, 0, 0, 9][..]).unwrap(), (OK, vec![9]));
    }
}
