//! SHA-256 and HMAC over it (RFC 2104): unique names for texts, and proofs that both ends of a connection know the same token.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// The digest of all parts concatenated.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into()
}

/// Proves knowledge of `key` for the message that consists of all parts.
pub fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
    parts.iter().for_each(|part| hasher.update(part));
    hasher.finalize().into_bytes().into()
}

/// Whether two proofs are equal. The time it takes doesn't tell where they differ.
pub fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that nobody can guess: the standard library seeds its hash maps with the system's random numbers.
pub fn random() -> [u8; 16] {
    use std::hash::{BuildHasher, RandomState};
    let [low, high] = [0, 1].map(|i: u64| RandomState::new().hash_one(i).to_le_bytes());
    let mut out = [0; 16];
    out[..8].copy_from_slice(&low);
    out[8..].copy_from_slice(&high);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of FIPS 180-4, and the long one of its test vectors.
    #[test]
    fn digests_are_those_of_the_standard() {
        let of = |text: &str| hex(&digest(&[text.as_bytes()]));
        assert_eq!(of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(
            of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(of(&"a".repeat(1_000_000)), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
        assert_eq!(digest(&[b"a", b"", b"bc"]), digest(&[b"abc"]));
    }

    /// RFC 4231, cases 1, 2 and 6.
    #[test]
    fn proofs_are_those_of_the_standard() {
        let of = |key: &[u8], text: &[u8]| hex(&hmac(key, &[text]));
        let first = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(of(&[0x0b; 20], b"Hi There"), first);
        let second = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(of(b"Jefe", b"what do ya want for nothing?"), second);
        let sixth = "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54";
        assert_eq!(of(&[0xaa; 131], b"Test Using Larger Than Block-Size Key - Hash Key First"), sixth);
    }

    /// Around the end of a block, where the padding needs another block; recorded from Python's hashlib.
    #[test]
    fn padding_fits_at_every_length() {
        for (length, expected) in [
            (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
            (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
            (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
            (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
        ] {
            assert_eq!(hex(&digest(&["a".repeat(length).as_bytes()])), expected, "{length}");
        }
        assert!(same(&[7; 32], &[7; 32]) && !same(&[7; 32], &[8; 32]) && !same(&[7; 32], &[7; 31]));
        assert_ne!(random(), random());
    }
}
