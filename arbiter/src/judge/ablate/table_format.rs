//! How the steps of an ablation are printed.

use std::io::{self, Write};

use super::ablation::{Ablation, AblationOrder, AblationStep};
use super::ablation_csv::ablation_csv;
use super::ablation_text::AblationText;
use crate::cli::{Blame, CliError, console, stdout};
use crate::text::number_text::counted;
use uci::Go;

/// The format of the steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// A table, and a line that says what was searched.
    #[default]
    Text,
    /// A list with one object per step.
    Json,
    /// One row per step.
    Csv,
}

impl TableFormat {
    /// Prints the steps. `games` describes the games, if any were played: their limits and folder.
    ///
    /// # Errors
    /// The output cannot be written.
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
                write!(out, "{}", AblationText::new(steps, first, colour)).fault()?;
                writeln!(out, "\n  {}, `{go}`", counted(ablation.positions.len() as u64, "position"))
                    .fault()?;
                games.map_or(Ok(()), |games| writeln!(out, "  Elo vs. {opponent}: {games}").fault())
            }
        }
    }
}
