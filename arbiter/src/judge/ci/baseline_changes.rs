//! The differences between two baselines.

use super::baseline::{Baseline, PerftRecord, SpeedRecord, TacticsRecord};
use crate::text::listed;
use crate::text::number_text::thousands;

/// The most positions that are named.
const MOST_NAMED: usize = 5;

const NONE: &str = "–";

/// A difference, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineChange {
    pub what: String,
    /// Its value in the baseline; `–` for a new measurement.
    pub before: String,
    /// Its value now; `–` for a suite that is no longer tested.
    pub now: String,
}

/// The differences between the baseline and the new measurements. What was not measured now is skipped; of suites, only if
/// none of their kind was.
pub fn baseline_changes(before: Option<&Baseline>, now: &Baseline) -> Vec<BaselineChange> {
    let nothing = Baseline::default();
    let before = before.unwrap_or(&nothing);
    let mut changes = Vec::new();
    let mut add = |what: String, before: Option<String>, now: Option<String>| {
        if let Some(now) = now.filter(|now| Some(now) != before.as_ref()) {
            changes.push(BaselineChange { what, before: before.unwrap_or_else(|| NONE.to_owned()), now });
        }
    };
    let nodes_of = |record: &PerftRecord| format!("{} nodes", thousands(record.nodes));
    let solved = |record: &TacticsRecord| format!("{}/{} solved", record.solved.len(), record.positions);
    add("version".to_owned(), before.version.clone(), now.version.clone());
    let nodes = |known: &Baseline| known.bench.map(|bench| thousands(bench.nodes));
    add("bench nodes".to_owned(), nodes(before), nodes(now));
    for record in &now.perft {
        let known = before.perft.iter().find(|known| known.suite == record.suite);
        add(format!("perft {}", record.suite), known.map(nodes_of), Some(nodes_of(record)));
    }
    for gone in before.perft.iter().filter(|known| is_gone(*known, &now.perft, |record| &record.suite)) {
        add(format!("perft {}", gone.suite), Some(nodes_of(gone)), Some(NONE.to_owned()));
    }
    for record in &now.tactics {
        let known = before.tactics_of(&record.suite);
        let changed = known.is_none_or(|known| known.solved != record.solved);
        let differences = known.map(|known| differences(known, record)).unwrap_or_default();
        let now = changed.then(|| solved(record) + &differences);
        add(format!("tactics {}", record.suite), known.map(solved), now);
    }
    for gone in before.tactics.iter().filter(|known| is_gone(*known, &now.tactics, |record| &record.suite)) {
        add(format!("tactics {}", gone.suite), Some(solved(gone)), Some(NONE.to_owned()));
    }
    add(
        "NPS".to_owned(),
        before.speed.as_ref().map(|known| speed(known, now)),
        now.speed.as_ref().map(|speed| thousands(speed.nodes_per_second)),
    );
    changes
}

/// Whether other suites were tested, but not the known one.
fn is_gone<R>(known: &R, now: &[R], suite: impl Fn(&R) -> &String) -> bool {
    !now.is_empty() && now.iter().all(|record| suite(record) != suite(known))
}

fn speed(known: &SpeedRecord, now: &Baseline) -> String {
    let is_here = now.speed.as_ref().is_some_and(|speed| speed.machine == known.machine);
    if is_here { thousands(known.nodes_per_second) } else { "another machine".to_owned() }
}

/// `: lost a, b; gained c`.
fn differences(before: &TacticsRecord, now: &TacticsRecord) -> String {
    let only = |one: &TacticsRecord, other: &TacticsRecord| -> Vec<String> {
        one.solved.iter().filter(|id| !other.solved.contains(id)).cloned().collect()
    };
    let named = |word: &str, names: &[String]| {
        (!names.is_empty()).then(|| format!("{word} {}", listed(names, MOST_NAMED)))
    };
    let both = [named("lost", &only(before, now)), named("gained", &only(now, before))];
    let both: Vec<String> = both.into_iter().flatten().collect();
    if both.is_empty() { String::new() } else { format!(": {}", both.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ci::baseline::BenchRecord;

    fn measured(nodes: u64, solved: &[&str], machine: &str) -> Baseline {
        let record = TacticsRecord {
            suite: "a.epd".to_owned(),
            sha256: String::new(),
            limit: String::new(),
            positions: 3,
            solved: solved.iter().map(|id| (*id).to_owned()).collect(),
        };
        Baseline {
            bench: Some(BenchRecord { nodes }),
            tactics: vec![record],
            speed: Some(SpeedRecord { nodes_per_second: 1_000_000, machine: machine.to_owned() }),
            ..Baseline::of_engine("mock")
        }
    }

    #[test]
    fn equal_values_are_no_difference() {
        let known = measured(1000, &["one"], "here");
        assert_eq!(baseline_changes(Some(&known), &known), []);
        assert_eq!(baseline_changes(Some(&known), &Baseline::of_engine("mock")), []);
    }

    #[test]
    fn a_difference_has_both_values() {
        let changes = baseline_changes(
            Some(&measured(1000, &["one", "two"], "there")),
            &measured(1200, &["two", "three"], "here"),
        );
        let rows: Vec<String> = changes
            .iter()
            .map(|change| format!("{}: {} -> {}", change.what, change.before, change.now))
            .collect();
        assert_eq!(
            rows,
            [
                "bench nodes: 1,000 -> 1,200",
                "tactics a.epd: 2/3 solved -> 2/3 solved: lost one; gained three",
                "NPS: another machine -> 1,000,000",
            ]
        );
    }

    #[test]
    fn a_suite_that_is_no_longer_tested_is_shown_unless_none_of_its_kind_is() {
        let known = measured(1000, &["one"], "here");
        let other = TacticsRecord { suite: "b.epd".to_owned(), ..known.tactics[0].clone() };
        let both = Baseline { tactics: vec![other, known.tactics[0].clone()], ..known.clone() };
        let change = |what: &str, before: &str, now: &str| BaselineChange {
            what: what.to_owned(),
            before: before.to_owned(),
            now: now.to_owned(),
        };
        assert_eq!(baseline_changes(Some(&both), &known), [change("tactics b.epd", "1/3 solved", "–")]);
        let none = Baseline { tactics: Vec::new(), ..known.clone() };
        assert_eq!(baseline_changes(Some(&both), &none), []);
    }

    #[test]
    fn everything_is_new_without_a_baseline() {
        let changes = baseline_changes(None, &measured(1000, &["one"], "here"));
        assert!(changes.len() == 3 && changes.iter().all(|change| change.before == "–"), "{changes:?}");
    }
}
