//! How far the worker may be ahead of the page.
//!
//! A browser takes every message that is posted and keeps it until the page gets to it. A program that makes events faster
//! than the page draws them would fill the browser's memory, and the end of the run would wait behind all of them. So the page
//! answers each message, and the worker looks at what is unanswered:
//!
//! - As long as a run is short, the worker waits for the page, so a short run is shown event by event.
//! - A longer run isn't slowed down: it is sent four times a second, and many events [are told
//!   shorter](crate::trace::shorten), as many as it takes while the page is behind.
//! - A browser that can't suspend WebAssembly shows the engine no answers while a program runs, so there a short run doesn't
//!   wait. A longer one is sent and told as everywhere.

use std::collections::VecDeque;

/// Bytes of messages that may be unanswered: the page takes a fraction of a second for them.
pub(crate) const UNANSWERED: usize = 4 << 20;

/// Bytes of messages after which a run is a long one. They come to about 200,000 events, as many as the page can go back over.
pub(crate) const SHORT_RUN: usize = 32 << 20;

/// The messages of one run.
#[derive(Debug, Default)]
pub struct Flow {
    /// Messages sent.
    messages: u64,
    /// Bytes sent.
    bytes: usize,
    /// Number and bytes of the messages that aren't answered, oldest first, and the sum of these bytes.
    waiting: VecDeque<(u64, usize)>,
    unanswered: usize,
}

impl Flow {
    /// Counts a message.
    pub fn sent(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.unanswered += bytes;
        self.waiting.push_back((self.messages, bytes));
    }

    /// The page has worked off this many messages.
    pub fn answered(&mut self, messages: u64) {
        while let Some((_, bytes)) = self.waiting.pop_front_if(|(number, _)| *number <= messages) {
            self.unanswered -= bytes;
        }
    }

    /// Whether the page has enough to do.
    pub fn is_full(&self) -> bool {
        self.unanswered >= UNANSWERED
    }

    /// Whether so much was sent that the rest may be told shorter.
    pub fn is_long(&self) -> bool {
        self.bytes >= SHORT_RUN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_unanswered_is_bounded_and_answers_make_room() {
        let mut flow = Flow::default();
        let mut sent = 0;
        while !flow.is_full() {
            flow.sent(100_000);
            sent += 1;
        }
        assert_eq!(sent, UNANSWERED.div_ceil(100_000) as u64);
        flow.answered(0);
        assert!(flow.is_full());
        flow.answered(1);
        assert!(!flow.is_full());
        flow.sent(100_000);
        assert!(flow.is_full() && !flow.is_long());
        flow.answered(sent + 1);
        assert_eq!((flow.unanswered, flow.waiting.len()), (0, 0));
        while !flow.is_long() {
            flow.sent(1 << 20);
            flow.answered(u64::MAX);
        }
    }
}
