//! Markdown of a lesson as a tree that can only be text: raw HTML stays visible as characters, and a link leads to
//! another lesson or to a web page, nowhere else.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// A block of text.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Paragraph(Vec<Inline>),
    /// Level 1 to 6.
    Heading(u8, Vec<Inline>),
    /// Language and text of a code block.
    Code(String, String),
    /// First number of an ordered list, and the items.
    List(Option<u64>, Vec<Vec<Block>>),
    Quote(Vec<Block>),
    /// Rows of cells; the first row is the head.
    Table(Vec<Vec<Vec<Inline>>>),
    Rule,
}

/// A run of text within a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    Text(String),
    Code(String),
    Emphasis(Vec<Inline>),
    Strong(Vec<Inline>),
    /// Where to, and the text.
    Link(String, Vec<Inline>),
    Break,
}

/// Parses `text`. Images become their description.
pub fn parse(text: &str) -> Vec<Block> {
    let mut events = Parser::new_ext(text, Options::ENABLE_TABLES);
    blocks(&mut events, None)
}

fn blocks(events: &mut Parser<'_>, end: Option<TagEnd>) -> Vec<Block> {
    let mut out = Vec::new();
    // Items of a tight list hold text without a paragraph around it.
    let mut loose = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::End(tag) if Some(tag) == end => break,
            Event::Start(tag) => {
                let block = match tag {
                    Tag::Paragraph => Block::Paragraph(inlines(events, TagEnd::Paragraph)),
                    Tag::Heading { level, .. } => {
                        Block::Heading(number(level), inlines(events, TagEnd::Heading(level)))
                    }
                    Tag::BlockQuote(kind) => Block::Quote(blocks(events, Some(TagEnd::BlockQuote(kind)))),
                    Tag::CodeBlock(kind) => {
                        let language = match kind {
                            pulldown_cmark::CodeBlockKind::Fenced(info) => {
                                info.split_whitespace().next().unwrap_or_default().to_string()
                            }
                            pulldown_cmark::CodeBlockKind::Indented => String::new(),
                        };
                        Block::Code(language, plain(events, TagEnd::CodeBlock))
                    }
                    Tag::HtmlBlock => Block::Paragraph(vec![Inline::Text(plain(events, TagEnd::HtmlBlock))]),
                    Tag::List(first) => Block::List(first, items(events, first.is_some())),
                    Tag::Table(_) => Block::Table(rows(events)),
                    tag => {
                        inline(events, Event::Start(tag), &mut loose);
                        continue;
                    }
                };
                flush(&mut loose, &mut out);
                out.push(block);
            }
            Event::Rule => {
                flush(&mut loose, &mut out);
                out.push(Block::Rule);
            }
            event => inline(events, event, &mut loose),
        }
    }
    flush(&mut loose, &mut out);
    out
}

fn flush(loose: &mut Vec<Inline>, out: &mut Vec<Block>) {
    if !loose.is_empty() {
        out.push(Block::Paragraph(std::mem::take(loose)));
    }
}

fn items(events: &mut Parser<'_>, ordered: bool) -> Vec<Vec<Block>> {
    let mut out = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::End(TagEnd::List(_)) => break,
            Event::Start(Tag::Item) => out.push(blocks(events, Some(TagEnd::Item))),
            _ => debug_assert!(false, "a list holds items (ordered: {ordered})"),
        }
    }
    out
}

fn rows(events: &mut Parser<'_>) -> Vec<Vec<Vec<Inline>>> {
    let mut out = Vec::new();
    while let Some(event) = events.next() {
        match event {
            Event::End(TagEnd::Table) => break,
            Event::Start(Tag::TableHead | Tag::TableRow) => out.push(Vec::new()),
            Event::Start(Tag::TableCell) => {
                let cell = inlines(events, TagEnd::TableCell);
                if let Some(row) = out.last_mut() {
                    row.push(cell);
                }
            }
            _ => {}
        }
    }
    out
}

