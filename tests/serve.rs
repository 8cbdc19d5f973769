//! `tensoryard serve`: its headers for each page, whose requests it answers, and what load it withstands.
#![cfg(feature = "cli")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A running server of a folder with two pages, ended with the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// `limits` is a shell command that sets limits.
    fn start(name: &str, limits: &str) -> Server {
        let dist = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serve").join(name);
        fs::create_dir_all(&dist).unwrap();
        for file in ["index.html", "embed.html", "boot.js"] {
            fs::write(dist.join(file), file).unwrap();
        }
        let mut command = Command::new("sh");
        let script = format!("{limits} exec \"$0\" serve --port 0 --dir \"$1\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_tensoryard")]).arg(&dist);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split("http://").nth(1).unwrap_or_else(|| panic!("{said}"));
        Server { child, address: address.split('/').next().unwrap().to_string() }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// The complete answer.
    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = self.connect();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }
}

#[test]
fn pages_are_sent_with_their_headers_to_this_machine_alone() {
    let server = Server::start("headers", "");
    for (path, framed) in [("/", false), ("/index.html", false), ("/boot.js", false), ("/embed.html", true)] {
        let answer = server.get(path, &server.address);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert_eq!(answer.contains("frame-ancestors 'self'"), !framed, "{answer}");
        assert_eq!(answer.contains("worker-src 'self' blob:"), framed, "{answer}");
        for line in [
            "Access-Control-Allow-Origin: *",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; ",
        ] {
            assert!(answer.contains(&format!("\r\n{line}")), "{line}\n{answer}");
        }
    }
    // A name whose owner makes it point here, to read what is served as if it were their own.
    assert!(server.get("/", "localhost:9999").starts_with("HTTP/1.1 200 "));
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""] {
        let answer = server.get("/", host);
        assert!(answer.starts_with("HTTP/1.1 421 Misdirected Request\r\n") && !answer.contains("html"), "{answer}");
    }
}

/// 130 half-open connections used to end the server if no more threads could be started.
#[cfg(target_os = "linux")]
#[test]
fn connections_that_say_nothing_end_no_server() {
    for (name, limits) in [("many", ""), ("threads", "ulimit -v 1500000;")] {
        let mut server = Server::start(name, limits);
        let silent: Vec<TcpStream> = (0..400).map(|_| server.connect()).collect();
        // A connection beyond the limit is closed immediately.
        let mut closed = 0;
        for mut stream in &silent {
            stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
            // Closed normally, or reset.
            closed += usize::from(match stream.read(&mut [0]) {
                Ok(read) => read == 0,
                Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
            });
        }
        assert!(closed >= 400 - 256, "{closed} of 400 were closed");
        drop(silent);
        let began = Instant::now();
        let answer = loop {
            assert!(server.child.try_wait().unwrap().is_none(), "the server has ended");
            let mut stream = server.connect();
            let mut text = String::new();
            let asked = write!(stream, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            if asked.and_then(|()| stream.read_to_string(&mut text)).is_ok() && !text.is_empty() {
                break text;
            }
            assert!(began.elapsed() < Duration::from_secs(30), "nobody is answered any more");
            std::thread::sleep(Duration::from_millis(50));
        };
        assert!(answer.ends_with("index.html"), "{answer}");
    }
}

/// A byte every nine seconds used to hold a connection forever.
#[test]
fn a_head_has_ten_seconds_in_all() {
    let server = Server::start("slow", "");
    let mut stream = server.connect();
    let began = Instant::now();
    let writer = stream.try_clone().unwrap();
    let drip = std::thread::spawn(move || {
        let mut writer = writer;
        for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ".iter().chain(std::iter::repeat(&b'x')) {
            if began.elapsed() > Duration::from_secs(40) || writer.write_all(&[*byte]).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let mut answer = Vec::new();
    // It may be reset, because bytes are still being sent.
    let _ = stream.read_to_end(&mut answer);
    let spent = began.elapsed();
    assert!(Duration::from_secs(8) < spent && spent < Duration::from_secs(20), "{spent:?}");
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408 "), "{answer}");
    drop(stream);
    drip.join().unwrap();
}
