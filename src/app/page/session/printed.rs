//! What a run printed and drew, and what the page itself says between it. Output is gathered, and one frame shows all of it.

use leptos::prelude::*;

use crate::app::terminal;
use crate::protocol::{FIGURES_KEPT, OUTPUT_KEPT};

/// A piece of output in one voice.
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
    /// An image, and the sentence that says the same.
    Figure {
        url: String,
        words: String,
    },
}

impl Shown {
    /// What it says: of an image, the sentence that says the same.
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

/// Copies are the same.
#[derive(Clone, Copy)]
pub(crate) struct Printed {
    pub chunks: RwSignal<Vec<Chunk>>,
    /// Output that is not kept any more.
    pub cut: RwSignal<bool>,
    /// Pieces that got a number so far.
    numbered: StoredValue<usize>,
    /// What the next frame shows.
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

    /// Adds a note of the page to the output.
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
        // As an image it can run no script and reach no other host.
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

    /// Keeps the latest part of a text.
    fn shorten(self, text: &mut String, most: usize) {
        if let Some(kept) = terminal::latest(text, most) {
            *text = kept.to_string();
            self.cut.set(true);
        }
    }

    /// A number for a piece of output.
    fn next_id(self) -> usize {
        let id = self.numbered.get_value();
        self.numbered.set_value(id + 1);
        id
    }

    /// Shows what was gathered.
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
                    // A progress line is written over where it stands.
                    (Shown::Text(text), Some(before)) if text.contains('\r') || before.ends_with('\r') => {
                        let text = terminal::write(before, &text);
                        chunks.pop();
                        Shown::Text(text)
                    }
                    (Shown::Text(text), None) if text.contains('\r') => Shown::Text(terminal::write("", &text)),
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
                    // It is shown anew.
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
