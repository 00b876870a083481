//! A perft suite of hard cases: the positions of the miner, counted by our core and by shakmaty, written as EPD.

use std::fmt::Write;

use thiserror::Error;

use super::case_miner::{CaseRecipe, HardPosition};
use super::case_set::CaseSet;
use super::rule_case::RuleCase;
use arbiter::measure::perft::{CountError, MoveCounter, Oracle, OwnCore};
use referee::Variant;

/// The deepest count of a line, for positions with few moves.
const DEEPEST: u32 = 6;

#[derive(Clone, Debug)]
pub struct HardSuite {
    recipe: CaseRecipe,
    max_nodes: u64,
    lines: Vec<HardLine>,
}

#[derive(Clone, Debug)]
struct HardLine {
    fen: String,
    cases: CaseSet,
    /// The counts of depth 1, 2, ….
    counts: Vec<u64>,
}

#[derive(Debug, Error)]
pub enum HardSuiteError {
    #[error(transparent)]
    Count(#[from] CountError),
    #[error("{fen}: our core counts {ours} nodes at depth {depth}, shakmaty {theirs}")]
    Disagreement { fen: String, depth: u32, ours: u64, theirs: u64 },
}

impl HardSuite {
    /// Counts positions with our own core and with shakmaty, depth after depth up to counts of `max_nodes`; depth 1 is
    /// always counted. It is an error if the two do not agree.
    pub fn count<'a>(
        recipe: CaseRecipe,
        max_nodes: u64,
        positions: impl IntoIterator<Item = &'a HardPosition>,
    ) -> Result<HardSuite, HardSuiteError> {
        let mut lines = Vec::new();
        for mined in positions {
            let fen = mined.scene.fen(recipe.variant);
            let counts = count_line(&fen, recipe.variant, max_nodes)?;
            lines.push(HardLine { fen, cases: mined.cases, counts });
        }
        Ok(HardSuite { recipe, max_nodes, lines })
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub fn times(&self, case: RuleCase) -> usize {
        self.lines.iter().filter(|line| line.cases.has(case)).count()
    }

    /// The text of the file. `command` made it.
    pub fn render(&self, command: &str) -> String {
        let mut text = String::new();
        let mut say = |line: &str| text.push_str(&(format!("# {line}").trim_end().to_owned() + "\n"));
        let of_variant = if self.recipe.variant == Variant::Standard { "chess" } else { "Chess960" };
        say(&format!("Hard cases of {of_variant} for a move generator, mined from random play"));
        say("from open and scattered boards.");
        say("");
        say(&format!("Source: made by Arbiter {} with", env!("CARGO_PKG_VERSION")));
        say(&format!("    {command}"));
        say(&format!(
            "Each of the cases listed here is shown by at least {} of the {} positions. The comment above a",
            self.recipe.times,
            self.lines.len()
        ));
        say(
            "position names its cases. Arbiter's own core and shakmaty, which share no code, agree on every count.",
        );
        say(&format!("The deepest count of a line is at most {}.", self.max_nodes));
        say("");
        self.legend().iter().for_each(|line| say(line));
        for (number, line) in (1..).zip(&self.lines) {
            let names: Vec<&str> = line.cases.iter().map(RuleCase::name).collect();
            let _ = write!(text, "\n# {}-{number:03}: {}\n{}", self.prefix(), names.join(", "), line.fen);
            for (depth, count) in (1..).zip(&line.counts) {
                let _ = write!(text, " ;D{depth} {count}");
            }
            text.push('\n');
        }
        text
    }

    const fn prefix(&self) -> &'static str {
        match self.recipe.variant {
            Variant::Standard => "hard",
            Variant::Chess960 => "hard960",
        }
    }

    /// The names of the cases, their descriptions and numbers of positions.
    fn legend(&self) -> Vec<String> {
        let wanted: Vec<RuleCase> = self.recipe.wanted().iter().collect();
        let width = wanted.iter().map(|case| case.name().len()).max().unwrap_or(0);
        let line = |case: RuleCase| {
            format!("{:<width$} {:>4}  {}", case.name(), self.times(case), case.description())
        };
        wanted.into_iter().map(line).collect()
    }
}

fn count_line(fen: &str, variant: Variant, max_nodes: u64) -> Result<Vec<u64>, HardSuiteError> {
    let mut counts = Vec::new();
    for depth in 1..=DEEPEST {
        let ours = OwnCore.count(fen, variant, depth)?;
        if depth > 1 && ours > max_nodes {
            break;
        }
        let theirs = Oracle.count(fen, variant, depth)?;
        if ours != theirs {
            return Err(HardSuiteError::Disagreement { fen: fen.to_owned(), depth, ours, theirs });
        }
        counts.push(ours);
        if ours == 0 {
            break;
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classifier::{Scene, cases_of};
    use arbiter::measure::perft::PerftSuite;

    #[test]
    fn what_is_written_is_a_perft_suite_that_names_the_cases() {
        let recipe = CaseRecipe { variant: Variant::Standard, times: 1, seed: 1 };
        let scenes = ["7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]
            .map(|fen| Scene::from_fen(fen).unwrap());
        let positions = scenes.map(|scene| {
            let before = scene.position.clone();
            HardPosition { cases: cases_of(&scene), scene, before }
        });
        let suite = HardSuite::count(recipe, 1000, &positions).unwrap();
        assert_eq!((suite.len(), suite.is_empty()), (2, false));
        assert_eq!((suite.times(RuleCase::EnPassantOffRank), suite.times(RuleCase::Stalemate)), (1, 1));
        let text = suite.render("perft-miner x.epd");
        assert!(text.contains("\n#     perft-miner x.epd\n"), "{text}");
        assert!(text.contains("\n# stalemate "), "{text}");
        let read = PerftSuite::parse("x.epd", &text).unwrap();
        assert_eq!(read.positions[0].name, "hard-001");
        assert_eq!(read.positions[0].counts, [(1, 6), (2, 78), (3, 528)]);
        assert_eq!(read.positions[1].counts, [(1, 0)]);
    }
}
