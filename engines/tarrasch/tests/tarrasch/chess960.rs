//! Castling where king and rooks may stand anywhere.

use crate::gui::Gui;

/// The castling moves of a position, in the notation of Chess960.
const CASTLES: [(&str, &[&str]); 5] = [
    // The usual squares.
    ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", &["e1h1", "e1a1"]),
    // The king stands where it would go.
    ("6kr/8/8/8/8/8/8/6KR w Hh - 0 1", &["g1h1"]),
    // King and rook change places.
    ("5k2/8/8/8/8/8/8/5KR1 w G - 0 1", &["f1g1"]),
    // The king has a long way to go, and the other rook may not castle.
    ("1k6/8/8/8/8/8/8/RK1R4 w D - 0 1", &["b1d1"]),
    // The king stands where it would go, beside the rook that jumps over it.
    ("1rk5/8/8/8/8/8/8/1RK5 b Bb - 0 1", &["c8b8"]),
];

#[test]
fn every_castling_is_known_by_the_square_of_its_rook() {
    let mut gui = Gui::with(&["setoption name UCI_Chess960 value true"]);
    for (fen, castles) in CASTLES {
        for castling in castles {
            let go = format!("go depth 3 searchmoves {castling}");
            let answer = gui.search(&[&format!("position fen {fen}"), &go]);
            assert_eq!(answer.text(), *castling, "{fen}");
            assert!(answer.lines().all(|info| info.pv[0].as_str() == *castling), "{fen}");
            answer.assert_legal(fen);
        }
    }
}

#[test]
fn castling_can_be_played_to_set_up_a_position() {
    for (option, position, expected) in [
        ("true", "fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1 e8a8", "2kr3r/8/8/8/8/8/8/R4RK1 w"),
        ("true", "fen 5k2/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1", "5k2/8/8/8/8/8/8/5RK1 b"),
        ("false", "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 moves e1g1 e8c8", "2kr3r/8/8/8/8/8/8/R4RK1 w"),
    ] {
        let mut gui = Gui::with(&[&format!("setoption name UCI_Chess960 value {option}")]);
        let answer = gui.search(&[&format!("position {position}"), "go depth 3"]);
        answer.assert_legal(&format!("{expected} - - 1 2"));
    }
}

#[test]
fn without_the_option_castling_is_the_move_of_the_king() {
    let mut gui = Gui::with(&[]);
    let position = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for castling in ["e1g1", "e1c1"] {
        let answer = gui.search(&[position, &format!("go depth 3 searchmoves {castling}")]);
        assert_eq!(answer.text(), castling);
        let castles = answer.lines().flat_map(|info| &info.pv).filter(|mv| mv.as_str().starts_with("e8"));
        assert!(castles.into_iter().all(|mv| !["e8h8", "e8a8"].contains(&mv.as_str())));
    }
}
