//! The limits of a search.

use std::sync::Arc;

use super::nnue::Network;
use super::search::{Technique, Techniques};
use super::{Depth, Nodes, SyzygyOptions, TimeManager};
use chess::Move;

/// The limits of one search, which stops at the first it reaches, and the options that it depends on.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the last iteration.
    pub depth: Depth,
    /// The maximum number of nodes.
    pub nodes: Option<Nodes>,
    /// Stop at a mate in at most this many full moves.
    pub mate: Option<u32>,
    /// The time limits.
    pub time: TimeManager,
    /// The root moves to search; all if empty.
    pub search_moves: Vec<Move>,
    /// The number of lines, at least 1.
    pub multi_pv: usize,
    /// The techniques that are on.
    pub techniques: Techniques,
    /// The tablebases.
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

    /// A fixed depth.
    pub fn depth(depth: Depth) -> Limits {
        Limits { depth: depth.min(Depth::MAX), ..Limits::unlimited() }
    }

    /// A fixed number of nodes.
    pub fn nodes(nodes: Nodes) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::unlimited() }
    }

    /// The network that the search evaluates with, if any.
    pub fn network_in_use(&self) -> Option<&Arc<Network>> {
        self.techniques.has(Technique::Network).then_some(&self.network)
    }
}
