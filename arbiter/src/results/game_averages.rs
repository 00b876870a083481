//! Depth, nodes and speed over the moves of one engine, in one game or in many.

use std::time::Duration;

use runner::MoveRecord;

/// Sums over moves. What an engine does not report is left out of the mean, not counted as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GameAverages {
    moves: u64,
    time: Duration,
    nodes: u64,
    /// The nodes that were searched in the time of their move, and the time of those moves.
    nodes_with_time: u64,
    time_with_nodes: Duration,
    depths: u64,
    moves_with_depth: u64,
}

impl GameAverages {
    /// The sums over some moves.
    pub fn of<'a>(moves: impl Iterator<Item = &'a MoveRecord>) -> GameAverages {
        let mut sums = GameAverages::default();
        for played in moves {
            sums.moves += 1;
            sums.time += played.time;
            sums.nodes += played.nodes.unwrap_or(0);
            // The nodes of a search that began on the opponent's time took more than the time on the own clock.
            if let Some(nodes) = played.nodes.filter(|_| !played.pondered) {
                sums.nodes_with_time += nodes;
                sums.time_with_nodes += played.time;
            }
            if let Some(depth) = played.depth {
                sums.depths += u64::from(depth);
                sums.moves_with_depth += 1;
            }
        }
        sums
    }

    /// Adds the moves of another game, or of many.
    pub fn add(&mut self, other: &GameAverages) {
        self.moves += other.moves;
        self.time += other.time;
        self.nodes += other.nodes;
        self.nodes_with_time += other.nodes_with_time;
        self.time_with_nodes += other.time_with_nodes;
        self.depths += other.depths;
        self.moves_with_depth += other.moves_with_depth;
    }

    /// Moves that were searched.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// The time of all searches.
    pub const fn time(&self) -> Duration {
        self.time
    }

    /// The nodes of all searches.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// In plies; `None` when no depth was reported.
    pub fn mean_depth(&self) -> Option<f64> {
        (self.moves_with_depth > 0).then(|| self.depths as f64 / self.moves_with_depth as f64)
    }

    /// All nodes by all the time they took on our clock, moves that were pondered left out; `None` when no nodes were
    /// reported.
    pub fn nodes_per_second(&self) -> Option<u64> {
        let seconds = self.time_with_nodes.as_secs_f64();
        (self.nodes_with_time > 0 && seconds > 0.0).then(|| (self.nodes_with_time as f64 / seconds) as u64)
    }
}
