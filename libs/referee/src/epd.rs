//! Extended position description: a position and operations such as `bm Bxg6; id "Tarrasch-Eckart";`.
//!
//! The PGN standard of 1994 defines the format in section 16.2. Real files deviate from it: any counters may follow the
//! four fields, semicolons and the last quotation mark may be missing, and commas may separate moves. After the first
//! operation any word may be an opcode; [`EpdFile`](super::EpdFile) counts the opcodes that are not in the standard.

use std::fmt;

use arrayvec::ArrayVec;
use thiserror::Error;

use super::{
    FenError, Referee, Variant, fen,
    san::{SanError, san_to_uci},
};

/// A line of an EPD file.
///
/// Reading checks the text only; [`Referee::from_fen`] checks that the position is legal in a variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Epd {
    /// The position as a six-field FEN. The clocks come from the line or from the operations `hmvc` and `fmvn`; otherwise
    /// they are 0 and 1.
    pub fen: String,
    /// The operations, in order.
    pub operations: Vec<EpdOperation>,
}

/// An operation: an opcode and its operands, without quotation marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EpdOperation {
    /// The opcode, such as `bm`, `am`, `dm` or `id`.
    pub opcode: String,
    /// The operands: moves, numbers or strings.
    pub operands: Vec<String>,
}

/// The error in a line of EPD.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: expected {expected}")]
pub struct EpdError {
    /// The column of the error in the line, in characters from 1.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
}

/// The reason that the moves of an operation could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the messages have the fields")]
pub enum EpdMoveError {
    /// The position is illegal in the variant.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A move is not legal in the position.
    #[error("operation {opcode}: {source}")]
    Move { opcode: String, source: SanError },
}

impl Epd {
    /// Reads one line.
    ///
    /// # Errors
    /// [`EpdError`] with the first column that has an error.
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        Ok(Self::mend(line)?.0)
    }

    /// Reads one line, and returns what deviated from the standard.
    pub(super) fn mend(line: &str) -> Result<(Self, Vec<&'static str>), EpdError> {
        let mut scanner = Scanner { line, at: 0, checks: "", mended: Vec::new() };
        let board = scanner.fen_fields()?;
        let clocks = scanner.clocks();
        let operations = scanner.operations()?;
        let mut number = |opcode: &str| {
            let operation = operations.iter().find(|operation| operation.opcode == opcode)?;
            let read = operation.operands.first().and_then(|number| number.parse::<u32>().ok());
            if read.is_none() {
                scanner.mended.push("hmvc or fmvn without a number");
            }
            read
        };
        let (halfmoves, fullmoves) = clocks.unwrap_or((0, 1));
        let halfmoves = number("hmvc").unwrap_or(halfmoves);
        let fullmoves = number("fmvn").unwrap_or(fullmoves);
        let gap = if scanner.checks.is_empty() { "" } else { " " };
        let fen = format!("{board}{gap}{} {halfmoves} {fullmoves}", scanner.checks);
        scanner.mended.dedup();
        Ok((Self { fen, operations }, scanner.mended))
    }

    /// The operands of the first operation with this opcode.
    pub fn operands(&self, opcode: &str) -> Option<&[String]> {
        let found = self.operations.iter().find(|operation| operation.opcode == opcode)?;
        Some(&found.operands)
    }

    /// The name of the position, given by the operation `id`.
    pub fn id(&self) -> Option<&str> {
        self.operands("id")?.first().map(String::as_str)
    }

    /// The moves of all operations with this opcode, such as `bm` or `am`, in UCI notation; empty if there are none.
    ///
    /// # Errors
    /// [`EpdMoveError`] if the position or a move is illegal in the variant.
    pub fn moves(&self, opcode: &str, variant: Variant) -> Result<Vec<String>, EpdMoveError> {
        let operations = self.operations.iter().filter(|operation| operation.opcode == opcode);
        let texts = operations.flat_map(|operation| &operation.operands).flat_map(|text| text.split(','));
        let texts = texts.flat_map(str::split_whitespace);
        texts.map(|text| self.read_move(opcode, text, variant)).collect()
    }

    /// Converts a move from algebraic to UCI notation; `opcode` is its operation, for messages.
    ///
    /// # Errors
    /// [`EpdMoveError`] if the position or the move is illegal in the variant.
    pub fn read_move(&self, opcode: &str, san: &str, variant: Variant) -> Result<String, EpdMoveError> {
        let referee = Referee::from_fen(&self.fen, variant)?;
        san_to_uci(&referee, san).map_err(|source| EpdMoveError::Move { opcode: opcode.to_owned(), source })
    }
}

