//! How far the worker may be ahead of the page.
//!
//! A browser accepts every message that is posted and keeps it until the page gets to it. A program that makes events faster
//! than the page can draw them would fill the browser's memory, and the end of the run would wait behind all of them. So the
//! page confirms each message, and the worker keeps track of the unconfirmed ones:
//!
//! - As long as a run is short, the worker waits for the page, so a short run is shown event by event.
//! - A longer run isn't slowed down: messages are sent four times a second, and [shortened](crate::trace::shorten) as much as
//!   needed while the page is behind.
//! - In a browser that can't suspend WebAssembly, the engine can't see confirmations while a program runs, so a short run
//!   doesn't wait there. A longer one is sent and shortened as everywhere.

use std::collections::VecDeque;

/// How many bytes of messages may be unconfirmed: the page needs a fraction of a second for them.
pub(crate) const UNANSWERED: usize = 4 << 20;

/// A run is long after this many bytes of messages. They hold about 200,000 events, as many as the page can go back over.
pub(crate) const SHORT_RUN: usize = 32 << 20;

/// The messages of one run.
#[derive(Debug, Default)]
pub struct Flow {
    /// Messages sent.
    messages: u64,
    /// Bytes sent.
    bytes: usize,
    /// Number and size of the unconfirmed messages, oldest first, and the sum of the sizes.
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

    /// The page has handled this many messages.
    pub fn answered(&mut self, messages: u64) {
        while let Some((_, bytes)) = self.waiting.pop_front_if(|(number, _)| *number <= messages) {
            self.unanswered -= bytes;
        }
    }

    /// Whether the page has enough to do for now.
    pub fn is_full(&self) -> bool {
        self.unanswered >= UNANSWERED
    }

    /// Whether so much has been sent that later events may be shortened.
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
