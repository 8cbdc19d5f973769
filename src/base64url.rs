//! Bytes as text that fits into an address and into JSON: base64url without padding (RFC 4648, section 5).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Deserializer, Serializer};

pub fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// `None` for what [`encode`] doesn't write.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// For `#[serde(with = "crate::base64url")]`.
///
/// # Errors
/// Those of the output format.
pub(crate) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&encode(bytes))
}

/// For `#[serde(with = "crate::base64url")]`.
///
/// # Errors
/// A string that isn't base64url.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
    let text = String::deserialize(from)?;
    decode(&text).ok_or_else(|| serde::de::Error::custom("this string isn't base64url"))
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
        // The last one has bits after its last byte: it's a second encoding of the same bytes.
        for bad in ["A", "Zm9vY", "Zg==", "+/8", "ä", "Z g", "Zh"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
