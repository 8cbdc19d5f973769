//! What is drawn of a run: its events with a playhead, and the state of the devices at the playhead.

use leptos::prelude::*;

use super::super::browser;
use crate::app::timeline::Timeline;
use crate::app::yards::{Series, Traffic, Transfer, YardPicture};
use crate::device::Device;
use crate::machine::Machine;
use crate::protocol::{Event, EventKind, Looking, Score};

/// The number of blocks drawn in one yard.
const BLOCKS: usize = 36;

/// What the devices look like at the playhead.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picture {
    pub yards: Vec<YardPicture>,
    pub traffic: Vec<Traffic>,
    pub recent: Vec<Transfer>,
    pub series: Vec<Series>,
    /// Events that were only counted, plus those too old to go back to.
    pub left_out: u64,
    pub folded: usize,
    pub score: Score,
    pub looking: Looking,
    pub line: u32,
    /// Microseconds since the run began.
    pub time: f64,
    pub head: usize,
    pub events: usize,
    /// The latest event that is shown.
    pub latest: Option<Event>,
}

/// A line to mark in the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub line: u32,
    /// Whether the editor scrolls to it.
    pub scroll: bool,
    /// The event that the line caused, which tells cells of a notebook apart. `None` for the cell that ran last.
    pub event: Option<u64>,
}

impl Mark {
    /// A line of what ran last.
    pub(crate) fn latest(line: u32) -> Mark {
        Mark { line, scroll: true, event: None }
    }

    /// As the editor's attribute has it.
    pub(crate) fn attribute(self) -> String {
        format!("{}{}", self.line, if self.scroll { "!" } else { "" })
    }
}

/// Copies of this value share the same state.
#[derive(Clone, Copy)]
pub(crate) struct Playback {
    pub picture: RwSignal<Picture>,
    /// Whether the drawn run is a recording.
    pub recorded: RwSignal<bool>,
    /// Whether the playhead follows the events; false while someone looks back.
    pub playing: RwSignal<bool>,
    /// Copies that became visible since the last frame.
    pub copies: RwSignal<Vec<Transfer>>,
    /// The line to mark in the editor.
    pub focus: RwSignal<Option<Mark>>,
    /// The program of the drawn run. Its line numbers mean nothing in another program.
    pub(super) ran: RwSignal<String>,
    timeline: StoredValue<Timeline, LocalStorage>,
    /// Where the playhead should be in the next frame, and whether the editor scrolls to the line there.
    wanted: StoredValue<Option<(usize, bool)>>,
    frame_asked: StoredValue<bool>,
    last_frame: StoredValue<f64>,
    /// How fast playback goes; 1 for the usual speed.
    pace: StoredValue<f64>,
}

/// The pace of a recording that plays by itself, for someone who hasn't seen the page before.
const SLOW: f64 = 0.3;

impl Playback {
    pub(super) fn new(machine: &Machine) -> Playback {
        Playback {
            picture: RwSignal::new(Picture::default()),
            recorded: RwSignal::new(false),
            playing: RwSignal::new(true),
            copies: RwSignal::new(Vec::new()),
            focus: RwSignal::new(None),
            ran: RwSignal::new(String::new()),
            timeline: StoredValue::new_local(Timeline::new(machine)),
            wanted: StoredValue::new(None),
            frame_asked: StoredValue::new(false),
            last_frame: StoredValue::new(0.0),
            pace: StoredValue::new(1.0),
        }
    }

    /// Shows the empty yards of a machine. `stepping`: the next run waits at its first line.
    pub(super) fn clear(self, machine: &Machine, stepping: bool) {
        self.recorded.set(false);
        self.pace.set_value(1.0);
        self.focus.set(None);
        self.wanted.set_value(None);
        self.playing.set(!stepping);
        self.copies.set(Vec::new());
        self.timeline.set_value(Timeline::new(machine));
        self.redraw();
    }

    pub(super) fn take(self, events: Vec<Event>) {
        self.timeline.update_value(|timeline| timeline.push(events));
        self.ask_frame();
    }

    pub(super) fn show_recorded(self, program: String, events: Vec<Event>) {
        self.recorded.set(true);
        self.ran.set(program);
        self.timeline.update_value(|timeline| {
            timeline.push(events);
            timeline.finish();
        });
        self.redraw();
    }

    /// Reads the run's events.
    pub(crate) fn with_timeline<T>(self, read: impl FnOnce(&Timeline) -> T) -> T {
        self.timeline.with_value(read)
    }

    fn ask_frame(self) {
        if self.frame_asked.get_value() {
            return;
        }
        self.frame_asked.set_value(true);
        self.last_frame.set_value(browser::now());
        self.next_frame();
    }

    fn next_frame(self) {
        request_animation_frame(move || {
            let now = browser::now();
            let passed = (now - self.last_frame.get_value()).clamp(0.0, 100.0);
            self.last_frame.set_value(now);
            if let Some((at, scroll)) = self.wanted.get_value() {
                self.wanted.set_value(None);
                self.move_to(at, scroll);
            }
            if self.playing.get_untracked() {
                self.play(passed);
            } else if self.picture.with_untracked(|p| p.events) != self.timeline.with_value(Timeline::len) {
                self.redraw();
            }
            if self.playing.get_untracked() && self.timeline.with_value(|t| !t.is_at_end()) {
                self.next_frame();
            } else {
                self.frame_asked.set_value(false);
            }
        });
    }