fn inlines(events: &mut Parser<'_>, end: TagEnd) -> Vec<Inline> {
    let mut out = Vec::new();
    while let Some(event) = events.next() {
        if event == Event::End(end) {
            break;
        }
        inline(events, event, &mut out);
    }
    out
}

fn inline(events: &mut Parser<'_>, event: Event<'_>, out: &mut Vec<Inline>) {
    match event {
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => match out.last_mut() {
            Some(Inline::Text(before)) => before.push_str(&text),
            _ => out.push(Inline::Text(text.into_string())),
        },
        Event::Code(text) => out.push(Inline::Code(text.into_string())),
        Event::SoftBreak => out.push(Inline::Text(" ".into())),
        Event::HardBreak => out.push(Inline::Break),
        Event::Start(Tag::Emphasis) => out.push(Inline::Emphasis(inlines(events, TagEnd::Emphasis))),
        Event::Start(Tag::Strong) => out.push(Inline::Strong(inlines(events, TagEnd::Strong))),
        Event::Start(Tag::Link { dest_url, .. }) => {
            let content = inlines(events, TagEnd::Link);
            match is_safe(&dest_url) {
                true => out.push(Inline::Link(dest_url.into_string(), content)),
                false => out.extend(content),
            }
        }
        Event::Start(Tag::Image { .. }) => out.extend(inlines(events, TagEnd::Image)),
        _ => {}
    }
}

/// The text of everything up to `end`.
fn plain(events: &mut Parser<'_>, end: TagEnd) -> String {
    let mut out = String::new();
    for event in events.by_ref() {
        match event {
            Event::End(tag) if tag == end => break,
            Event::Text(text) | Event::Html(text) => out.push_str(&text),
            _ => {}
        }
    }
    out
}

/// Other lessons and web pages; no `javascript:`, no `data:`, no path on this site.
fn is_safe(url: &str) -> bool {
    url.starts_with("#/") || url.starts_with("https://")
}

fn number(level: HeadingLevel) -> u8 {
    level as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &str) -> Inline {
        Inline::Text(s.into())
    }

    #[test]
    fn the_usual_blocks() {
        let blocks = parse(
            "## A `b`\n\nOne *two*\nthree.\n\n- x\n- y\n\n```python\nx = 1\n```\n\n> said\n\n|a|b|\n|-|-|\n|1|2|\n",
        );
        assert_eq!(
            blocks,
            vec![
                Block::Heading(2, vec![text("A "), Inline::Code("b".into())]),
                Block::Paragraph(vec![text("One "), Inline::Emphasis(vec![text("two")]), text(" three.")]),
                Block::List(
                    None,
                    vec![vec![Block::Paragraph(vec![text("x")])], vec![Block::Paragraph(vec![text("y")])]]
                ),
                Block::Code("python".into(), "x = 1\n".into()),
                Block::Quote(vec![Block::Paragraph(vec![text("said")])]),
                Block::Table(vec![vec![vec![text("a")], vec![text("b")]], vec![vec![text("1")], vec![text("2")]]]),
            ]
        );
    }

    #[test]
    fn html_stays_text() {
        let blocks = parse("<script>alert(1)</script>\n\nx <img src=x onerror=alert(1)> y");
        assert_eq!(blocks[0], Block::Paragraph(vec![text("<script>alert(1)</script>\n")]));
        assert_eq!(blocks[1], Block::Paragraph(vec![text("x <img src=x onerror=alert(1)> y")]));
    }

    #[test]
    fn only_lessons_and_https_are_linked() {
        for bad in
            ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "//evil.example", "/x", "http://x"]
        {
            assert_eq!(parse(&format!("[go]({bad})")), vec![Block::Paragraph(vec![text("go")])], "{bad}");
        }
        let good = parse("[go](#/lesson/x)");
        assert_eq!(good, vec![Block::Paragraph(vec![Inline::Link("#/lesson/x".into(), vec![text("go")])])]);
    }

    #[test]
    fn images_become_their_description() {
        assert_eq!(parse("![a yard](https://x/y.png)"), vec![Block::Paragraph(vec![text("a yard")])]);
    }
}
