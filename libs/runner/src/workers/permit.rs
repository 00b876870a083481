//! The permits of a run: as many games at once as there are permits.

use std::thread;

use crate::{RunControl, StopLevel};

/// A numbered permit of a run, returned when it is dropped. No two workers have the same number at the same time.
#[derive(Debug)]
pub(super) struct Permit {
    /// The number of the permit, from 0.
    pub(super) number: usize,
    control: RunControl,
}

impl Permit {
    pub(super) fn take(control: &RunControl) -> Option<Permit> {
        control.take_permit().map(|number| Permit { number, control: control.clone() })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if thread::panicking() {
            // Otherwise the worker would be replaced again and again.
            self.control.raise(StopLevel::Finish);
        }
        self.control.return_permit(self.number);
    }
}
