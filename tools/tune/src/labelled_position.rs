//! A line of a positions file: a position, what its mover thought of it, and how the game ended.

use chess::{Color, FenError, Position};
use thiserror::Error;

/// A position with what is known of its worth.
#[derive(Clone, Debug)]
pub struct LabelledPosition {
    /// The position.
    pub position: Position,
    /// What is known of its worth.
    pub label: Label,
}

/// What is known of the worth of a position, seen by White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// White's half points in the game: 2, 1 or 0.
    pub half_points: u8,
    /// The score that the player to move announced, in centipawns for White.
    pub score: Option<i16>,
}

/// Why a line cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    /// There are fewer than four fields.
    #[error("expected the four fields of a position")]
    Fields,
    /// The fields are no position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The operation `c9` is missing.
    #[error("expected the result of the game, such as c9 \"1-0\";")]
    NoResult,
    /// The operation `c9` is no result.
    #[error("operation c9: expected 1-0, 0-1 or 1/2-1/2, found {0}")]
    Result(String),
    /// The operation `ce` is no score.
    #[error("operation ce: expected centipawns from -32767 to 32767, found {0}")]
    Score(String),
}

impl LabelledPosition {
    /// Reads a line of EPD with the operation `c9` and perhaps `ce`; others mean nothing here.
    pub fn parse(line: &str) -> Result<LabelledPosition, LineError> {
        let line = line.trim();
        let end = fields_end(line).ok_or(LineError::Fields)?;
        let position = Position::from_fen(&line[..end])?;
        let (mut half_points, mut score) = (None, None);
        for (opcode, operand) in operations(&line[end..]) {
            match opcode {
                "c9" => half_points = Some(read_result(operand)?),
                "ce" => score = Some(read_score(operand, position.side_to_move())?),
                _ => (),
            }
        }
        let half_points = half_points.ok_or(LineError::NoResult)?;
        Ok(LabelledPosition { position, label: Label { half_points, score } })
    }
}

/// Where the fourth field of a line ends.
fn fields_end(line: &str) -> Option<usize> {
    let mut end = 0;
    for _ in 0..4 {
        let begin = end + (line[end..].len() - line[end..].trim_start().len());
        let length = line[begin..].find([' ', '\t', ';']).unwrap_or(line.len() - begin);
        if length == 0 {
            return None;
        }
        end = begin + length;
    }
    Some(end)
}

/// The operations behind the fields, each its opcode and what follows it, quotes removed.
fn operations(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut quoted = false;
    let ends = move |letter: char| {
        quoted ^= letter == '"';
        letter == ';' && !quoted
    };
    text.split(ends).filter_map(|operation| {
        let (opcode, operand) = operation.trim().split_once(char::is_whitespace)?;
        Some((opcode, operand.trim().trim_matches('"')))
    })
}

fn read_result(text: &str) -> Result<u8, LineError> {
    match text {
        "1-0" => Ok(2),
        "1/2-1/2" => Ok(1),
        "0-1" => Ok(0),
        _ => Err(LineError::Result(text.to_owned())),
    }
}

fn read_score(text: &str, mover: Color) -> Result<i16, LineError> {
    let score: i16 = text.parse().map_err(|_| LineError::Score(text.to_owned()))?;
    match mover {
        Color::White => Some(score),
        Color::Black => score.checked_neg(),
    }
    .filter(|score| *score != i16::MIN)
    .ok_or_else(|| LineError::Score(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w Q -";
    const BLACK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 b Q -";

    fn label(line: &str) -> Label {
        LabelledPosition::parse(line).unwrap().label
    }

    fn message(line: &str) -> String {
        LabelledPosition::parse(line).unwrap_err().to_string()
    }

    #[test]
    fn scores_are_turned_round_for_black() {
        let expected = Label { half_points: 2, score: Some(31) };
        assert_eq!(label(&format!("{WHITE} ce 31; c9 \"1-0\";")), expected);
        assert_eq!(label(&format!("{BLACK} ce -31; c9 \"1-0\";")), expected);
    }

    #[test]
    fn a_score_may_be_missing_and_other_operations_mean_nothing() {
        assert_eq!(label(&format!("{WHITE} c9 \"0-1\";")), Label { half_points: 0, score: None });
        let full = format!("{WHITE} hmvc 3; c0 \"a; ce 5;\"; c9 1/2-1/2; id \"x\"");
        assert_eq!(label(&full), Label { half_points: 1, score: None });
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(message("8/8/8/8/8/8/8/8 w -"), "expected the four fields of a position");
        assert!(message("8/8/8/8/8/8/8/8 w - - c9 \"1-0\";").starts_with("illegal position"));
        assert!(message(&format!("{WHITE} ce 3;")).starts_with("expected the result of the game"));
        assert!(message(&format!("{WHITE} c9 \"*\";")).ends_with("found *"));
        for score in ["x", "40000", "-32768", "1.5"] {
            assert!(
                message(&format!("{WHITE} ce {score}; c9 \"1-0\";")).ends_with(&format!("found {score}"))
            );
        }
        assert!(message(&format!("{BLACK} ce -32768; c9 \"1-0\";")).starts_with("operation ce"));
    }
}
