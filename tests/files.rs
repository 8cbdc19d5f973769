//! Checkpoint files: files of PyTorch 2.15 are read and written again byte for byte; damaged and hostile files are refused.

use std::process::Command;

#[test]
fn files_are_read_written_and_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracle/save");
    let place = std::env::temp_dir().join(format!("tensoryard-files-{}", std::process::id()));
    std::fs::create_dir_all(&place).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tensoryard"))
        .current_dir(&place)
        .args(["run", "--machine", "cuda:2", &format!("{folder}/check.py"), folder])
        .output()
        .expect("the command line starts");
    let _ = std::fs::remove_dir_all(&place);
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    let last: Vec<&str> = text.lines().last().unwrap_or_default().split(' ').collect();
    assert!(matches!(last[..], ["files:", agree, "of", all] if agree == all), "{text}");
}
