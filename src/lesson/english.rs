//! How the English of lessons, pages and documents should sound, as far as a machine can tell.
//!
//! The patterns are typical of prose that was translated word by word from German. Code in backticks isn't English.

#[cfg(feature = "lesson")]
use super::prose::{self, Block, Inline};
#[cfg(feature = "lesson")]
use super::{Lesson, Part, Question};

/// The most words that half of a lesson's sentences may exceed.
pub const MEDIAN: usize = 18;

/// Words to find, and what to write instead.
///
/// The words are separated by spaces and compared in lower case. `a|b` is either of two, `!a` any word but these, `*` up to
/// three words, and `,` a comma before the next word. No pattern reaches over the end of a sentence.
const PATTERNS: &[(&str, &str)] = &[
    ("leave|leaves|leaving|left * away", "leave out, drop, remove"),
    (
        "a text !file|files|editor|field|box|file's|alternative|message|column|block",
        "a string, the message, the wording",
    ),
    ("every|each|one|next turn !of|to|it|on|off|into|around|out", "iteration, each time through the loop"),
    ("turn|turns of a|the|its loop", "iteration, each time through the loop"),
    ("lies|lay|lying in|on|at|beside|there|where|elsewhere|side|empty", "is in, lives in, is stored in"),
    ("lie in|on|at memory|the|a|one|its|their|another|cuda|cpu|gpu", "are in, live in, are stored in"),
    ("slanting|slanted", "diagonal"),
    ("shall", "should, must"),
    ("is|are to be", "should be, must be"),
    (", too", "also, even"),
    ("and also to|in|on|for", "and, as well as"),
    ("whichever|whoever", "recast the sentence"),
    ("to who", "to those who"),
    ("what is|was no|none", "anything that isn't a …"),
    ("which|it|they is|are none", "isn't one"),
    ("so many bytes|times|copies|elements|numbers|values|rows|columns", "this many, `bytes` long"),
    ("of a|the program's|learner's own", "the program's, your"),
    ("as you left it", "hasn't changed"),
    ("came|comes|come out otherwise", "isn't what you predicted"),
    ("started|starts|start|begun|begins anew", "restarted, again"),
    ("nobody's|no one's hands", "nothing uses it"),
    ("reads|read like an order", "looks as if"),
    ("counts|counted|count for nothing", "doesn't count"),
];

/// A pattern that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub line: u32,
    /// The words as they stand there.
    pub words: String,
    pub instead: &'static str,
}

/// A word, or the end of a sentence.
struct Word {
    text: String,
    line: u32,
    after_comma: bool,
}

/// Stands for what isn't English, and ends a sentence, respectively.
const CODE: &str = "`";
const END: &str = ".";

/// Finds the patterns in lines of text with their numbers. Lines whose numbers follow each other are one text.
pub fn patterns<'a>(lines: impl IntoIterator<Item = (u32, &'a str)>) -> Vec<Found> {
    let words = words(lines);
    let mut found = Vec::new();
    for (pattern, instead) in PATTERNS {
        let items: Vec<&str> = pattern.split(' ').collect();
        for at in 0..words.len() {
            if let Some(length) = matches(&items, &words[at..]) {
                let said: Vec<&str> = words[at..at + length].iter().map(|word| word.text.as_str()).collect();
                found.push(Found { line: words[at].line, words: said.join(" "), instead });
            }
        }
    }
    found.sort_by_key(|found| found.line);
    found
}

/// How many words the pattern takes at the beginning of `words`; `None` if it isn't there.
fn matches(items: &[&str], words: &[Word]) -> Option<usize> {
    let Some((item, rest)) = items.split_first() else { return Some(0) };
    if *item == "," {
        return words.first().filter(|word| word.after_comma).and_then(|_| matches(rest, words));
    }
    if *item == "*" {
        let most = words.iter().take(3).take_while(|word| word.text != END).count();
        return (0..=most).find_map(|skip| matches(rest, &words[skip..]).map(|length| length + skip));
    }
    let of = |list: &str| {
        let word = words.first().map_or(END, |word| word.text.as_str());
        list.split('|').any(|one| one == word)
    };
    match item.strip_prefix('!') {
        // It looks at the next word without taking it.
        Some(others) => (!of(others)).then(|| matches(rest, words)).flatten(),
        None => of(item).then(|| matches(rest, &words[1..])).flatten().map(|length| length + 1),
    }
}

