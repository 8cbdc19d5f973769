//! A running program's connection to the page: where its output and its events go, and how the page can stop it.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::time::Duration;

use tensoryard::app::terminal;
use tensoryard::diagnose::Cards;
use tensoryard::engine;
use tensoryard::lesson::judge::{Ran, judge};
use tensoryard::lesson::{Check, CheckResult};
use tensoryard::protocol::flow::Flow;
use tensoryard::protocol::{Contents, FIGURES_KEPT, FromWorker, GivenFile, Graph, OUTPUT_KEPT, Score, Stream};
use tensoryard::python::interrupt::Host;
use tensoryard::python::{Finished, Observer, Output};
use tensoryard::trace::shorten::Shortener;
use tensoryard::trace::summary::Summary;

use crate::browser;
use crate::session::send;

/// The shortest time between two batches of events while a program runs: one frame.
const SEND_EVERY_MS: f64 = 16.0;

/// How often a running program lets the event loop run, so that it notices Stop.
const TURN_EVERY_MS: f64 = 50.0;

/// How many messages may be unconfirmed. A page that is further behind is late with everything else as well.
const MESSAGES: u64 = 8;

/// For a long run: the shortest time between two batches, and how many events of a batch are sent one by one.
const LONG_EVERY_MS: f64 = 250.0;
const LONG_WHOLE: usize = 2_000;

/// A page that has confirmed nothing for this long isn't waited for again.
const PATIENCE_MS: f64 = 2_000.0;

/// How many bytes of output are kept for the program's checks.
const PRINTED_KEPT: usize = 1 << 20;

pub struct Page {
    run: u32,
    /// Whether the program is a cell of a notebook.
    is_cell: bool,
    jspi: bool,
    pending: RefCell<Pending>,
    flow: RefCell<Flow>,
    /// The number of messages sent, and of those that the page has confirmed.
    messages: Cell<u64>,
    answered: Cell<u64>,
    /// Events that the page has no room for yet.
    shortener: RefCell<Shortener>,
    /// Whether the page confirms messages, so that a short run waits for it.
    waits: Cell<bool>,
    /// The summary of the events so far.
    summary: RefCell<Summary>,
    /// What the program printed, for its checks; no more than [`PRINTED_KEPT`] bytes.
    printed: RefCell<String>,
    checks: Vec<Check>,
    /// Uploaded files. The program takes them when it begins.
    files: RefCell<Vec<GivenFile>>,
    verdict: RefCell<Verdict>,
    /// Set when the program has ended: memory that its variables free after that isn't part of the run.
    ended: Cell<bool>,
    /// When the page's state was last checked, and when a batch was last sent to it.
    sent_at: Cell<f64>,
    told_at: Cell<f64>,
    turned_at: Cell<f64>,
}

/// The explanation of a program that has ended.
#[derive(Default)]
pub struct Verdict {
    pub cards: Cards,
    pub checks: Vec<CheckResult>,
    pub graphs: Vec<Graph>,
    pub contents: Vec<Contents>,
    /// When the program ended.
    pub at: f64,
}

/// Output that hasn't been sent yet: at most as much as the page would keep.
#[derive(Default)]
struct Pending {
    parts: VecDeque<Part>,
    bytes: usize,
    figures: usize,
    /// Some text before this was dropped.
    cut: bool,
}

enum Part {
    Text(Stream, String),
    Figure { svg: String, words: String },
    Shown(serde_json::Value),
}

impl Pending {
    fn write(&mut self, stream: Stream, text: &str) {
        let text = match terminal::latest(text, OUTPUT_KEPT) {
            Some(latest) => {
                self.cut = true;
                latest
            }
            None => text,
        };
        self.bytes += text.len();
        match self.parts.back_mut() {
            Some(Part::Text(last, gathered)) if *last == stream => gathered.push_str(text),
            _ => self.parts.push_back(Part::Text(stream, text.to_string())),
        }
        // Moving text takes time, so a lot of it is dropped at once.
        if self.bytes > 4 * OUTPUT_KEPT {
            self.shorten();
        }
    }

    fn draw(&mut self, svg: String, words: String) {
        self.parts.push_back(Part::Figure { svg, words });
        self.figures += 1;
        if self.figures > FIGURES_KEPT
            && let Some(oldest) = self.parts.iter().position(|part| matches!(part, Part::Figure { .. }))
        {
            self.parts.remove(oldest);
            self.figures -= 1;
        }
    }

