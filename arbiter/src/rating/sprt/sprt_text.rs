//! The report of `arbiter sprt` as text, with two decimals.

use std::fmt;

use super::sprt_forecasts::ForecastsText;
use super::sprt_report::SprtReport;
use crate::report::tests_text::{unit, verdict_words};
use crate::results::SprtSummary;
use crate::text::Tone;
use crate::text::number_text::{counted, exact_elo, exact_normalized_elo, exact_percent, thousands};
use stats::{Observations, Sprt, Wdl};

/// Shows the estimates, the state of the SPRT, and the forecasts.
#[derive(Clone, Copy, Debug)]
pub struct SprtText<'a> {
    pub report: &'a SprtReport,
    /// Whether colours may be used.
    pub colour: bool,
}

impl SprtText<'_> {
    /// The names of the players, if they are known.
    fn write_players(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.report.results;
        let Some(engine) = &results.engine else { return Ok(()) };
        let opponents = results.opponents.join(", ");
        writeln!(f, "  {}", Tone::Strong.paint(&format!("{engine} vs {opponents}"), self.colour))
    }

    /// The counts and the estimates.
    fn write_figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtReport { results, games, points, .. } = self.report;
        let mut line = |name: &str, value: &str| writeln!(f, "  {name:<12}  {value}");
        let (games, points, by_result) = match results.wdl {
            Some(wdl) => (wdl.games(), wdl.points(), format!(" {},", by_result(wdl))),
            None => (*games, *points, String::new()),
        };
        let share = (games > 0).then(|| format!(" ({})", exact_percent(points / games as f64)));
        let share = share.unwrap_or_default();
        line("Games", &format!("{}:{by_result} points {points}{share}", thousands(games)))?;
        match results.observations {
            Observations::Pairs(pairs) => line("Ptnml(0-2)", &format!("{:?}", pairs.counts()))?,
            Observations::Games(_) => line("Model", "trinomial, because the games are not paired")?,
        }
        let bias = if self.report.sprt.as_ref().is_some_and(SprtSummary::is_decided) {
            ", exaggerated if an SPRT stopped the match"
        } else {
            ""
        };
        line("Elo (95%)", &(exact_elo(&self.report.elo) + bias))?;
        line("nElo (95%)", &exact_normalized_elo(&self.report.normalized_elo))?;
        line("LOS", &exact_percent(self.report.los.probability()))?;
        if let Some(ratio) = self.report.draw_ratio {
            line("DrawRatio", &exact_percent(ratio))?;
        }
        if let Some(ratio) = self.report.pair_ratio {
            line("PairsRatio", &format!("{ratio:.2}"))?;
        }
        Ok(())
    }

    fn write_test(&self, sprt: &SprtSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtSummary { test, llr, lower, upper, .. } = sprt;
        let (verdict, tone) = verdict_words(sprt);
        let verdict = tone.paint(verdict, self.colour);
        writeln!(f, "  {:<12}  {llr:.2} ({lower:.2}, {upper:.2}) {}: {verdict}", "LLR", bounds(test))
    }

    /// The games that are not counted, and why.
    fn write_excluded(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.report.results;
        let excluded = results.excluded;
        if results.unpaired > 0 {
            writeln!(f, "  {}: counted in Games only", counted(results.unpaired, "unpaired game"))?;
        }
        for (number, why) in [
            (excluded.without_result, "no result"),
            (excluded.without_players, "a player has no name"),
            (excluded.other_players, "between other players"),
            (excluded.duplicates, "counted already"),
        ] {
            if number > 0 {
                writeln!(f, "  {} excluded: {why}", counted(number, "game"))?;
            }
        }
        if results.after_decision.games() > 0 {
            let games = counted(results.after_decision.games(), "game");
            let score = by_result(results.after_decision);
            writeln!(f, "  {games} excluded: finished after the SPRT had stopped ({score})")?;
        }
        Ok(())
    }
}

impl fmt::Display for SprtText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_results = self.report.games > 0 || self.report.forecast.is_none();
        if has_results {
            self.write_players(f)?;
            self.write_figures(f)?;
            if let Some(sprt) = &self.report.sprt {
                self.write_test(sprt, f)?;
            }
            self.write_excluded(f)?;
        }
        let Some(forecast) = &self.report.forecast else { return Ok(()) };
        if has_results {
            writeln!(f)?;
        }
        ForecastsText { forecast, colour: self.colour }.fmt(f)
    }
}

/// `[0, 5] nElo`.
fn bounds(test: &Sprt) -> String {
    format!("[{}, {}] {}", test.elo0(), test.elo1(), unit(test))
}

/// `W 30, L 20, D 23`, as in the summary of a run.
fn by_result(Wdl { wins, draws, losses }: Wdl) -> String {
    let [wins, losses, draws] = [wins, losses, draws].map(thousands);
    format!("W {wins}, L {losses}, D {draws}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::sprt::match_results::{ExcludedGames, MatchResults};
    use stats::{Pentanomial, SprtModel};

    fn text(results: MatchResults, test: Option<&Sprt>) -> String {
        SprtText { report: &SprtReport::new(results, test, None), colour: false }.to_string()
    }

    #[test]
    fn counts_of_pairs() {
        let test = Sprt::new(0.0, 3.0, 0.05, 0.10, SprtModel::Normalized).unwrap();
        let pairs = Observations::Pairs(Pentanomial::new([199, 1517, 3095, 1685, 234]));
        insta::assert_snapshot!(text(MatchResults::of_counts(pairs), Some(&test)));
    }

    #[test]
    fn a_clean_sweep_of_single_games() {
        let test = Sprt::new(-5.0, 0.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
        let games = Observations::Games(Wdl::new(0, 0, 7));
        insta::assert_snapshot!(text(MatchResults::of_counts(games), Some(&test)));
    }

    #[test]
    fn no_games() {
        insta::assert_snapshot!(text(
            MatchResults::of_counts(Observations::Pairs(Pentanomial::default())),
            None
        ));
    }

    #[test]
    fn excluded_games_have_a_reason() {
        let results = MatchResults {
            engine: Some("new".to_owned()),
            opponents: vec!["old".to_owned(), "older".to_owned()],
            wdl: Some(Wdl::new(30, 23, 20)),
            unpaired: 3,
            after_decision: Wdl::new(1, 0, 1),
            excluded: ExcludedGames {
                without_result: 1,
                without_players: 2,
                other_players: 1000,
                duplicates: 4,
            },
            ..MatchResults::of_counts(Observations::Pairs(Pentanomial::new([2, 6, 14, 8, 5])))
        };
        insta::assert_snapshot!(text(results, None));
    }
}
