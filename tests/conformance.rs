//! The samples of PyTorch's own test databases that `benches/conformance` chose: for every operator, module and optimizer a few
//! calls, with what PyTorch 2.15 answered. `tests/oracle/opdb/differs.txt` lists the ones that still differ. It may only get shorter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle/opdb")
}

/// Replays files in one process. Returns what differs, as lines of `differs.txt` with their details.
fn replay(files: &[PathBuf]) -> Result<(usize, Vec<(String, String)>), String> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/conformance/replay.py");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tensoryard"));
    command.env_remove("CUDA_VISIBLE_DEVICES").args(["run", "--machine", "cpu"]).arg(program).args(files);
    let output = command.stderr(Stdio::piped()).output().map_err(|error| error.to_string())?;
    let (mut count, mut found, mut at) = (0, Vec::new(), String::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(Value::Object(said)) = serde_json::from_str(line) else { continue };
        if let Some(sample) = said.get("sample").and_then(Value::as_str) {
            at = sample.to_string();
        }
        let Some(Value::Object(compared)) = said.get("found") else { continue };
        count += 1;
        for (what, difference) in compared {
            if let Some(difference) = difference.as_str() {
                found.push((format!("{at}: {what}"), difference.to_string()));
            }
        }
        // Strides and names of nodes. A note begins with what it's about.
        for note in said.get("notes").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            let what = note.split(' ').next().unwrap_or_default();
            found.push((format!("{at}: {what}"), note.to_string()));
        }
    }
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the process ended with {} at {at}\n{stderr}", output.status));
    }
    Ok((count, found))
}

#[test]
fn pytorchs_own_samples_agree_as_far_as_they_did() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the recordings are in the checkout")
        .map(|entry| entry.expect("a folder can be read").path())
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    let recorded: usize =
        files.iter().map(|file| std::fs::read_to_string(file).expect("a recording can be read").lines().count()).sum();
    assert!(recorded > 3000, "{recorded} samples");

    // Large and small files take turns, so that the processes end at about the same time.
    let processes = std::thread::available_parallelism().map_or(1, usize::from).min(4);
    let mut shares = vec![Vec::new(); processes];
    let size = |file: &PathBuf| std::fs::metadata(file).map_or(0, |about| about.len());
    files.sort_by_key(|file| std::cmp::Reverse(size(file)));
    for (number, file) in files.into_iter().enumerate() {
        shares[number % processes].push(file);
    }
    let answers: Vec<_> = std::thread::scope(|scope| {
        let running: Vec<_> = shares.iter().map(|share| scope.spawn(|| replay(share))).collect();
        running.into_iter().map(|thread| thread.join().expect("a replay doesn't panic")).collect()
    });
    let (mut count, mut details) = (0, BTreeMap::new());
    for answer in answers {
        let (samples, found) = answer.unwrap_or_else(|error| panic!("{error}"));
        count += samples;
        details.extend(found);
    }
    assert_eq!(count, recorded, "every sample has an answer");

    let place = folder().join("differs.txt");
    let known = std::fs::read_to_string(&place).unwrap_or_default();
    let known: BTreeSet<&str> = known.lines().collect();
    let found: BTreeSet<&str> = details.keys().map(String::as_str).collect();
    let new: Vec<String> = found.difference(&known).map(|line| format!("{line}: {}", details[*line])).collect();
    let mended: Vec<&str> = known.difference(&found).copied().collect();
    println!("{} of {count} samples' comparisons differ from PyTorch", found.len());
    if std::env::var_os("TENSORYARD_WRITE").is_some() && new.is_empty() {
        let lines: String = found.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&place, lines).expect("the list can be written");
        return;
    }
    assert!(new.is_empty(), "{} comparisons agreed with PyTorch before:\n{}", new.len(), new.join("\n"));
    if !mended.is_empty() {
        println!(
            "{} of them agree now. TENSORYARD_WRITE=1 takes them off the list:\n{}",
            mended.len(),
            mended.join("\n")
        );
    }
}