    fn show(&mut self, output: serde_json::Value) {
        // What was shown before isn't there any more.
        if output["output_type"] == "clear_output" && output["wait"] != true {
            self.parts.clear();
            (self.bytes, self.figures) = (0, 0);
        }
        self.parts.push_back(Part::Shown(output));
    }

    /// Drops the oldest text that the page wouldn't keep.
    fn shorten(&mut self) {
        let mut over = self.bytes.saturating_sub(OUTPUT_KEPT);
        self.cut = true;
        let mut kept = VecDeque::with_capacity(self.parts.len());
        for part in self.parts.drain(..) {
            match part {
                Part::Text(_, text) if text.len() <= over => over -= text.len(),
                Part::Text(stream, text) => {
                    let most = text.len() - over;
                    let text = terminal::latest(&text, most).map(str::to_string).unwrap_or(text);
                    over = 0;
                    kept.push_back(Part::Text(stream, text));
                }
                other => kept.push_back(other),
            }
        }
        self.parts = kept;
        self.bytes = self.parts.iter().map(|part| if let Part::Text(_, text) = part { text.len() } else { 0 }).sum();
    }

    fn take(&mut self, run: u32) -> Vec<FromWorker> {
        let Pending { parts, mut cut, .. } = std::mem::take(self);
        let message = |part| match part {
            Part::Text(stream, text) => FromWorker::Output { run, stream, text, cut: std::mem::take(&mut cut) },
            Part::Figure { svg, words } => FromWorker::Figure { run, svg, words },
            Part::Shown(output) => FromWorker::Shown { run, output },
        };
        parts.into_iter().map(message).collect()
    }
}

impl Page {
    pub fn new(run: u32, checks: Vec<Check>, files: Vec<GivenFile>, is_cell: bool) -> Page {
        let now = browser::now();
        Page {
            run,
            is_cell,
            jspi: browser::jspi(),
            pending: RefCell::default(),
            flow: RefCell::default(),
            messages: Cell::new(0),
            answered: Cell::new(0),
            shortener: RefCell::default(),
            waits: Cell::new(browser::jspi()),
            summary: RefCell::default(),
            printed: RefCell::default(),
            checks,
            files: files.into(),
            verdict: RefCell::default(),
            ended: Cell::new(false),
            sent_at: now.into(),
            told_at: now.into(),
            turned_at: now.into(),
        }
    }

    pub fn verdict(&self) -> Verdict {
        self.verdict.take()
    }

    /// The score, and what of it isn't only looking.
    pub fn score(&self) -> (Score, Score) {
        let summary = self.summary.take();
        let unlooked = summary.unlooked();
        (summary.score, unlooked)
    }

    /// Sends what has been collected, if the page has room for it.
    fn send(&self) {
        let now = browser::now();
        if self.flow.borrow().is_long() && now - self.told_at.get() < LONG_EVERY_MS {
            self.sent_at.set(now);
            return;
        }
        let room = self.has_room();
        if room {
            self.send_output();
        }
        // In a short run, the events stay here: the program waits for the page before it makes more.
        if room || !self.may_wait() {
            self.send_events(room);
        }
        self.sent_at.set(browser::now());
    }

    /// Sends everything that has been collected, because the run or a part of it ends.
    pub fn send_rest(&self) {
        self.send_output();
        self.send_events(true);
        self.sent_at.set(browser::now());
    }

    /// [`Page::send_rest`] after the engine crashed. Anything may still be borrowed then.
    pub fn rescue(&self) {
        let Ok(messages) = self.pending.try_borrow_mut().map(|mut pending| pending.take(self.run)) else { return };
        for message in &messages {
            send(message);
        }
        if self.flow.try_borrow_mut().is_ok() && self.summary.try_borrow_mut().is_ok() {
            self.send_events(true);
        }
    }

    fn send_output(&self) {
        let messages = self.pending.borrow_mut().take(self.run);
        messages.iter().for_each(|message| self.send_counted(message));
    }

    fn send_events(&self, room: bool) {
        let events = engine::current().trace.drain();
        if self.ended.get() {
            return;
        }
        if !events.is_empty() {
            let mut summary = self.summary.borrow_mut();
            events.iter().for_each(|event| summary.add(event));
        }
        let told = {
            let mut shortener = self.shortener.borrow_mut();
            let few = !self.flow.borrow().is_long() || events.len() <= LONG_WHOLE;
            if room && shortener.is_empty() && few {
                events
            } else {
                events.into_iter().for_each(|event| shortener.add(event));
                if room { shortener.take() } else { Vec::new() }
            }
        };
        if !told.is_empty() {
            self.send_counted(&FromWorker::Events { run: self.run, events: told });
        }
    }

