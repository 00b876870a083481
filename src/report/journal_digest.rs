//! What the events of a journal come to.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Progress, RunState};
use crate::runner::{Event, FinishReason, RunConfig};

/// Takes in a journal event by event. A game that was played twice, as after a crash, counts once, and one without a
/// result not at all.
#[derive(Clone, Debug)]
pub struct JournalDigest {
    progress: Progress,
    counted: HashSet<u32>,
    /// Why the run ended, if the last event says so.
    end: Option<FinishReason>,
}

impl JournalDigest {
    /// The journal of a run that began so.
    pub fn new(config: &RunConfig, at: Timestamp) -> JournalDigest {
        let mut progress = Progress::new(config, []);
        progress.update_start(at);
        JournalDigest { progress, counted: HashSet::new(), end: None }
    }

    /// Takes in the next event. Returns whether it says anything that was not known.
    pub fn add(&mut self, event: &Event) -> bool {
        let is_news = match event {
            Event::GameFinished(game) => game.is_counted() && self.counted.insert(game.game),
            _ => true,
        };
        if is_news {
            self.progress.update(event);
        }
        self.end = match event {
            Event::RunFinished { reason, .. } => Some(reason.clone()),
            _ => None,
        };
        is_news
    }

    /// How far the run came, and how it was left. Nobody plays the games any more that began and have not ended.
    pub fn finish(mut self) -> (Progress, RunState) {
        self.progress.forget_games_in_progress();
        let state = match self.end {
            Some(
                reason @ (FinishReason::AllGamesPlayed | FinishReason::AcceptedH0 | FinishReason::AcceptedH1),
            ) => RunState::Finished { reason },
            reason => RunState::Interrupted { reason },
        };
        (self.progress, state)
    }
}