fn words<'a>(lines: impl IntoIterator<Item = (u32, &'a str)>) -> Vec<Word> {
    let mut out = Vec::new();
    let mut last = 0;
    let mut comma = false;
    let end = |out: &mut Vec<Word>, line| out.push(Word { text: END.into(), line, after_comma: false });
    for (line, text) in lines {
        let begins = text.trim_start().starts_with(['-', '#', '>', '|', '*']);
        if line != last + 1 || text.trim().is_empty() || begins {
            end(&mut out, line);
        }
        last = line;
        for (number, piece) in text.split('`').enumerate() {
            if number % 2 == 1 {
                out.push(Word { text: CODE.into(), line, after_comma: false });
                continue;
            }
            let mut word = String::new();
            // A space at the end closes the last word.
            for c in piece.chars().chain([' ']) {
                match c {
                    '\u{2019}' => word.push('\''),
                    c if c.is_alphanumeric() || c == '\'' || c == '-' => word.extend(c.to_lowercase()),
                    c => {
                        let text = std::mem::take(&mut word);
                        let text = text.trim_matches(['\'', '-']);
                        if !text.is_empty() {
                            out.push(Word { text: text.into(), line, after_comma: std::mem::take(&mut comma) });
                        }
                        comma |= c == ',';
                        if matches!(c, '.' | '!' | '?' | ';' | ':' | '"' | '(' | ')') {
                            comma = false;
                            end(&mut out, line);
                        }
                    }
                }
            }
        }
    }
    out
}

/// Whether prose has a contraction: *it's*, *doesn't*, *you'll*.
pub fn has_contraction(text: &str) -> bool {
    const WHOLE: [&str; 14] = [
        "it's", "that's", "there's", "here's", "what's", "let's", "who's", "where's", "he's", "she's", "how's", "i'm",
        "you'd", "it'd",
    ];
    let is = |word: &Word| {
        ["n't", "'re", "'ll", "'ve"].iter().any(|end| word.text.ends_with(end)) || WHOLE.contains(&word.text.as_str())
    };
    words([(1, text)]).iter().any(is)
}

/// The sentences of a paragraph, by the marks at their ends.
pub fn sentences(paragraph: &str) -> impl Iterator<Item = &str> {
    let mut rest = paragraph.trim();
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let ends = rest.char_indices().zip(rest.chars().skip(1).map(Some).chain([None]));
        let end = ends
            .filter(|((_, c), next)| matches!(c, '.' | '!' | '?') && next.is_none_or(char::is_whitespace))
            .map(|((at, c), _)| at + c.len_utf8())
            .find(|at| !["e.g.", "i.e.", "vs.", "etc."].iter().any(|short| rest[..*at].ends_with(short)));
        let (sentence, others) = rest.split_at(end.unwrap_or(rest.len()));
        rest = others.trim_start();
        Some(sentence)
    })
}

/// The median number of words of the sentences in some paragraphs.
pub fn median<'a>(paragraphs: impl IntoIterator<Item = &'a str>) -> usize {
    let mut lengths: Vec<usize> =
        paragraphs.into_iter().flat_map(sentences).map(|sentence| sentence.split_whitespace().count()).collect();
    lengths.sort_unstable();
    lengths.get(lengths.len() / 2).copied().unwrap_or(0)
}