    fn send_counted(&self, message: &FromWorker) {
        self.told_at.set(browser::now());
        let bytes = send(message);
        self.messages.set(self.messages.get() + 1);
        self.flow.borrow_mut().sent(bytes);
    }

    fn send_if_due(&self, now: f64) {
        if now - self.sent_at.get() >= SEND_EVERY_MS {
            self.send();
        }
    }

    /// Whether the page can take more, as far as is known.
    fn has_room(&self) -> bool {
        if self.jspi {
            self.answered.set(browser::taken(self.run));
            self.flow.borrow_mut().answered(self.answered.get());
        }
        !self.is_behind()
    }

    /// Whether the page was behind when its state was last checked. Without JavaScript Promise Integration this can't
    /// be known.
    fn is_behind(&self) -> bool {
        self.jspi && (self.messages.get() - self.answered.get() >= MESSAGES || self.flow.borrow().is_full())
    }

    fn may_wait(&self) -> bool {
        self.waits.get() && !self.flow.borrow().is_long()
    }

    /// Suspends a short run while the page is behind.
    fn keep_pace(&self) {
        if !self.is_behind() || !self.may_wait() {
            return;
        }
        let began = browser::now();
        while !self.has_room() && !browser::stop_requested() {
            if browser::now() - began >= PATIENCE_MS {
                self.waits.set(false);
                break;
            }
            browser::pause(Duration::from_millis(4));
        }
        self.turned_at.set(browser::now());
    }
}

impl Observer for Page {
    fn ended(&self, finished: &Finished<'_>) {
        self.send_rest();
        self.ended.set(true);
        let at = browser::now();
        // Looked at first, because a check may compute with the tensors.
        // A program that was stopped may have left the device work for seconds, and a look would wait for it.
        let stopped = finished.error.is_some_and(|error| error.class == "KeyboardInterrupt");
        let contents = if stopped { Vec::new() } else { finished.contents() };
        let error = finished.error.map(|error| (error.class.as_str(), error.message.as_str()));
        let verdict = {
            let (printed, summary) = (self.printed.borrow().clone(), self.summary.borrow().clone());
            let ran = Ran { error, stdout: &printed, summary: &summary };
            let checks = judge(&self.checks, &ran, finished);
            Verdict { cards: finished.cards(), checks, graphs: finished.graphs(), contents, at }
        };
        *self.verdict.borrow_mut() = verdict;
    }
}

impl Output for Page {
    fn write(&self, stream: Stream, text: &str) -> std::io::Result<()> {
        if stream == Stream::Stdout {
            let mut printed = self.printed.borrow_mut();
            if printed.len() + text.len() <= PRINTED_KEPT {
                printed.push_str(text);
            }
        }
        self.pending.borrow_mut().write(stream, text);
        self.send_if_due(browser::now());
        Ok(())
    }

    fn display(&self, output: serde_json::Value) -> bool {
        if self.is_cell {
            self.pending.borrow_mut().show(output);
            self.send_if_due(browser::now());
        }
        self.is_cell
    }

    fn figure(&self, svg: Option<&str>, words: &str) -> bool {
        if let Some(svg) = svg {
            self.pending.borrow_mut().draw(svg.to_string(), words.to_string());
            self.send();
        }
        true
    }
}

impl Host for Page {
    fn poll(&self) -> bool {
        let now = browser::now();
        self.send_if_due(now);
        if !self.jspi {
            return false;
        }
        if now - self.turned_at.get() >= TURN_EVERY_MS {
            browser::turn();
            self.turned_at.set(browser::now());
        }
        self.keep_pace();
        browser::stop_requested()
    }

    fn sleep(&self, time: Duration) {
        self.send();
        let until = browser::now() + time.as_secs_f64() * 1e3;
        while !browser::stop_requested() {
            let left = until - browser::now();
            if left <= 0.0 {
                return;
            }
            if self.jspi {
                browser::pause(Duration::from_secs_f64(left.min(TURN_EVERY_MS) / 1e3));
                self.turned_at.set(browser::now());
                self.send_if_due(browser::now());
            }
        }
    }

    fn now(&self) -> f64 {
        browser::now()
    }

    fn files(&self) -> Vec<(String, Vec<u8>)> {
        self.files.take().into_iter().map(|file| (file.name, file.bytes)).collect()
    }

    fn library(&self, file: &str) -> Result<Vec<u8>, String> {
        browser::library(file)
    }
}
