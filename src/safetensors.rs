//! The safetensors file format: the length of a header, the header in JSON, and the bytes of the tensors.
//!
//! Source: the format's description at <https://huggingface.co/docs/safetensors>. The limits and error messages are from there.
//!
//! The `safetensors` crate (0.8) isn't used, because files come from strangers and the crate is less strict on wasm32: it
//! adds the end of the data and the length of the header in 32 bits without a check. So a tensor that claims almost 4 GiB is
//! accepted, and slicing it crashes the engine. It also keeps metadata in a hash map, so the metadata in files would be in
//! another order each time.

use serde_json::{Map, Value, json};

use crate::dtype::DType;

/// The most bytes of a header.
const LONGEST_HEADER: u64 = 100_000_000;
const METADATA: &str = "__metadata__";

/// One tensor of a file: row-major, little-endian.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'a> {
    pub name: String,
    pub dtype: DType,
    pub shape: Vec<usize>,
    pub bytes: &'a [u8],
}

/// The contents of a file, with tensors in the order of their bytes.
#[derive(Debug)]
pub struct Contents<'a> {
    pub metadata: Option<Vec<(String, String)>>,
    pub entries: Vec<Entry<'a>>,
}

/// Why a file is refused.
#[derive(Debug, PartialEq)]
pub enum Refusal {
    /// The file is damaged, or its header is false.
    Invalid(String),
    /// A dtype of the format that no tensor here can have.
    Dtype(String),
}

/// The names of dtypes, widest first, which is the order in which tensors are written.
const NAMES: [(&str, DType); 13] = [
    ("I64", DType::I64),
    ("F64", DType::F64),
    ("C64", DType::C64),
    ("F32", DType::F32),
    ("U32", DType::U32),
    ("I32", DType::I32),
    ("BF16", DType::BF16),
    ("F16", DType::F16),
    ("U16", DType::U16),
    ("I16", DType::I16),
    ("I8", DType::I8),
    ("U8", DType::U8),
    ("BOOL", DType::Bool),
];

/// Dtypes of the format that aren't in [`NAMES`].
const OTHERS: [&str; 7] = ["F4", "F6_E2M3", "F6_E3M2", "F8_E5M2", "F8_E4M3", "F8_E8M0", "U64"];

/// Whether the format can hold tensors of a dtype.
pub fn has(dtype: DType) -> bool {
    NAMES.iter().any(|(_, d)| *d == dtype)
}

/// A file with these tensors. The format [`has`] their dtypes, and each has as many bytes as its shape and dtype
/// require.
pub fn write(mut entries: Vec<Entry<'_>>, metadata: Option<Vec<(String, String)>>) -> Vec<u8> {
    let rank = |dtype: DType| NAMES.iter().position(|(_, d)| *d == dtype);
    entries.sort_by(|a, b| rank(a.dtype).cmp(&rank(b.dtype)).then_with(|| a.name.cmp(&b.name)));
    let mut header = Map::new();
    if let Some(metadata) = metadata {
        header.insert(METADATA.into(), metadata.into_iter().map(|(k, v)| (k, Value::from(v))).collect());
    }
    let mut end = 0;
    for entry in &entries {
        let begin = end;
        end += entry.bytes.len();
        let dtype = rank(entry.dtype).map(|at| NAMES[at].0);
        header
            .insert(entry.name.clone(), json!({ "dtype": dtype, "shape": entry.shape, "data_offsets": [begin, end] }));
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let mut out = (header.len() as u64).to_le_bytes().to_vec();
    out.append(&mut header);
    entries.iter().for_each(|entry| out.extend_from_slice(entry.bytes));
    out
}

/// Reads a complete file.
///
/// # Errors
/// A header that is too long, isn't JSON, or doesn't describe every byte of the data exactly once.
pub fn read(file: &[u8]) -> Result<Contents<'_>, Refusal> {
    let invalid = |what: &str| Refusal::Invalid(what.into());
    let Some((length, rest)) = file.split_first_chunk() else { return Err(invalid("header too small")) };
    let length = u64::from_le_bytes(*length);
    if length > LONGEST_HEADER {
        return Err(invalid("header too large"));
    }
    let Some((header, data)) = rest.split_at_checked(length as usize) else {
        return Err(invalid("invalid header length"));
    };
    let header = std::str::from_utf8(header).map_err(|e| Refusal::Invalid(format!("invalid UTF-8 in header: {e}")))?;
    if !header.starts_with('{') {
        return Err(invalid("invalid start character in header, must be `{`"));
    }
    let header: Map<String, Value> =
        serde_json::from_str(header).map_err(|e| Refusal::Invalid(format!("invalid JSON in header: {e}")))?;

    let (mut metadata, mut found) = (None, Vec::new());
    for (name, value) in header {
        if name == METADATA {
            metadata = Some(texts(&value)?);
        } else {
            found.push(described(name, &value)?);
        }
    }
    found.sort_by_key(|(_, _, _, begin, end)| (*begin, *end));
    let mut entries = Vec::with_capacity(found.len());
    let mut at = 0;
    for (name, dtype, shape, begin, end) in found {
        if begin != at || end < begin {
            return Err(Refusal::Invalid(format!("invalid offset for tensor `{name}`")));
        }
        let size = shape.iter().try_fold(dtype.size(), |size, &n| size.checked_mul(n));
        let size = size.ok_or_else(|| invalid("overflow computing buffer size from shape and/or element type"))?;
        if size != end - begin {
            return Err(invalid("invalid shape, data type, or offset for tensor"));
        }
        let Some(bytes) = data.get(begin..end) else {
            return Err(invalid("incomplete metadata, file not fully covered"));
        };
        entries.push(Entry { name, dtype, shape, bytes });
        at = end;
    }
    if at != data.len() {
        return Err(invalid("incomplete metadata, file not fully covered"));
    }
    Ok(Contents { metadata, entries })
}

