//! The right to play one game at a time.

use std::thread;

use crate::{RunControl, StopLevel};

/// A numbered seat in a run, given back when it is dropped. No two slots have the same at the same time.
#[derive(Debug)]
pub(super) struct Seat<'a> {
    number: usize,
    control: &'a RunControl,
}

impl<'a> Seat<'a> {
    /// Takes a free seat; `None` while there are as many slots as the control of the run wants.
    pub(super) fn take(control: &'a RunControl) -> Option<Seat<'a>> {
        control.take_seat().map(|number| Seat { number, control })
    }

    /// Counts from 0.
    pub(super) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // Another slot would be put in its place again and again.
            self.control.raise(StopLevel::Finish);
        }
        self.control.leave_seat(self.number);
    }
}
