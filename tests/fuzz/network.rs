//! Code that listens: the server of the playground, and the store through which processes find each other. Both only on
//! this machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use tensoryard::distributed::store::{Opening, Store};
use tensoryard::sha256;

use crate::{fuzz, kept};

/// Sends bytes to a port and reads the answer, for as long as a reader may take.
fn talk(address: (&str, u16), bytes: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).expect("somebody still listens");
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout can be set");
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

#[test]
fn http() {
    let folder = kept("served");
    std::fs::create_dir_all(&folder).expect("a folder to serve can be made");
    std::fs::write(folder.join("index.html"), "<!doctype html>").expect("a page can be written");
    let mut server = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .args(["serve", "--port", "0", "--dir"])
        .arg(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut said = String::new();
    BufReader::new(server.stdout.take().expect("it has an output")).read_line(&mut said).expect("it says where it is");
    let port = said.split(':').nth(2).and_then(|rest| rest.split('/').next()).and_then(|port| port.parse().ok());
    let port: u16 = port.unwrap_or_else(|| panic!("no port in {said:?}"));
    let requests = [
        format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: br\r\n\r\n"),
        format!("HEAD /index.html?v=1#x HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"),
        format!("GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
        format!("GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
    ];
    fuzz("http", requests.map(String::into_bytes).into(), |bytes| {
        let answer = talk(("127.0.0.1", port), bytes);
        assert!(!String::from_utf8_lossy(&answer).contains("root:"), "it served a file of the machine");
    });
    assert!(server.try_wait().expect("the server is a child").is_none(), "the server ended");
    let _ = server.kill();
    let _ = server.wait();
}

/// Like [`talk`], to a store without a token. If an input begins with 0, the client introduces itself before it sends the
/// rest.
fn talk_to_store(port: u16, bytes: &[u8]) {
    let Some((0, rest)) = bytes.split_first() else { return drop(talk(("127.0.0.1", port), bytes)) };
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the store still listens");
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout can be set");
    let mut number = [0; 16];
    if stream.read_exact(&mut number).is_err() {
        return;
    }
    let rank = 1_u32.to_le_bytes();
    let proof = sha256::hmac(b"", &[&number, b"tensoryard-store", &rank]);
    let _ = stream.write_all(&[&b"tensoryard-store"[..], &rank, &proof, rest].concat());
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.read_to_end(&mut Vec::new());
}

#[test]
fn store() {
    let timeout = Duration::from_secs(10);
    let opening = Opening { host: "127.0.0.1", port: 0, is_master: true, rank: Some(0), timeout, token: "" };
    let store = Store::open(&opening, &|| Ok(())).expect("a store opens on this machine");
    let asked = |rest: &[u8]| [&[0][..], rest].concat();
    let set = [&[1, 1, 0, 2, 0, 0, 0][..], b"kvv"].concat();
    let add = [&[3, 1, 0, 1, 0, 0, 0][..], b"n1"].concat();
    let stranger = [&b"tensoryard-store"[..], &[7; 36]].concat();
    let corpus =
        vec![asked(&set), asked(&[2, 1, 0, 0, 0, 0, 0, b'k']), asked(&add), asked(&[5, 0, 0, 0, 0, 0, 0]), stranger];
    fuzz("store", corpus, |bytes| {
        talk_to_store(store.port(), bytes);
        store.joined().expect("it goes on for its own client");
    });
}
