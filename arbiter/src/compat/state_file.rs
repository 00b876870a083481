//! `config.json` of fastchess, field by field (`types/tournament.hpp`, `types/engine_config.hpp`, `scoreboard.hpp`).

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use stats::{Pentanomial, Wdl};

use super::scoreboard::Score;
use super::tournament::{FileOut, PgnOut};

#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the file has them")]
pub(super) struct StateFile {
    pub(super) resign: Resign,
    pub(super) draw: Draw,
    pub(super) maxmoves: MaxMoves,
    pub(super) tb_adjudication: Tables,
    pub(super) opening: Opening,
    pub(super) pgn: PgnOut,
    pub(super) epd: FileOut,
    pub(super) sprt: Test,
    pub(super) config_name: String,
    pub(super) output: u8,
    pub(super) seed: u64,
    pub(super) variant: u8,
    #[serde(rename = "type")]
    pub(super) format: u8,
    pub(super) gauntlet_seeds: usize,
    pub(super) ratinginterval: u32,
    pub(super) scoreinterval: u32,
    pub(super) wait: u64,
    pub(super) autosaveinterval: u32,
    pub(super) games: u32,
    pub(super) rounds: u32,
    pub(super) concurrency: i64,
    pub(super) force_concurrency: bool,
    pub(super) recover: bool,
    pub(super) noswap: bool,
    pub(super) reverse: bool,
    pub(super) report_penta: bool,
    pub(super) affinity: bool,
    pub(super) check_mate_pvs: bool,
    pub(super) show_latency: bool,
    pub(super) log: Log,
    pub(super) engines: Vec<Engine>,
    #[serde(default)]
    pub(super) stats: Option<BTreeMap<String, Stats>>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Resign {
    pub(super) move_count: u32,
    pub(super) score: u32,
    pub(super) twosided: bool,
    pub(super) enabled: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Draw {
    pub(super) move_number: u32,
    pub(super) move_count: u32,
    pub(super) score: u32,
    pub(super) enabled: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct MaxMoves {
    pub(super) move_count: u32,
    pub(super) enabled: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Tables {
    pub(super) syzygy_dirs: String,
    pub(super) max_pieces: usize,
    pub(super) ignore_50_move_rule: bool,
    pub(super) enabled: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Opening {
    pub(super) file: String,
    pub(super) format: u8,
    pub(super) order: u8,
    pub(super) plies: i64,
    pub(super) start: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Test {
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) model: String,
    pub(super) enabled: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the file has them")]
pub(super) struct Log {
    pub(super) file: String,
    pub(super) level: u8,
    pub(super) append_file: bool,
    pub(super) compress: bool,
    pub(super) realtime: bool,
    pub(super) engine_coms: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Engine {
    pub(super) name: String,
    pub(super) dir: String,
    pub(super) cmd: String,
    pub(super) args: String,
    pub(super) restart: bool,
    pub(super) options: Vec<(String, String)>,
    pub(super) limit: Limit,
    pub(super) variant: u8,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Limit {
    pub(super) tc: Clock,
    pub(super) nodes: u64,
    pub(super) plies: u32,
}

/// In milliseconds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Clock {
    pub(super) increment: u64,
    pub(super) fixed_time: u64,
    pub(super) time: u64,
    pub(super) moves: u32,
    pub(super) timemargin: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[expect(non_snake_case, reason = "the names of the file")]
pub(super) struct Stats {
    pub(super) wins: u64,
    pub(super) losses: u64,
    pub(super) draws: u64,
    pub(super) penta_WW: u64,
    pub(super) penta_WD: u64,
    pub(super) penta_WL: u64,
    pub(super) penta_DD: u64,
    pub(super) penta_LD: u64,
    pub(super) penta_LL: u64,
}

impl StateFile {
    /// Checks that nothing is asked for that cannot be done here.
    pub(super) fn check(&self) -> Result<()> {
        let (draw, resign) = (&self.draw, &self.resign);
        for (is_asked, refusal) in [
            (self.pgn.notation == 1, "pgn, notation: expected 0 or 2, for san or uci; found 1, for lan"),
            (self.log.compress, "log, compress: expected false; compress the file afterwards"),
            (draw.enabled && draw.move_count == 0, "draw, move_count: expected a number above 0"),
            (resign.enabled && resign.move_count == 0, "resign, move_count: expected a number above 0"),
        ] {
            if is_asked {
                bail!(refusal);
            }
        }
        Ok(())
    }
}

impl Stats {
    /// What is written of a score; pairs of draws are counted only where pairs count.
    pub(super) fn of(score: &Score, penta: bool) -> Stats {
        let [ll, ld, _, wd, ww] = score.pairs.counts();
        Stats {
            wins: score.games.wins,
            losses: score.games.losses,
            draws: score.games.draws,
            penta_WW: ww,
            penta_WD: wd,
            penta_WL: score.split_pairs,
            penta_DD: if penta { score.drawn_pairs() } else { 0 },
            penta_LD: ld,
            penta_LL: ll,
        }
    }

    /// The score that was written.
    pub(super) fn score(&self) -> Score {
        let level = self.penta_WL + self.penta_DD;
        Score {
            games: Wdl::new(self.wins, self.draws, self.losses),
            pairs: Pentanomial::new([self.penta_LL, self.penta_LD, level, self.penta_WD, self.penta_WW]),
            split_pairs: self.penta_WL,
        }
    }
}
