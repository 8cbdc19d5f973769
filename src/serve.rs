//! `tensoryard serve`: the built playground over HTTP on this machine, with the headers it is meant to be served with.
//!
//! Files only, from one folder; a path that climbs out of it does not exist. Files that have a `.br` neighbour are sent
//! compressed to who accepts that.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// A request's head may not be longer.
const HEAD: usize = 16 << 10;
/// A client that says nothing this long is let go.
const PATIENCE: Duration = Duration::from_secs(10);

/// Scripts and wasm from this site alone, no inline script, no other host. Styles may be inline: the editor writes them.
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'";

/// The same for the frame on other pages: in a sandbox without an origin only a `blob:` can start a worker.
pub const EMBED_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'";

/// Serves `dir` on 127.0.0.1 until the process ends; prints the address.
///
/// # Errors
/// A folder without a playground, a port in use: said in a sentence.
pub fn serve(dir: &Path, port: u16) -> Result<(), String> {
    serve_with(dir, port, |_| None, |address| println!("Tensoryard is at {address} (Ctrl-C ends it)"))
}

/// As [`serve`], with files that come first: `own` answers a path without its leading slash. `greet` is told the address.
///
/// # Errors
/// As of [`serve`].
pub fn serve_with(
    dir: &Path,
    port: u16,
    own: impl Fn(&str) -> Option<Vec<u8>> + Send + Sync + 'static,
    greet: impl FnOnce(&str),
) -> Result<(), String> {
    if !dir.join("index.html").is_file() {
        return Err(format!("{} holds no built playground: run ./play, which builds it", dir.display()));
    }
    let root = dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?;
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(|e| format!("port {port} on 127.0.0.1: {e}"))?;
    let port = listener.local_addr().map_or(port, |a| a.port());
    greet(&format!("http://127.0.0.1:{port}/"));
    let own = Arc::new(own);
    for stream in listener.incoming().flatten() {
        let (root, own) = (root.clone(), own.clone());
        // One thread a connection and one request a connection: a browser opens six, and none can starve another.
        std::thread::spawn(move || {
            // A browser that closes the connection early is no fault of ours.
            let _ = answer(stream, &root, &*own);
        });
    }
    Ok(())
}

fn answer(mut stream: TcpStream, root: &Path, own: &Own) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut head = Vec::new();
    let mut chunk = [0; 2048];
    loop {
        let read = stream.read(&mut chunk)?;
        if read == 0 {
            return Ok(());
        }
        head.extend_from_slice(&chunk[..read]);
        let mut fields = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut fields);
        match request.parse(&head) {
            Ok(httparse::Status::Complete(_)) => return respond(&mut stream, &request, root, own),
            Ok(httparse::Status::Partial) if head.len() < HEAD => {}
            Ok(httparse::Status::Partial) => return plain(&mut stream, "431 Request Header Fields Too Large"),
            Err(_) => return plain(&mut stream, "400 Bad Request"),
        }
    }
}

/// Files that come before those of the folder.
type Own = dyn Fn(&str) -> Option<Vec<u8>>;

fn respond(stream: &mut TcpStream, request: &httparse::Request<'_, '_>, root: &Path, own: &Own) -> io::Result<()> {
    let method = request.method.unwrap_or_default();
    if method != "GET" && method != "HEAD" {
        return plain(stream, "405 Method Not Allowed");
    }
    let url = request.path.unwrap_or_default();
    let name = percent_decode(url.split(['?', '#']).next().unwrap_or_default()).unwrap_or_default();
    let name = name.trim_start_matches('/');
    if let Some(body) = own(name) {
        let path = if name.is_empty() { "index.html" } else { name };
        stream.write_all(head(body.len() as u64, Path::new(path), url, false).as_bytes())?;
        if method == "GET" {
            stream.write_all(&body)?;
        }
        return stream.flush();
    }
    let Some(path) = locate(root, url) else {
        return plain(stream, "404 Not Found");
    };
    let accepts_brotli = request.headers.iter().any(|h| {
        h.name.eq_ignore_ascii_case("accept-encoding")
            && String::from_utf8_lossy(h.value).split(',').any(|v| v.trim().starts_with("br"))
    });
    let packed = PathBuf::from(format!("{}.br", path.display()));
    let use_packed = accepts_brotli && packed.is_file();
    let mut file = File::open(if use_packed { &packed } else { &path })?;
    stream.write_all(head(file.metadata()?.len(), &path, url, use_packed).as_bytes())?;
    if method == "GET" {
        io::copy(&mut file, stream)?;
    }
    stream.flush()
}

/// What comes before the bytes of a file.
fn head(length: u64, path: &Path, url: &str, packed: bool) -> String {
    let mut head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n");
    for (name, value) in headers(path, url) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    if packed {
        head.push_str("Content-Encoding: br\r\n");
    }
    head.push_str("Vary: Accept-Encoding\r\nConnection: close\r\n\r\n");
    head
}

/// A status line as the whole answer.
fn plain(stream: &mut TcpStream, status: &str) -> io::Result<()> {
    let length = status.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}"
    )
}

/// The file that a URL names, or `None` when there is none inside `root`.
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
    // A link inside the folder may not lead out of it either.
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

/// `url` is what was asked for, with its query.
fn headers(path: &Path, url: &str) -> Vec<(&'static str, &'static str)> {
    let kind = match path.extension().and_then(|e| e.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json; charset=utf-8",
        "svg" => "image/svg+xml",
        "md" => "text/markdown; charset=utf-8",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        _ => "application/octet-stream",
    };
    let lasting = kind != "text/html; charset=utf-8" && (is_hashed(path) || url.contains('?'));
    let embed = path.file_name().is_some_and(|name| name == "embed.html");
    let policy = if embed { EMBED_POLICY } else { CONTENT_SECURITY_POLICY };
    vec![
        ("Content-Type", kind),
        ("Content-Security-Policy", policy),
        // A frame in a sandbox has no origin, and everything here is public.
        ("Access-Control-Allow-Origin", "*"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("Cache-Control", if lasting { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ]
}

/// True if a name says what is in the file: Trunk writes a hash of the content into most. What has none is asked for with one
/// as its query, or anew each time.
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
        let cached = |url: &str| {
            let path = url.split('?').next().unwrap();
            headers(Path::new(path), url).contains(&("Cache-Control", "public, max-age=31536000, immutable"))
        };
        for url in
            ["/app-7bd1e6e4ec5f6148_bg.wasm", "/base-f13fdad99d16a022.css", "/worker_bg.wasm?00c0ffee", "/boot.js?1"]
        {
            assert!(cached(url), "{url}");
        }
        for url in ["/index.html", "/index.html?1", "/worker_bg.wasm", "/lessons/index.json", "/a-feed.css"] {
            assert!(!cached(url), "{url}");
        }
    }

    /// Issue 4: a frame in a sandbox without an origin.
    #[test]
    fn a_frame_without_an_origin_may_load_everything_and_only_it_may_use_blobs() {
        for url in ["/embed.html", "/index.html", "/boot.js", "/worker_bg.wasm"] {
            let sent = headers(Path::new(url), url);
            assert!(sent.contains(&("Access-Control-Allow-Origin", "*")), "{url}");
            let policy = sent.iter().find(|(name, _)| *name == "Content-Security-Policy").unwrap().1;
            let workers = policy.split("; ").find(|part| part.starts_with("worker-src")).unwrap();
            assert_eq!(workers.contains("blob:"), url == "/embed.html", "{url}");
            assert!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), "{url}");
        }
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
