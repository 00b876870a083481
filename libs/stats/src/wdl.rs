//! Counts of wins, draws and losses.

use super::Score;

/// The results of single games, from the first engine's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Wdl {
    /// Games the first engine won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games the first engine lost.
    pub losses: u64,
}

impl Wdl {
    /// The counts of wins, draws and losses.
    ///
    /// ```
    /// let games = stats::Wdl::new(30, 50, 20);
    /// assert_eq!((games.points(), games.score().mean()), (55.0, 0.55));
    /// ```
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    /// This many games with this outcome.
    pub const fn of(outcome: Outcome, games: u64) -> Wdl {
        match outcome {
            Outcome::Win => Wdl::new(games, 0, 0),
            Outcome::Draw => Wdl::new(0, games, 0),
            Outcome::Loss => Wdl::new(0, 0, games),
        }
    }

    /// Counts one more game.
    pub fn record(&mut self, outcome: Outcome) {
        *self += Wdl::of(outcome, 1);
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins.saturating_add(self.draws).saturating_add(self.losses)
    }

    /// The first engine's points; a draw counts ½.
    pub const fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The mean score per game with its moments; games are treated as independent (the trinomial model).
    pub fn score(&self) -> Score {
        Score::of_counts(&self.by_worth(), 1)
    }

    /// The share of games drawn, from 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games from the second engine's point of view.
    #[must_use]
    pub const fn reversed(&self) -> Wdl {
        Wdl::new(self.losses, self.draws, self.wins)
    }

    /// The counts in ascending order of points: 0, ½, 1.
    pub(super) const fn by_worth(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

/// Addition and subtraction of types that are counts in a fixed order.
macro_rules! counts_add_up {
    ($name:ident, $counts:ident, $of:expr) => {
        impl std::ops::Add for $name {
            type Output = $name;

            fn add(self, other: $name) -> $name {
                let (one, other) = (self.$counts(), other.$counts());
                $of(std::array::from_fn(|i| one[i].saturating_add(other[i])))
            }
        }

        impl std::ops::Sub for $name {
            type Output = $name;

            fn sub(self, other: $name) -> $name {
                let (one, other) = (self.$counts(), other.$counts());
                $of(std::array::from_fn(|i| one[i] - other[i]))
            }
        }

        impl std::ops::AddAssign for $name {
            fn add_assign(&mut self, other: $name) {
                *self = *self + other;
            }
        }

        impl std::iter::Sum for $name {
            fn sum<I: Iterator<Item = $name>>(items: I) -> $name {
                items.fold($name::default(), std::ops::Add::add)
            }
        }
    };
}
pub(super) use counts_add_up;

counts_add_up!(Wdl, by_worth, |[losses, draws, wins]: [u64; 3]| Wdl::new(wins, draws, losses));

/// The outcome of a game for one player, ordered from worst to best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum Outcome {
    /// Worth 0 points.
    Loss,
    /// Worth ½ point.
    Draw,
    /// Worth 1 point.
    Win,
}

impl Outcome {
    /// The outcome worth this many half points; more than 2 count as 2.
    pub const fn of_half_points(half_points: u8) -> Outcome {
        match half_points {
            0 => Outcome::Loss,
            1 => Outcome::Draw,
            _ => Outcome::Win,
        }
    }

    /// The outcome for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }

    /// The worth of the outcome in half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_games_add_up_and_json_names_the_counts() {
        let mut wdl = Wdl::default();
        for outcome in [Outcome::Win, Outcome::Draw, Outcome::Win, Outcome::Loss] {
            wdl.record(outcome);
        }
        assert_eq!(wdl, Wdl::new(2, 1, 1));
        assert_eq!(wdl.games(), 4);
        assert!((wdl.points() - 2.5).abs() < 1e-12);
        assert_eq!([wdl, wdl.reversed()].into_iter().sum::<Wdl>(), Wdl::new(3, 2, 3));
        assert_eq!(Wdl::default().draw_ratio(), None);
        assert_eq!(Wdl::new(1, 2, 1).draw_ratio(), Some(0.5));
        let json = serde_json::to_string(&Wdl::new(1, 2, 3)).unwrap();
        assert_eq!(json, r#"{"wins":1,"draws":2,"losses":3}"#);
        assert_eq!(serde_json::from_str::<Wdl>(&json).unwrap(), Wdl::new(1, 2, 3));
    }
}
