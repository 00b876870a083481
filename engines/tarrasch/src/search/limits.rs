//! The limits of a search, and the techniques that are on.
//!
//! Each technique is a UCI option, so that its worth can be measured (`arbiter ablate tarrasch`).

use std::sync::Arc;

use crate::nnue::Network;
use crate::{Depth, Nodes, SyzygyOptions, TimeManager};
use chess::Move;

/// The limits of one search, which stops at the first it reaches, and the options that it depends on.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the last iteration.
    pub depth: Depth,
    pub nodes: Option<Nodes>,
    /// Stop at a mate in at most this many full moves.
    pub mate: Option<u32>,
    pub time: TimeManager,
    /// The root moves to search; all if empty.
    pub search_moves: Vec<Move>,
    /// The number of lines, at least 1.
    pub multi_pv: usize,
    pub techniques: Techniques,
    pub syzygy: SyzygyOptions,
    /// The network, used if [`Technique::Network`] is on.
    pub network: Arc<Network>,
}

impl Limits {
    /// No limit but [`Depth::MAX`].
    pub fn unlimited() -> Limits {
        Limits {
            depth: Depth::MAX,
            nodes: None,
            mate: None,
            time: TimeManager::UNLIMITED,
            search_moves: Vec::new(),
            multi_pv: 1,
            techniques: Techniques::ALL,
            syzygy: SyzygyOptions::default(),
            network: Network::shipped(),
        }
    }

    pub fn depth(depth: Depth) -> Limits {
        Limits { depth: depth.min(Depth::MAX), ..Limits::unlimited() }
    }

    pub fn nodes(nodes: Nodes) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::unlimited() }
    }

    /// The network that the search evaluates with, if any.
    pub fn network_in_use(&self) -> Option<&Arc<Network>> {
        self.techniques.has(Technique::Network).then_some(&self.network)
    }
}

named_enum! {
    /// A technique of the search, named as its option.
    #[repr(u8)]
    pub enum Technique {
        /// Principal variation search: later moves get a zero window first.
        Pvs = "PVS",
        /// Transposition table cutoffs and TT moves.
        HashTable = "HashTable",
        Aspiration = "Aspiration",
        NullMove = "NullMove",
        /// Reverse futility pruning: nodes far above beta are cut.
        ReverseFutility = "ReverseFutility",
        /// Razoring: nodes far below alpha go to quiescence.
        Razoring = "Razoring",
        /// Futility pruning: quiet moves far below alpha are skipped.
        Futility = "Futility",
        DeltaPruning = "DeltaPruning",
        /// Checks at the first ply of quiescence.
        QuiescenceChecks = "QuiescenceChecks",
        /// Late-move pruning: late quiet moves are skipped at low depth.
        LateMovePruning = "LateMovePruning",
        /// SEE pruning and history pruning of moves.
        SeePruning = "SEEPruning",
        LateMoveReductions = "LateMoveReductions",
        /// `ProbCut`: a capture that fails high in a shallow search cuts the node.
        ProbCut = "ProbCut",
        /// Singular extensions: a TT move much better than all others is extended.
        SingularExtensions = "SingularExtensions",
        CheckExtensions = "CheckExtensions",
        Killers = "Killers",
        /// History heuristics for quiet moves.
        History = "History",
        /// Butterfly history also depends on whether origin and target are attacked.
        ThreatHistory = "ThreatHistory",
        /// Move ordering by threats of lesser pieces.
        ThreatOrder = "ThreatOrder",
        /// The quiet move that led to a node gets a history bonus by its result.
        PriorMoveHistory = "PriorMoveHistory",
        CaptureHistory = "CaptureHistory",
        /// Correction history of the static evaluation.
        CorrectionHistory = "CorrectionHistory",
        /// The network, where there is one, in place of the hand-written evaluation.
        Network = "Network",
    }
}

impl Technique {
    pub fn named(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|technique| technique.name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Techniques {
    pub const ALL: Techniques = Techniques((1 << Technique::ALL.len()) - 1);

    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u8 != 0
    }

    pub fn switch(&mut self, technique: Technique, on: bool) {
        let bit = 1 << technique as u8;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_technique_is_switched_by_itself() {
        for technique in Technique::ALL {
            let mut techniques = Techniques::ALL;
            techniques.switch(technique, false);
            for other in Technique::ALL {
                assert_eq!(techniques.has(other), other != technique);
            }
            techniques.switch(technique, true);
            assert_eq!(techniques, Techniques::ALL);
            assert_eq!(Technique::named(technique.name()), Some(technique));
        }
    }
}
