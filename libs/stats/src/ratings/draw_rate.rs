//! The draw rate of equal players.

/// The share of draws, from 0 to 1, where the expected score is `expected` and equal players draw `between_equals` of
/// their games.
///
/// Davidson's relation, by which the share of draws is a constant times the geometric mean of wins and losses, solved
/// for a given expected score. Ordo's draw rate is the same.
fn expected_draws(expected: f64, between_equals: f64) -> f64 {
    let decisive = (1.0 - between_equals) / between_equals;
    let balance = 4.0 * expected * (1.0 - expected);
    balance / (1.0 + (1.0 + balance * (decisive * decisive - 1.0)).max(0.0).sqrt())
}

/// The search takes about ten steps; rounding may keep it from ever meeting its tolerance.
const MOST_STEPS: usize = 100;

/// One encounter: the expected score, the number of games, the number of draws.
pub(super) type Draws = (f64, f64, f64);

/// The draw rate of equal players at which the expected number of draws equals the actual one; `None` without games.
pub(super) fn draw_rate(encounters: &[Draws]) -> Option<f64> {
    let drawn: f64 = encounters.iter().map(|(_, _, draws)| draws).sum();
    let games: f64 = encounters.iter().map(|(_, games, _)| games).sum();
    let surplus = |rate: f64| -> f64 {
        encounters.iter().map(|(expected, games, _)| games * expected_draws(*expected, rate)).sum::<f64>()
            - drawn
    };
    if games == 0.0 {
        return None;
    }
    if drawn == 0.0 {
        return Some(0.0);
    }
    if surplus(1.0) <= 0.0 {
        return Some(1.0);
    }
    Some(root(surplus, (0.0, -drawn), (1.0, surplus(1.0)), games * 1e-9))
}

/// The zero of a growing function between a point where it is negative and one where it is positive, by the Illinois
/// variant of regula falsi (Dowell and Jarratt, BIT 11, 1971).
fn root(of: impl Fn(f64) -> f64, mut low: (f64, f64), mut high: (f64, f64), tolerance: f64) -> f64 {
    let mut x = low.0;
    for _ in 0..MOST_STEPS {
        x = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        let y = of(x);
        if y.abs() <= tolerance {
            break;
        }
        if y < 0.0 {
            low = (x, y);
            high.1 /= 2.0;
        } else {
            high = (x, y);
            low.1 /= 2.0;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn equals_draw_as_often_as_they_did() {
        let rate = draw_rate(&[(0.5, 100.0, 37.0)]).unwrap();
        assert!((rate - 0.37).abs() < 1e-8);
    }

    #[test]
    fn extremes_are_met() {
        assert_eq!(draw_rate(&[]), None);
        assert_eq!(draw_rate(&[(0.5, 10.0, 0.0)]), Some(0.0));
        assert_eq!(draw_rate(&[(0.5, 10.0, 10.0)]), Some(1.0));
    }

    proptest! {
        #[test]
        fn draws_leave_room_for_wins_and_losses(expected in 0.0..1.0, rate in 0.0..1.0) {
            let draws = expected_draws(expected, rate);
            let (wins, losses) = (expected - draws / 2.0, 1.0 - expected - draws / 2.0);
            prop_assert!(draws >= 0.0 && wins >= -1e-12 && losses >= -1e-12);
            // Davidson: the square of the draws is proportional to wins times losses.
            let constant = 2.0 * rate / (1.0 - rate);
            prop_assert!((draws - constant * (wins * losses).max(0.0).sqrt()).abs() < 1e-6);
        }

        #[test]
        fn the_rate_that_made_the_draws_is_found(rate in 0.01..0.99, expected in prop::array::uniform4(0.05..0.95)) {
            let draws = expected.map(|expected| (expected, 100.0, 100.0 * expected_draws(expected, rate)));
            prop_assert!((draw_rate(&draws).unwrap() - rate).abs() < 1e-5);
        }
    }
}
