//! Reads files of positions into a [`DataSet`].

use std::path::Path;
use std::{fs, io};

use chess::{Color, FenError, MoveList, Position};
use tarrasch::eval::Coefficients;
use tarrasch::search::see_at_least;
use thiserror::Error;

use super::data_set::DataSet;
use super::objective::in_parts;

/// The number of lines that are read before their positions are added to the set, which bounds the memory.
const BLOCK: usize = 1 << 16;

#[derive(Debug, Error)]
pub enum PositionsError {
    #[error("{file}: {source}")]
    Io { file: String, source: io::Error },
    #[error("{file}:{line}: {source}")]
    Line { file: String, line: usize, source: LineError },
}

#[derive(Debug, Default)]
struct Part {
    data: DataSet,
    unquiet: usize,
}

/// Adds the quiet positions of a file in their order. Returns the number of others. Blank lines and those that start with
/// `#` are comments.
pub fn load(path: &Path, threads: usize, data: &mut DataSet) -> Result<usize, PositionsError> {
    let file = path.display().to_string();
    match fs::read_to_string(path) {
        Ok(text) => read(&file, &text, threads, data),
        Err(source) => Err(PositionsError::Io { file, source }),
    }
}

fn read(file: &str, text: &str, threads: usize, data: &mut DataSet) -> Result<usize, PositionsError> {
    let is_comment = |text: &str| text.trim().is_empty() || text.starts_with('#');
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).filter(|(_, text)| !is_comment(text)).collect();
    let mut unquiet = 0;
    for block in lines.chunks(BLOCK) {
        for part in in_parts(block, threads, |lines| read_part(file, lines)) {
            let part = part?;
            data.append(&part.data);
            unquiet += part.unquiet;
        }
    }
    Ok(unquiet)
}

fn read_part(file: &str, lines: &[(usize, &str)]) -> Result<Part, PositionsError> {
    let mut part = Part::default();
    for &(line, text) in lines {
        let LabelledPosition { position, label } = LabelledPosition::parse(text)
            .map_err(|source| PositionsError::Line { file: file.to_owned(), line, source })?;
        if is_quiet(&position) {
            part.data.push(&Coefficients::of(&position), label);
        } else {
            part.unquiet += 1;
        }
    }
    Ok(part)
}

#[derive(Clone, Debug)]
pub struct LabelledPosition {
    pub position: Position,
    pub label: Label,
}

/// The label of a position, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The result of the game in half points: 2, 1 or 0.
    pub half_points: u8,
    /// The score by the player to move, in centipawns.
    pub score: Option<i16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LineError {
    #[error("expected the four fields of a position")]
    Fields,
    #[error(transparent)]
    Position(#[from] FenError),
    #[error("expected the result of the game, such as c9 \"1-0\";")]
    NoResult,
    #[error("operation c9: expected 1-0, 0-1 or 1/2-1/2, found {0}")]
    Result(String),
    #[error("operation ce: expected centipawns from -32767 to 32767, found {0}")]
    Score(String),
}

impl LabelledPosition {
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

/// The end of the fourth field.
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

/// The operations: opcode, and operand without quotes.
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

/// Whether the side to move is not in check and has no capture or promotion with SEE > 0, so that a static evaluation makes
/// sense.
pub fn is_quiet(position: &Position) -> bool {
    if position.is_check() {
        return false;
    }
    let mut moves = MoveList::new();
    position.noisy_moves(&mut moves);
    !moves.iter().any(|&mv| see_at_least(position, mv, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - ce 20; c9 \"1/2-1/2\";\n";
    const CHECK: &str = "4k3/8/8/8/8/8/4r3/4K3 w - - c9 \"0-1\";\n";
    const ENDGAME: &str = "8/8/4k3/8/8/4K3/4P3/8 b - - c9 \"1-0\";\n";

    #[test]
    fn positions_keep_their_order_and_those_that_are_not_quiet_are_counted() {
        let text = ["# three\n\n", START, CHECK, &ENDGAME.repeat(40), START].concat();
        for threads in [1, 3] {
            let mut data = DataSet::default();
            assert_eq!(read("x.epd", &text, threads, &mut data).unwrap(), 1);
            assert_eq!(data.len(), 42);
            let phases: Vec<u8> = [0, 1, 40, 41].map(|index| data.get(index).phase).to_vec();
            assert_eq!(phases, [24, 0, 0, 24]);
            assert_eq!((data.get(0).label.score, data.get(41).label.score), (Some(20), Some(20)));
        }
    }

    #[test]
    fn the_first_line_that_is_wrong_is_named() {
        let text = ["# three\n\n", START, "8/8 w - -\n", &ENDGAME.repeat(40), "nonsense\n"].concat();
        let message = read("x.epd", &text, 2, &mut DataSet::default()).unwrap_err().to_string();
        assert!(message.starts_with("x.epd:4: "), "{message}");
        let message = load("no/such.epd".as_ref(), 1, &mut DataSet::default()).unwrap_err().to_string();
        assert!(message.starts_with("no/such.epd: "), "{message}");
    }

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

    #[test]
    fn a_hanging_piece_a_promotion_and_a_check_are_not_quiet() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", true),
            // A defended pawn, and one that is not.
            ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - -", true),
            ("4k3/8/8/4p3/8/5N2/8/4K3 w - -", false),
            ("4k3/8/8/4p3/8/5N2/8/4K3 b - -", true),
            ("8/P3k3/8/8/8/8/8/4K3 w - -", false),
            ("4k3/8/8/8/8/8/4r3/4K3 w - -", false),
        ] {
            assert_eq!(is_quiet(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }
}
