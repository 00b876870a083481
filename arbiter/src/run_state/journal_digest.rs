//! What the events of a journal come to.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::progress::Progress;
use crate::status::RunState;
use runner::{Event, RunConfig};

/// Takes in a journal event by event. A game that was played twice, as after a crash, counts once, and one without a
/// result not at all.
#[derive(Clone, Debug)]
pub struct JournalDigest {
    progress: Progress,
    counted: HashSet<u32>,
    /// How the run was left, were this the last event.
    left_as: RunState,
}

impl JournalDigest {
    /// The journal of a run that began so.
    pub fn new(config: &RunConfig, at: Timestamp) -> JournalDigest {
        let mut progress = Progress::new(config, []);
        progress.update_start(at);
        JournalDigest { progress, counted: HashSet::new(), left_as: RunState::left_by(None) }
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
        self.left_as = RunState::left_by(Some(event));
        is_news
    }

    /// How far the run came, and how it was left. Nobody plays the games any more that began and have not ended.
    pub fn finish(mut self) -> (Progress, RunState) {
        self.progress.forget_games_in_progress();
        (self.progress, self.left_as)
    }
}
