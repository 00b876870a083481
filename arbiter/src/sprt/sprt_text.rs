//! The answer of `arbiter sprt`, for people: one figure a line, with the decimals of a calculator.

use std::fmt;

use super::sprt_outlook::OutlookText;
use super::sprt_report::SprtReport;
use crate::run_state::SprtSummary;
use crate::text::Tone;
use crate::text::number_text::{counted, exact_elo, exact_normalized_elo, exact_percent, thousands};
use stats::{Observations, Sprt, SprtModel, SprtStatus, Wdl};

/// Shows what results say about the strength, where a test stands, and what to expect of it.
#[derive(Clone, Copy, Debug)]
pub struct SprtText<'a> {
    /// What is shown.
    pub report: &'a SprtReport,
    /// Whether colours may be used.
    pub colour: bool,
}

impl SprtText<'_> {
    /// Whose score it is, where names are known.
    fn write_players(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.report.results;
        let Some(engine) = &results.engine else { return Ok(()) };
        let opponents = results.opponents.join(", ");
        writeln!(f, "  {}", Tone::Strong.paint(&format!("{engine} against {opponents}"), self.colour))
    }

    /// The counts and what follows from them.
    fn write_figures(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtReport { results, games, points, score, .. } = self.report;
        let mut line = |name: &str, value: &str| writeln!(f, "  {name:<12}  {value}");
        let share = score.map(|share| format!("  {}", exact_percent(share))).unwrap_or_default();
        line("Score", &format!("{points} of {}{share}", counted(*games, "game")))?;
        if let Some(wdl) = results.wdl {
            line("W D L", &by_result(wdl))?;
        }
        if let Observations::Pairs(pairs) = results.observations {
            let counts = pairs.counts().map(|count| count.to_string()).join(" · ");
            line("Pairs", &format!("{counts}  (worth 0, ½, 1, 1½, 2 points)"))?;
        } else {
            line("Model", "trinomial: single games, not in pairs from one opening")?;
        }
        line("Elo (95%)", &exact_elo(&self.report.elo))?;
        line("nElo (95%)", &exact_normalized_elo(&self.report.normalized_elo))?;
        line("LOS", &exact_percent(self.report.los.probability()))?;
        let is_paired = matches!(results.observations, Observations::Pairs(_));
        if let Some(ratio) = self.report.draw_ratio {
            line(if is_paired { "Level pairs" } else { "Draws" }, &exact_percent(ratio))?;
        }
        if is_paired {
            let ratio = self.report.pair_ratio.map(|ratio| format!("{ratio:.2}"));
            line("Pair ratio", &ratio.map_or("-".to_owned(), |ratio| ratio + "  (pairs won by pairs lost)"))?;
        }
        Ok(())
    }

    fn write_test(&self, sprt: &SprtSummary, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtSummary { test, llr, lower, upper, status } = sprt;
        let (verdict, tone) = match status {
            SprtStatus::Continue => ("undecided, play on".to_owned(), Tone::Plain),
            SprtStatus::AcceptH0 => {
                (format!("H0 accepted, {} rather than {}", test.elo0(), test.elo1()), Tone::Bad)
            }
            SprtStatus::AcceptH1 => {
                (format!("H1 accepted, {} rather than {}", test.elo1(), test.elo0()), Tone::Good)
            }
        };
        let verdict = tone.paint(&verdict, self.colour);
        writeln!(
            f,
            "  {:<12}  {llr:.2} in ({lower:.2}, {upper:.2}) for {}: {verdict}",
            "LLR",
            hypotheses(test)
        )
    }

    /// What is in none of the figures, and why.
    fn write_left_out(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let results = &self.report.results;
        let left_out = results.left_out;
        for (number, why) in [
            (results.without_partner, "whose partner is missing: in W D L, in no other figure"),
            (left_out.without_result, "left out: no result"),
            (left_out.without_players, "left out: a player has no name"),
            (left_out.of_others, "left out: of other players"),
        ] {
            if number > 0 {
                writeln!(f, "  {} {why}", counted(number, "game"))?;
            }
        }
        if results.after_decision.games() > 0 {
            let games = counted(results.after_decision.games(), "game");
            let score = by_result(results.after_decision);
            writeln!(f, "  {games} in flight when the test decided, not in the score: {score}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SprtText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_results = self.report.games > 0 || self.report.outlook.is_none();
        if has_results {
            self.write_players(f)?;
            self.write_figures(f)?;
            if let Some(sprt) = &self.report.sprt {
                self.write_test(sprt, f)?;
            }
            self.write_left_out(f)?;
        }
        let Some(outlook) = &self.report.outlook else { return Ok(()) };
        if has_results {
            writeln!(f)?;
        }
        OutlookText { outlook, colour: self.colour }.fmt(f)
    }
}

/// `nElo [0, 5]`
fn hypotheses(test: &Sprt) -> String {
    let unit = match test.model() {
        SprtModel::Normalized => "nElo",
        SprtModel::Logistic => "Elo",
    };
    format!("{unit} [{}, {}]", test.elo0(), test.elo1())
}

/// Wins, draws and losses as the summary of a run writes them.
fn by_result(Wdl { wins, draws, losses }: Wdl) -> String {
    [wins, draws, losses].map(thousands).join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sprt::match_results::{LeftOut, MatchResults};
    use stats::Pentanomial;

    fn text(results: MatchResults, test: Option<&Sprt>) -> String {
        SprtText { report: &SprtReport::new(results, test, None), colour: false }.to_string()
    }

    #[test]
    fn counts_that_were_typed() {
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
    fn what_is_left_out_is_told_with_the_reason() {
        let results = MatchResults {
            engine: Some("new".to_owned()),
            opponents: vec!["old".to_owned(), "older".to_owned()],
            wdl: Some(Wdl::new(30, 23, 20)),
            without_partner: 3,
            after_decision: Wdl::new(1, 0, 1),
            left_out: LeftOut { without_result: 1, without_players: 2, of_others: 1000 },
            ..MatchResults::of_counts(Observations::Pairs(Pentanomial::new([2, 6, 14, 8, 5])))
        };
        insta::assert_snapshot!(text(results, None));
    }
}
