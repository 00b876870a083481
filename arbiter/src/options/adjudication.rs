//! Options for adjudication: which games end early.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;

use super::one_of;
use crate::files::file_record;
use referee::Variant;
use runner::{Adjudication, DrawRule, PlayOut, ResignRule, SyzygyResults, SyzygyRule, TablebaseAdjudicator};

#[derive(Debug, Args)]
#[command(next_help_heading = "Adjudication")]
pub struct AdjudicationArgs {
    /// Adjudicate draws, e.g. move=40,count=8,score=10; on by default with --sprt
    ///
    /// A game is a draw if the scores of both engines stayed within SCORE centipawns of 0 for COUNT moves in a row without a
    /// capture or a pawn move, and move MOVE has been played. `none` turns this off. The default of match --sprt and --best
    /// is move=34,count=8,score=20.
    #[arg(long, value_name = "RULE")]
    draw: Option<ScoreRule<DrawRule>>,

    /// Adjudicate losses, e.g. count=3,score=600; on by default with --sprt
    ///
    /// An engine loses if it has reported -SCORE centipawns or less for COUNT moves in a row. With twosided=true its
    /// opponent must report a win as well. `none` turns this off. The default of match --sprt and --best is count=3,score=400,twosided=true.
    #[arg(long, value_name = "RULE")]
    resign: Option<ScoreRule<ResignRule>>,

    /// Adjudicate a draw after this many moves
    #[arg(long = "maxmoves", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_moves: Option<u32>,

    /// Adjudicate with the Syzygy WDL tablebases in these folders
    #[arg(long, value_name = "PATH[:PATH]")]
    syzygy: Option<OsString>,

    /// Adjudicate positions with at most this many pieces, kings included
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(3..=7), requires = "syzygy")]
    syzygy_pieces: u8,

    /// Play a share of the games to the end, such as 0.1, to see how many results --draw and --resign change
    #[arg(long, value_name = "SHARE")]
    play_out: Option<PlayOut>,

    /// Count a tablebase win even if the fifty-move rule would make it a draw
    #[arg(long, requires = "syzygy")]
    syzygy_ignore_50: bool,

    /// Which tablebase results end a game
    #[arg(long, value_name = "RESULTS", default_value = "all", requires = "syzygy", value_parser = one_of([
        ("all", "", SyzygyResults::All), ("draws", "", SyzygyResults::Draws), ("wins", "", SyzygyResults::Wins),
    ]))]
    syzygy_results: SyzygyResults,
}

/// The value of `--draw` or `--resign`: a rule, or `none`.
#[derive(Clone, Copy, Debug)]
struct ScoreRule<R>(Option<R>);

impl<R: FromStr<Err: Display>> FromStr for ScoreRule<R> {
    type Err = String;

    fn from_str(text: &str) -> Result<ScoreRule<R>, String> {
        let rule = (text != "none").then(|| text.parse()).transpose();
        rule.map(ScoreRule).map_err(|error| format!("{error}; `none` turns the rule off"))
    }
}

/// The default rules of a match with an SPRT. By `results/verdict-cost.csv`, they save a quarter of the engines' time at
/// 2,000 nodes, and their effect on the results is too small to measure.
pub const OF_SPRT: Adjudication = Adjudication {
    draw: Some(DrawRule { from_move: 34, count: 8, score: 20 }),
    resign: Some(ResignRule { count: 3, score: 400, two_sided: true }),
    max_moves: None,
    syzygy: None,
    play_out: None,
};

impl AdjudicationArgs {
    /// The rules, and the variant's tablebases opened to check them, for a run that starts at once. The draw and resign rules
    /// default to those of `usual`.
    pub fn with_tables(
        &self,
        usual: &Adjudication,
        variant: Variant,
    ) -> anyhow::Result<(Adjudication, Option<TablebaseAdjudicator>)> {
        let rules = Adjudication {
            draw: self.draw.map_or(usual.draw, |ScoreRule(rule)| rule),
            resign: self.resign.map_or(usual.resign, |ScoreRule(rule)| rule),
            max_moves: self.max_moves,
            syzygy: self.syzygy()?,
            play_out: self.play_out,
        };
        if self.play_out.is_some() && !rules.judges_scores() {
            bail!("--play-out: expected --draw or --resign too, the rules that it checks");
        }
        let tables = rules.open_tables(variant).context("--syzygy")?;
        Ok((rules, tables))
    }

    fn syzygy(&self) -> anyhow::Result<Option<SyzygyRule>> {
        let Some(paths) = &self.syzygy else { return Ok(None) };
        // An empty part, as after a trailing colon, is no folder.
        let named = env::split_paths(paths).filter(|folder| !folder.as_os_str().is_empty());
        let folders: Vec<PathBuf> =
            named.map(|folder| file_record::path(&folder)).collect::<Result<_, _>>().context("--syzygy")?;
        if folders.is_empty() {
            bail!("--syzygy {}: expected a folder with Syzygy tablebases", paths.display());
        }
        Ok(Some(SyzygyRule {
            folders,
            pieces: usize::from(self.syzygy_pieces),
            ignore_50: self.syzygy_ignore_50,
            results: self.syzygy_results,
            every_move: false,
        }))
    }
}
