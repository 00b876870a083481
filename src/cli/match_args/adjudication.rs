//! Which games are cut short.

use clap::Args;

use crate::runner::{Adjudication, DrawRule, ResignRule};

/// The options under "Adjudication".
#[derive(Debug, Args)]
#[command(next_help_heading = "Adjudication")]
pub struct AdjudicationArgs {
    /// Call a game a draw when from a move on both engines report little for a while: move=40,count=8,score=10
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,

    /// Let an engine resign that reports itself lost for a while: count=3,score=600
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,

    /// Call a game a draw after this many moves
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,
}

impl AdjudicationArgs {
    /// The rules given.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, max_moves: self.max_moves }
    }
}
