//! How urgently a run is to end.

/// What was asked for; it only ever rises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// Play on.
    #[default]
    Running,
    /// Start no more games and finish those in progress.
    Finish,
    /// Leave the games in progress as they are.
    Abandon,
}
