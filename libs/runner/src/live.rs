//! The games of a run while they are played, for spectators.
//!
//! With every move a game sends a [`LivePosition`] to the [`LiveFeed`], but only while there are watchers; otherwise a
//! move costs one look at a counter. Watchers never delay a game: a slow one misses positions. Nothing of this is
//! recorded; the journal gets the moves when the game is over.

use std::sync::Arc;
use std::time::Duration;

use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::broadcast::{self, Receiver, Sender, WeakSender};

use crate::process::WireTap;
use crate::{MoveScore, micros};

/// The number of positions kept for a slow receiver; the oldest are dropped beyond that.
const BACKLOG: usize = 256;

/// Where games send their positions. Clones are the same feed, which ends with the last of them.
#[derive(Clone, Debug)]
pub(crate) struct LiveFeed {
    sender: Sender<Arc<LivePosition>>,
    /// Receives every line between Arbiter and the engines.
    pub(crate) tap: Option<WireTap>,
}

/// A handle for subscribing. It does not keep the feed alive.
#[derive(Clone, Debug)]
pub struct LiveEntrance(WeakSender<Arc<LivePosition>>);

/// A subscription, until it is dropped.
#[derive(Debug)]
pub struct LiveWatch(Receiver<Arc<LivePosition>>);

impl LiveFeed {
    /// A feed without watchers.
    pub(crate) fn heard_by(tap: Option<WireTap>) -> LiveFeed {
        LiveFeed { sender: broadcast::channel(BACKLOG).0, tap }
    }

    /// Sends a position to the watchers. Without watchers, it is not even created.
    pub(crate) fn show(&self, position: impl FnOnce() -> LivePosition) {
        if self.sender.receiver_count() > 0 {
            // It only fails if the last watcher has just gone.
            let _ = self.sender.send(Arc::new(position()));
        }
    }

    pub(crate) fn entrance(&self) -> LiveEntrance {
        LiveEntrance(self.sender.downgrade())
    }
}

impl LiveEntrance {
    /// Subscribes; `None` if the run is over.
    pub fn watch(&self) -> Option<LiveWatch> {
        Some(LiveWatch(self.0.upgrade()?.subscribe()))
    }
}

impl LiveWatch {
    /// The next position of any game, `None` if the run is over. Positions may have been missed.
    pub async fn next(&mut self) -> Option<Arc<LivePosition>> {
        loop {
            match self.0.recv().await {
                Ok(position) => return Some(position),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

/// The board before a move, with everything that led to it, so that late watchers need nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePosition {
    /// The index of the game in the schedule, from 0.
    pub game: u32,
    /// The position that the moves start from, as FEN.
    pub start: String,
    /// The position on the board, as FEN.
    pub fen: String,
    /// The last move in UCI notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<CompactString>,
    /// All moves in standard algebraic notation, including the opening's.
    pub moves: Vec<CompactString>,
    /// The side with the white pieces.
    pub white: LiveSide,
    /// The side with the black pieces.
    pub black: LiveSide,
}

/// One side of a game that is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveSide {
    /// The index of the engine.
    pub engine: usize,
    /// The time left on its clock; `None` without a clock.
    #[serde(rename = "left_us", with = "micros", default, skip_serializing_if = "Option::is_none")]
    pub clock_left: Option<Duration>,
    /// The score that it reported with its last move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<MoveScore>,
    /// The depth in plies that it reported with its last move.
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
}
