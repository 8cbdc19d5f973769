//! The archive of a checkpoint: a zip file that `torch.save` writes and `torch.load` reads.
//!
//! It is written byte for byte as PyTorch 2.15 writes it (caffe2/serialize/inline_container.cc): records aren't compressed,
//! each begins at a multiple of 64 bytes, and its checksum follows it. Nothing in a file is trusted when it is read: no
//! record may be larger than it says, none may share bytes with another, and no name may lead out of the archive.

use std::cell::{Cell, RefCell};
use std::io::{Cursor, Read};

use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::error::{Error, Result};

/// The data of a record begins at a multiple of this many bytes.
const ALIGNMENT: usize = 64;
/// How many times larger than its compressed form a record may claim to be, if it's above [`SMALL`]. PyTorch doesn't
/// compress.
const EXPANSION: u64 = 256;
/// A compressed record of up to this many bytes is never taken for a zip bomb.
const SMALL: u64 = 1 << 24;
/// All records of a file together may have this many times its bytes, plus [`SMALL`].
const WHOLE_EXPANSION: u64 = 64;
const WHOLE_ALLOWANCE: u64 = 256 << 20;

/// An archive of `records` (the pickle, then the storages) in the folder `root`, with the records that PyTorch adds.
///
/// # Errors
/// It would have 4 GiB or more, which needs another zip format.
pub fn write(root: &str, pickle: Vec<u8>, storages: Vec<Vec<u8>>) -> Result<Vec<u8>> {
    let mut archive = Writer { root, out: Vec::new(), directory: Vec::new(), written: Vec::new() };
    archive.record("data.pkl", &pickle)?;
    archive.record(".format_version", b"1")?;
    archive.record(".storage_alignment", ALIGNMENT.to_string().as_bytes())?;
    archive.record("byteorder", b"little")?;
    for (key, bytes) in storages.iter().enumerate() {
        archive.record(&format!("data/{key}"), bytes)?;
    }
    archive.record("version", b"3\n")?;
    let id = archive.fingerprint();
    archive.record(".data/serialization_id", id.as_bytes())?;
    archive.finish()
}

struct Writer<'a> {
    root: &'a str,
    out: Vec<u8>,
    directory: Vec<u8>,
    /// Name and checksum of each record, in order; no checksum for an empty one.
    written: Vec<(String, Option<u32>)>,
}

const UTF8: u16 = 0x0800;
/// Checksum and sizes follow the data.
const DESCRIPTOR: u16 = 0x0008;

