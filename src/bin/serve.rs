//! Serves the built playground on this machine: `serve [PORT]`. `tensoryard serve` does the same and takes minutes longer to build.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let port = match std::env::args().nth(1).map(|text| text.parse()) {
        None => 8080,
        Some(Ok(port)) => port,
        Some(Err(_)) => {
            eprintln!("usage: serve [PORT]");
            return ExitCode::from(2);
        }
    };
    match tensoryard::serve::serve(Path::new("dist"), port) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("serve: {text}");
            ExitCode::FAILURE
        }
    }
}
