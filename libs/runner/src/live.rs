//! The games of a run while they are played, for whoever watches.
//!
//! A game hands a [`LivePosition`] to the [`LiveFeed`] with every move, but only while somebody watches; otherwise a
//! move costs one look at a counter. Watching never holds a game up: who is too slow misses positions. Nothing of this
//! is recorded; the journal has the moves when the game is over.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender, WeakSender};

use crate::process::WireTap;
use crate::{MoveScore, micros};

/// Positions that wait for a slow receiver; beyond that the oldest are dropped.
const BACKLOG: usize = 256;

/// Where games show their positions. Clones are the same feed; it ends with the last of them.
#[derive(Clone, Debug)]
pub(crate) struct LiveFeed {
    watchers: Arc<AtomicUsize>,
    sender: Sender<Arc<LivePosition>>,
    /// Who hears every line between us and the engines.
    pub(crate) tap: Option<WireTap>,
}

/// A handle to subscribe with. It does not keep the feed alive.
#[derive(Clone, Debug)]
pub struct LiveEntrance {
    watchers: Arc<AtomicUsize>,
    sender: WeakSender<Arc<LivePosition>>,
}

/// A subscription, until it is dropped.
#[derive(Debug)]
pub struct LiveWatch {
    watchers: Arc<AtomicUsize>,
    receiver: Receiver<Arc<LivePosition>>,
}

impl LiveFeed {
    /// A feed that nobody watches yet.
    pub(crate) fn heard_by(tap: Option<WireTap>) -> LiveFeed {
        LiveFeed { watchers: Arc::default(), sender: broadcast::channel(BACKLOG).0, tap }
    }

    /// Shows a position to those who watch. While nobody does, it is not even made.
    pub(crate) fn show(&self, position: impl FnOnce() -> LivePosition) {
        // Nothing else depends on the counter: a position more or less is shown, that is all.
        if self.watchers.load(Ordering::Relaxed) > 0 {
            // It only fails when the last of them has just gone.
            let _ = self.sender.send(Arc::new(position()));
        }
    }

    pub(crate) fn entrance(&self) -> LiveEntrance {
        LiveEntrance { watchers: Arc::clone(&self.watchers), sender: self.sender.downgrade() }
    }
}

impl LiveEntrance {
    /// Subscribes; `None` when the run is over.
    pub fn watch(&self) -> Option<LiveWatch> {
        let receiver = self.sender.upgrade()?.subscribe();
        self.watchers.fetch_add(1, Ordering::Relaxed);
        Some(LiveWatch { watchers: Arc::clone(&self.watchers), receiver })
    }
}

impl LiveWatch {
    /// The next position of any game, `None` when the run is over. Positions may have been missed.
    pub async fn next(&mut self) -> Option<Arc<LivePosition>> {
        loop {
            match self.receiver.recv().await {
                Ok(position) => return Some(position),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Drop for LiveWatch {
    fn drop(&mut self) {
        self.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The board as it is before a move, with all that led to it, so that whoever comes late needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePosition {
    /// Index in the schedule, from 0.
    pub game: u32,
    /// The position that the moves start from, as FEN.
    pub start: String,
    /// The position on the board, as FEN.
    pub fen: String,
    /// The last move in UCI notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<CompactString>,
    /// All moves in standard algebraic notation, those of the opening included.
    pub moves: Vec<CompactString>,
    /// Who has the white pieces.
    pub white: LiveSide,
    /// Who has the black pieces.
    pub black: LiveSide,
}

/// One side of a game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSide {
    /// Index of the engine.
    pub engine: usize,
    /// What its clock shows; none in games without a clock.
    #[serde(rename = "left_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub clock_left: Option<Duration>,
    /// What it thought of its position when it moved last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<MoveScore>,
    /// How deep it searched then, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Builder;

    use super::*;
    use crate::LiveSide;

    fn position(game: u32) -> LivePosition {
        let side = LiveSide { engine: 0, clock_left: None, score: None, depth: None };
        let (start, fen) = (String::new(), String::new());
        LivePosition { game, start, fen, last: None, moves: Vec::new(), white: side, black: side }
    }

    fn next(watch: &mut LiveWatch) -> Option<u32> {
        let runtime = Builder::new_current_thread().build().unwrap();
        runtime.block_on(watch.next()).map(|position| position.game)
    }

    #[test]
    fn nothing_is_made_while_nobody_watches() {
        let feed = LiveFeed::heard_by(None);
        feed.show(|| panic!("nobody sees it"));
        let watch = feed.entrance().watch().unwrap();
        feed.clone().show(|| position(7));
        drop(watch);
        feed.show(|| panic!("nobody sees it any more"));
    }

    #[test]
    fn who_is_slow_misses_the_oldest_and_holds_nobody_up() {
        let feed = LiveFeed::heard_by(None);
        let mut watch = feed.entrance().watch().unwrap();
        let all = 3 * BACKLOG as u32;
        (0..all).for_each(|game| feed.show(|| position(game)));
        assert_eq!(next(&mut watch), Some(all - BACKLOG as u32));
        assert_eq!(next(&mut watch), Some(all - BACKLOG as u32 + 1));
    }

    #[test]
    fn the_end_of_the_run_is_the_end_of_the_feed() {
        let feed = LiveFeed::heard_by(None);
        let entrance = feed.entrance();
        let mut watch = entrance.watch().unwrap();
        feed.show(|| position(3));
        drop(feed);
        assert_eq!((next(&mut watch), next(&mut watch)), (Some(3), None));
        assert!(entrance.watch().is_none());
    }
}
