//! Bytes as text that fits into an address and into JSON: base64url without padding (RFC 4648, section 5).

use serde::{Deserialize, Deserializer, Serializer};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, b| word << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(word >> (18 - 6 * i) & 63) as usize]));
        }
    }
    out
}

/// `None` for what [`encode`] does not write.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for b in chunk {
            word = word << 6 | digit(*b)?;
        }
        word <<= 6 * (4 - chunk.len());
        match chunk.len() {
            1 => return None,
            n => out.extend_from_slice(&word.to_be_bytes()[1..n]),
        }
    }
    Some(out)
}

fn digit(letter: u8) -> Option<u32> {
    Some(u32::from(match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'-' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

/// For `#[serde(with = "crate::base64url")]`.
///
/// # Errors
/// Those of the format that is written.
pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encode(bytes))
}

/// For `#[serde(with = "crate::base64url")]`.
///
/// # Errors
/// What is no such text.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    decode(&text).ok_or_else(|| serde::de::Error::custom("no base64url text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_other_text_does_not() {
        let bytes: Vec<u8> = (0..=255).collect();
        for length in 0..=256 {
            assert_eq!(decode(&encode(&bytes[..length])).as_deref(), Some(&bytes[..length]));
        }
        // RFC 4648, section 10, without padding.
        assert_eq!((encode(b"foob"), encode(&[0xfb, 0xff])), ("Zm9vYg".into(), "-_8".into()));
        for bad in ["A", "Zm9vY", "Zg==", "+/8", "ä"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
