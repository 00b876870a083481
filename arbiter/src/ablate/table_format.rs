//! How the steps of an ablation are printed.

use std::io::{self, Write};

use super::ablation::{Ablation, AblationOrder, AblationStep};
use super::ablation_csv::ablation_csv;
use super::ablation_text::AblationText;
use crate::cli::{Blame, CliError, console};
use uci::Go;

/// For people or for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// A table for people, and a line that says what was searched.
    #[default]
    Text,
    /// One object for each step, in a list.
    Json,
    /// A row for each step.
    Csv,
}

impl TableFormat {
    /// Prints the steps. `games` says of the games, for people, what was played and where it is.
    ///
    /// # Errors
    /// The output does not take it.
    pub fn print(
        self,
        ablation: &Ablation,
        go: &Go,
        steps: &[AblationStep],
        games: Option<&str>,
    ) -> Result<(), CliError> {
        let mut out = io::stdout().lock();
        match self {
            TableFormat::Json => writeln!(out, "{}", serde_json::to_string_pretty(steps).fault()?).fault(),
            TableFormat::Csv => write!(out, "{}", ablation_csv(steps).fault()?).fault(),
            TableFormat::Text => {
                let (first, opponent) = match ablation.order {
                    AblationOrder::OneOff => ("everything", "everything"),
                    AblationOrder::Cumulative => ("nothing", "the line above"),
                };
                let colour = console::wants_colour(&io::stdout());
                write!(out, "{}", AblationText::new(steps, first, colour)).fault()?;
                writeln!(out, "\n  {} positions, `{go}`", ablation.positions.len()).fault()?;
                games.map_or(Ok(()), |games| writeln!(out, "  Elo is against {opponent}, {games}").fault())
            }
        }
    }
}