    fn play(self, millis: f64) {
        let mut copies = Vec::new();
        let mut moved = false;
        self.timeline.update_value(|timeline| {
            let before = timeline.head();
            copies = if browser::prefers_reduced_motion() {
                timeline.finish()
            } else {
                timeline.advance(millis * self.pace.get_value())
            };
            moved = timeline.head() != before;
        });
        if !copies.is_empty() {
            self.copies.set(copies);
        }
        if moved {
            self.redraw();
            let done = self.timeline.with_value(|t| t.is_at_end());
            self.focus.set(if done { None } else { self.mark(false) });
        }
    }

    /// Moves the playhead by hand. This happens in the next frame, because dragging moves it more often than the screen
    /// is redrawn.
    pub(crate) fn seek(self, at: usize) {
        self.go_to(at, true);
    }

    /// Shows the run's `number`th copy (from 1) as the latest event. Returns that copy's ends; `None` if the run has no
    /// such copy, or if it's too old to go back to.
    pub(crate) fn show_copy(self, number: usize, scroll: bool) -> Option<(Device, Device)> {
        let (at, from, to) = self.timeline.with_value(|timeline| {
            let mut copies = timeline.events().enumerate().filter_map(|(at, event)| match event.kind {
                EventKind::Transfer { from, to, .. } => Some((at, from, to)),
                _ => None,
            });
            // If the beginning is gone, nobody knows how many copies it had.
            (timeline.folded() == 0).then(|| copies.nth(number.checked_sub(1)?)).flatten()
        })?;
        self.go_to(at + 1, scroll);
        Some((from, to))
    }

    /// Whether the playhead is at the end of what has arrived.
    pub(crate) fn is_at_end(self) -> bool {
        self.picture.track();
        self.timeline.with_value(Timeline::is_at_end)
    }

    fn go_to(self, at: usize, scroll: bool) {
        self.playing.set(false);
        self.wanted.set_value(Some((at, scroll)));
        self.ask_frame();
    }

    fn move_to(self, at: usize, scroll: bool) {
        self.copies.set(Vec::new());
        self.timeline.update_value(|timeline| timeline.seek(at));
        self.redraw();
        self.focus.set(if at > 0 { self.mark(scroll) } else { None });
    }

    /// The line at the playhead.
    fn mark(self, scroll: bool) -> Option<Mark> {
        self.picture.with_untracked(|p| {
            (p.line > 0).then(|| Mark { line: p.line, scroll, event: p.latest.as_ref().map(|event| event.seq) })
        })
    }

    /// The event that made the tensor of a variable.
    pub(crate) fn made(self, name: &str) -> Option<u64> {
        self.picture.with_untracked(|p| {
            let blocks = p.yards.iter().flat_map(|yard| &yard.blocks);
            blocks
                .map(|block| &block.tensor)
                .find(|tensor| tensor.name.as_deref() == Some(name))
                .map(|tensor| tensor.made)
        })
    }

    /// The number that the next event will have.
    pub(super) fn next_event(self) -> u64 {
        self.timeline.with_value(|timeline| timeline.events().last().map_or(0, |event| event.seq + 1))
    }

    /// Moves the playhead to the end of the next line, or to the start of the latest one.
    pub(crate) fn step(self, forward: bool) {
        let at = self.timeline.with_value(|t| if forward { t.next_line() } else { t.previous_line() });
        self.seek(at);
    }

    /// Lets the playhead run on, from the start if it's at the end.
    pub(crate) fn play_on(self) {
        self.timeline.update_value(|timeline| {
            if timeline.is_at_end() {
                timeline.seek(0);
            }
        });
        self.focus.set(None);
        self.playing.set(true);
        self.redraw();
        self.ask_frame();
    }

    /// Plays the run from its start, slowly. Where motion is unwelcome, it stays at its end.
    pub(crate) fn play_slowly(self) {
        if browser::prefers_reduced_motion() {
            return;
        }
        self.pace.set_value(SLOW);
        self.timeline.update_value(|timeline| timeline.seek(0));
        self.play_on();
    }

    pub(crate) fn pause(self) {
        self.playing.set(false);
    }

    fn redraw(self) {
        let picture = self.timeline.with_value(|timeline| {
            let now = timeline.now();
            Picture {
                yards: now.picture(BLOCKS, timeline.names()),
                traffic: now.traffic().collect(),
                recent: now.recent.iter().cloned().map(|copy| timeline.named(copy)).collect(),
                series: now.series.clone(),
                left_out: now.left_out,
                folded: timeline.folded(),
                score: now.summary.score.clone(),
                looking: now.summary.looking.clone(),
                line: now.line,
                time: now.time,
                head: timeline.head(),
                events: timeline.len(),
                latest: timeline.latest().cloned(),
            }
        });
        self.picture.set(picture);
    }
}