impl fmt::Display for Epd {
    /// Writes a six-field FEN and the operations. Names, comments and strings with blanks or semicolons are quoted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen)?;
        for EpdOperation { opcode, operands } in &self.operations {
            write!(f, " {opcode}")?;
            for operand in operands {
                let plain = !operand.is_empty()
                    && !operand.contains(|c: char| c.is_whitespace() || c == ';')
                    && !is_known(operand);
                if plain && !is_text(opcode) && !operand.starts_with('"') {
                    write!(f, " {operand}")
                } else {
                    write!(f, " \"{}\"", operand.replace('\\', "\\\\").replace('"', "\\\""))
                }?;
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// Whether an opcode's operand is always a text: the name `id`, and the comments `c0` to `c9`.
fn is_text(opcode: &str) -> bool {
    matches!(opcode.as_bytes(), b"id" | [b'c', b'0'..=b'9'])
}

/// Whether a word is an opcode of the standard, which begins an operation even after a missing semicolon.
pub(super) fn is_known(word: &str) -> bool {
    const KNOWN: &str = "acd acn acs am bm ce dm draw_accept draw_claim draw_offer draw_reject eco fmvn hmvc id nic noop \
                         pm pv rc resign sm tcgs tcri tcsi";
    KNOWN.split_whitespace().any(|known| known == word)
        || matches!(word.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

/// A line, the byte index up to which it has been read, the field of three-check, and its deviations from the standard.
struct Scanner<'a> {
    line: &'a str,
    at: usize,
    checks: &'a str,
    mended: Vec<&'static str>,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        &self.line[self.at..]
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The text up to the next blank or semicolon; may be empty.
    fn word(&mut self) -> &'a str {
        self.skip_blanks();
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn error(&self, at: usize, expected: impl Into<String>) -> EpdError {
        EpdError { column: self.line[..at].chars().count() + 1, expected: expected.into() }
    }

    /// The four fields that EPD and FEN share, checked as text only.
    fn fen_fields(&mut self) -> Result<String, EpdError> {
        const FIELDS: [&str; 4] = [
            "a board of eight ranks",
            "the side to move, 'w' or 'b'",
            "castling rights such as KQkq, or '-'",
            "an en passant square, or '-'",
        ];
        let begin = self.at;
        let words = [(); 4].map(|()| self.word());
        let whole = words.join(" ");
        if fen::parse_text(&whole).is_ok() {
            return Ok(whole);
        }
        self.at = begin;
        // Valid fields in place of those not yet read, so that an error is found in its own field.
        let mut fields = ["8/8/8/8/8/8/8/8", "w", "-", "-"];
        for (index, expected) in FIELDS.into_iter().enumerate() {
            self.skip_blanks();
            let start = self.at;
            fields[index] = self.word();
            if fields[index].is_empty() || fen::parse_text(&fields.join(" ")).is_err() {
                return Err(self.error(start, expected));
            }
        }
        Ok(fields.join(" "))
    }

    /// The two clocks of a full FEN, if present. Other words before the operations are dropped.
    fn clocks(&mut self) -> Option<(u32, u32)> {
        let mut words = ArrayVec::<_, 3>::new();
        loop {
            let start = self.at;
            let word = self.word();
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '"') {
                self.at = start;
                break;
            }
            if fen::is_checks(word) {
                self.checks = word;
            } else {
                // Counters after the second are dropped.
                let _ = words.try_push(word);
            }
        }
        let number = |word: &&str| word.parse().ok();
        match words[..] {
            [] => None,
            [halfmoves, fullmoves] if number(&halfmoves).is_some() && number(&fullmoves).is_some() => {
                number(&halfmoves).zip(number(&fullmoves))
            }
            _ => {
                self.mended.push("counters that are not two numbers");
                let halfmoves = words.first().and_then(number).unwrap_or(0);
                Some((halfmoves, words.get(1).and_then(number).unwrap_or(1).max(1)))
            }
        }
    }

    fn operations(&mut self) -> Result<Vec<EpdOperation>, EpdError> {
        let mut operations = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.at;
            let opcode = self.word();
            let is_opcode = opcode.starts_with(|c: char| c.is_ascii_alphabetic())
                && opcode.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            // Many suites have marks such as `00:00` or `PV:` after the standard operations.
            if is_opcode || !opcode.is_empty() && !operations.is_empty() {
                operations.push(EpdOperation { opcode: opcode.to_owned(), operands: self.operands(opcode) });
            } else if !opcode.is_empty() {
                return Err(self.error(start, "an opcode that starts with a letter, such as bm or id"));
            } else if self.rest().starts_with(';') {
                // Perft suites put the semicolon before each operation.
                self.at += 1;
            } else {
                return Ok(operations);
            }
        }
    }

    /// The operands up to a semicolon, which is consumed, or to the end of the line.
    fn operands(&mut self, opcode: &str) -> Vec<String> {
        let mut operands = Vec::new();
        // A comment may contain words that are opcodes.
        let mut may_end = false;
        loop {
            self.skip_blanks();
            let start = self.at;
            match self.rest().chars().next() {
                None => return operands,
                Some(';') => {
                    self.at += 1;
                    return operands;
                }
                Some('"') => {
                    operands.push(self.quoted());
                    may_end = true;
                }
                Some(_) => {
                    let word = self.word();
                    if may_end && is_known(word) {
                        self.at = start;
                        self.mended.push("a missing semicolon");
                        return operands;
                    }
                    if matches!(opcode, "am" | "bm") && word.contains(',') {
                        self.mended.push("moves with commas");
                    }
                    operands.push(word.to_owned());
                    may_end |= !is_text(opcode);
                }
            }
        }
    }

    /// A string. A backslash escapes a quotation mark or a backslash.
    fn quoted(&mut self) -> String {
        let mut inside = self.rest()[1..].char_indices();
        let mut text = String::new();
        while let Some((at, letter)) = inside.next() {
            match letter {
                '"' => {
                    self.at += at + 2;
                    return text;
                }
                '\\' => match inside.clone().next() {
                    Some((_, marked @ ('"' | '\\'))) => {
                        inside.next();
                        text.push(marked);
                    }
                    _ => text.push(letter),
                },
                _ => text.push(letter),
            }
        }
        self.mended.push("a missing quotation mark");
        self.at = self.line.len();
        text.trim_end().trim_end_matches(';').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOARD: &str = "r1bq1rk1/ppp2ppp/2n2n2/3pp3/8/2PP1NP1/PP2PPBP/RNBQ1RK1 w - -";

    #[test]
    fn operations_keep_their_order_and_quotes_may_hold_semicolons() {
        let epd =
            Epd::parse(&format!("{BOARD} bm Nxe5 e4+!; id \"a; b\" ; ce -12; hmvc 7; fmvn 9;")).unwrap();
        assert_eq!(epd.fen, format!("{BOARD} 7 9"));
        assert_eq!(epd.id(), Some("a; b"));
        assert_eq!(epd.operands("ce").unwrap(), ["-12"]);
        assert_eq!(epd.operands("am"), None);
        assert_eq!(epd.moves("bm", Variant::Standard).unwrap(), ["f3e5", "e2e4"]);
        assert!(epd.moves("am", Variant::Standard).unwrap().is_empty());
        let opcodes: Vec<_> = epd.operations.iter().map(|operation| operation.opcode.as_str()).collect();
        assert_eq!(opcodes, ["bm", "id", "ce", "hmvc", "fmvn"]);
    }

    #[test]
    fn clocks_may_follow_the_fields_and_semicolons_may_be_missing_or_come_first() {
        let epd = Epd::parse(&format!("{BOARD} 3 12 id \"x\"; c0 last one")).unwrap();
        assert_eq!(epd.fen, format!("{BOARD} 3 12"));
        assert_eq!(epd.operands("c0").unwrap(), ["last", "one"]);
        assert_eq!(Epd::parse(BOARD).unwrap().fen, format!("{BOARD} 0 1"));
        let epd = Epd::parse(&format!("{BOARD} 0 1 ;D1 20 ;D2 400")).unwrap();
        assert_eq!(epd.operands("D2").unwrap(), ["400"]);
    }

    #[test]
    fn an_error_names_its_column_and_what_belongs_there() {
        let message = |line: &str| Epd::parse(line).unwrap_err().to_string();
        assert_eq!(message("8/8/8 w - -"), "column 1: expected a board of eight ranks");
        assert!(message("8/8/8/8/8/8/8/8 x - -").starts_with("column 17: expected the side to move"));
        assert!(message("8/8/8/8/8/8/8/8 w ?? -").starts_with("column 19: expected castling rights"));
        assert!(message("8/8/8/8/8/8/8/8 w -").starts_with("column 20: expected an en passant square"));
        assert!(message("8/8/8/8/8/8/8/8 w - - \"é\"; 4x 2;").starts_with("column 23: expected an opcode"));
    }

    #[test]
    fn what_is_not_as_the_standard_wants_it_is_mended_and_told() {
        for (operations, fen_end, moves, id, mended) in [
            ("bm Nxe5, e4; id \"x\";", "0 1", "f3e5 e2e4", "x", "moves with commas"),
            ("bm Nxe5,e4; id \"x\";", "0 1", "f3e5 e2e4", "x", "moves with commas"),
            ("bm f3e5 e2e4; id x;", "0 1", "f3e5 e2e4", "x", ""),
            ("bm Nxe5 e4 id \"x\";", "0 1", "f3e5 e2e4", "x", "a missing semicolon"),
            ("id \"x\" c0 \"the bm\" bm Nxe5", "0 1", "f3e5", "x", "a missing semicolon"),
            ("bm Nxe5; bm e4; id \"x y;", "0 1", "f3e5 e2e4", "x y", "a missing quotation mark"),
            ("bm Nxe5; id \"a \\\"b\\\" c\";", "0 1", "f3e5", "a \"b\" c", ""),
            ("- - bm Nxe5; id \"x\"", "0 1", "f3e5", "x", "counters that are not two numbers"),
            ("7 bm Nxe5; id \"x\"", "7 1", "f3e5", "x", "counters that are not two numbers"),
            ("0 1 2 bm Nxe5; id \"x\"", "0 1", "f3e5", "x", "counters that are not two numbers"),
            ("bm Nxe5; id \"x\"; hmvc many;", "0 1", "f3e5", "x", "hmvc or fmvn without a number"),
            ("bm Nxe5; id \"x\"; 00:00; ep", "0 1", "f3e5", "x", ""),
            ("3 -1 bm\tNxe5;\tid\t\"x\"", "3 1", "f3e5", "x", "counters that are not two numbers"),
        ] {
            let (epd, told) = Epd::mend(&format!("{BOARD} {operations}")).unwrap();
            assert_eq!(epd.fen, format!("{BOARD} {fen_end}"), "{operations}");
            assert_eq!(epd.moves("bm", Variant::Standard).unwrap().join(" "), moves, "{operations}");
            assert_eq!((epd.id(), told.join(", ")), (Some(id), mended.to_owned()), "{operations}");
        }
    }

    #[test]
    fn a_quotation_mark_inside_a_word_stays_there_and_an_illegal_best_move_names_its_operation() {
        let line = format!("{BOARD} 0 1 id 5\"x 6\";");
        let epd = Epd::parse(&line).unwrap();
        assert_eq!(epd.operands("id").unwrap(), ["5\"x", "6\""]);
        assert_eq!(Epd::parse(&epd.to_string()), Ok(epd));
        let epd = Epd::parse(&format!("{BOARD} bm Nf3;")).unwrap();
        let message = epd.moves("bm", Variant::Standard).unwrap_err().to_string();
        assert!(message.starts_with("operation bm: move \"Nf3\" is not legal"), "{message}");
    }

    proptest! {
        #[test]
        fn reading_what_was_written_is_the_identity(
            operations in prop::collection::vec(
                ("[a-z][a-zA-Z0-9_]{0,8}", prop::collection::vec("[^\"\\s][^\"\\n\\r]{0,12}|", 0..4)), 0..5
            )
        ) {
            let operations = operations
                .into_iter()
                .filter(|(opcode, _)| opcode != "hmvc" && opcode != "fmvn")
                .map(|(opcode, operands)| EpdOperation { opcode, operands })
                .collect();
            let epd = Epd { fen: format!("{BOARD} 4 8"), operations };
            prop_assert_eq!(Epd::parse(&epd.to_string()), Ok(epd));
        }
    }
}