impl Writer<'_> {
    fn record(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = format!("{}/{name}", self.root);
        let start = self.out.len();
        let header = 30 + path.len() + 4;
        let padding = (start + header).next_multiple_of(ALIGNMENT) - start - header;
        let size = small(bytes.len())?;
        let flags = if bytes.is_empty() { UTF8 } else { UTF8 | DESCRIPTOR };
        let crc = crc32fast::hash(bytes);

        // The local header: no version, no date, sizes left to the descriptor.
        put(&mut self.out, &[b"PK\x03\x04", &[0; 2], &flags.to_le_bytes(), &[0; 18]]);
        put(&mut self.out, &[&(path.len() as u16).to_le_bytes(), &(padding as u16 + 4).to_le_bytes()]);
        put(&mut self.out, &[path.as_bytes(), b"FB", &(padding as u16).to_le_bytes()]);
        self.out.resize(self.out.len() + padding, b'Z');
        self.out.extend_from_slice(bytes);
        if !bytes.is_empty() {
            put(&mut self.out, &[b"PK\x07\x08", &crc.to_le_bytes(), &size.to_le_bytes(), &size.to_le_bytes()]);
        }

        put(&mut self.directory, &[b"PK\x01\x02", &[0; 4], &flags.to_le_bytes(), &[0; 6]]);
        put(&mut self.directory, &[&crc.to_le_bytes(), &size.to_le_bytes(), &size.to_le_bytes()]);
        put(&mut self.directory, &[&(path.len() as u16).to_le_bytes(), &[0; 12]]);
        put(&mut self.directory, &[&small(start)?.to_le_bytes(), path.as_bytes()]);
        self.written.push((name.to_string(), (!bytes.is_empty()).then_some(crc)));
        Ok(())
    }

    /// Identifies the archive: a hash of the records' names and one of their checksums, 20 digits each.
    fn fingerprint(&self) -> String {
        let names = hashed_order(self.written.iter().map(|(name, _)| name_hash(name.as_bytes())));
        let names = names.into_iter().fold(0, combine);
        let sums = self.written.iter().filter_map(|(_, crc)| *crc).map(u64::from).fold(0, combine);
        format!("{names:020}{sums:020}")
    }

    fn finish(mut self) -> Result<Vec<u8>> {
        let (at, length, count) = (self.out.len(), self.directory.len(), self.written.len());
        self.out.append(&mut self.directory);
        let end = self.out.len() as u64;
        // The 64-bit end is always present, with the versions that PyTorch's zip library writes; then comes the short
        // end.
        put(&mut self.out, &[b"PK\x06\x06", &44u64.to_le_bytes(), &0x031eu16.to_le_bytes(), &45u16.to_le_bytes()]);
        put(&mut self.out, &[&[0; 8], &(count as u64).to_le_bytes(), &(count as u64).to_le_bytes()]);
        put(&mut self.out, &[&(length as u64).to_le_bytes(), &(at as u64).to_le_bytes()]);
        put(&mut self.out, &[b"PK\x06\x07", &[0; 4], &end.to_le_bytes(), &1u32.to_le_bytes()]);
        let few = u16::try_from(count).map_err(|_| too_large())?;
        put(&mut self.out, &[b"PK\x05\x06", &[0; 4], &few.to_le_bytes(), &few.to_le_bytes()]);
        put(&mut self.out, &[&small(length)?.to_le_bytes(), &small(at)?.to_le_bytes(), &[0; 2]]);
        Ok(self.out)
    }
}

fn put(out: &mut Vec<u8>, parts: &[&[u8]]) {
    parts.iter().for_each(|part| out.extend_from_slice(part));
}

fn small(size: usize) -> Result<u32> {
    u32::try_from(size).map_err(|_| too_large())
}

fn too_large() -> Error {
    Error::not_implemented("torch.save: a checkpoint of 4 GiB or of 65536 records and more")
}

/// `c10::hash_combine`.
fn combine(seed: u64, value: u64) -> u64 {
    seed ^ value.wrapping_add(0x9e37_79b9).wrapping_add(seed << 6).wrapping_add(seed >> 2)
}

/// `std::hash<std::string>` of libstdc++ on 64 bits: MurmurHash64A.
fn name_hash(name: &[u8]) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let mix = |v: u64| v ^ (v >> 47);
    let mut hash = 0xc70f_6907 ^ (name.len() as u64).wrapping_mul(M);
    for chunk in name.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        hash ^= if chunk.len() == 8 { mix(word.wrapping_mul(M)).wrapping_mul(M) } else { word };
        hash = hash.wrapping_mul(M);
    }
    mix(mix(hash).wrapping_mul(M))
}

/// The order in which libstdc++'s `unordered_set` visits its elements: PyTorch folds the names in that order, so the
/// fingerprint depends on it. The newest element of a bucket comes first in it, and a new bucket before all others. When
/// there are more elements than buckets, the number of buckets more than doubles, and everything is inserted again.
fn hashed_order(hashes: impl Iterator<Item = u64>) -> Vec<u64> {
    const BUCKETS: [u64; 17] =
        [13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172_933, 351_061, 712_697, 1_447_153];
    fn insert(list: &mut Vec<u64>, hash: u64, buckets: u64) {
        let at = list.iter().position(|other| other % buckets == hash % buckets).unwrap_or(0);
        list.insert(at, hash);
    }
    let mut level = 0;
    let mut list: Vec<u64> = Vec::new();
    for hash in hashes {
        if list.len() as u64 == BUCKETS[level] && level + 1 < BUCKETS.len() {
            level += 1;
            let old = std::mem::take(&mut list);
            old.into_iter().for_each(|hash| insert(&mut list, hash, BUCKETS[level]));
        }
        insert(&mut list, hash, BUCKETS[level]);
    }
    list
}

