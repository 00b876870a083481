//! The steps of an ablation as a table.

use std::io::{self, Write};

use super::ablation::{Ablation, AblationOrder, AblationStep, StepGameResults};
use crate::cli::{Blame, CliError, console, stdout};
use crate::text::Table;
use crate::text::csv_text;
use crate::text::number_text::{Estimate, counted, elo, thousands};
use uci::Go;

/// The steps of an ablation, the first of which has this name. The factors compare a step with it: speedup in time, and
/// reduction of nodes.
fn ablation_table(steps: &[AblationStep], first: &str) -> Table {
    let has_games = steps.iter().any(|step| step.games.is_some());
    let headings = ["", "Time", "Speedup", "Nodes", "Reduction", "NPS", "Depth"];
    let mut table = Table::new(headings.into_iter().chain(has_games.then_some("Elo (95%)")));
    for step in steps {
        let cells = [
            if step.change.is_empty() { first.to_owned() } else { step.change.clone() },
            format!("{:.3} s", step.seconds),
            format!("{:.2}×", steps[0].seconds / step.seconds),
            thousands(step.nodes),
            format!("{:.2}×", steps[0].nodes as f64 / step.nodes as f64),
            thousands((step.nodes as f64 / step.seconds) as u64),
            format!("{:.1}", step.mean_depth),
        ];
        let gain = step.games.as_ref().map_or_else(String::new, |games| elo(&games.elo));
        table.plain(cells.into_iter().chain(has_games.then_some(gain)));
    }
    table
}

/// The columns of the games are empty without games; infinite Elo is `inf` or `-inf`.
pub fn ablation_csv(steps: &[AblationStep]) -> csv::Result<String> {
    let columns = "change,seconds,nodes,mean_depth,games,wins,draws,losses,elo,elo_lower,elo_upper";
    let rows = steps.iter().map(|AblationStep { change, seconds, nodes, mean_depth, games }| {
        let counts = games.as_ref().map_or([None; 4], |StepGameResults { wdl, .. }| {
            [wdl.games(), wdl.wins, wdl.draws, wdl.losses].map(Some)
        });
        let elo = games.as_ref().map_or([None; 3], |games| games.elo.with_ends().map(Some));
        (change, seconds, nodes, mean_depth, counts, elo)
    });
    csv_text(columns, rows)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// A table, and a line that says what was searched.
    #[default]
    Text,
    Json,
    Csv,
}

impl TableFormat {
    /// Prints the steps. `games` describes the games, if any were played: their limits and folder.
    pub fn print(
        self,
        ablation: &Ablation,
        go: &Go,
        steps: &[AblationStep],
        games: Option<&str>,
    ) -> Result<(), CliError> {
        let mut out = stdout();
        match self {
            TableFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(steps).fault()?).fault(),
            TableFormat::Csv => write!(out, "{}", ablation_csv(steps).fault()?).fault(),
            TableFormat::Text => {
                let (first, opponent) = match ablation.order {
                    AblationOrder::OneOff => ("all on", "all on"),
                    AblationOrder::Cumulative => ("all off", "the row above"),
                };
                let colour = console::wants_colour(&io::stdout());
                write!(out, "{}", ablation_table(steps, first).text(colour)).fault()?;
                writeln!(out, "\n  {}, `{go}`", counted(ablation.positions.len() as u64, "position"))
                    .fault()?;
                games.map_or(Ok(()), |games| writeln!(out, "  Elo vs. {opponent}: {games}").fault())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let text = ablation_table(&steps, "all off").text(false);
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
        let text = ablation_table(&[step(None), step(Some(games.clone()))], "all off").text(false);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("Elo (95%)") && lines[1].ends_with("5.0"), "{text}");
        assert!(lines[2].ends_with("  +88.7 [-106.7, +379.6]"), "{text}");
    }
}

#[cfg(test)]
mod ablation_csv_tests {
    use super::*;
    use stats::{EloEstimate, Pentanomial, Wdl};

    #[test]
    fn steps_are_rows_with_games_and_without() {
        let (wdl, pairs) = (Wdl::new(4, 0, 0), Pentanomial::new([0, 0, 0, 0, 2]));
        let results = StepGameResults { wdl, pairs, elo: EloEstimate::new(&pairs.score()) };
        let step = |change: &str, games| AblationStep {
            change: change.to_owned(),
            nodes: 1000,
            seconds: 0.5,
            mean_depth: 5.0,
            games,
        };
        let text = ablation_csv(&[step("", None), step("+ PVS", Some(results))]).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[0],
            "change,seconds,nodes,mean_depth,games,wins,draws,losses,elo,elo_lower,elo_upper"
        );
        assert_eq!(lines[1], ",0.5,1000,5.0,,,,,,,");
        assert!(
            lines[2].starts_with("+ PVS,0.5,1000,5.0,4,4,0,0,inf,") && lines[2].ends_with(",inf"),
            "{text}"
        );
    }
}
