//! Serves the playground in `dist` on this machine: `serve [PORT]`. `tensoryard serve` does the same, and takes minutes to build
//! because it is built with everything else that the command line can do.

#[path = "../../src/headers.rs"]
mod headers;
#[path = "../../src/serve.rs"]
#[expect(dead_code, reason = "`lesson preview` uses more of it")]
mod serve;

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
    match serve::serve(Path::new("dist"), port) {
        Ok(()) => ExitCode::SUCCESS,
        Err(text) => {
            eprintln!("serve: {text}");
            ExitCode::FAILURE
        }
    }
}
