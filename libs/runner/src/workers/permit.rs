//! The right to play one game at a time.

use std::thread;

use crate::{RunControl, StopLevel};

/// A numbered permit in a run, given back when it is dropped. No two workers have the same at the same time.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    number: usize,
    control: &'a RunControl,
}

impl<'a> Permit<'a> {
    /// Takes a free permit; `None` while there are as many workers as the control of the run wants.
    pub(super) fn take(control: &'a RunControl) -> Option<Permit<'a>> {
        control.take_permit().map(|number| Permit { number, control })
    }

    /// Counts from 0.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Another worker would be put in its place again and again.
            self.control.raise(StopLevel::Finish);
        }
        self.control.return_permit(self.number);
    }
}
