//! `tensoryard serve`: serves the built playground over HTTP on this machine, with the headers that every host should
//! send.
//!
//! It serves only files, from one folder. A path that leads out of the folder isn't found. A file that has a `.br` neighbor
//! is sent compressed to clients that accept it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::headers::{Headers, Page};

/// The longest head of a request, in bytes.
const HEAD: usize = 16 << 10;
/// How long a client may take to send its request, and how long it may read nothing. Then its connection is closed.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most open connections. A browser opens six.
const CONNECTIONS: usize = 256;

/// Serves `dir` on 127.0.0.1 until the process ends, and prints the address. Any page may read it.
///
/// # Errors
/// A sentence: the folder has no playground, or the port is in use.
pub fn serve(dir: &Path, port: u16) -> Result<(), String> {
    let greet = |address: &str| println!("Tensoryard is at {address} (Ctrl-C ends it)");
    listen(dir, port, Box::new(|_| None), true, greet)
}

/// Like [`serve`], with additional files that take precedence and that no other page may read: `own` returns the file for a
/// path without its leading slash. `greet` is called with the address.
///
/// # Errors
/// Those of [`serve`].
pub fn serve_with(
    dir: &Path,
    port: u16,
    own: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    greet: impl FnOnce(&str),
) -> Result<(), String> {
    listen(dir, port, Box::new(own), false, greet)
}

/// Returns the files that take precedence over those in the folder.
type Own = dyn Fn(&str) -> Option<Vec<u8>> + Send + Sync;

/// The data for all connections.
struct Site {
    root: PathBuf,
    own: Box<Own>,
    headers: Headers,
    /// Whether pages of other sites may read it.
    shared: bool,
    /// The number of open connections.
    open: AtomicUsize,
}

fn listen(dir: &Path, port: u16, own: Box<Own>, shared: bool, greet: impl FnOnce(&str)) -> Result<(), String> {
    if !dir.join("index.html").is_file() {
        return Err(format!("{} holds no built playground: run ./play, which builds it", dir.display()));
    }
    let root = dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?;
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|e| format!("port {port} on 127.0.0.1: {e}"))?;
    let port = listener.local_addr().map_or(port, |a| a.port());
    let site = Arc::new(Site { root, own, headers: Headers::read()?, shared, open: AtomicUsize::new(0) });
    greet(&format!("http://127.0.0.1:{port}/"));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // If no file descriptor is free, `accept` fails again immediately, until a connection ends.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let Some(mut connection) = Connection::of(&site, stream) else { continue };
        if !has_room() {
            continue;
        }
        // Each connection has one thread and one request, so that none can block another. If no thread can be started,
        // dropping the closure closes the connection.
        let _ = std::thread::Builder::new().name("connection".into()).spawn(move || {
            // If a browser closes the connection early, that isn't an error here.
            let _ = connection.answer();
        });
    }
    Ok(())
}

/// Whether this process has enough address space left to start a thread. If a thread gets its stack but not the memory that
/// the standard library needs next, the whole process ends, so this asks first. Nothing is written to the memory, so asking is
/// cheap.
fn has_room() -> bool {
    let mut probe = Vec::<u8>::new();
    let found = probe.try_reserve_exact(256 << 20).is_ok();
    // Keeps the compiler from removing an allocation that nothing uses.
    std::hint::black_box(&probe);
    found
}

/// An open connection, one of at most [`CONNECTIONS`].
struct Connection {
    site: Arc<Site>,
    stream: TcpStream,
}

