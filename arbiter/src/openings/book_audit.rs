//! What `arbiter openings check` prints about one book.

use std::fmt;

use crate::text::number_text::thousands;
use referee::Side;
use referee::openings::{BookListing, EvalRange, ListedOpening, Repeat, RepeatKind};

/// Faults of a kind that are listed without `--all`.
const MAX_LISTED: usize = 10;

/// Columns of the longest bar of a histogram.
const BAR: usize = 40;

/// Rows of a histogram, at most.
const ROWS: i32 = 16;

/// A book and its faults.
#[derive(Debug)]
pub(super) struct BookAudit {
    pub(super) listing: BookListing,
    pub(super) repeats: Vec<Repeat>,
    /// Indices of the openings without an eval in range.
    pub(super) outside: Vec<usize>,
    /// The engine and its nodes; `None` where the evals are those of the book.
    pub(super) evaluated_by: Option<String>,
    pub(super) eval_range: Option<EvalRange>,
    pub(super) lists_all: bool,
}

impl BookAudit {
    /// Whether the book has no faults.
    pub(super) const fn is_sound(&self) -> bool {
        self.listing.faults.is_empty() && self.repeats.is_empty() && self.outside.is_empty()
    }

    /// A heading with a count, and the first faults of the kind.
    fn list(&self, f: &mut fmt::Formatter<'_>, heading: &str, lines: &[String]) -> fmt::Result {
        writeln!(f, "  {heading:<16} {}", thousands(lines.len() as u64))?;
        let listed = if self.lists_all { lines.len() } else { lines.len().min(MAX_LISTED) };
        for line in &lines[..listed] {
            writeln!(f, "    {line}")?;
        }
        if listed < lines.len() {
            writeln!(
                f,
                "    … and {} more (list them with --all)",
                thousands((lines.len() - listed) as u64)
            )?;
        }
        Ok(())
    }

    fn repeats(&self, kind: RepeatKind) -> Vec<String> {
        let place = |index: usize| self.listing.openings[index].line;
        let of_kind = self.repeats.iter().filter(|repeat| repeat.kind == kind);
        let name = &self.listing.name;
        of_kind
            .map(|repeat| format!("{name}:{}: same as line {}", place(repeat.index), place(repeat.earlier)))
            .collect()
    }

    fn sides(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.listing.openings.len();
        let white = self.listing.openings.iter().filter(|it| it.side_to_move() == Side::White).count();
        let share = |count: usize| 100.0 * count as f64 / all.max(1) as f64;
        writeln!(
            f,
            "  {:<16} White {} ({:.1}%), Black {} ({:.1}%)",
            "to move",
            thousands(white as u64),
            share(white),
            thousands((all - white) as u64),
            share(all - white)
        )
    }

    fn evals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let openings = &self.listing.openings;
        let evals: Vec<i32> = openings.iter().filter_map(|opening| opening.eval).collect();
        if evals.is_empty() {
            return writeln!(f, "  evals            none in the book; compute them with --engine ENGINE");
        }
        let mean = evals.iter().map(|eval| f64::from(eval.abs())).sum::<f64>() / evals.len() as f64;
        let source = self.evaluated_by.as_deref().unwrap_or("the book");
        writeln!(f, "  evals in centipawns for White, from {source}; mean advantage {mean:.0}")?;
        histogram(f, &evals)
    }
}

impl fmt::Display for BookAudit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookListing { name, openings, faults, .. } = &self.listing;
        writeln!(f, "{name}: {} openings", thousands(openings.len() as u64))?;
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        self.list(f, "illegal", &faults)?;
        self.list(f, "duplicates", &self.repeats(RepeatKind::Duplicate))?;
        self.list(f, "transpositions", &self.repeats(RepeatKind::Transposition))?;
        let mirrored = self.repeats(RepeatKind::Mirrored);
        if !mirrored.is_empty() {
            self.list(f, "mirrored", &mirrored)?;
        }
        if let Some(range) = self.eval_range {
            let outside = |at: &usize| {
                let ListedOpening { line, eval, .. } = &openings[*at];
                let eval = eval.map_or("no eval".to_owned(), |eval| format!("eval {eval:+}"));
                format!("{name}:{line}: {eval}, expected {range}")
            };
            self.list(f, "out of range", &self.outside.iter().map(outside).collect::<Vec<_>>())?;
        }
        self.sides(f)?;
        let plies: Vec<i32> = openings.iter().filter_map(|it| Some(it.plies()? as i32)).collect();
        if !plies.is_empty() {
            writeln!(f, "  plies")?;
            histogram(f, &plies)?;
        }
        writeln!(f, "  pieces and pawns")?;
        histogram(f, &openings.iter().map(|it| it.pieces() as i32).collect::<Vec<_>>())?;
        self.evals(f)
    }
}

/// A bar per value, or per bin of values where there are more values than rows.
fn histogram(f: &mut fmt::Formatter<'_>, values: &[i32]) -> fmt::Result {
    let (Some(&least), Some(&most)) = (values.iter().min(), values.iter().max()) else { return Ok(()) };
    let width = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]
        .into_iter()
        .find(|width| (most - least) / width < ROWS)
        .unwrap_or(2000);
    let bins: Vec<i32> = values.iter().map(|value| value.div_euclid(width)).collect();
    let counts: Vec<(i32, usize)> = (least.div_euclid(width)..=most.div_euclid(width))
        .map(|bin| (bin, bins.iter().filter(|other| **other == bin).count()))
        .collect();
    let tallest = counts.iter().map(|(_, count)| *count).max().unwrap_or(1);
    for (bin, count) in counts {
        let first = bin * width;
        let label = if width == 1 { first.to_string() } else { format!("{first} to {}", first + width - 1) };
        let bar = "█".repeat((count * BAR).div_ceil(tallest));
        writeln!(f, "{label:>16} {:>8} {bar}", thousands(count as u64))?;
    }
    Ok(())
}
