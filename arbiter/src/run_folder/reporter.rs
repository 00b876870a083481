//! Whoever follows a run as it happens.

use super::report_error::ReportError;
use crate::run_state::RunState;
use runner::Event;

/// Is handed the events of a run one after the other.
pub trait Reporter {
    /// Takes note of one event, which `state` has taken in already.
    ///
    /// # Errors
    /// When what the reporter writes to fails; the run itself is not affected.
    fn on_event(&mut self, event: &Event, state: &RunState) -> Result<(), ReportError>;
}
