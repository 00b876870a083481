//! What a position is worth (section 2.4): material, known openings, check and stalemate.
//!
//! The document gives no figures. The values of the pieces are the textbook's ([`Kind::value`](super::piece::Kind::value));
//! a check counts half a pawn and a known opening less, so that neither outweighs material. The document would give check "a very large number": taken at its
//! word the engine would throw every piece away for a check, so that number is kept for mate.

use std::collections::HashSet;

use super::game::Game;

/// The score of mate; one less for each half-move to it.
pub const MATE: i32 = 100_000;
/// Beyond this a score is a mate.
pub const NEAR_MATE: i32 = MATE - 1_000;
/// What giving check is worth, in centipawns.
const CHECK: i32 = 50;
/// What following a known opening is worth, in centipawns.
const KNOWN_OPENING: i32 = 30;

/// The score of a leaf for the player whose turn it is, `ply` half-moves from the root. `known` has the keys of the
/// positions to which the opening base leads.
pub fn evaluate(game: &mut Game, known: &HashSet<u64>, ply: i32) -> i32 {
    let side = game.turn();
    let is_check = game.is_check(side);
    if !game.has_legal_move() {
        return if is_check { ply - MATE } else { 0 };
    }
    let material = game.player(side).material - game.player(side.other()).material;
    let check = if is_check { CHECK } else { 0 };
    let opening = if known.contains(&game.key()) { KNOWN_OPENING } else { 0 };
    material - check - opening
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> i32 {
        evaluate(&mut Game::from_fen(fen).unwrap(), &HashSet::new(), 3)
    }

    #[test]
    fn material_check_mate_and_stalemate_count() {
        assert_eq!(score("4k3/8/8/8/8/8/P7/R3K3 w - - 0 1"), 600);
        assert_eq!(score("4k3/8/8/8/8/8/P7/R3K3 b - - 0 1"), -600);
        assert_eq!(score("4k3/8/8/8/8/8/P7/4RK2 b - - 0 1"), -650);
        assert_eq!(score("4k3/4Q3/4K3/8/8/8/8/8 b - - 0 1"), 3 - MATE);
        assert_eq!(score("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), 0);
    }

    #[test]
    fn who_has_followed_an_opening_is_better_off() {
        let mut game = Game::start();
        let known = HashSet::from([game.key()]);
        assert_eq!(evaluate(&mut game, &known, 0), -KNOWN_OPENING);
    }
}
