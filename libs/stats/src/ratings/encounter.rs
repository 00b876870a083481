//! Encounters of two players.

use crate::Wdl;

/// The games of two players with the same colours; players go by their index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encounter {
    /// The player with the white pieces.
    pub white: usize,
    /// The player with the black pieces.
    pub black: usize,
    /// The results for White.
    pub results: Wdl,
}

impl Encounter {
    /// Whether White took at least half a point.
    pub(super) const fn white_scored(&self) -> bool {
        self.results.wins > 0 || self.results.draws > 0
    }

    /// Whether Black took at least half a point.
    pub(super) const fn black_scored(&self) -> bool {
        self.results.losses > 0 || self.results.draws > 0
    }
}

/// The same games with one encounter for each two players and their colours, in the order of the players.
///
/// Games of a player vs. itself are left out.
pub(super) fn merged(encounters: &[Encounter]) -> Vec<Encounter> {
    let mut encounters: Vec<Encounter> =
        encounters.iter().copied().filter(|e| e.white != e.black && e.results.games() > 0).collect();
    encounters.sort_unstable_by_key(|encounter| (encounter.white, encounter.black));
    encounters.dedup_by(|next, kept| {
        let same = (next.white, next.black) == (kept.white, kept.black);
        if same {
            kept.results += next.results;
        }
        same
    });
    encounters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_the_same_players_and_colours_are_summed() {
        let of = |white, black, wins| Encounter { white, black, results: Wdl::new(wins, 0, 0) };
        let list = [of(1, 0, 1), of(0, 1, 2), of(1, 0, 4), of(1, 1, 8), of(0, 2, 0)];
        assert_eq!(merged(&list), [of(0, 1, 2), of(1, 0, 5)]);
    }
}
