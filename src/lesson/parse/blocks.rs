//! From Markdown events to the tree of [`prose`]. What the tree cannot hold is a fault.

use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, OffsetIter, Options, Parser, Tag, TagEnd};

use super::faults::Faults;
use super::text::Text;
use crate::lesson::LessonFile;
use crate::lesson::prose::{self, Block, Inline, Target};

/// Lists, quotations and emphasis within each other; what shows them recurses.
const MAX_DEPTH: usize = 16;

/// What the text refers to, each with its line.
#[derive(Default)]
pub(super) struct References {
    /// Ids of lessons.
    pub links: Vec<(String, u32)>,
    /// Words of the glossary.
    pub terms: Vec<(String, u32)>,
    /// The files that images can show; `None` while they aren't known.
    pub files: Option<Vec<LessonFile>>,
}

/// Reads one text. Shared by the body and the texts inside its blocks, so that faults and links come together.
pub(super) struct Reader<'a, 'f, 'n> {
    text: &'a Text<'a>,
    events: Peekable<OffsetIter<'a>>,
    /// The version of the lesson's format.
    format: u32,
    references: &'f mut References,
    faults: &'f mut Faults<'n>,
}

impl<'a, 'f, 'n> Reader<'a, 'f, 'n> {
    pub(super) fn new(
        text: &'a Text<'a>,
        format: u32,
        references: &'f mut References,
        faults: &'f mut Faults<'n>,
    ) -> Reader<'a, 'f, 'n> {
        Reader { text, events: events(text.text()).peekable(), format, references, faults }
    }

    /// Whether the lesson is of format 1.
    pub(super) fn is_first(&self) -> bool {
        self.format == 1
    }

    pub(super) fn fault(&mut self, line: u32, message: impl Into<String>) {
        self.faults.add(line, message);
    }

    /// Looks through the text once, and reports nesting that is too deep to show.
    pub(super) fn is_shallow(&mut self) -> bool {
        let mut depth = 0_usize;
        for (event, range) in events(self.text.text()) {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > MAX_DEPTH {
                self.faults.add(self.text.line(range.start), "text is nested too deeply");
                return false;
            }
        }
        true
    }

    pub(super) fn next(&mut self) -> Option<(Event<'a>, Range<usize>)> {
        self.events.next()
    }

    /// The content of the fenced block at `range`, whose start was just read; `None` and a fault for a broken fence.
    pub(super) fn fence(&mut self, range: &Range<usize>) -> Option<String> {
        let content = self.plain(TagEnd::CodeBlock);
        let line = self.text.line(range.start);
        let source = &self.text.text()[range.clone()];
        let mut lines = source.lines();
        let opening = lines.next().unwrap_or_default().trim_start();
        let mark = opening.chars().next().unwrap_or('`');
        let length = opening.chars().take_while(|c| *c == mark).count();
        let is_fence = |line: &str| line.trim_start().chars().take_while(|c| *c == mark).count() >= length;
        let last = lines.clone().next_back().unwrap_or_default();
        let closed = lines.clone().next().is_some() && is_fence(last) && last.trim().chars().all(|c| c == mark);
        if !closed {
            self.fault(line, format!("this fence is not closed by a line of `{}`", mark.to_string().repeat(length)));
            return None;
        }
        // A fence with words after it opens a block and closes none: the one above has lost its end.
        let inner = (line + 1..).zip(lines).find(|(_, text)| is_fence(text) && text.trim().chars().any(|c| c != mark));
        if let Some((other, _)) = inner {
            self.fault(line, format!("this fence is not closed before the next one opens in line {other}"));
            return None;
        }
        Some(content)
    }

    /// Adds the block that `event` begins.
    pub(super) fn block(&mut self, event: Event<'a>, range: Range<usize>, out: &mut Vec<Block>) {
        let line = self.text.line(range.start);
        let block = match event {
            Event::Start(Tag::Paragraph) => self.paragraph(line),
            Event::Start(Tag::Heading { level, .. }) => {
                let content = self.inlines(TagEnd::Heading(level));
                if (level as u8) < 3 {
                    self.fault(line, "a heading here is of level 3 or more (`### `)");
                }
                Block::Heading((level as u8).max(3), content)
            }
            Event::Start(Tag::BlockQuote(kind)) => Block::Quote(self.blocks(TagEnd::BlockQuote(kind))),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => {
                Block::Code(String::new(), self.plain(TagEnd::CodeBlock))
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                let Some(content) = self.fence(&range) else { return };
                if !matches!(&*info, "" | "python" | "text" | "bash" | "json" | "console") {
                    self.fault(line, format!("a block with the role '{info}' cannot stand inside another block"));
                }
                Block::Code(info.into_string(), content)
            }
            Event::Start(Tag::HtmlBlock) => {
                self.plain(TagEnd::HtmlBlock);
                self.fault(line, HTML);
                return;
            }
            Event::Start(Tag::List(first)) => Block::List(first, self.items()),
            Event::Start(Tag::Table(_)) => Block::Table(self.rows()),
            Event::Rule => Block::Rule,
            _ => return,
        };
        out.push(block);
    }

    fn blocks(&mut self, end: TagEnd) -> Vec<Block> {
        let mut out = Vec::new();
        // Items of a tight list hold text without a paragraph around it.
        let mut loose = Vec::new();
        while let Some((event, range)) = self.next() {
            if event == Event::End(end) {
                break;
            }
            if is_inline(&event) {
                let line = self.text.line(range.start);
                self.inline(event, line, &mut loose);
            } else {
                flush(&mut loose, &mut out);
                self.block(event, range, &mut out);
            }
        }
        flush(&mut loose, &mut out);
        out
    }

    fn items(&mut self) -> Vec<Vec<Block>> {
        let mut out = Vec::new();
        while let Some((event, _)) = self.next() {
            match event {
                Event::End(TagEnd::List(_)) => break,
                Event::Start(Tag::Item) => out.push(self.blocks(TagEnd::Item)),
                _ => {}
            }
        }
        out
    }

    fn rows(&mut self) -> Vec<Vec<Vec<Inline>>> {
        let mut out: Vec<Vec<Vec<Inline>>> = Vec::new();
        while let Some((event, _)) = self.next() {
            match event {
                Event::End(TagEnd::Table) => break,
                Event::Start(Tag::TableHead | Tag::TableRow) => out.push(Vec::new()),
                Event::Start(Tag::TableCell) => {
                    let cell = self.inlines(TagEnd::TableCell);
                    if let Some(row) = out.last_mut() {
                        row.push(cell);
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// The content of a paragraph, heading or cell.
    pub(super) fn inlines(&mut self, end: TagEnd) -> Vec<Inline> {
        let mut out = Vec::new();
        while let Some((event, range)) = self.next() {
            if event == Event::End(end) {
                break;
            }
            let line = self.text.line(range.start);
            self.inline(event, line, &mut out);
        }
        out
    }

    /// A paragraph, or the image that it consists of.
    fn paragraph(&mut self, line: u32) -> Block {
        let mut out = Vec::new();
        while let Some((event, range)) = self.next() {
            match event {
                Event::End(TagEnd::Paragraph) => break,
                Event::Start(Tag::Image { dest_url, .. }) if out.is_empty() && !self.is_first() => {
                    let alt = prose::plain(&self.inlines(TagEnd::Image));
                    if self.events.next_if(|(next, _)| *next == Event::End(TagEnd::Paragraph)).is_some() {
                        return self.figure(dest_url.into_string(), alt.trim(), line);
                    }
                    self.fault(line, "an image stands alone in its paragraph, with an empty line before and after it");
                }
                event => {
                    let line = self.text.line(range.start);
                    self.inline(event, line, &mut out);
                }
            }
        }
        Block::Paragraph(out)
    }

    /// An image of the lesson. Without words of its own it has those of its file.
    fn figure(&mut self, file: String, alt: &str, line: u32) -> Block {
        let mut alt = alt.to_string();
        if let Some(files) = &self.references.files {
            match files.iter().find(|listed| listed.name == file && LessonFile::is_image(&file)) {
                Some(listed) if alt.is_empty() => alt = listed.alt.clone().unwrap_or_default(),
                Some(_) => {}
                None => {
                    self.fault(line, format!("the image '{file}' is not listed under `files:` in the front matter"))
                }
            }
        }
        Block::Figure { file, alt }
    }

    fn inline(&mut self, event: Event<'a>, line: u32, out: &mut Vec<Inline>) {
        let piece = match event {
            Event::Text(text) => Inline::Text(text.into_string()),
            Event::Code(text) => Inline::Code(text.into_string()),
            Event::SoftBreak => Inline::Text(" ".into()),
            Event::HardBreak => Inline::Break,
            Event::Start(Tag::Emphasis) => Inline::Emphasis(self.inlines(TagEnd::Emphasis)),
            Event::Start(Tag::Strong) => Inline::Strong(self.inlines(TagEnd::Strong)),
            Event::Start(Tag::Link { dest_url, .. }) => {
                let content = self.inlines(TagEnd::Link);
                match Target::parse(&dest_url) {
                    Some(target) => {
                        match &target {
                            Target::Lesson(id) => self.references.links.push((id.clone(), line)),
                            Target::Term(_) if self.is_first() => {
                                return self.fault(line, "words of the glossary belong to format 2: write `format: 2`");
                            }
                            Target::Term(term) => self.references.terms.push((term.clone(), line)),
                            Target::Web(_) => {}
                        }
                        Inline::Link(target, content)
                    }
                    None => {
                        let text = match dest_url.strip_prefix("term:") {
                            Some(term) => {
                                format!(
                                    "'{term}' is no word of a glossary: letters, digits, `-`, `_` and `.`, no spaces"
                                )
                            }
                            None => format!("the link '{dest_url}' leads neither to http(s):// nor to a lesson's id"),
                        };
                        return self.fault(line, text);
                    }
                }
            }
            Event::Start(Tag::Image { .. }) => {
                self.inlines(TagEnd::Image);
                let text = match self.is_first() {
                    true => "a lesson holds no images",
                    false => "an image stands alone in its paragraph, with an empty line before and after it",
                };
                return self.fault(line, text);
            }
            Event::InlineHtml(_) | Event::Html(_) => return self.fault(line, HTML),
            _ => return,
        };
        join(out, vec![piece]);
    }

    /// The text of everything up to `end`.
    fn plain(&mut self, end: TagEnd) -> String {
        let mut out = String::new();
        while let Some((event, _)) = self.next() {
            match event {
                Event::End(tag) if tag == end => break,
                Event::Text(text) | Event::Html(text) => out.push_str(&text),
                _ => {}
            }
        }
        out
    }

    /// Reads the Markdown inside a fenced block that begins in `first_line`.
    pub(super) fn markdown(&mut self, text: &str, first_line: u32) -> Vec<Block> {
        self.within(&Text::new(text, first_line))
    }

    /// Reads Markdown from a string of YAML; must not be empty.
    pub(super) fn markdown_in_yaml(&mut self, text: &str, line: u32, what: &str) -> Vec<Block> {
        let blocks = self.within(&Text::in_line(text, line));
        if blocks.is_empty() {
            self.fault(line, format!("`{what}` is empty"));
        }
        blocks
    }

    /// As [`Reader::markdown_in_yaml`], for one paragraph.
    pub(super) fn line_of_markdown(&mut self, text: &str, line: u32, what: &str) -> Vec<Inline> {
        let mut blocks = self.markdown_in_yaml(text, line, what);
        match (blocks.pop(), blocks.is_empty()) {
            (Some(Block::Paragraph(content)), true) => content,
            (None, _) => Vec::new(),
            _ => {
                self.fault(line, format!("`{what}` is more than one paragraph of text"));
                Vec::new()
            }
        }
    }

    fn within(&mut self, text: &Text<'_>) -> Vec<Block> {
        let mut inner = Reader::new(text, self.format, self.references, self.faults);
        let mut out = Vec::new();
        if inner.is_shallow() {
            while let Some((event, range)) = inner.next() {
                inner.block(event, range, &mut out);
            }
        }
        out
    }
}

const HTML: &str = "raw HTML is not part of a lesson; write Markdown, and code in backticks";

fn events(text: &str) -> OffsetIter<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter()
}

fn is_inline(event: &Event<'_>) -> bool {
    match event {
        Event::Text(_) | Event::Code(_) | Event::InlineHtml(_) | Event::SoftBreak | Event::HardBreak => true,
        Event::Start(tag) => matches!(tag, Tag::Emphasis | Tag::Strong | Tag::Link { .. } | Tag::Image { .. }),
        _ => false,
    }
}

fn flush(loose: &mut Vec<Inline>, out: &mut Vec<Block>) {
    if !loose.is_empty() {
        out.push(Block::Paragraph(std::mem::take(loose)));
    }
}

/// Adds runs, joining text with text.
fn join(out: &mut Vec<Inline>, pieces: Vec<Inline>) {
    for piece in pieces {
        match (out.last_mut(), piece) {
            (Some(Inline::Text(before)), Inline::Text(more)) => before.push_str(&more),
            (_, piece) => out.push(piece),
        }
    }
}
