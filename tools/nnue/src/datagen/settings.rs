//! The settings of the generator, and its command line.

use std::collections::HashSet;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, ensure};
use chess::{Position, SplitMix};
use clap::{Args, value_parser};
use rustc_hash::FxHasher;
use serde::{Serialize, Serializer};
use tarrasch::nnue::Network;
use tarrasch::openings::{FenBook, RandomOpening};

use super::Target;
use crate::game::{Filter, ply_of};
use crate::{share, shuffle};

/// A game depends on these settings, the engine and the game's number. Scores are in centipawns.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    pub seed: u32,
    /// The soft node limit of a move.
    pub nodes: u32,
    /// The hard node limit of a move, as a multiple of the soft one. An iteration that it interrupts is not used.
    pub hard_factor: u32,
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
    /// The starts of a share of the games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<OpeningFile>,
}

#[expect(clippy::ref_option, reason = "serde gives the field as it is")]
fn checksum<S: Serializer>(network: &Option<Arc<Network>>, serializer: S) -> Result<S::Ok, S::Error> {
    let checksum =
        network.as_ref().map_or_else(|| Network::shipped().checksum(), |network| network.checksum());
    serializer.serialize_str(&format!("{checksum:016x}"))
}

impl Settings {
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
        openings: None,
    };
}

/// A file of starting positions, for a share of the games. They may be lopsided.
///
/// The game's number decides whether it begins with a line, and with which: the lines are shuffled and used one after
/// another. When all have been used, they are used again with one random ply more.
#[derive(Clone, Debug, Serialize)]
pub struct OpeningFile {
    /// The share of the games, from 0 to 1.
    share: f64,
    /// The fingerprint of the positions in hexadecimal.
    positions: String,
    #[serde(skip)]
    book: Arc<FenBook>,
    /// The order in which the lines are used, without repeated positions.
    #[serde(skip)]
    order: Arc<[u32]>,
}

impl OpeningFile {
    /// Reads a file and checks every line.
    pub fn load(path: &Path, share: f64, seed: u32) -> Result<OpeningFile> {
        let wrong = |error| anyhow!("--openings {error}");
        let book = FenBook::load(path).map_err(wrong)?;
        let (mut keys, mut order, mut hasher) = (HashSet::new(), Vec::new(), FxHasher::default());
        for line in 0..book.line_count() {
            let position = book.position(line).map_err(wrong)?;
            ensure!(
                position.has_legal_move(),
                "--openings {}: expected a position with a legal move",
                book.place(line)
            );
            let key = position.key();
            if keys.insert(key) {
                order.push(line);
                hasher.write_u64(key.bits());
            }
        }
        shuffle(&mut order, &mut SplitMix::new(seed.into()));
        let positions = format!("{:016x}", hasher.finish());
        Ok(OpeningFile { share, positions, book: Arc::new(book), order: order.into() })
    }

    /// The line with which a game begins, and the number of random plies after it; `None` for other games.
    pub(super) fn start(&self, number: u64) -> Option<(Position, u32)> {
        let games_before = |number: u64| (number as f64 * self.share) as u64;
        let index = games_before(number);
        if games_before(number + 1) == index {
            return None;
        }
        let lines = self.order.len() as u64;
        let position = self.book.position(self.order[(index % lines) as usize]).ok()?;
        Some((numbered_for_training(position)?, (index / lines) as u32))
    }
}

/// Raises a low move number to that of the first position that [`Filter`] keeps by default. Lines of EPD files and
/// mined positions often lack the number.
fn numbered_for_training(position: Position) -> Option<Position> {
    let first = Filter::default().min_ply;
    if ply_of(&position) >= first {
        return Some(position);
    }
    let fen = position.fen();
    let (board, _) = fen.rsplit_once(' ')?;
    Position::from_fen(&format!("{board} {}", first.div_ceil(2) + 1)).ok()
}

#[derive(Debug, Args)]
pub struct DatagenArguments {
    /// The file of games; `FILE.toml` has the settings
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    #[command(flatten)]
    target: TargetArguments,

    /// Soft node limit for each move: the last iteration is finished, within ten times as many nodes
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.nodes, value_parser = value_parser!(u32).range(1..))]
    nodes: u32,

    /// Evaluate with this network instead of the one that ships
    #[arg(long, value_name = "NET")]
    network: Option<PathBuf>,

    /// Random plies before each game, every other time one more
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.random_plies, value_parser = value_parser!(u32).range(1..=100))]
    random_plies: u32,

    /// Begin a share of the games with lines of this file, FEN or EPD, however lopsided: each once as it is, then each
    /// again after one random ply, and so on
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// The share of the games that `--openings` is for, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share, requires = "openings")]
    openings_share: f64,

    /// Seed of the openings; the same seed gives the same games, with any number of threads
    #[arg(long, value_name = "N", default_value_t = Settings::DEFAULT.seed)]
    seed: u32,

    /// Threads; each plays its own games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..))]
    pub threads: u16,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct TargetArguments {
    /// Stop when the file has N games
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Stop when the file has N training positions, as `nnue info` counts them
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(1..))]
    positions: Option<u64>,
}

impl DatagenArguments {
    pub fn settings(&self) -> Result<Settings> {
        let DatagenArguments { seed, nodes, random_plies, .. } = *self;
        let load = |path: &PathBuf| Network::load(path).with_context(|| path.display().to_string());
        let network = self.network.as_ref().map(load).transpose()?.map(Arc::new);
        let load = |path: &PathBuf| OpeningFile::load(path, self.openings_share, seed);
        let openings = self.openings.as_ref().map(load).transpose()?;
        Ok(Settings { seed, nodes, random_plies, network, openings, ..Settings::DEFAULT })
    }

    pub fn target(&self) -> Target {
        match (self.target.games, self.target.positions) {
            (Some(games), _) => Target::Games(games),
            (None, positions) => Target::Positions(positions.unwrap_or_default()),
        }
    }
}
