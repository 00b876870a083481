//! What `games.pgn` tells.

use clap::Args;

use runner::{PgnConfig, PgnFields};

/// The options under "PGN".
#[derive(Debug, Args)]
#[command(next_help_heading = "PGN")]
pub struct PgnArgs {
    /// Fields in games.pgn beside moves and scores: depth, seldepth, nodes, nps, hashfull, tbhits, time, timeleft,
    /// latency, pv, start, or none [default: depth; with a clock also time and start]
    #[arg(long, value_name = "FIELD,…")]
    pgn_fields: Option<PgnFields>,

    /// Behind each move, write the last line of its search that matches this regular expression; may be repeated
    #[arg(long, value_name = "REGEX")]
    pgn_match_line: Vec<String>,
}

impl PgnArgs {
    /// What was asked for.
    pub fn pgn(&self) -> PgnConfig {
        PgnConfig { fields: self.pgn_fields.clone(), match_lines: self.pgn_match_line.clone() }
    }
}