/// An archive that is read from.
pub struct Archive {
    zip: RefCell<ZipArchive<Cursor<Vec<u8>>>>,
    root: String,
    /// How many bytes may still be unpacked.
    left: Cell<u64>,
}

impl Archive {
    /// Opens an archive and checks its directory. No record is read yet.
    ///
    /// # Errors
    /// Not a zip file, or a truncated one, with PyTorch's message; names that lead out of the archive, are duplicates, or
    /// aren't UTF-8; records that share bytes.
    pub fn open(bytes: Vec<u8>) -> Result<Archive> {
        let size = bytes.len() as u64;
        // The archive begins where the file does. A search for its beginning would go wrong if the directory's first entry is
        // as long as the two 64-bit ends between the directory and its short end, which is so for a name of 30 bytes.
        let config = Config { archive_offset: ArchiveOffset::Known(0) };
        let mut zip = ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|_| {
            Error::runtime("PytorchStreamReader failed reading zip archive: failed finding central directory")
        })?;
        if zip.is_empty() {
            return Err(Error::runtime("PytorchStreamReader failed reading zip archive: archive is empty"));
        }
        if zip.has_duplicate_names() {
            return Err(refused("two records have the same name"));
        }
        if zip.has_overlapping_entries().map_err(|e| refused(&e.to_string()))? {
            return Err(refused("records share bytes with one another"));
        }
        let mut root = None;
        for name in zip.file_names_raw() {
            let Ok(name) = std::str::from_utf8(name) else { return Err(refused("a name that is not UTF-8 text")) };
            if climbs(name) {
                return Err(refused(&format!("the name '{name}' climbs out of the archive")));
            }
            if name.ends_with('/') {
                continue;
            }
            let Some((folder, _)) = name.split_once('/') else {
                return Err(Error::runtime(format!(
                    "[enforce fail at inline_container.cc:179] . file in archive is not in a subdirectory: {name}"
                )));
            };
            root.get_or_insert_with(|| folder.to_string());
        }
        let Some(root) = root else { return Err(refused("it has no record")) };
        let left = Cell::new(size.saturating_mul(WHOLE_EXPANSION).saturating_add(WHOLE_ALLOWANCE));
        Ok(Archive { zip: RefCell::new(zip), root, left })
    }

    /// The folder that every record is in.
    pub fn root(&self) -> &str {
        &self.root
    }

    pub fn has(&self, name: &str) -> bool {
        self.zip.borrow().index_for_name(&format!("{}/{name}", self.root)).is_some()
    }

    /// The bytes of a record. `size` is its required size, if that is known.
    ///
    /// # Errors
    /// A record that is missing, damaged, encrypted, compressed with anything but deflate, or larger than it may be.
    pub fn read(&self, name: &str, size: Option<u64>) -> Result<Vec<u8>> {
        let mut zip = self.zip.borrow_mut();
        let damaged = |what: &str| Error::runtime(format!("PytorchStreamReader failed reading file {name}: {what}"));
        let mut file = match zip.by_name(&format!("{}/{name}", self.root)) {
            Ok(file) => file,
            Err(ZipError::FileNotFound) => {
                return Err(Error::runtime(format!("PytorchStreamReader failed locating file {name}: file not found")));
            }
            Err(ZipError::CompressionMethodNotSupported(_)) => return Err(damaged("unsupported method")),
            Err(ZipError::UnsupportedArchive(_)) => return Err(damaged("unsupported encryption")),
            Err(_) => return Err(damaged("invalid header or archive is corrupted")),
        };
        let (claims, stored) = (file.size(), file.compressed_size());
        match file.compression() {
            CompressionMethod::Stored if claims == stored => {}
            CompressionMethod::Deflated => {
                if claims > SMALL && claims / EXPANSION > stored {
                    return Err(refused(&format!("{name} would unpack from {stored} bytes to {claims}")));
                }
            }
            CompressionMethod::Stored => return Err(damaged("invalid header or archive is corrupted")),
            _ => return Err(damaged("unsupported method")),
        }
        if let Some(size) = size
            && claims != size
        {
            return Err(refused(&format!("{name} has {claims} bytes where the pickle says {size}")));
        }
        let Some(left) = self.left.get().checked_sub(claims) else {
            return Err(refused("its records together would unpack to far more bytes than the file has"));
        };
        self.left.set(left);
        let mut out = Vec::new();
        // Reading one byte more than it claims is enough to notice that the claim is false.
        (&mut file).take(claims + 1).read_to_end(&mut out).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => damaged("file read failed"),
            _ if error.to_string().contains("checksum") => damaged("CRC-32 check failed"),
            _ => damaged("decompression failed"),
        })?;
        if out.len() as u64 != claims {
            return Err(damaged("unexpected decompressed size"));
        }
        Ok(out)
    }
}

