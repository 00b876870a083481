//! Whoever follows a run as it happens.

use super::report_error::ReportError;
use runner::Event;

/// Is handed the events of a run one after the other.
pub trait Reporter {
    /// Takes note of one event.
    ///
    /// # Errors
    /// When what the reporter writes to fails; the run itself is not affected.
    fn on_event(&mut self, event: &Event) -> Result<(), ReportError>;
}
