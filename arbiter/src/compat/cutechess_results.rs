//! The results of a tournament as cutechess-cli counts and prints them (`tournament.cpp`, `elo.cpp`).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use referee::Side;
use runner::{GameRecord, Termination};
use stats::{Sprt, Wdl};

use super::reason::cutechess_reason;
use super::scores::general;
use crate::results::RunState;

/// The standard deviations of a 95% half-width, by cutechess-cli's approximation of the error function.
const Z_95: f64 = 1.957_161_931_656_025;

const FORMATS: [(&str, &str); 13] = [
    ("concise", "Rank,Name,Elo,Error,Games"),
    ("default", DEFAULT_FORMAT),
    ("draws", "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,DrawStats"),
    ("minimal", "Rank,Name"),
    ("ordo", "Rank,Name,Elo,Points,Games,Score"),
    ("per-color", "Rank,Name,Elo,Error,Games,W,L,D,Points,wW,wL,wD,bW,bL,bD"),
    ("short", "Rank,Name,Elo,Games"),
    ("small", "Rank,Name,Games,Points"),
    ("term", "Rank,Name,Elo,Error,Games,Score,Terminations"),
    ("wide", "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore"),
    ("wide2", "Rank,Name,Elo,Error,Games,W,L,D,Points,Score,DScore,wScore,bScore"),
    ("wide3", "Rank,Name,TC,Elo,Error,Games,WLDStats,DrawStats,Terminations"),
    ("with-points", "Rank,Name,Elo,Error,Games,Points,Score,DScore"),
];

const DEFAULT_FORMAT: &str = "Rank,Name,Elo,Error,Games,Score,DScore";

const GROUPS: [(&str, &str); 3] = [
    ("WLDStats", "W,L,D,Points,Score,wW,wL,wD,wScore,bW,bL,bD,bScore"),
    ("DrawStats", "DScore,DStale,DMater,DRepet,DMoves,DAdj,DAgree,OtherD"),
    ("Terminations", "Time,Illegal,Discon,Stall,WrClaim"),
];

/// What `-resultformat help` prints.
pub(super) fn formats_text() -> String {
    let lines = |named: &[(&str, &str)]| -> String {
        let lines: Vec<String> =
            named.iter().map(|(name, columns)| format!("{name}\n   {columns}\n")).collect();
        lines.concat()
    };
    format!(
        "\nOption -resultformat accepts a comma separated list of fields or one of following format names:\n\n{}\n\
         Named shortcuts:\n{}",
        lines(&FORMATS),
        lines(&GROUPS)
    )
}

#[derive(Debug)]
pub(super) struct CutechessResults {
    players: Vec<PlayerResults>,
    /// The number of seeds of a gauntlet, which lead the ranking whatever their results.
    seeds: Option<usize>,
    format: String,
}

#[derive(Debug, Default)]
struct PlayerResults {
    name: String,
    time_control: String,
    by_colour: [Wdl; 2],
    endings: BTreeMap<String, (Termination, u64)>,
}

/// The prefix of endings of games that an engine won.
const WIN: &str = "Win: ";

impl CutechessResults {
    pub(super) fn new(
        players: Vec<(String, String)>,
        seeds: Option<usize>,
        format: &str,
    ) -> CutechessResults {
        let named = FORMATS.iter().find(|(name, _)| *name == format).map(|(_, columns)| *columns);
        let mut format = named.unwrap_or(if format.is_empty() { DEFAULT_FORMAT } else { format }).to_owned();
        for (name, columns) in GROUPS {
            format = format.replace(name, columns);
        }
        let player = |(name, time_control)| PlayerResults { name, time_control, ..PlayerResults::default() };
        CutechessResults { players: players.into_iter().map(player).collect(), seeds, format }
    }

    pub(super) fn add(&mut self, game: &GameRecord, state: &RunState) {
        let reason = cutechess_reason(game);
        let winner = game.result.and_then(referee::GameResult::winner);
        for side in [Side::White, Side::Black] {
            let player = &mut self.players[game.engine(side)];
            let head = match winner {
                None => "",
                Some(winner) if winner == side => WIN,
                Some(_) => "Loss: ",
            };
            player.by_colour = state.by_colour(game.engine(side));
            player.endings.entry(format!("{head}{reason}")).or_insert((game.termination, 0)).1 += 1;
        }
    }

