//! What a run printed and drew, and the page's own notes in between. Output is collected, and each frame shows all of it at
//! once.

use leptos::prelude::*;

use crate::app::terminal;
use crate::protocol::{FIGURES_KEPT, OUTPUT_KEPT};

/// A piece of output from one source.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chunk {
    pub id: usize,
    pub voice: Voice,
    pub shown: Shown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    Stdout,
    Stderr,
    /// The page itself.
    Page,
}

/// What a piece of output is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shown {
    Text(String),
    /// An image, and a sentence that describes it.
    Figure {
        url: String,
        words: String,
    },
}

impl Shown {
    /// Its text; for an image, the sentence that describes it.
    pub(crate) fn words(&self) -> &str {
        match self {
            Shown::Text(words) | Shown::Figure { words, .. } => words,
        }
    }

    /// Bytes of text.
    fn length(&self) -> usize {
        match self {
            Shown::Text(text) => text.len(),
            Shown::Figure { .. } => 0,
        }
    }
}

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Printed {
    pub chunks: RwSignal<Vec<Chunk>>,
    /// Whether some of the output was dropped.
    pub cut: RwSignal<bool>,
    /// How many pieces have been numbered.
    numbered: StoredValue<usize>,
    /// What the next frame will show.
    late: StoredValue<Vec<(Voice, Shown)>>,
    frame_asked: StoredValue<bool>,
}

impl Printed {
    pub(super) fn new() -> Printed {
        Printed {
            chunks: RwSignal::new(Vec::new()),
            cut: RwSignal::new(false),
            numbered: StoredValue::new(0),
            late: StoredValue::new(Vec::new()),
            frame_asked: StoredValue::new(false),
        }
    }

    pub(super) fn clear(self) {
        self.chunks.set(Vec::new());
        self.cut.set(false);
        self.late.set_value(Vec::new());
    }

    /// Adds a note by the page to the output.
    pub(super) fn say(self, text: &str) {
        self.print(Voice::Page, text.to_string());
    }

    pub(super) fn print(self, voice: Voice, text: String) {
        self.late.update_value(|late| match late.last_mut() {
            Some((last, Shown::Text(all))) if *last == voice => {
                all.push_str(&text);
                if all.len() > 4 * OUTPUT_KEPT {
                    self.shorten(all, OUTPUT_KEPT);
                }
            }
            _ => late.push((voice, Shown::Text(text))),
        });
        self.ask_frame();
    }

    pub(super) fn draw(self, svg: &str, words: String) {
        // An SVG that is shown as an image can't run scripts or reach other hosts.
        let url = format!("data:image/svg+xml;charset=utf-8,{}", js_sys::encode_uri_component(svg));
        self.late.update_value(|late| late.push((Voice::Stdout, Shown::Figure { url, words })));
        self.ask_frame();
    }

    fn ask_frame(self) {
        if !self.frame_asked.get_value() {
            self.frame_asked.set_value(true);
            request_animation_frame(move || {
                self.frame_asked.set_value(false);
                self.flush();
            });
        }
    }

    /// Keeps only the end of a string.
    fn shorten(self, text: &mut String, most: usize) {
        if let Some(kept) = terminal::latest(text, most) {
            *text = kept.to_string();
            self.cut.set(true);
        }
    }

    /// A number for the next piece of output.
    fn next_id(self) -> usize {
        let id = self.numbered.get_value();
        self.numbered.set_value(id + 1);
        id
    }

    /// Shows what was collected.
    pub(super) fn flush(self) {
        let mut late = Vec::new();
        self.late.update_value(|waiting| late = std::mem::take(waiting));
        if late.is_empty() {
            return;
        }
        self.chunks.update(|chunks| {
            for (voice, mut shown) in late {
                let id = self.next_id();
                if let Shown::Text(text) = &mut shown {
                    self.shorten(text, OUTPUT_KEPT);
                }
                let before = match chunks.last() {
                    Some(Chunk { voice: last, shown: Shown::Text(before), .. }) if *last == voice => {
                        Some(before.as_str())
                    }
                    _ => None,
                };
                let shown = match (shown, before) {
                    // A carriage return makes a progress line overwrite itself.
                    (Shown::Text(text), Some(before)) if terminal::changes(before, &text) => {
                        let text = terminal::write(before, &text);
                        chunks.pop();
                        Shown::Text(text)
                    }
                    (Shown::Text(text), None) if terminal::changes("", &text) => {
                        Shown::Text(terminal::write("", &text))
                    }
                    (shown, _) => shown,
                };
                chunks.push(Chunk { id, voice, shown });
            }
            self.keep_latest(chunks);
        });
    }

    fn keep_latest(self, chunks: &mut Vec<Chunk>) {
        let length: usize = chunks.iter().map(|c| c.shown.length()).sum();
        if length > OUTPUT_KEPT {
            let mut over = length - OUTPUT_KEPT * 3 / 4;
            while let Some(oldest) = chunks.first_mut() {
                let length = oldest.shown.length();
                if length > over {
                    // A new id makes the view draw it again.
                    oldest.id = self.next_id();
                    if let Shown::Text(text) = &mut oldest.shown {
                        self.shorten(text, length - over);
                    }
                    break;
                }
                over -= length;
                chunks.remove(0);
                self.cut.set(true);
            }
        }
        let figures = chunks.iter().filter(|c| matches!(c.shown, Shown::Figure { .. })).count();
        for _ in FIGURES_KEPT..figures {
            if let Some(oldest) = chunks.iter().position(|c| matches!(c.shown, Shown::Figure { .. })) {
                chunks.remove(oldest);
            }
        }
    }
}
