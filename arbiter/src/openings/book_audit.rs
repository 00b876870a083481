//! What `arbiter openings check` prints about one book.

use std::fmt;

use super::grouped;
use referee::Side;
use referee::openings::{Band, BookListing, ListedOpening, Repeat, RepeatKind};

/// How many lines of a kind are listed, unless all are asked for.
const MOST_LISTED: usize = 10;

/// Columns of the longest bar.
const BAR: usize = 40;

/// Rows of a histogram, about.
const ROWS: i32 = 16;

/// A book and what was found in it.
#[derive(Debug)]
pub(super) struct BookAudit {
    pub(super) listing: BookListing,
    pub(super) repeats: Vec<Repeat>,
    /// Indices of the openings whose verdicts are out of the band, or missing.
    pub(super) outside: Vec<usize>,
    /// The engine and its limit, where the verdicts are not those of the book.
    pub(super) judged_by: Option<String>,
    pub(super) band: Option<Band>,
    pub(super) lists_all: bool,
}

impl BookAudit {
    /// Whether nothing is wrong.
    pub(super) const fn is_sound(&self) -> bool {
        self.listing.faults.is_empty() && self.repeats.is_empty() && self.outside.is_empty()
    }

    /// A heading with a number, and the lines under it as far as they are to be listed.
    fn list(&self, f: &mut fmt::Formatter<'_>, heading: &str, lines: &[String]) -> fmt::Result {
        writeln!(f, "  {heading:<16} {}", grouped(lines.len() as u64))?;
        let listed = if self.lists_all { lines.len() } else { lines.len().min(MOST_LISTED) };
        for line in &lines[..listed] {
            writeln!(f, "    {line}")?;
        }
        if listed < lines.len() {
            writeln!(f, "    … and {} more (--all lists them)", grouped((lines.len() - listed) as u64))?;
        }
        Ok(())
    }

    fn repeats(&self, kind: RepeatKind) -> Vec<String> {
        let place = |index: usize| self.listing.openings[index].line;
        let is_listed = self.repeats.iter().filter(|repeat| repeat.kind == kind);
        let name = &self.listing.name;
        is_listed
            .map(|repeat| format!("{name}:{} as line {}", place(repeat.index), place(repeat.earlier)))
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
            grouped(white as u64),
            share(white),
            grouped((all - white) as u64),
            share(all - white)
        )
    }

    fn verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let openings = &self.listing.openings;
        let verdicts: Vec<i32> = openings.iter().filter_map(|opening| opening.verdict).collect();
        if verdicts.is_empty() {
            return writeln!(f, "  no verdicts in the book; --engine ENGINE judges the openings");
        }
        let mean =
            verdicts.iter().map(|verdict| f64::from(verdict.abs())).sum::<f64>() / verdicts.len() as f64;
        let by = self.judged_by.as_deref().unwrap_or("the book");
        writeln!(f, "  verdicts for White in centipawns, by {by}; {mean:.0} from 0 on average")?;
        histogram(f, &verdicts)
    }
}

impl fmt::Display for BookAudit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookListing { name, openings, faults, .. } = &self.listing;
        writeln!(f, "{name}: {} openings", grouped(openings.len() as u64))?;
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        self.list(f, "illegal", &faults)?;
        self.list(f, "duplicates", &self.repeats(RepeatKind::Duplicate))?;
        self.list(f, "transpositions", &self.repeats(RepeatKind::Transposition))?;
        let mirrored = self.repeats(RepeatKind::Mirrored);
        if !mirrored.is_empty() {
            self.list(f, "mirrored", &mirrored)?;
        }
        if let Some(band) = self.band {
            let outside = |at: &usize| {
                let ListedOpening { line, verdict, .. } = &openings[*at];
                let verdict = verdict.map_or("no verdict".to_owned(), |verdict| format!("{verdict:+}"));
                format!("{name}:{line}: {verdict}, expected {band}")
            };
            self.list(f, "out of the band", &self.outside.iter().map(outside).collect::<Vec<_>>())?;
        }
        self.sides(f)?;
        let plies: Vec<i32> = openings.iter().filter_map(|it| Some(it.plies()? as i32)).collect();
        if !plies.is_empty() {
            writeln!(f, "  plies")?;
            histogram(f, &plies)?;
        }
        writeln!(f, "  pieces and pawns")?;
        histogram(f, &openings.iter().map(|it| it.pieces() as i32).collect::<Vec<_>>())?;
        self.verdicts(f)
    }
}

/// A bar for each value, or for each span of values where there are many.
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
        writeln!(f, "{label:>16} {:>8} {bar}", grouped(count as u64))?;
    }
    Ok(())
}
