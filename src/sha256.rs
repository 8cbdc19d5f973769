//! SHA-256 (FIPS 180-4) and HMAC over it (RFC 2104): names that nobody can make two texts for, and proofs that both ends of a
//! connection know the same token.

const ROUNDS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

const BLOCK: usize = 64;

/// The digest of all parts, one after the other.
pub fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut message = parts.concat();
    let bits = message.len() as u64 * 8;
    message.push(0x80);
    while message.len() % BLOCK != BLOCK - 8 {
        message.push(0);
    }
    message.extend(bits.to_be_bytes());
    let state = message.as_chunks::<BLOCK>().0.iter().fold(START, compress);
    let mut out = [0; 32];
    for (word, bytes) in state.iter().zip(out.as_chunks_mut::<4>().0) {
        *bytes = word.to_be_bytes();
    }
    out
}

fn compress(state: [u32; 8], block: &[u8; BLOCK]) -> [u32; 8] {
    let mut words = [0; 64];
    for (word, bytes) in words.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for i in 16..64 {
        let (a, b) = (words[i - 15], words[i - 2]);
        let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        words[i] = words[i - 16].wrapping_add(s0).wrapping_add(words[i - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (round, word) in ROUNDS.iter().zip(words) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(*round).wrapping_add(word);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    let mut out = state;
    for (word, more) in out.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
    out
}

/// Proves knowledge of `key` for the message that the parts make, one after the other.
pub fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    let mut padded = [0; BLOCK];
    match key.len() > BLOCK {
        true => padded[..32].copy_from_slice(&digest(&[key])),
        false => padded[..key.len()].copy_from_slice(key),
    }
    let inner = padded.map(|b| b ^ 0x36);
    let inner = digest(&[&[&inner[..]], parts].concat());
    digest(&[&padded.map(|b| b ^ 0x5c), &inner])
}

/// Whether two proofs are the same, in a time that does not say how much of them is.
pub fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Digits of base 16.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Bytes that nobody can guess: the standard library keys each of its hash maps with the system's random numbers.
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

    /// Around a block's end, where the padding takes another block; recorded from Python's hashlib.
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
        assert!(same(&[7; 32], &[7; 32]) && !same(&[7; 32], &[8; 32]));
        assert_ne!(random(), random());
    }
}
