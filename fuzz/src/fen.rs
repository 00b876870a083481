//! A FEN, read by the referee and by our own core, which share no code.

use chess::{MoveList, Position};
use referee::{Referee, Variant};

/// Both may refuse a position; where both take it, they know the same moves, and each reads what it wrote.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let judged = Referee::from_fen(&text, Variant::Chess960);
    let ours = Position::from_fen(&text);
    if let Ok(referee) = &judged {
        let written = referee.fen();
        let again = Referee::from_fen(&written, Variant::Chess960).expect("the referee reads its own FEN");
        assert_eq!(again.fen(), written);
        assert_eq!(again.outcome(), referee.outcome());
    }
    if let Ok(position) = &ours {
        let written = position.fen();
        let again = Position::from_fen(&written).expect("the core reads its own FEN");
        assert_eq!(again.fen(), written);
    }
    if let (Ok(referee), Ok(position)) = (judged, ours) {
        assert_eq!(moves_of(&position), sorted(referee.legal_moves()), "{}", referee.fen());
        assert_eq!(position.is_insufficient_material(), insufficient(&referee), "{}", referee.fen());
    }
}

fn insufficient(referee: &Referee) -> bool {
    // Checkmate and stalemate go before.
    matches!(referee.outcome(), Some(referee::GameEnd::InsufficientMaterial))
}

fn moves_of(position: &Position) -> Vec<String> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    sorted(moves.iter().map(|m| m.to_uci(true)).collect())
}

fn sorted(mut moves: Vec<String>) -> Vec<String> {
    moves.sort_unstable();
    moves
}