/// Whether a name, as a path, leads out of the folder into which it is unpacked.
fn climbs(name: &str) -> bool {
    name.starts_with('/')
        || name.contains(['\\', '\0'])
        || name.split('/').any(|part| part == ".." || part == ".")
        || name.as_bytes().get(1) == Some(&b':')
}

/// The error for an archive that PyTorch might read, but this crate doesn't.
fn refused(why: &str) -> Error {
    Error::runtime(format!("torch.load refuses this archive: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let storages = vec![vec![1, 2, 3, 4], vec![], vec![7; 300]];
        let bytes = write("model", b"pickle".to_vec(), storages.clone()).unwrap();
        let archive = Archive::open(bytes).unwrap();
        assert_eq!(archive.root(), "model");
        assert_eq!(archive.read("data.pkl", None).unwrap(), b"pickle");
        for (key, bytes) in storages.iter().enumerate() {
            assert_eq!(&archive.read(&format!("data/{key}"), Some(bytes.len() as u64)).unwrap(), bytes);
        }
        assert!(!archive.has("data/3"));
    }

    /// With names of 30 bytes, an entry of the directory is as long as the bytes after the directory.
    #[test]
    fn archives_of_any_name_are_read() {
        for length in 1..=80 {
            let root = "a".repeat(length);
            let bytes = write(&root, b"pickle".to_vec(), vec![vec![1, 2, 3, 4]]).unwrap();
            let archive = Archive::open(bytes).unwrap_or_else(|e| panic!("{length}: {}", e.message));
            assert_eq!((archive.root(), archive.read("data/0", Some(4)).unwrap()), (&*root, vec![1, 2, 3, 4]));
        }
    }

    #[test]
    fn a_changed_byte_is_found() {
        let mut bytes = write("m", b"pickle".to_vec(), vec![vec![9; 100]]).unwrap();
        let at = bytes.windows(100).position(|w| w == [9; 100]).unwrap();
        bytes[at + 50] = 8;
        let error = Archive::open(bytes).unwrap().read("data/0", None).unwrap_err();
        assert_eq!(error.message, "PytorchStreamReader failed reading file data/0: CRC-32 check failed");
    }

    #[test]
    fn a_cut_file_is_no_archive() {
        let bytes = write("m", b"pickle".to_vec(), vec![vec![9; 100]]).unwrap();
        for keep in [0, 10, 100, bytes.len() - 1] {
            assert!(Archive::open(bytes[..keep].to_vec()).is_err(), "{keep}");
        }
    }

    #[test]
    fn names_that_climb() {
        for name in ["/a", "a/../b", "../a", "a\\b", "c:/a", "a/./b"] {
            assert!(climbs(name), "{name}");
        }
        assert!(!climbs("model/data/0"));
    }
}