impl Connection {
    /// `None` if there are too many; then the stream is closed.
    fn of(site: &Arc<Site>, stream: TcpStream) -> Option<Connection> {
        if site.open.fetch_add(1, Ordering::SeqCst) >= CONNECTIONS {
            site.open.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        Some(Connection { site: site.clone(), stream })
    }

    fn answer(&mut self) -> io::Result<()> {
        let Connection { site, stream } = self;
        stream.set_write_timeout(Some(PATIENCE))?;
        let began = Instant::now();
        let mut head = Vec::new();
        let mut chunk = [0; 2048];
        loop {
            // The limit is for the complete head, not for each read: a client could send one byte at a time.
            let left = PATIENCE.checked_sub(began.elapsed()).filter(|left| !left.is_zero());
            let Some(left) = left else { return plain(stream, "408 Request Timeout") };
            stream.set_read_timeout(Some(left))?;
            let read = stream.read(&mut chunk)?;
            if read == 0 {
                return Ok(());
            }
            head.extend_from_slice(&chunk[..read]);
            let mut fields = [httparse::EMPTY_HEADER; 64];
            let mut request = httparse::Request::new(&mut fields);
            match request.parse(&head) {
                Ok(httparse::Status::Complete(_)) if !is_meant(request.headers) => {
                    return plain(stream, "421 Misdirected Request");
                }
                Ok(httparse::Status::Complete(_)) => return site.respond(stream, &request),
                Ok(httparse::Status::Partial) if head.len() < HEAD => {}
                Ok(httparse::Status::Partial) => return plain(stream, "431 Request Header Fields Too Large"),
                Err(_) => return plain(stream, "400 Bad Request"),
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.site.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a request names this machine. Otherwise another site could resolve its own name to 127.0.0.1, and its page could
/// read what is served here as if it were its own.
fn is_meant(headers: &[httparse::Header<'_>]) -> bool {
    let mut hosts = headers.iter().filter(|h| h.name.eq_ignore_ascii_case("host")).map(|h| h.value);
    let own = |value: &[u8]| {
        let text = String::from_utf8_lossy(value);
        let (name, port) = text.split_once(':').unwrap_or((&text, "0"));
        port.parse::<u16>().is_ok() && (name == "127.0.0.1" || name.eq_ignore_ascii_case("localhost"))
    };
    hosts.next().is_some_and(own) && hosts.next().is_none()
}

impl Site {
    fn respond(&self, stream: &mut TcpStream, request: &httparse::Request<'_, '_>) -> io::Result<()> {
        let method = request.method.unwrap_or_default();
        if method != "GET" && method != "HEAD" {
            return plain(stream, "405 Method Not Allowed");
        }
        let url = request.path.unwrap_or_default();
        let name = percent_decode(url.split(['?', '#']).next().unwrap_or_default()).unwrap_or_default();
        let name = name.trim_start_matches('/');
        if let Some(body) = (self.own)(name) {
            let path = if name.is_empty() { "index.html" } else { name };
            stream.write_all(self.head(body.len() as u64, Path::new(path), url, false).as_bytes())?;
            if method == "GET" {
                stream.write_all(&body)?;
            }
            return stream.flush();
        }
        let Some(path) = locate(&self.root, url) else {
            return plain(stream, "404 Not Found");
        };
        let accepts_brotli = request.headers.iter().any(|h| {
            h.name.eq_ignore_ascii_case("accept-encoding")
                && String::from_utf8_lossy(h.value).split(',').any(|v| v.trim().starts_with("br"))
        });
        let packed = PathBuf::from(format!("{}.br", path.display()));
        let use_packed = accepts_brotli && packed.is_file();
        let mut file = File::open(if use_packed { &packed } else { &path })?;
        stream.write_all(self.head(file.metadata()?.len(), &path, url, use_packed).as_bytes())?;
        if method == "GET" {
            io::copy(&mut file, stream)?;
        }
        stream.flush()
    }

    /// The response's head, before the bytes of a file.
    fn head(&self, length: u64, path: &Path, url: &str, packed: bool) -> String {
        let mut head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
        for (name, value) in fields(&self.headers, self.shared, path, url) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if packed {
            head.push_str("Content-Encoding: br\r\n");
        }
        head.push_str("Vary: Accept-Encoding\r\nConnection: close\r\n\r\n");
        head
    }
}

/// A response that consists only of a status line.
fn plain(stream: &mut TcpStream, status: &str) -> io::Result<()> {
    let length = status.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}"
    )
}

/// The file that a URL names, or `None` if it isn't inside `root`.
fn locate(root: &Path, url: &str) -> Option<PathBuf> {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let decoded = percent_decode(path)?;
    let relative = Path::new(decoded.trim_start_matches('/'));
    if relative.components().any(|c| !matches!(c, Component::Normal(_))) {
        return None;
    }
    let mut file = root.join(relative);
    if file.is_dir() {
        file.push("index.html");
    }
    // A link inside the folder must not lead out of it either.
    let real = file.canonicalize().ok()?;
    (real.starts_with(root) && real.is_file()).then_some(real)
}

fn percent_decode(path: &str) -> Option<String> {
    let mut out = Vec::new();
    let mut bytes = path.bytes();
    while let Some(b) = bytes.next() {
        if b == b'%' {
            let hex = [bytes.next()?, bytes.next()?];
            out.push(u8::from_str_radix(std::str::from_utf8(&hex).ok()?, 16).ok()?);
        } else {
            out.push(b);
        }
    }
    String::from_utf8(out).ok().filter(|s| !s.contains('\0'))
}

/// `url` is the requested URL with its query.
fn fields(headers: &Headers, shared: bool, path: &Path, url: &str) -> Vec<(String, String)> {
    let kind = match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json; charset=utf-8",
        "svg" => "image/svg+xml",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "gif" => "image/gif",
        "md" => "text/markdown; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    let lasting = kind != "text/html; charset=utf-8" && (is_hashed(path) || url.contains('?'));
    let embed = path.file_name().is_some_and(|name| name == "embed.html");
    let mut out: Vec<(String, String)> = [
        ("Content-Type", kind),
        ("Content-Security-Policy", &headers.policy(if embed { Page::Frame } else { Page::Site })),
        ("Cache-Control", if lasting { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ]
    .map(|(name, value)| (name.to_string(), value.to_string()))
    .into();
    out.extend(headers.always.clone());
    if shared {
        out.extend(headers.shared.clone());
    }
    out
}

/// Whether the file's name contains a hash of its content, which most names have. A file without one is requested
/// with a hash in the query, or anew each time.
fn is_hashed(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|n| n.to_str()).unwrap_or_default();
    let stem = stem.trim_end_matches("_bg");
    stem.rsplit(['-', '.']).next().is_some_and(|h| h.len() >= 15 && h.bytes().all(|b| b.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_changes_is_kept_by_browsers() {
        let known = Headers::read().unwrap();
        let cached = |url: &str| {
            let path = url.split('?').next().unwrap();
            let lasting = ("Cache-Control".to_string(), "public, max-age=31536000, immutable".to_string());
            fields(&known, true, Path::new(path), url).contains(&lasting)
        };
        for url in [
            "/app-7bd1e6e4ec5f6148_bg.wasm",
            "/base-f13fdad99d16a022.css",
            "/worker_bg.wasm?00c0ffee",
            "/library/torch.fx-24afaa6b41b24a12.wasm",
            "/boot.js?1",
        ] {
            assert!(cached(url), "{url}");
        }
        for url in ["/index.html", "/index.html?1", "/worker_bg.wasm", "/lessons/index.json", "/a-feed.css"] {
            assert!(!cached(url), "{url}");
        }
    }

    #[test]
    fn only_requests_for_this_machine_are_answered() {
        let meant = |hosts: &[&str]| {
            let fields: Vec<_> =
                hosts.iter().map(|host| httparse::Header { name: "Host", value: host.as_bytes() }).collect();
            is_meant(&fields)
        };
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LocalHost"] {
            assert!(meant(&[host]), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost:x",
            "localhost:1:2",
            "0.0.0.0",
        ] {
            assert!(!meant(&[host]), "{host}");
        }
        assert!(!meant(&[]) && !meant(&["localhost", "evil.example"]) && !meant(&["localhost", "localhost"]));
    }

    #[test]
    fn paths_stay_inside_the_folder() {
        let root = std::env::temp_dir().join(format!("tensoryard-serve-{}", std::process::id()));
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("index.html"), "x").unwrap();
        let root = root.canonicalize().unwrap();
        assert!(locate(&root, "/").is_some());
        assert!(locate(&root, "/index.html?v=1").is_some());
        for bad in ["/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/a%00b", "/%zz"] {
            assert!(locate(&root, bad).is_none(), "{bad}");
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