/// Reports what an English lesson should say otherwise; `text` is its file.
#[cfg(feature = "lesson")]
pub(super) fn review(lesson: &Lesson, text: &str, fault: &mut impl FnMut(u32, String)) {
    for Found { line, words, instead } in patterns(super::translation::prose_lines(text)) {
        fault(line, format!("\u{201c}{words}\u{201d} sounds translated: {instead}"));
    }
    let paragraphs = paragraphs(lesson);
    if !paragraphs.iter().any(|text| has_contraction(text)) {
        fault(1, "the text has no contraction (it's, doesn't, you'll): write as you would talk to one person".into());
    }
    let median = median(paragraphs.iter().map(String::as_str));
    if median > MEDIAN {
        fault(1, format!("half of the sentences have {median} words or more; at most {MEDIAN}: one idea a sentence"));
    }
}

/// Every paragraph of a lesson as plain text.
#[cfg(feature = "lesson")]
fn paragraphs(lesson: &Lesson) -> Vec<String> {
    fn line(content: &[Inline], out: &mut Vec<String>) {
        out.push(prose::plain(content));
    }
    fn walk(blocks: &[Block], out: &mut Vec<String>) {
        for block in blocks {
            match block {
                Block::Paragraph(content) => line(content, out),
                Block::List(_, items) => items.iter().for_each(|item| walk(item, out)),
                Block::Quote(inner) => walk(inner, out),
                _ => {}
            }
        }
    }
    let mut out = Vec::new();
    walk(&lesson.introduction, &mut out);
    for step in &lesson.steps {
        for part in &step.parts {
            match part {
                Part::Text(blocks) => walk(blocks, &mut out),
                Part::Predict(Question { question, because, .. }) | Part::Quiz(Question { question, because, .. }) => {
                    line(question, &mut out);
                    walk(because, &mut out);
                }
            }
        }
        if let Some(look) = &step.look {
            walk(&look.seen, &mut out);
        }
        if let Some(exercise) = &step.exercise {
            exercise.find.iter().for_each(|find| walk(&find.because, &mut out));
            exercise.hints.iter().for_each(|hint| walk(&hint.text, &mut out));
            walk(&exercise.why, &mut out);
        }
    }
    lesson.remember.iter().for_each(|content| line(content, &mut out));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn found(text: &str) -> Vec<String> {
        patterns([(1, text)]).into_iter().map(|found| found.words).collect()
    }

    #[test]
    fn translated_words_are_found() {
        for (text, words) in [
            ("You can leave the device away.", "leave the device away"),
            ("It prints a text, and ends.", "a text"),
            ("It copies on every turn.", "every turn"),
            ("The numbers lie in the memory of one device.", "lie in the"),
            ("Where it lies in memory", "lies in"),
            ("Lines shall be short.", "shall"),
            ("The GPU waits, too.", "too"),
            ("so many bytes", "so many bytes"),
            ("what is no number", "what is no"),
            ("It came out otherwise.", "came out otherwise"),
        ] {
            assert_eq!(found(text), [words], "{text}");
        }
    }

    #[test]
    fn plain_english_is_not() {
        for text in [
            "It is too large.",
            "Leave it out. Far away from here.",
            "Open a text file and turn it on.",
            "`shall` is a name, and `a text` is code.",
            "Two tensors, too, short.".split(", too").next().unwrap(),
            "There is none.",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
        // Over the end of a line, but not of a paragraph.
        assert_eq!(patterns([(3, "as you"), (4, "left it")])[0].line, 3);
        assert_eq!(patterns([(3, "as you"), (5, "left it")]), []);
        assert_eq!(patterns([(3, "as you"), (4, "- left it")]), []);
    }

    #[test]
    fn contractions_and_sentences() {
        for text in ["It's here.", "You\u{2019}ll see", "doesn't"] {
            assert!(has_contraction(text), "{text}");
        }
        for text in ["The tensor's shape", "x = 'a'", "its", "`don't`"] {
            assert!(!has_contraction(text), "{text}");
        }
        let all: Vec<&str> = sentences("One has 1.5 GiB. Two, e.g. this? Yes! x.to() ends").collect();
        assert_eq!(all, ["One has 1.5 GiB.", "Two, e.g. this?", "Yes!", "x.to() ends"]);
        assert_eq!(median(["One two three. One.", "One two."]), 2);
        assert_eq!(median([]), 0);
    }
}
