//! Perft suites: positions with the number of leaves per depth.
//!
//! A line is a FEN followed by `;D1 20 ;D2 400 …`. Comment lines start with `#`; the one just above a position may name
//! it, as in `# name: …`. The files of python-chess have lines `id NAME`, `epd FEN` and `perft 1 20` instead. A position
//! is Chess960 if its castling rights require it.

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
    /// Depths and counts, by ascending depth; not empty.
    pub counts: Vec<(u32, u64)>,
}

impl PerftPosition {
    pub fn within(&self, depth: u32, nodes: u64) -> PerftPosition {
        let keeps = |&&(d, count): &&(u32, u64)| d <= depth && count <= nodes;
        PerftPosition { counts: self.counts.iter().filter(keeps).copied().collect(), ..self.clone() }
    }
}

impl PerftSuite {
    pub fn parse(name: &str, text: &str) -> Result<PerftSuite> {
        let mut suite = Suite::of_text(name, text);
        let mut comment = None;
        let (mut id, mut block) = (None, None::<(usize, String, String)>);
        for (index, content) in text.lines().map(str::trim).enumerate() {
            let line = index + 1;
            let word = content.split_once(char::is_whitespace).map(|(word, rest)| (word, rest.trim()));
            if content.is_empty() {
                comment = None;
            } else if let Some(text) = content.strip_prefix('#') {
                comment = Some(text);
            } else if let (Some(("perft", count)), Some((.., position))) = (word, &mut block) {
                position.extend([" ;D", count]);
            } else {
                if let Some((line, name, position)) = block.take() {
                    suite.add(line, name, &position)?;
                }
                match word {
                    Some(("id", name)) => id = Some(name),
                    Some(("epd", fen)) => {
                        let name = id.take().map_or_else(|| name_of(comment, line), str::to_owned);
                        block = Some((line, name, fen.to_owned()));
                    }
                    _ => suite.add(line, name_of(comment, line), content)?,
                }
                comment = None;
            }
        }
        if let Some((line, name, position)) = block {
            suite.add(line, name, &position)?;
        }
        suite.checked()
    }

    /// Adds the position of a line, or skips it if it is illegal.
    fn add(&mut self, line: usize, name: String, content: &str) -> Result<()> {
        let file = self.name.clone();
        match read_line(line, name, content) {
            Ok(position) => {
                self.unreachable.name_unreachable(&file, line, &position.fen, position.variant);
                self.positions.push(position);
            }
            Err(problem) if matches!(problem.downcast_ref(), Some(FenError::IllegalPosition { .. })) => {
                self.skipped.name(&format!("{file}:{line}: {problem}"));
            }
            Err(problem) => bail!("{file}:{line}: {problem}"),
        }
        Ok(())
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
    let mut fen = fields.next().unwrap_or_default().trim().to_owned();
    let variant = Variant::of_fen(&fen);
    Referee::from_fen(&fen, variant)?;
    // Some engines need the move counters.
    if fen.split_whitespace().count() == 4 {
        fen += " 0 1";
    }
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
