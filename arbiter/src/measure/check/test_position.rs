//! The positions of the checks, as lines for the engine and for the referee.

use referee::{FenError, Referee, Variant};

#[derive(Clone, Debug)]
pub(super) struct TestPosition {
    pub(super) line: String,
    pub(super) referee: Referee,
}

impl TestPosition {
    pub(super) fn startpos(moves: &str) -> TestPosition {
        TestPosition::with_moves("position startpos".to_owned(), Referee::new(Variant::Standard), moves)
    }

    pub(super) fn fen(fen: &str, moves: &str, variant: Variant) -> Result<TestPosition, FenError> {
        let referee = Referee::from_fen(fen, variant)?;
        Ok(TestPosition::with_moves(format!("position fen {fen}"), referee, moves))
    }

    fn with_moves(mut line: String, mut referee: Referee, moves: &str) -> TestPosition {
        for (index, mv) in moves.split_whitespace().enumerate() {
            if referee.play(mv).is_err() {
                break;
            }
            line += if index == 0 { " moves " } else { " " };
            line += mv;
        }
        TestPosition { line, referee }
    }

    /// An unfinished game of `plies` plies without a claimable draw: mostly quiet moves, and a pawn move or capture in
    /// time for the fifty-move rule. Always the same game.
    pub(super) fn long_game(plies: usize) -> TestPosition {
        // Halfway to the fifty-move rule.
        const QUIET_PLIES: u32 = 50;
        let mut setup = TestPosition::startpos("");
        let mut number = 1_u64;
        while setup.referee.ply() < plies {
            let mut moves = setup.referee.legal_moves();
            moves.sort_unstable();
            // Knuth's MMIX generator; any sequence would do.
            number = number.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let first = (number >> 33) as usize % moves.len();
            moves.rotate_left(first);
            let clock = setup.referee.halfmove_clock();
            let continuations = moves.iter().filter_map(|mv| {
                let mut referee = setup.referee.clone();
                referee.play(mv).ok()?;
                referee.outcome().is_none().then_some((mv, referee))
            });
            let wants_quiet = clock < QUIET_PLIES;
            let continuations: Vec<_> = continuations.collect();
            let best = continuations
                .iter()
                .find(|(_, after)| (after.halfmove_clock() > 0) == wants_quiet)
                .or(continuations.first());
            let Some((mv, referee)) = best else { break };
            setup.line += if setup.referee.ply() == 0 { " moves " } else { " " };
            setup.line += mv;
            setup.referee = referee.clone();
        }
        setup
    }
}

pub(super) const WHITE_MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
pub(super) const BLACK_MATES: &str = "r3k3/8/8/8/8/8/5PPP/6K1 b - - 0 1";

/// White has one legal move, after which Black mates.
pub(super) const WHITE_IS_MATED: &str = "7K/5k2/8/8/8/8/8/6r1 w - - 0 1";
pub(super) const MATED: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
pub(super) const STALEMATED: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";

/// A middlegame with Black to move and an en passant square.
pub(super) const EN_PASSANT: &str = "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3";

/// Three moves of each side: a quiet position with many moves.
pub(super) const ITALIAN: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";

pub(super) const PROMOTES: &str = "6rk/1P6/3b4/8/8/8/8/7K w - - 0 1";

/// Positions with a castling or promotion move that gives check, so that an engine that ignores the move plays an illegal
/// one next.
pub(super) const SPECIAL_MOVES: [(&str, &str); 4] = [
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1"),
    ("4k2r/8/8/8/8/8/8/5K2 b k - 0 1", "e8g8"),
    ("8/P7/8/k7/8/8/8/7K w - - 0 1", "a7a8q"),
];

/// A Chess960 position, and castling by both sides, written as king takes rook.
pub(super) const CHESS960: (&str, &str) =
    ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "e1g1 e8b8");

/// Sets up one of these positions; the tests show that they are legal.
pub(super) fn set_up(fen: &str, moves: &str) -> TestPosition {
    TestPosition::fen(fen, moves, Variant::Standard).unwrap_or_else(|_| TestPosition::startpos(""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use referee::GameEnd;

    fn board(fen: &str) -> Referee {
        Referee::from_fen(fen, Variant::Standard).unwrap()
    }

    fn mates_at_once(referee: &Referee) -> bool {
        referee.legal_moves().iter().any(|mv| {
            let mut after = referee.clone();
            after.play(mv).unwrap();
            matches!(after.outcome(), Some(GameEnd::Checkmate { .. }))
        })
    }

    #[test]
    fn the_positions_are_what_they_are_said_to_be_and_their_special_moves_are_legal() {
        assert!(mates_at_once(&board(WHITE_MATES)) && mates_at_once(&board(BLACK_MATES)));
        let mut mated = board(WHITE_IS_MATED);
        assert_eq!(mated.legal_moves().len(), 1);
        mated.play(&mated.legal_moves()[0].clone()).unwrap();
        assert!(mates_at_once(&mated));
        assert!(matches!(board(MATED).outcome(), Some(GameEnd::Checkmate { .. })));
        assert_eq!(board(STALEMATED).outcome(), Some(GameEnd::Stalemate));
        assert!(board(EN_PASSANT).legal_moves().contains(&"d4e3".to_owned()));
        assert!(board(PROMOTES).legal_moves().iter().all(|mv| mv.len() == 5));
        assert_eq!(TestPosition::startpos(ITALIAN).referee.ply(), 6);
        for (fen, mv) in SPECIAL_MOVES {
            let setup = set_up(fen, mv);
            assert_eq!((setup.referee.ply(), setup.referee.is_check()), (1, true), "{fen} {mv}");
        }
        let setup = TestPosition::fen(CHESS960.0, CHESS960.1, Variant::Chess960).unwrap();
        assert_eq!(setup.referee.ply(), CHESS960.1.split_whitespace().count());
    }

    #[test]
    fn the_long_game_has_the_wanted_length_and_is_not_over() {
        let setup = TestPosition::long_game(900);
        assert_eq!(setup.referee.ply(), 900);
        assert_eq!(setup.referee.outcome(), None);
        let moves = setup.line.split_once(" moves ").unwrap().1;
        assert_eq!(TestPosition::startpos(moves).referee.fen(), setup.referee.fen());
    }
}