    pub(super) fn score(&self) -> Option<String> {
        let [first, second] = &self.players[..] else { return None };
        Some(format!("Score of {} vs {}: {}", first.name, second.name, tally(first.all())))
    }

    pub(super) fn ranking(&self, sprt: Option<&Sprt>, is_reversed: bool, accepted: Option<&str>) -> String {
        let mut text = match &self.players[..] {
            [first, _] => first.sides() + &first.elo_text(),
            _ => self.table(),
        };
        let all = self.players.first().map(PlayerResults::all).unwrap_or_default();
        let (llr, lower, upper) = sprt.map_or((0.0, f64::NEG_INFINITY, f64::INFINITY), |sprt| {
            let (llr, lower, upper) = (sprt.llr_of_games(&all), sprt.lower(), sprt.upper());
            let sign = if is_reversed { -1.0 } else { 1.0 };
            let [llr, lower, upper] = [llr, lower, upper].map(|llr| sign * llr.value());
            (llr, lower.min(upper), lower.max(upper))
        });
        let verdict = accepted.map_or_else(String::new, |accepted| format!(" - {accepted} was accepted"));
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\nSPRT: llr {} ({}%), lbound {}, ubound {}{verdict}",
            general(llr, 3),
            number(llr / upper * 100.0, 1),
            general(lower, 3),
            general(upper, 3)
        );
        text
    }

    fn table(&self) -> String {
        let key = |index: usize, player: &PlayerResults| match self.seeds {
            Some(seeds) if index < seeds => -1.0,
            _ if player.all().games() == 0 => 2.0,
            _ => 1.0 - share(player.all()),
        };
        let mut ranking: Vec<(f64, &PlayerResults)> =
            self.players.iter().enumerate().map(|(index, player)| (key(index, player), player)).collect();
        // Of engines with equal scores, the last comes first.
        ranking.reverse();
        ranking.sort_by(|one, other| one.0.total_cmp(&other.0));
        let columns: Vec<&str> = self.format.split(',').map(str::trim).collect();
        let first_rank = usize::from(self.seeds.is_none());
        let mut text = String::new();
        for row in std::iter::once(None).chain(ranking.iter().enumerate().map(Some)) {
            for column in &columns {
                let cell = row.map(|(rank, (_, player))| (first_rank + rank, *player));
                text += &cell_text(column, cell).unwrap_or_default();
            }
            text.push('\n');
        }
        text
    }

    pub(super) fn outcomes(&self) -> String {
        let mut text = String::new();
        for player in &self.players {
            let _ = write!(text, "\nPlayer: {}", player.name);
            for (ending, (_, count)) in &player.endings {
                let _ = write!(text, "\n   \"{ending}\": {count}");
            }
        }
        text
    }
}

impl PlayerResults {
    fn all(&self) -> Wdl {
        self.by_colour[0] + self.by_colour[1]
    }

    fn sides(&self) -> String {
        let (name, mut text) = (&self.name, String::new());
        let [white, black] = self.by_colour;
        for (side, games) in [("White", white), ("Black", black)] {
            if games.games() > 0 {
                let _ = writeln!(text, "...      {name} playing {side}: {}", tally(games));
            }
        }
        let of_white = white + black.reversed();
        if of_white.games() > 0 {
            let _ = writeln!(text, "...      White vs Black: {}", tally(of_white));
        }
        text
    }

    fn elo_text(&self) -> String {
        let games = self.all();
        let (elo, error) = elo(games);
        let decided = (games.wins + games.losses) as f64;
        let los = stats::normal_cumulative((games.wins as f64 - games.losses as f64) / decided.sqrt());
        format!(
            "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %",
            number(elo, 1),
            number(error, 1),
            number(los * 100.0, 1),
            number(games.draws as f64 / games.games() as f64 * 100.0, 1)
        )
    }
}

