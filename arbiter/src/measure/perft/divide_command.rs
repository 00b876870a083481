//! `arbiter perft ENGINE --fen FEN`: the counts below each move, beside the counts of our own move generator.

use std::collections::BTreeSet;

use anyhow::anyhow;
use clap::Args;
use serde::Serialize;

use super::move_counter::{CountError, Divide, MoveCounter, Oracle, OwnCore, PerftRoot};
use super::perft_check::{PerftDifference, smallest_difference};
use crate::cli::{CliResult, OrExitCode, answer, console};
use crate::report::verdict::Verdict;
use crate::text::number_text::thousands;
use crate::text::{Document, Table};
use referee::{Referee, Variant};

#[derive(Debug, Args)]
pub struct DivideArgs {
    /// Instead of suites, count the nodes below each move of this position [default depth: 1]
    #[arg(long, value_name = "FEN", conflicts_with_all = ["suite", "max_nodes", "csv", "strict"])]
    pub fen: Option<String>,

    /// The variant of the position: crazyhouse, atomic, antichess, horde, kingofthehill, racingkings or
    /// 3check; then shakmaty counts beside the engine
    #[arg(long, value_name = "VARIANT", requires = "fen", value_parser = Variant::typed,
        conflicts_with_all = ["suite", "max_nodes", "csv", "strict"])]
    variant: Option<Variant>,

    /// Moves from that position to the one to count, such as `e2e4 e7e5`
    #[arg(long, value_name = "MOVES", requires = "fen", value_delimiter = ' ',
        conflicts_with_all = ["suite", "max_nodes", "csv", "strict"])]
    moves: Vec<String>,

    /// Play the first move whose counts differ, count again, and so on, down to the wrong moves
    #[arg(long, requires = "fen", conflicts_with_all = ["suite", "max_nodes", "csv", "strict"])]
    follow: bool,
}

#[derive(Serialize)]
struct DivideReport<'a> {
    schema: u32,
    fen: &'a str,
    levels: Vec<Level>,
    wrong: Vec<WrongCounter>,
}

#[derive(Serialize)]
struct Level {
    counter: String,
    #[serde(skip)]
    reference: String,
    moves: Vec<String>,
    depth: u32,
    found: Divide,
    expected: Divide,
}

#[derive(Serialize)]
struct WrongCounter {
    counter: String,
    #[serde(flatten)]
    difference: PerftDifference,
}

impl DivideArgs {
    /// Compares each counter with our own core, or shakmaty with it without counters; in a variant, with shakmaty.
    pub fn run(
        &self,
        fen: &str,
        depth: u32,
        mut counters: Vec<Box<dyn MoveCounter>>,
        is_json: bool,
    ) -> CliResult {
        let variant =
            self.variant.filter(|variant| !variant.is_chess()).unwrap_or_else(|| Variant::of_fen(fen));
        let mut position = Referee::from_fen(fen, variant).usage()?;
        for m in &self.moves {
            position.play(m).usage()?;
        }
        if let Some(reason) = referee::unreachable(fen, variant) {
            console::note(&format!("no game reaches this position ({reason}), but it can be played"));
        }
        if counters.is_empty() && !variant.is_chess() {
            let own = "Arbiter's own move generator plays only chess";
            return Err(anyhow!("--variant {variant}: expected an engine to compare with shakmaty; {own}"))
                .usage();
        }
        if counters.is_empty() {
            counters.push(Box::new(Oracle));
        }
        let mut report = DivideReport { schema: 1, fen, levels: Vec::new(), wrong: Vec::new() };
        let mut verdict = Verdict::Same;
        for counter in &mut counters {
            match self.compare(&mut report, variant, depth, counter.as_mut()) {
                Ok(true) => {}
                Ok(false) => verdict = Verdict::Worse,
                Err(error) if error.is_engine_fault() => {
                    console::note(&format!("{}: {error}", counter.name()));
                    verdict = Verdict::Broken;
                    break;
                }
                Err(error) => return Err(error).usage(),
            }
        }
        answer(&report, is_json, |report| report.document(self))?;
        Ok(verdict.exit_code())
    }

    /// Adds the counts to the report; with --follow, of each level. Returns whether all are the same.
    fn compare(
        &self,
        report: &mut DivideReport<'_>,
        variant: Variant,
        depth: u32,
        counter: &mut dyn MoveCounter,
    ) -> Result<bool, CountError> {
        let (fen, mut depth, mut moves) = (report.fen, depth, self.moves.clone());
        let mut are_same = true;
        loop {
            let root = PerftRoot { fen, variant, moves: &moves };
            let reference: &mut dyn MoveCounter = if variant.is_chess() { &mut OwnCore } else { &mut Oracle };
            let expected = reference.divide_after(root, depth)?;
            let found = counter.divide_after(root, depth)?;
            are_same &= found.first_differing(&expected).is_none() && found.adds_up();
            let counter = counter.name().to_owned();
            let reference = reference.name().to_owned();
            let level = Level { counter, reference, moves: moves.clone(), depth, found, expected };
            let deeper = level.deeper().filter(|_| self.follow).map(str::to_owned);
            report.levels.push(level);
            let Some(m) = deeper else { break };
            moves.push(m);
            depth -= 1;
        }
        if !are_same {
            let suspects: [Option<&mut dyn MoveCounter>; 2] =
                [Some(counter), if variant.is_chess() { Some(&mut OwnCore) } else { None }];
            for counter in suspects.into_iter().flatten() {
                if let Some(difference) =
                    smallest_difference(counter, PerftRoot { fen, variant, moves: &moves }, depth)?
                {
                    report.wrong.push(WrongCounter { counter: counter.name().to_owned(), difference });
                }
            }
        }
        Ok(are_same)
    }
}

impl DivideReport<'_> {
    fn document(&self, args: &DivideArgs) -> Document {
        let mut document = Document::default();
        for level in &self.levels {
            if level.moves.len() > args.moves.len() {
                document.gap();
                document.line(format!("after {}, depth {}:", level.moves.join(" "), level.depth));
            }
            document.table(level.table());
            if let Some(m) = level.deeper().filter(|_| !args.follow) {
                let moves = [&level.moves[..], &[m.to_owned()]].concat().join(" ");
                document.line(format!("one level deeper: --moves \"{moves}\" --depth {}", level.depth - 1));
            }
        }
        for WrongCounter { counter, difference } in &self.wrong {
            document.gap();
            document.line(format!("by shakmaty, {counter} is wrong"));
            document.lines(difference.lines());
        }
        document
    }
}

impl Level {
    /// The move below which to look for the difference: both counters have it, with different counts.
    fn deeper(&self) -> Option<&str> {
        let m = self.found.first_differing(&self.expected).filter(|_| self.depth > 1)?;
        [&self.found, &self.expected].iter().all(|divide| divide.parts.contains_key(m)).then_some(m)
    }

    fn table(&self) -> Table {
        let mut table = Table::new(["", &self.counter, &self.reference, ""]);
        let both = [&self.found, &self.expected];
        let mut row = |m: &str, [found, expected]: [Option<u64>; 2]| {
            let mark = if found == expected { "" } else { "✗" };
            let [found, expected] =
                [found, expected].map(|count| count.map_or_else(|| "-".to_owned(), thousands));
            table.plain([m, &found, &expected, mark]);
        };
        let moves: BTreeSet<&String> = both.iter().flat_map(|divide| divide.parts.keys()).collect();
        for m in moves {
            row(m, both.map(|divide| divide.parts.get(m).copied()));
        }
        row("total", both.map(|divide| Some(divide.total)));
        table
    }
}
