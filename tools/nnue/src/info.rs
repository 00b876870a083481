//! Statistics of files of games.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::game::{Filter, Game, GameResult};
use super::say;
use super::viriformat::{GamesError, read_games};

#[derive(Debug, Args)]
pub struct InfoArguments {
    /// Files of games, counted together
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Which positions are for training.
    #[command(flatten)]
    pub filter: Filter,
}

pub fn command(arguments: &InfoArguments) -> Result<()> {
    let mut info = Info::default();
    for file in &arguments.files {
        info.add_file(file, arguments.filter)?;
    }
    say(info.finish().to_string().trim_end())
}

/// The upper ends of the score ranges, in centipawns for either side; the last range has the rest.
const SCORE_RANGES: [u16; 8] = [10, 25, 50, 100, 200, 400, 800, 1600];

/// Statistics of any number of files. To find repeated positions it keeps eight bytes per training position.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// Games by [`GameResult::half_points`].
    pub results: [u64; 3],
    /// The plies of each game without its opening.
    pub lengths: Vec<u32>,
    /// Training positions by the range of their score.
    pub scores: [u64; SCORE_RANGES.len() + 1],
    /// Training positions that occur earlier in the files.
    pub repeated: u64,
    /// Games skipped because their starts had been played.
    pub skipped: u64,
    pub torn_bytes: u64,
    keys: Vec<u64>,
}

impl Info {
    /// Adds the games of a file. The filter chooses the training positions.
    pub fn add_file(&mut self, path: &Path, filter: Filter) -> Result<(), GamesError> {
        self.torn_bytes += read_games(path, |game| {
            self.add_game(game, filter);
            Ok::<(), GamesError>(())
        })?;
        Ok(())
    }

    fn add_game(&mut self, game: &Game, filter: Filter) {
        self.results[usize::from(game.result.half_points())] += 1;
        self.lengths.push(game.moves.len() as u32);
        self.skipped += u64::from(game.skipped);
        for turn in game.turns().filter(|turn| filter.keeps(turn)) {
            let score = turn.score.unsigned_abs();
            self.scores[SCORE_RANGES.partition_point(|&end| end < score)] += 1;
            self.keys.push(turn.position.key().bits());
        }
    }

    pub fn finish(mut self) -> Info {
        self.lengths.sort_unstable();
        let mut keys = std::mem::take(&mut self.keys);
        keys.sort_unstable();
        let positions = keys.len();
        keys.dedup();
        self.repeated = (positions - keys.len()) as u64;
        self
    }

    pub fn games(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// Plies that were searched.
    pub fn plies(&self) -> u64 {
        self.lengths.iter().map(|&plies| u64::from(plies)).sum()
    }

    pub fn positions(&self) -> u64 {
        self.scores.iter().sum()
    }
}

/// A line for each count. Call [`Info::finish`] first.
impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (games, plies, positions) = (self.games(), self.plies(), self.positions());
        let mut line = |name: &str, text: String| writeln!(f, "  {name:<19} {text}");
        line("Games", grouped(games))?;
        for (name, result) in [
            ("  White wins", GameResult::WhiteWins),
            ("  Draws", GameResult::Draw),
            ("  Black wins", GameResult::BlackWins),
        ] {
            let count = self.results[usize::from(result.half_points())];
            line(name, format!("{} ({})", grouped(count), percent(count, games)))?;
        }
        line("Skipped games", format!("{} whose opening had been played", grouped(self.skipped)))?;
        line("Plies", grouped(plies))?;
        if let [shortest, .., longest] = self.lengths[..] {
            let mean = plies as f64 / games as f64;
            let median = self.lengths[self.lengths.len() / 2];
            line("  in a game", format!("mean {mean:.1}, median {median}, from {shortest} to {longest}"))?;
        }
        line(
            "Training positions",
            format!("{} ({} of the plies)", grouped(positions), percent(positions, plies)),
        )?;
        line("  repeated", format!("{} ({})", grouped(self.repeated), percent(self.repeated, positions)))?;
        line("  score in cp", "for either side".to_owned())?;
        let mut first = 0;
        for (index, &count) in self.scores.iter().enumerate() {
            let range = match SCORE_RANGES.get(index) {
                Some(last) => format!("    {first} to {last}"),
                None => format!("    {first} and more"),
            };
            line(&range, format!("{} ({})", grouped(count), percent(count, positions)))?;
            first = SCORE_RANGES.get(index).map_or(first, |last| last + 1);
        }
        if self.torn_bytes > 0 {
            line("Unfinished", format!("{} bytes of a game that is not whole", grouped(self.torn_bytes)))?;
        }
        Ok(())
    }
}

/// A number with thousands separators: `5,000`. (The program `arbiter`, which no tool of the engine depends on, has its
/// own.)
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part of a whole in percent: `12.5%`; `0.0%` if the whole is 0.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}%", 100.0 * part as f64 / whole.max(1) as f64)
}