/// A cell of the ranking, or its heading without a player; `None` for a column that cutechess-cli leaves out.
fn cell_text(column: &str, cell: Option<(usize, &PlayerResults)>) -> Option<String> {
    use Termination as T;
    let nobody = PlayerResults::default();
    let (rank, player) = cell.unwrap_or((0, &nobody));
    let (all, [white, black]) = (player.all(), player.by_colour);
    let percent = |part: f64| format!("{}%", number(part * 100.0, 1));
    let drawn = |games: Wdl| games.draws as f64 / games.games() as f64;
    let count = |kinds: &[Termination]| {
        let of_kinds =
            player.endings.iter().filter(|(text, (kind, _))| kinds.contains(kind) && !text.starts_with(WIN));
        of_kinds.map(|(_, (_, count))| count).sum::<u64>().to_string()
    };
    let (heading, width, text) = match column {
        "Rank" => ("Rank", 4, rank.to_string()),
        "Name" => return Some(format!("{:<25} ", if cell.is_some() { &player.name } else { "Name" })),
        "TC" => ("TC", 14, player.time_control.clone()),
        "Elo" => ("Elo", 7, number(elo(all).0, 0)),
        "Error" => ("+/-", 7, number(elo(all).1, 0)),
        "Games" => ("Games", 7, all.games().to_string()),
        "Points" => ("Points", 8, number(all.points(), 1)),
        "Score" => ("Score", 7, percent(share(all))),
        "DScore" => ("Draw", 7, percent(drawn(all))),
        "wScore" => ("White", 7, percent(share(white))),
        "bScore" => ("Black", 7, percent(share(black))),
        "wDScore" => ("WDraw", 7, percent(drawn(white))),
        "bDScore" => ("BDraw", 7, percent(drawn(black))),
        "W" => ("Wins", 7, all.wins.to_string()),
        "L" => ("Losses", 7, all.losses.to_string()),
        "D" => ("Draws", 7, all.draws.to_string()),
        "wW" => ("WWins", 7, white.wins.to_string()),
        "wL" => ("WLoss.", 7, white.losses.to_string()),
        "wD" => ("WDraws", 7, white.draws.to_string()),
        "bW" => ("BWins", 7, black.wins.to_string()),
        "bL" => ("BLoss.", 7, black.losses.to_string()),
        "bD" => ("BDraws", 7, black.draws.to_string()),
        "Time" => ("Time", 7, count(&[T::TimeLoss])),
        "Illegal" => ("Illegal", 7, count(&[T::IllegalMove, T::NoMove])),
        "Discon" => ("Discon", 7, count(&[T::Crash, T::Disconnect, T::NoHandshake, T::FailedToStart])),
        "Stall" => ("Stall", 7, count(&[T::Stall])),
        "DStale" => ("DStale", 7, count(&[T::Stalemate])),
        "DMater" => ("DMater", 7, count(&[T::InsufficientMaterial])),
        "DRepet" => ("DRepet", 7, count(&[T::ThreefoldRepetition])),
        "DMoves" => ("DMoves", 7, count(&[T::FiftyMoves])),
        "DAdj" => ("DAdj", 7, count(&[T::DrawAdjudication, T::MaxMoves])),
        // In UCI nobody claims a result or offers a draw.
        "WrClaim" => ("WrClaim", 7, "0".to_owned()),
        "DAgree" => ("DAgree", 7, "0".to_owned()),
        "DCount" => ("DCount", 7, "0".to_owned()),
        "OtherD" => ("OtherD", 7, "0".to_owned()),
        _ => return None,
    };
    Some(format!("{:>width$} ", if cell.is_some() { &text } else { heading }))
}

/// Wins, losses, draws, score and games, such as `3 - 1 - 2  [0.667] 6`.
pub(super) fn tally(games: Wdl) -> String {
    format!(
        "{} - {} - {}  [{}] {}",
        games.wins,
        games.losses,
        games.draws,
        number(share(games), 3),
        games.games()
    )
}

fn share(games: Wdl) -> f64 {
    games.points() / games.games() as f64
}

/// The Elo difference and the half-width of its interval.
fn elo(games: Wdl) -> (f64, f64) {
    let total = games.games() as f64;
    let mean = share(games);
    let spread = [(games.wins, 1.0), (games.draws, 0.5), (games.losses, 0.0)]
        .map(|(count, worth)| count as f64 / total * (worth - mean) * (worth - mean));
    let deviation = spread.iter().sum::<f64>().sqrt() / total.sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
    let half = (elo(mean + Z_95 * deviation) - elo(mean - Z_95 * deviation)) / 2.0;
    (elo(mean), half)
}

/// A number with a fixed number of decimals, as Qt prints it.
fn number(value: f64, decimals: usize) -> String {
    // The sum of -0 and 0 has no sign.
    format!("{:.decimals$}", value + 0.0).to_lowercase()
}
