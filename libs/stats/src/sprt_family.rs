//! Several sequential tests of which none may accept H1 wrongly.

use super::Sprt;

impl Sprt {
    /// One of so many tests that have this test's alpha together: the probability that any of them accepts H1 although
    /// its H0 holds is at most alpha. Beta is that of each test alone. For fewer than two it is the test itself.
    ///
    /// Each test has alpha divided by their number (Bonferroni's inequality; Dunn, "Multiple Comparisons Among Means",
    /// 1961), which moves its upper bound out by the logarithm of that number and hardly moves the lower one. So a
    /// worthless candidate costs what it would cost alone. It holds however the results depend on each other, as they
    /// do where all candidates meet one opponent with the same openings, and each test decides by its own results alone,
    /// in whatever order the games of the others end. Holm's procedure, which for sequential tests is that of Bartroff
    /// and Song ("Sequential tests of multiple hypotheses controlling type I and II familywise error rates", 2014), saves
    /// games only after one test has accepted H1, and makes each verdict depend on when the others came.
    #[must_use]
    pub fn one_of(&self, tests: u32) -> Sprt {
        let alpha = self.alpha() / f64::from(tests.max(1));
        // A smaller alpha is as valid.
        let one = Sprt::new(self.elo0(), self.elo1(), alpha, self.beta(), self.model());
        one.map_or(*self, |one| one.with_mixture(self.is_mixture()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated_test::Simulator;
    use crate::{Elo, ResultShares, SprtModel, SprtStatus};

    const CANDIDATES: u32 = 4;

    fn family() -> Sprt {
        Sprt::new(0.0, 60.0, 0.05, 0.05, SprtModel::Normalized).unwrap()
    }

    /// Tests of candidates with these true differences, a family for each seed: how often any of them accepted H1, and
    /// the mean number of games of a family.
    fn played(test: &Sprt, differences: &[f64], families: u32) -> (f64, f64) {
        let (mut with_h1, mut games) = (0, 0);
        let simulators: Vec<_> = differences
            .iter()
            .map(|&difference| {
                let shares = ResultShares::assumed(difference, SprtModel::Normalized, 0.5, Elo::new(60.0));
                let ResultShares::Pairs(shares) = shares else { panic!("expected pairs") };
                Simulator::of_pairs(test, &shares)
            })
            .collect();
        for family in 0..families {
            let ended = simulators.iter().zip(0u32..).map(|(simulator, candidate)| {
                simulator.run(11, family * simulators.len() as u32 + candidate)
            });
            let ended: Vec<_> = ended.collect();
            with_h1 += u32::from(ended.iter().any(|test| test.status == SprtStatus::AcceptH1));
            games += ended.iter().map(|test| test.games).sum::<u64>();
        }
        (f64::from(with_h1) / f64::from(families), games as f64 / f64::from(families))
    }

    #[test]
    fn a_part_of_a_family_has_its_share_of_alpha() {
        let one = family().one_of(CANDIDATES);
        assert_eq!((one.alpha(), one.beta()), (0.0125, 0.05));
        assert!((one.upper().value() - family().upper().value() - 4f64.ln()).abs() < 1e-12);
        assert_eq!([family().one_of(0), family().one_of(1)], [family(), family()]);
    }

    /// With four worthless candidates, tests that do not know of each other accept one of them in some 15% of families.
    #[test]
    fn worthless_candidates_are_accepted_no_more_often_than_alpha_says() {
        let families = 150;
        let (together, _) = played(&family().one_of(CANDIDATES), &[0.0; 4], families);
        let (alone, _) = played(&family(), &[0.0; 4], families);
        // Three standard deviations of the simulation.
        assert!(together <= 0.05 + 3.0 * (0.05 * 0.95 / f64::from(families)).sqrt(), "{together}");
        assert!(alone > 0.1, "{alone}");
    }

    /// Matches of a fixed length with the same errors need ((z(1 − α/4) + z(1 − β)) / d)² games each, with the difference
    /// d in standard deviations of a game: z(0.9875) = 2.2414 and z(0.95) = 1.6449 (Abramowitz and Stegun, table 26.5).
    #[test]
    fn dropping_the_losers_saves_half_of_the_games_of_matches_of_a_fixed_length() {
        let apart = 60.0 * std::f64::consts::LN_10 / 800.0;
        let fixed = f64::from(CANDIDATES) * ((2.2414 + 1.6449) / apart).powi(2);
        let (accepted, games) = played(&family().one_of(CANDIDATES), &[0.0, 0.0, 60.0, 0.0], 60);
        assert!(accepted > 0.9, "{accepted}");
        assert!(games < 0.5 * fixed, "{games} games in place of {fixed}");
    }
}
