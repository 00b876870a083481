//! The rules whose cost is computed from the games.

use runner::{Adjudication, DrawRule, ResignRule};

/// Common draw rules: fastchess's manual and fishtest; OpenBench's default; OpenBench's instances for strong engines.
const USUAL_DRAWS: [DrawRule; 3] = [
    DrawRule { from_move: 34, count: 8, score: 20 },
    DrawRule { from_move: 40, count: 8, score: 10 },
    DrawRule { from_move: 32, count: 6, score: 15 },
];

/// Common resign rules from the same sources, and two-sided versions of them.
const USUAL_RESIGNATIONS: [ResignRule; 5] = [
    ResignRule { count: 3, score: 400, two_sided: false },
    ResignRule { count: 3, score: 400, two_sided: true },
    ResignRule { count: 3, score: 600, two_sided: false },
    ResignRule { count: 3, score: 600, two_sided: true },
    ResignRule { count: 5, score: 600, two_sided: false },
];

pub fn usual() -> Vec<Adjudication> {
    each(&USUAL_DRAWS, &USUAL_RESIGNATIONS)
}

/// Each rule alone, and if there is one of each kind, both together.
pub fn chosen(draws: &[DrawRule], resignations: &[ResignRule]) -> Vec<Adjudication> {
    let mut rules = each(draws, resignations);
    if let ([draw], [resign]) = (draws, resignations) {
        rules.push(Adjudication { draw: Some(*draw), resign: Some(*resign), ..Adjudication::default() });
    }
    rules
}

/// The rules in a run's report page: the ones in use, or the common ones if none was.
pub fn of_run(in_use: &Adjudication) -> Vec<Adjudication> {
    if in_use.judges_scores() { of_runs([in_use]) } else { usual() }
}

pub fn of_runs<'a>(in_use: impl IntoIterator<Item = &'a Adjudication>) -> Vec<Adjudication> {
    let (mut draws, mut resignations) = (Vec::new(), Vec::new());
    for rules in in_use {
        draws.extend(rules.draw.filter(|rule| !draws.contains(rule)));
        resignations.extend(rules.resign.filter(|rule| !resignations.contains(rule)));
    }
    chosen(&draws, &resignations)
}

/// `draw move=40,count=8,score=10`, `resign count=3,score=600`, or `both`.
pub fn label(rules: &Adjudication) -> String {
    match (&rules.draw, &rules.resign) {
        (Some(draw), None) => format!("draw {draw}"),
        (None, Some(resign)) => format!("resign {resign}"),
        _ => "both".to_owned(),
    }
}

fn each(draws: &[DrawRule], resignations: &[ResignRule]) -> Vec<Adjudication> {
    let draws = draws.iter().map(|draw| Adjudication { draw: Some(*draw), ..Adjudication::default() });
    let resignations =
        resignations.iter().map(|resign| Adjudication { resign: Some(*resign), ..Adjudication::default() });
    draws.chain(resignations).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_runs_come_once_and_together_only_where_there_is_one_of_each_kind() {
        let rules = |draw: &str, resign: &str| Adjudication {
            draw: draw.parse().ok(),
            resign: resign.parse().ok(),
            ..Adjudication::default()
        };
        let labels = |runs: &[Adjudication]| of_runs(runs).iter().map(label).collect::<Vec<_>>();
        let first = rules("move=40,count=8,score=10", "count=3,score=600");
        let draw = "draw move=40,count=8,score=10";
        assert_eq!(labels(&[first.clone(), first.clone()]), [draw, "resign count=3,score=600", "both"]);
        let other = rules("move=40,count=8,score=10", "count=3,score=400,twosided=true");
        let both = [draw, "resign count=3,score=600", "resign count=3,score=400,twosided=true"];
        assert_eq!(labels(&[first, other]), both);
        assert_eq!(of_run(&Adjudication::default()), usual());
    }
}
