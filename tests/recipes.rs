//! The recipes for autograders (docs/recipes), with sample submissions.
#![cfg(all(feature = "cli", unix))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const BIN: &str = env!("CARGO_BIN_EXE_tensoryard");
const LESSON: &str = "b-4-same-device.md";

fn recipes() -> PathBuf {
    Path::new(ROOT).join("docs/recipes")
}

/// A new folder for one test.
fn place(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("recipes-{name}"));
    let _ = fs::remove_dir_all(&place);
    fs::create_dir_all(&place).unwrap();
    place
}

/// The programs of the lesson with this role, in order.
fn programs(role: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(ROOT).join("lessons").join(LESSON)).unwrap();
    let fence = format!("```python {role}");
    let blocks = text.split(&fence).skip(1).map(|rest| {
        let (_, code) = rest.split_once('\n').unwrap();
        code.split_once("```").unwrap().0.to_string()
    });
    blocks.collect()
}

fn done(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

/// A solution, and an untouched starter.
fn hand_in(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("same_device.py"), &programs("solution")[0]).unwrap();
    fs::write(folder.join("matrix_product.py"), &programs("starter")[1]).unwrap();
}

#[test]
fn gradescope_gets_its_results() {
    let place = place("gradescope");
    let lessons = place.join("lessons");
    fs::create_dir_all(&lessons).unwrap();
    fs::copy(Path::new(ROOT).join("lessons").join(LESSON), lessons.join(LESSON)).unwrap();
    // A stand-in, because the real command line takes a while to compress. The run below names the real one.
    let command = place.join("stand-in");
    fs::write(&command, "").unwrap();
    let made = Command::new(recipes().join("gradescope/make_zip.sh"))
        .args([&command, &lessons, &recipes().join("exercises.json")])
        .current_dir(&place)
        .output()
        .unwrap();
    done(&made);
    let source = place.join("autograder/source");
    let unpacked = Command::new("python3")
        .args(["-m", "zipfile", "-e"])
        .args([&place.join("autograder.zip"), &source])
        .output()
        .unwrap();
    done(&unpacked);
    let run = |submission: &dyn Fn(&Path)| -> Value {
        let folder = place.join("autograder/submission");
        let _ = fs::remove_dir_all(&folder);
        submission(&folder);
        let ran = Command::new("bash")
            .arg(source.join("run_autograder"))
            .env("AUTOGRADER", place.join("autograder"))
            .env("TENSORYARD", BIN)
            .output()
            .unwrap();
        done(&ran);
        serde_json::from_slice(&fs::read(place.join("autograder/results/results.json")).unwrap()).unwrap()
    };
    let results = run(&hand_in);
    let [solved, untouched] = &results["tests"].as_array().unwrap()[..] else { panic!("{results}") };
    assert_eq!((solved["score"].as_f64(), &solved["max_score"]), (Some(10.0), &10.into()));
    assert_eq!(solved["status"], "passed");
    assert_eq!((untouched["score"].as_f64(), &untouched["status"]), (Some(0.0), &"failed".into()));
    assert!(untouched["output"].as_str().unwrap().contains("mat2"), "{untouched}");
    // Nothing is handed in, and a link to a file of the grader.
    let results = run(&|folder| {
        fs::create_dir_all(folder).unwrap();
        std::os::unix::fs::symlink(source.join("grade.py"), folder.join("same_device.py")).unwrap();
    });
    for test in results["tests"].as_array().unwrap() {
        assert_eq!(test["score"].as_f64(), Some(0.0));
        assert!(test["output"].as_str().unwrap().contains("wasn't handed in"), "{test}");
    }
}

#[test]
fn github_classroom_gets_what_its_reporter_reads() {
    let place = place("classroom");
    let folder = place.join(".tensoryard");
    fs::create_dir_all(folder.join("lessons")).unwrap();
    fs::copy(Path::new(ROOT).join("lessons").join(LESSON), folder.join("lessons").join(LESSON)).unwrap();
    for (from, to) in [
        ("exercises.json", "exercises.json"),
        ("tensoryard_grade.py", "tensoryard_grade.py"),
        ("github-classroom/classroom.py", "classroom.py"),
    ] {
        fs::copy(recipes().join(from), folder.join(to)).unwrap();
    }
    hand_in(&place);
    // The line of the workflow.
    let workflow = fs::read_to_string(recipes().join("github-classroom/classroom.yml")).unwrap();
    let line = workflow.lines().find_map(|line| line.trim().strip_prefix("run: ")).unwrap();
    let output = place.join("output");
    let ran = Command::new("sh")
        .args(["-c", line])
        .current_dir(&place)
        .env("TENSORYARD", BIN)
        .env("GITHUB_OUTPUT", &output)
        .output()
        .unwrap();
    let said = done(&ran);
    assert!(said.contains("The same-device rule: 10 of 10"), "{said}");
    let written = fs::read_to_string(&output).unwrap();
    let encoded = written.trim_end().strip_prefix("result=").unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, encoded).unwrap();
    let result: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!((&result["version"], &result["max_score"]), (&1.into(), &15.into()));
    assert_eq!(result["status"], "fail");
    let scores: f64 = result["tests"].as_array().unwrap().iter().map(|test| test["score"].as_f64().unwrap()).sum();
    assert_eq!(scores, 10.0);
    // The reporter finds the result under the name of its runner.
    assert!(workflow.contains("id: tensoryard\n") && workflow.contains("runners: tensoryard\n"));
    assert!(workflow.contains("TENSORYARD_RESULTS: \"${{steps.tensoryard.outputs.result}}\""));
}

/// The value of an nbgrader test cell, without nbgrader.
#[test]
fn a_test_cell_ends_in_the_points() {
    let place = place("cell");
    hand_in(&place);
    let lesson = Path::new(ROOT).join("lessons").join(LESSON);
    let cell = format!(
        "from tensoryard_grade import points\nprint(points({lesson:?}, 'same_device.py', step='two-tensors-two-devices', of=10))"
    );
    let ran = Command::new("python3")
        .args(["-c", &cell])
        .current_dir(&place)
        .env("TENSORYARD", BIN)
        .env("PYTHONPATH", recipes())
        .output()
        .unwrap();
    assert!(done(&ran).trim_end().ends_with("\n10.0"));
}
