//! The moves most likely to refute come first (§2.1.3).

use arrayvec::ArrayVec;
use chess::{Move, MoveList, Position, Square};

use crate::exchange::exchange;

/// As many as a [`MoveList`] holds.
const MOST_MOVES: usize = 256;

/// Where a move stands in the order, the last first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// A capture or promotion that begins an exchange that loses so much.
    LosingCapture(i32),
    /// A move that brings its piece so many steps nearer to the centre, or none.
    Quiet(u8),
    /// A quiet move that gives check.
    Check,
    /// A capture or promotion that loses nothing, and what it wins.
    Capture(i32),
    /// The best move of an earlier search.
    Remembered,
}

/// Sorts the moves: the remembered one, good captures, checks, moves towards the centre, other moves, bad captures.
/// Unless `by_exchange`, all captures are good ones and alike.
pub fn sort(position: &Position, moves: &mut MoveList, remembered: Option<Move>, by_exchange: bool) {
    let rank = |mv: Move| {
        if Some(mv) == remembered {
            Rank::Remembered
        } else if position.is_capture(mv) || mv.promotion().is_some() {
            match if by_exchange { exchange(position, mv) } else { 0 } {
                loss @ ..0 => Rank::LosingCapture(loss),
                gain => Rank::Capture(gain),
            }
        } else if position.gives_check(mv) {
            Rank::Check
        } else {
            Rank::Quiet(from_centre(mv.from()).saturating_sub(from_centre(mv.to())))
        }
    };
    let mut ranked: ArrayVec<(Rank, Move), MOST_MOVES> = moves.iter().map(|&mv| (rank(mv), mv)).collect();
    ranked.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    for (place, (_, mv)) in moves.iter_mut().zip(ranked) {
        *place = mv;
    }
}

/// Steps along files and ranks to the nearest of the four squares in the centre, 0 to 6.
fn from_centre(square: Square) -> u8 {
    let steps = |index: usize| if index < 4 { 3 - index } else { index - 4 };
    (steps(square.file().index()) + steps(square.rank().index())) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(fen: &str, remembered: Option<&str>, by_exchange: bool) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let remembered = remembered.and_then(|text| position.parse_uci(text));
        sort(&position, &mut moves, remembered, by_exchange);
        moves.iter().map(ToString::to_string).collect()
    }

    /// A knight that may take a defended pawn, a rook that may take a free one or give check.
    const MIXED: &str = "3k4/3p4/2p5/p7/8/4N3/3p4/R3K3 w - - 0 1";

    #[test]
    fn the_classes_come_in_the_order_of_the_document() {
        let position = "6k1/8/2p5/p2p4/8/4N3/8/R5K1 w - - 0 1";
        let moves = sorted(position, Some("g1g2"), true);
        assert_eq!(moves[0], "g1g2", "the remembered move");
        assert_eq!(moves[1], "a1a5", "the good capture");
        assert_eq!(moves.last().unwrap(), "e3d5", "the bad capture");
        let place = |mv: &str| moves.iter().position(|text| text == mv).unwrap();
        assert!(place("a1d1") < place("a1b1"), "nearer to the centre goes first: {moves:?}");
        assert!(place("a1b1") < place("e3g2"), "a move away from it waits: {moves:?}");
    }

    #[test]
    fn checks_come_between_captures_and_quiet_moves() {
        let moves = sorted("6k1/8/8/p7/8/8/8/R5K1 w - - 0 1", None, true);
        assert_eq!(moves[0], "a1a5");
        let moves = sorted("6k1/8/8/8/8/8/8/R5K1 w - - 0 1", None, true);
        assert_eq!(moves[0], "a1a8");
    }

    #[test]
    fn without_exchanges_bad_captures_are_among_the_first() {
        let moves = sorted(MIXED.replace("3p4/R3K3", "8/R3K3").as_str(), None, false);
        assert_eq!(moves[0], "a1a5");
        let moves = sorted("6k1/8/2p5/3p4/8/4N3/8/6K1 w - - 0 1", None, false);
        assert_eq!(moves[0], "e3d5");
    }

    #[test]
    fn the_centre_is_four_squares() {
        let distance = |text: &str| from_centre(text.parse().unwrap());
        assert_eq!(["d4", "e5", "c4", "e2", "a1", "h8"].map(distance), [0, 0, 1, 2, 6, 6]);
    }
}
