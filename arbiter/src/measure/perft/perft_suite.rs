//! Perft suites: positions with the number of leaves per depth.
//!
//! A line is a FEN followed by `;D1 20 ;D2 400 …`. Comment lines start with `#`; the one just above a position may name
//! it, as in `# name: …`. A position whose castling field has files (`HAha`) is Chess960.

use anyhow::{Context, Result, bail};

use crate::files::suite_files::Suite;
use referee::{FenError, Referee, Variant};

pub type PerftSuite = Suite<PerftPosition>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftPosition {
    pub line: usize,
    pub name: String,
    pub fen: String,
    pub variant: Variant,
    /// Depth and count, by ascending depth; not empty.
    pub counts: Vec<(u32, u64)>,
}

impl PerftPosition {
    #[must_use]
    pub fn within(&self, depth: u32, nodes: u64) -> PerftPosition {
        let keeps = |&&(d, count): &&(u32, u64)| d <= depth && count <= nodes;
        PerftPosition { counts: self.counts.iter().filter(keeps).copied().collect(), ..self.clone() }
    }
}

impl PerftSuite {
    pub fn parse(name: &str, text: &str) -> Result<PerftSuite> {
        let mut suite = Suite::of_text(name, text);
        let mut comment = None;
        for (index, content) in text.lines().map(str::trim).enumerate() {
            let line = index + 1;
            if content.is_empty() {
                comment = None;
            } else if let Some(text) = content.strip_prefix('#') {
                comment = Some(text);
            } else {
                match read_line(line, name_of(comment, line), content) {
                    Ok(position) => {
                        suite.unreachable.name_unreachable(name, line, &position.fen, position.variant);
                        suite.positions.push(position);
                    }
                    Err(problem)
                        if matches!(problem.downcast_ref(), Some(FenError::IllegalPosition { .. })) =>
                    {
                        suite.skipped.name(&format!("{name}:{line}: {problem}"));
                    }
                    Err(problem) => bail!("{name}:{line}: {problem}"),
                }
                comment = None;
            }
        }
        suite.checked()
    }

    pub fn has_chess960(&self) -> bool {
        self.positions.iter().any(|position| position.variant == Variant::Chess960)
    }
}

/// The name that a comment such as `# S2: every kind of move` gives to the position below it.
fn name_of(comment: Option<&str>, line: usize) -> String {
    match comment.and_then(|text| text.split_once(':')) {
        Some((name, _)) => name.trim().to_owned(),
        None => format!("line {line}"),
    }
}

fn read_line(line: usize, name: String, content: &str) -> Result<PerftPosition> {
    let mut fields = content.split(';');
    let fen = fields.next().unwrap_or_default().trim().to_owned();
    let variant = variant_of(&fen);
    Referee::from_fen(&fen, variant)?;
    let mut counts: Vec<(u32, u64)> = Vec::new();
    for field in fields {
        let (depth, count) =
            read_count(field).with_context(|| format!("expected `;D<depth> <count>`, found `;{field}`"))?;
        if depth == 0 {
            bail!("expected depths from 1, found D0");
        }
        if counts.last().is_some_and(|(last, _)| depth <= *last) {
            bail!("expected ascending depths, found D{depth} out of order");
        }
        counts.push((depth, count));
    }
    if counts.is_empty() {
        bail!("expected at least one `;D<depth> <count>` after the position");
    }
    Ok(PerftPosition { line, name, fen, variant, counts })
}

fn read_count(field: &str) -> Option<(u32, u64)> {
    let (depth, count) = field.trim().strip_prefix(['D', 'd'])?.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}

/// Castling rights by files, as in Shredder-FEN, mean Chess960.
pub fn variant_of(fen: &str) -> Variant {
    let castling = fen.split_ascii_whitespace().nth(2).unwrap_or("-");
    let is_classical = castling.chars().all(|c| matches!(c, 'K' | 'Q' | 'k' | 'q' | '-'));
    if is_classical { Variant::Standard } else { Variant::Chess960 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";

    #[test]
    fn a_line_is_read_with_its_name_and_variant() {
        let text = format!(
            "# About.\n\n# S1: the start.\n{START} KQkq - 0 1 ;D1 20 ;D2 400\n{START} HAha - ;D1 20\n"
        );
        let suite = PerftSuite::parse("x", &text).unwrap();
        let [first, second] = &suite.positions[..] else { panic!("two positions") };
        assert_eq!((first.name.as_str(), first.line, first.variant), ("S1", 4, Variant::Standard));
        assert_eq!(first.counts, [(1, 20), (2, 400)]);
        assert_eq!((second.name.as_str(), second.variant), ("line 5", Variant::Chess960));
    }

    #[test]
    fn a_broken_line_is_named() {
        let message = |line: &str| PerftSuite::parse("x", &format!("# a\n{line}")).unwrap_err().to_string();
        let start = format!("{START} KQkq - 0 1");
        assert_eq!(
            message(&format!("{start} ;D1 twenty")),
            "x:2: expected `;D<depth> <count>`, found `;D1 twenty`"
        );
        assert_eq!(
            message(&format!("{start} ;D2 1 ;D1 1")),
            "x:2: expected ascending depths, found D1 out of order"
        );
        assert_eq!(message(&format!("{start} ;D0 1 ;D1 20")), "x:2: expected depths from 1, found D0");
        assert!(message(&start).starts_with("x:2: expected at least one"));
        assert!(message("8/8/8/8/8/8/8/8 w - - ;D1 0").starts_with("x:2: "));
        assert!(PerftSuite::parse("x", "# nothing").is_err());
    }
}
