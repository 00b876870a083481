//! The steps of an ablation as a table.

use std::fmt;

use super::ablation::AblationStep;
use crate::text::number_text::{elo, thousands};
use crate::text::{Table, Tone};

/// Shows the steps of an ablation. The factors compare a step with the first one: speedup in time, and reduction of nodes.
#[derive(Clone, Debug)]
pub struct AblationText<'a> {
    steps: &'a [AblationStep],
    /// The name of the first step.
    first: &'a str,
    colour: bool,
}

impl<'a> AblationText<'a> {
    /// With or without colours.
    pub fn new(steps: &'a [AblationStep], first: &'a str, colour: bool) -> AblationText<'a> {
        AblationText { steps, first, colour }
    }
}

impl fmt::Display for AblationText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_games = self.steps.iter().any(|step| step.games.is_some());
        let headings = ["", "Time", "Speedup", "Nodes", "Reduction", "NPS", "Depth"];
        let mut table = Table::new(headings.into_iter().chain(has_games.then_some("Elo (95%)")));
        let Some(first) = self.steps.first() else { return Ok(()) };
        for step in self.steps {
            let name = if step.change.is_empty() { self.first } else { &step.change };
            let cells = [
                name.to_owned(),
                format!("{:.3} s", step.seconds),
                format!("{:.2}×", first.seconds / step.seconds),
                thousands(step.nodes),
                format!("{:.2}×", first.nodes as f64 / step.nodes as f64),
                thousands((step.nodes as f64 / step.seconds) as u64),
                format!("{:.1}", step.mean_depth),
            ];
            let gain = step.games.as_ref().map_or_else(String::new, |games| elo(&games.elo));
            let cells = cells.into_iter().chain(has_games.then_some(gain));
            table.row(cells.map(|text| (text, Tone::Plain)));
        }
        write!(f, "{}", table.text(self.colour))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ablate::ablation::StepGameResults;
    use stats::{EloEstimate, Pentanomial, Wdl};

    #[test]
    fn the_factors_compare_with_the_first_step() {
        let step = |change: &str, seconds, nodes| AblationStep {
            change: change.to_owned(),
            nodes,
            seconds,
            mean_depth: 5.0,
            games: None,
        };
        let steps = [step("", 2.0, 1_000_000), step("+ PVS", 0.5, 400_000)];
        let text = AblationText::new(&steps, "all off", false).to_string();
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["all", "off", "2.000", "s", "1.00×", "1,000,000", "1.00×", "500,000", "5.0"]);
        assert!(!text.contains("Elo"), "{text}");
        assert_eq!(lines[2], ["+", "PVS", "0.500", "s", "4.00×", "400,000", "2.50×", "800,000", "5.0"]);
    }

    #[test]
    fn elo_has_a_column_where_games_were_played() {
        let (wdl, pairs) = (Wdl::new(3, 4, 1), Pentanomial::new([0, 1, 1, 1, 1]));
        let games = StepGameResults { wdl, pairs, elo: EloEstimate::new(&pairs.score()) };
        let step = |games| AblationStep {
            change: "+ PVS".to_owned(),
            nodes: 1000,
            seconds: 1.0,
            mean_depth: 5.0,
            games,
        };
        let text = AblationText::new(&[step(None), step(Some(games.clone()))], "all off", false).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("Elo (95%)") && lines[1].ends_with("5.0"), "{text}");
        assert!(lines[2].ends_with(&elo(&games.elo)), "{text}");
    }
}
