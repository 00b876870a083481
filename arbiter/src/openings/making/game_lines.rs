//! Openings from games.

use referee::openings::{ListedOpening, SeededDraw, shuffled};
use referee::san::san_to_uci;
use referee::{Referee, Variant};

/// Lengths of a game's beginning that are tried at most.
const TRIES_PER_GAME: u64 = 8;

/// The beginnings of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameLines {
    games: Vec<ListedOpening>,
    /// Indices of the games, in random order.
    order: Vec<usize>,
}

impl GameLines {
    /// The games in an order that the seed decides. Their moves are legal and end at the last ply of interest.
    pub fn new(games: Vec<ListedOpening>, seed: u64) -> GameLines {
        let order = shuffled(games.len(), seed, u64::MAX);
        GameLines { games, order }
    }

    /// Number of games.
    pub const fn games(&self) -> usize {
        self.games.len()
    }

    /// Number of attempts until every game was tried `TRIES_PER_GAME` times.
    pub const fn attempts(&self) -> u64 {
        self.games.len() as u64 * TRIES_PER_GAME
    }

    /// The line of an attempt: every game once, then every game again with another length. Returns the FEN of the first
    /// position, unless that is the start position, and the moves in SAN; `None` where the game is too short.
    pub(super) fn line(
        &self,
        attempt: u64,
        draw: &mut SeededDraw,
        (fewest, most): (u32, u32),
    ) -> Option<(Referee, Option<String>, Vec<String>)> {
        let turn = attempt % self.games.len().max(1) as u64;
        let game = &self.games[*self.order.get(turn as usize)?];
        let most = u64::from(most).min(game.moves.len() as u64);
        let span = (most + 1).checked_sub(u64::from(fewest)).filter(|span| *span > 0)?;
        let plies = u64::from(fewest) + draw.below(span);
        let mut referee = match &game.start_fen {
            Some(fen) => Referee::from_fen(fen, Variant::Standard).ok()?,
            None => Referee::new(Variant::Standard),
        };
        let mut line = Vec::new();
        for san in game.moves.iter().take(plies as usize) {
            let uci = san_to_uci(&referee, san).ok()?;
            line.push(referee.play(&uci).ok()?.san().to_owned());
        }
        Some((referee, game.start_fen.clone(), line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(moves: &str) -> ListedOpening {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        ListedOpening::reached(&Referee::new(Variant::Standard), None, moves)
    }

    #[test]
    fn every_game_has_its_turn_and_ends_between_the_bounds() {
        let lines = GameLines::new(vec![game("e4 e5 Nf3"), game("d4"), game("c4 Nf6 Nc3 e5")], 5);
        let mut firsts = Vec::new();
        for attempt in 0..lines.attempts() {
            let found = lines.line(attempt, &mut SeededDraw::new(3, attempt), (2, 3));
            assert!(found.as_ref().is_none_or(|(_, _, line)| (2..=3).contains(&line.len())));
            firsts.push(found.map(|(_, _, line)| line[0].clone()));
        }
        // The game of one ply is too short.
        let mut round = firsts[..3].to_vec();
        round.sort();
        assert_eq!(round, [None, Some("c4".to_owned()), Some("e4".to_owned())]);
        assert_eq!(firsts[..3], firsts[3..6]);
    }
}
