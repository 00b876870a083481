//! How games are played.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use tarrasch::nnue::Network;
use tarrasch::openings::RandomOpening;

/// A game depends on these settings, the engine and the game's number. Scores are in centipawns.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The seed of the openings.
    pub seed: u32,
    /// The soft node limit of a move.
    pub nodes: u32,
    /// The hard node limit of a move, as a multiple of the soft one. An iteration that it interrupts is not used.
    pub hard_factor: u32,
    /// The size of the TT in MiB.
    pub hash_mib: u32,
    /// The random plies before the first move, every other time one more.
    pub random_plies: u32,
    /// The soft node limit of the search that evaluates the start.
    pub opening_nodes: u32,
    /// Starts with at least this score for either side are rejected.
    pub opening_score: u16,
    /// A game is won after `win_plies` in a row with at least this score for the same side.
    pub win_score: u16,
    /// See `win_score`.
    pub win_plies: u32,
    /// A game is drawn after `draw_plies` in a row with at most this score for either side.
    pub draw_score: u16,
    /// See `draw_score`.
    pub draw_plies: u32,
    /// The first move that counts for a draw.
    pub draw_from_move: u16,
    /// One game in this many is played without adjudication.
    pub played_out: u32,
    /// The network, if it is not the one that ships. Files of games have its checksum.
    #[serde(serialize_with = "checksum")]
    pub network: Option<Arc<Network>>,
}

#[expect(clippy::ref_option, reason = "serde gives the field as it is")]
fn checksum<S: Serializer>(network: &Option<Arc<Network>>, serializer: S) -> Result<S::Ok, S::Error> {
    let checksum =
        network.as_ref().map_or_else(|| Network::shipped().checksum(), |network| network.checksum());
    serializer.serialize_str(&format!("{checksum:016x}"))
}

impl Settings {
    /// The defaults.
    pub const DEFAULT: Settings = Settings {
        seed: 1,
        nodes: 1500,
        hard_factor: RandomOpening::DEFAULT.hard_factor,
        hash_mib: 4,
        random_plies: RandomOpening::DEFAULT.plies,
        opening_nodes: RandomOpening::DEFAULT.nodes,
        opening_score: RandomOpening::DEFAULT.score,
        win_score: 2000,
        win_plies: 4,
        draw_score: 5,
        draw_plies: 12,
        draw_from_move: 40,
        played_out: 10,
        network: None,
    };
}
