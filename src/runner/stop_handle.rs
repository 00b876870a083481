//! How a run is asked to end early.

use std::sync::Arc;

use tokio::sync::watch;

/// Ends a run from another thread or from a signal handler. Clones are the same handle.
#[derive(Clone, Debug)]
pub struct StopHandle {
    level: Arc<watch::Sender<StopLevel>>,
}

/// How urgent it is.
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

impl Default for StopHandle {
    fn default() -> StopHandle {
        StopHandle { level: Arc::new(watch::Sender::new(StopLevel::Running)) }
    }
}

impl StopHandle {
    /// What a user's interruption means: the first one finishes, the second one abandons. Returns the new level.
    pub fn interrupt(&self) -> StopLevel {
        self.raise(match self.level() {
            StopLevel::Running => StopLevel::Finish,
            StopLevel::Finish | StopLevel::Abandon => StopLevel::Abandon,
        })
    }

    /// Asks for this level, unless more was asked for already. Returns the level that holds then.
    pub fn raise(&self, level: StopLevel) -> StopLevel {
        self.level.send_if_modified(|present| {
            let is_higher = level > *present;
            *present = level.max(*present);
            is_higher
        });
        self.level()
    }

    /// What was asked for.
    pub fn level(&self) -> StopLevel {
        *self.level.borrow()
    }

    /// Waits until so much is asked for.
    pub(super) async fn reached(&self, wanted: StopLevel) {
        let mut levels = self.level.subscribe();
        // The sender lives as long as this handle, so this only ends with the level.
        let _ = levels.wait_for(|level| *level >= wanted).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_interruption_abandons_and_nothing_takes_it_back() {
        let handle = StopHandle::default();
        assert_eq!(handle.interrupt(), StopLevel::Finish);
        assert_eq!(handle.clone().interrupt(), StopLevel::Abandon);
        assert_eq!(handle.raise(StopLevel::Finish), StopLevel::Abandon);
    }
}