fn texts(value: &Value) -> Result<Vec<(String, String)>, Refusal> {
    let invalid = || Refusal::Invalid("invalid JSON in header: __metadata__ must map text to text".into());
    let map = value.as_object().ok_or_else(invalid)?;
    map.iter().map(|(k, v)| Ok((k.clone(), v.as_str().ok_or_else(invalid)?.to_string()))).collect()
}

type Described = (String, DType, Vec<usize>, usize, usize);

/// `{"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}`.
fn described(name: String, value: &Value) -> Result<Described, Refusal> {
    let field = |field: &str| {
        value
            .get(field)
            .ok_or_else(|| Refusal::Invalid(format!("invalid JSON in header: tensor `{name}` has no `{field}`")))
    };
    let wrong = |field: &str| Refusal::Invalid(format!("invalid JSON in header: `{field}` of tensor `{name}`"));
    let sizes = |what: &str| -> Result<Vec<usize>, Refusal> {
        let list = field(what)?.as_array().ok_or_else(|| wrong(what))?;
        list.iter().map(|n| n.as_u64().and_then(|n| usize::try_from(n).ok()).ok_or_else(|| wrong(what))).collect()
    };
    let text = field("dtype")?.as_str().ok_or_else(|| wrong("dtype"))?;
    let dtype = match NAMES.iter().find(|(name, _)| *name == text) {
        Some((_, dtype)) => *dtype,
        None if OTHERS.contains(&text) => return Err(Refusal::Dtype(text.into())),
        None => return Err(Refusal::Invalid(format!("invalid JSON in header: unknown variant `{text}`"))),
    };
    let shape = sizes("shape")?;
    match sizes("data_offsets")?[..] {
        [begin, end] => Ok((name, dtype, shape, begin, end)),
        _ => Err(wrong("data_offsets")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let a = Entry { name: "a".into(), dtype: DType::U8, shape: vec![3], bytes: &[1, 2, 3] };
        let b = Entry { name: "b".into(), dtype: DType::F32, shape: vec![1, 1], bytes: &[0, 0, 128, 63] };
        let file = write(vec![a.clone(), b.clone()], Some(vec![("k".into(), "v".into())]));
        let contents = read(&file).unwrap();
        assert_eq!(contents.entries, [b, a]);
        assert_eq!(contents.metadata, Some(vec![("k".into(), "v".into())]));
        assert!(file.starts_with(b"\x88\0\0\0\0\0\0\0{\"__metadata__\":{\"k\":\"v\"},\"b\":{\"dtype\":\"F32\","));
    }

    #[test]
    fn no_part_of_a_file_is_a_file() {
        let a = Entry { name: "a".into(), dtype: DType::U8, shape: vec![3], bytes: &[1, 2, 3] };
        let file = write(vec![a], None);
        for end in 0..file.len() {
            assert!(read(&file[..end]).is_err(), "{end}");
        }
    }
}
