//! `arbiter ablate --csv`: one row per step.

use serde::Serialize;

use super::ablation::AblationStep;

/// One row. The columns of the games are empty without games; infinite Elo is `inf` or `-inf`.
#[derive(Serialize)]
struct Row<'a> {
    change: &'a str,
    seconds: f64,
    nodes: u64,
    mean_depth: f64,
    games: Option<u64>,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    elo: Option<f64>,
    elo_lower: Option<f64>,
    elo_upper: Option<f64>,
}

/// The table of an ablation.
///
/// # Errors
/// Never in practice: writing to memory does not fail.
pub fn ablation_csv(steps: &[AblationStep]) -> csv::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for step in steps {
        let games = step.games.as_ref();
        writer.serialize(Row {
            change: &step.change,
            seconds: step.seconds,
            nodes: step.nodes,
            mean_depth: step.mean_depth,
            games: games.map(|games| games.wdl.games()),
            wins: games.map(|games| games.wdl.wins),
            draws: games.map(|games| games.wdl.draws),
            losses: games.map(|games| games.wdl.losses),
            elo: games.map(|games| games.elo.elo.value()),
            elo_lower: games.map(|games| games.elo.lower.value()),
            elo_upper: games.map(|games| games.elo.upper.value()),
        })?;
    }
    let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::ablate::ablation::StepGameResults;
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
