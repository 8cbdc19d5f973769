//! A piece of the file that knows its lines.

/// Text whose offsets are turned into lines of the file.
pub(crate) struct Text<'a> {
    text: &'a str,
    first_line: u32,
    /// Offsets at which the second and later lines begin; empty for text whose every fault is reported in one line.
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    /// `text` begins in line `first_line` of the file.
    pub(crate) fn new(text: &'a str, first_line: u32) -> Text<'a> {
        let starts = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect();
        Text { text, first_line, starts }
    }

    /// Text that stood in a string of YAML: where its lines are in the file is not known.
    pub(crate) fn in_line(text: &'a str, line: u32) -> Text<'a> {
        Text { text, first_line: line, starts: Vec::new() }
    }

    pub(crate) fn text(&self) -> &'a str {
        self.text
    }

    pub(crate) fn first_line(&self) -> u32 {
        self.first_line
    }

    /// The line of the file at an offset.
    pub(crate) fn line(&self, offset: usize) -> u32 {
        self.first_line + self.starts.partition_point(|start| *start <= offset) as u32
    }
}
