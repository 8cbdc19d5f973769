//! Files that a learner uploads: programs of several files, and what programs read, such as checkpoints.

/// The most bytes of all uploaded files together. They are sent to the engine with every run.
pub const LARGEST: usize = 32 << 20;

/// Why a file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    TooLarge,
    /// Neither of the two forms that `torch.save` writes.
    NotCheckpoint,
    /// Its end is missing.
    Truncated,
}

/// Whether a file's name says that programs should read it, and that it isn't a program itself.
pub(crate) fn is_checkpoint(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with(".pt") || name.ends_with(".pth")
}

/// Whether a file's name says that it's a program.
pub(crate) fn is_program(name: &str) -> bool {
    let name = name.to_lowercase();
    name.ends_with(".py") || name.ends_with(".ipynb")
}

/// The path of a file of a chosen folder as its program finds it: from inside the folder. `None` for what editors and
/// version control keep there.
pub fn path_inside(path: &str) -> Option<String> {
    let parts: Vec<String> = path.split(['/', '\\']).map(plain_name).filter(|part| !part.is_empty()).collect();
    let inside = if parts.len() > 1 { &parts[1..] } else { &parts[..] };
    let is_kept = |part: &String| !part.starts_with('.') && part != "__pycache__" && part != "node_modules";
    (!inside.is_empty() && inside.iter().all(is_kept)).then(|| inside.join("/"))
}

/// Which of a folder's files is its program: `main.py`, or else the only notebook, or else the first program that isn't in a
/// folder within.
pub fn program_of(paths: &[String]) -> Option<usize> {
    let here: Vec<usize> = (0..paths.len()).filter(|&i| !paths[i].contains('/') && is_program(&paths[i])).collect();
    let named = |name: &str| here.iter().copied().find(|&i| paths[i] == name);
    let notebooks: Vec<usize> = here.iter().copied().filter(|&i| paths[i].to_lowercase().ends_with(".ipynb")).collect();
    let only = if let [one] = notebooks[..] { Some(one) } else { None };
    let first = here.iter().copied().min_by_key(|&i| &paths[i]);
    named("main.py").or_else(|| named("__main__.py")).or(only).or(first)
}

/// The name under which a program finds a file: the name without its folders.
pub fn plain_name(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(|c| !c.is_control()).collect()
}

/// The directory of a zip archive ends in this record.
const END: &[u8] = b"PK\x05\x06";
const END_LENGTH: usize = 22;
/// The magic number of the files that `torch.save` wrote before it wrote zip archives, as protocol 2 of pickle encodes
/// it.
const OLD_FORM: &[u8] = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

/// Checks that a file can be a checkpoint and is complete, without reading its contents: `torch.load` does that.
///
/// # Errors
/// What is wrong with it.
pub fn check(bytes: &[u8]) -> Result<(), Refused> {
    if bytes.len() > LARGEST {
        return Err(Refused::TooLarge);
    }
    if bytes.starts_with(OLD_FORM) {
        return Ok(());
    }
    if !bytes.starts_with(b"PK\x03\x04") {
        return Err(Refused::NotCheckpoint);
    }
    // The record may be followed by a comment of up to 65535 bytes.
    let first = bytes.len().saturating_sub(END_LENGTH + 0xffff);
    let whole = (first..bytes.len().saturating_sub(END_LENGTH - 1)).rev().any(|at| ends_at(bytes, at));
    if whole { Ok(()) } else { Err(Refused::Truncated) }
}

/// Whether the last record of an archive is at `at`, right after the directory that it describes.
fn ends_at(bytes: &[u8], at: usize) -> bool {
    let record = &bytes[at..];
    if !record.starts_with(END) {
        return false;
    }
    let short = |i: usize| usize::from(u16::from_le_bytes([record[i], record[i + 1]]));
    let long = |i: usize| short(i) + (short(i + 2) << 16);
    let (size, start, comment) = (long(12), long(16), short(20));
    // A longer record may give the place of the directory instead.
    let elsewhere = start == 0xffff_ffff || size == 0xffff_ffff;
    record.len() == END_LENGTH + comment && (elsewhere || start.checked_add(size).is_some_and(|end| end <= at))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory of `size` bytes after `before` bytes, and the record that ends it.
    fn archive(before: usize, size: u32, comment: &[u8]) -> Vec<u8> {
        let mut out = b"PK\x03\x04".to_vec();
        out.resize(before + size as usize, 7);
        out.extend_from_slice(END);
        out.extend_from_slice(&[0; 8]);
        out.extend_from_slice(&size.to_le_bytes());
        out.extend_from_slice(&(before as u32).to_le_bytes());
        out.extend_from_slice(&(comment.len() as u16).to_le_bytes());
        out.extend_from_slice(comment);
        out
    }

    #[test]
    fn whole_archives_are_taken_and_every_cut_is_seen() {
        for comment in [&b""[..], b"made by hand, PK\x05\x06 and all"] {
            let whole = archive(100, 60, comment);
            assert_eq!(check(&whole), Ok(()));
            for cut in 4..whole.len() {
                assert_eq!(check(&whole[..cut]), Err(Refused::Truncated), "{cut} of {}", whole.len());
            }
        }
        // A file that lost a part in the middle but kept its end.
        let whole = archive(100, 60, b"");
        assert_eq!(check(&[&whole[..50], &whole[150..]].concat()), Err(Refused::Truncated));
    }

    #[cfg(feature = "python")]
    #[test]
    fn what_torch_save_writes_is_whole() {
        let bytes = crate::checkpoint::write("model", vec![b'.'; 90], vec![vec![1; 64], Vec::new()]).unwrap();
        assert_eq!(check(&bytes), Ok(()));
        for cut in 4..bytes.len() {
            assert_eq!(check(&bytes[..cut]), Err(Refused::Truncated), "{cut} of {}", bytes.len());
        }
    }

    #[test]
    fn what_is_no_checkpoint_is_refused() {
        for bytes in [&b""[..], b"PK", b"print(1)\n", b"\x80\x02}q\x00."] {
            assert_eq!(check(bytes), Err(Refused::NotCheckpoint));
        }
        assert_eq!(check(&[OLD_FORM, b"and more"].concat()), Ok(()));
        assert_eq!(check(&vec![0; LARGEST + 1]), Err(Refused::TooLarge));
    }

    #[test]
    fn a_folder_has_one_program() {
        let inside = |path| path_inside(path);
        assert_eq!(inside("course/data/x.csv"), Some("data/x.csv".into()));
        assert_eq!(inside("course/.git/config"), None);
        assert_eq!(inside("course/pkg/__pycache__/a.pyc"), None);
        assert_eq!(inside("helper.py"), Some("helper.py".into()));
        let program = |paths: &[&str]| {
            let paths: Vec<String> = paths.iter().map(|p| p.to_string()).collect();
            program_of(&paths).map(|i| paths[i].clone())
        };
        assert_eq!(program(&["z.py", "main.py", "b.ipynb"]).as_deref(), Some("main.py"));
        assert_eq!(program(&["helper_functions.py", "01.ipynb"]).as_deref(), Some("01.ipynb"));
        assert_eq!(program(&["b.ipynb", "a.ipynb", "z.py"]).as_deref(), Some("a.ipynb"));
        assert_eq!(program(&["pkg/main.py", "data.csv"]), None);
    }

    #[test]
    fn names_have_no_folder() {
        assert_eq!(plain_name("../a\\b/model.pt\n"), "model.pt");
        assert!(is_checkpoint("Model.PTH") && is_checkpoint("a.pt") && !is_checkpoint("a.py") && !is_checkpoint("pt"));
    }
}
