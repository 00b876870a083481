//! The lines that an engine sends during a game.

use std::time::Duration;

use uci::{Bound, Info, Score, ScoreValue};

/// Mate in N moves is this and N more; mated in N moves is the negative of that.
const MATE: i64 = 100_000;

/// A line from an engine, by its meaning.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "it lives for one line; a box would be an allocation for each report"
)]
pub(super) enum Line<'a> {
    Move(&'a str),
    Report(Report<'a>),
    Pong(u32),
    /// `resign`.
    Resignation,
    /// The result of a game that the engine holds to be over, as in PGN.
    Result(&'a str),
    /// It holds this move to be illegal, or does not know this command.
    Illegal(&'a str),
    /// It cannot play the position.
    NoPosition,
    /// Anything else. The protocol leaves engines free to say what they like.
    Text,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Report<'a> {
    pub(super) info: Info,
    pub(super) variation: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn read(line: &'a str) -> Line<'a> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let mut words = rest.split_ascii_whitespace();
        match word {
            "move" => Line::Move(words.next().unwrap_or_default()),
            "pong" => rest.trim().parse().map_or(Line::Text, Line::Pong),
            "resign" => Line::Resignation,
            "1-0" | "0-1" | "1/2-1/2" | "*" => Line::Result(word),
            "tellusererror" if rest.trim_start().starts_with("Illegal position") => Line::NoPosition,
            _ if ["llegal move", "nvalid move", "Error ("].iter().any(|words| line.contains(words)) => {
                line.rsplit_once(':').map_or(Line::Text, |(_, text)| Line::Illegal(text.trim()))
            }
            _ if !word.starts_with(|letter: char| letter.is_ascii_digit()) => Line::Text,
            // The form of engines that are older than the command `move`: `12. ... e7e5`.
            _ if words.next() == Some("...") => words.next().map_or(Line::Text, Line::Move),
            _ => Report::read(line).map_or(Line::Text, Line::Report),
        }
    }
}

impl<'a> Report<'a> {
    /// Reads `depth score time nodes variation`. Before a tab, more numbers may follow the nodes: selective depth, speed and
    /// tablebase hits, of which the last is always there.
    fn read(line: &'a str) -> Option<Report<'a>> {
        let (depth, rest) = next_word(line);
        // A sign behind the depth marks a kind of iteration.
        let depth = depth.strip_suffix(|letter: char| !letter.is_ascii_digit()).unwrap_or(depth);
        let mut rest = rest;
        let mut number = || {
            let (word, later) = next_word(rest);
            rest = later;
            word.parse::<i64>().ok()
        };
        let (score, time, nodes) = (number()?, number()?, number()?);
        let is_number = |word: &str| word.parse::<u64>().is_ok();
        let tab =
            rest.rmatch_indices('\t').find(|(at, _)| rest[..*at].split_ascii_whitespace().all(is_number));
        let (numbers, variation) = tab.map_or(("", rest), |(at, _)| rest.split_at(at));
        let mut numbers: Vec<u64> =
            numbers.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
        let bound = match variation.trim_end().chars().next_back() {
            Some('?') => Bound::Upper,
            Some('!') => Bound::Lower,
            _ => Bound::Exact,
        };
        let info = Info {
            depth: Some(depth.parse().ok()?),
            score: Some(Score { value: value(score), bound }),
            time: Some(Duration::from_millis(u64::try_from(time).ok()?.saturating_mul(10))),
            nodes: Some(u64::try_from(nodes).ok()?),
            tbhits: numbers.pop(),
            seldepth: numbers.first().and_then(|depth| u32::try_from(*depth).ok()),
            nps: numbers.get(1).copied(),
            ..Info::default()
        };
        // A guess must not be held against the engine's variation.
        let is_guess = matches!(value(score), ScoreValue::Mate(_)) && score.abs() <= MATE;
        Some(Report { info, variation: if is_guess { "" } else { variation.trim_start() } })
    }

    pub(super) fn is_bound(&self) -> bool {
        self.info.score.is_some_and(|score| score.bound != Bound::Exact)
    }
}

fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// The value of a score. Engines from before the protocol had mate scores count the plies to mate down from a round number;
/// cutechess recognizes them in the same way (`adaptScore` in `xboardengine.cpp`). Engines count differently, so this
/// distance is only a guess.
fn value(score: i64) -> ScoreValue {
    let size = score.unsigned_abs();
    let mate = |moves: u64| ScoreValue::Mate(moves as i32 * score.signum() as i32);
    match size {
        100_001..=100_999 => mate(size - MATE.unsigned_abs()),
        9_901.. if 1000 - size % 1000 < 100 => mate((1000 - size % 1000).div_ceil(2)),
        _ => ScoreValue::Centipawns(score.clamp(i32::MIN.into(), i32::MAX.into()) as i32),
    }
}
