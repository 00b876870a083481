//! What a search may use and consider.

use std::sync::Arc;

use super::nnue::Network;
use super::search::{Technique, Techniques};
use super::{Depth, Nodes, TableProbing, TimeManager};
use chess::Move;

/// The limits of one search; it ends at whichever it meets first.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The deepest iteration.
    pub depth: Depth,
    /// Nodes, never exceeded.
    pub nodes: Option<Nodes>,
    /// Stop when a mate in this many full moves, or fewer, is found.
    pub mate: Option<u32>,
    /// The time for the move.
    pub time: TimeManager,
    /// The root moves to consider; empty means all.
    pub search_moves: Vec<Move>,
    /// How many of the best lines to find, at least 1.
    pub multi_pv: usize,
    /// What the search may use.
    pub techniques: Techniques,
    /// The endgame tables to ask.
    pub tables: TableProbing,
    /// The network to ask, if [`Technique::Network`] is on.
    pub network: Option<Arc<Network>>,
}

impl Limits {
    /// No limit but the deepest depth that the search can do.
    pub fn unlimited() -> Limits {
        Limits {
            depth: Depth::MAX,
            nodes: None,
            mate: None,
            time: TimeManager::UNLIMITED,
            search_moves: Vec::new(),
            multi_pv: 1,
            techniques: Techniques::ALL,
            tables: TableProbing::default(),
            network: None,
        }
    }

    /// A fixed depth.
    pub fn depth(depth: Depth) -> Limits {
        Limits { depth: depth.min(Depth::MAX), ..Limits::unlimited() }
    }

    /// A fixed number of nodes.
    pub fn nodes(nodes: Nodes) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::unlimited() }
    }

    /// The network that the search asks.
    pub fn network_in_use(&self) -> Option<&Arc<Network>> {
        self.network.as_ref().filter(|_| self.techniques.has(Technique::Network))
    }
}
