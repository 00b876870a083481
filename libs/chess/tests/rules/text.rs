//! FEN and UCI text: what is read and written, and the errors for text that cannot be read.

use chess::{Position, Setup, Square};
use proptest::prelude::*;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn error(fen: &str) -> String {
    Position::from_fen(fen).expect_err(fen).to_string()
}

#[test]
fn missing_clocks_are_taken_as_none_and_move_one() {
    assert_eq!(position("8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - -").fen(), {
        "8/2n2kq1/3p1pbb/1ppP4/2P3Q1/1PB2NPP/4R1K1/8 w - - 0 1"
    });
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3  w -\t- 7 ").fen(), "4k3/8/8/8/8/8/8/4K3 w - - 7 1");
    assert_eq!(position("4k3/8/8/8/8/8/8/4K3 w - - 7 0").fullmove_number(), 1);
}

#[test]
fn castling_is_read_in_three_notations_and_written_in_one() {
    for (read, x_fen) in [("KQkq", "KQkq"), ("HAha", "KQkq"), ("qK", "Kq"), ("Ha", "Kq")] {
        let start = position(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {read} - 0 1"));
        assert_eq!(start.fen(), format!("r3k2r/8/8/8/8/8/8/R3K2R w {x_fen} - 0 1"));
    }
    // The inner rook castles; `K` would mean the outer one.
    let inner = position("4k3/8/8/8/8/8/8/1K3R1R w F - 0 1");
    assert_eq!(inner.fen(), "4k3/8/8/8/8/8/8/1K3R1R w F - 0 1");
    assert_ne!(inner, position("4k3/8/8/8/8/8/8/1K3R1R w K - 0 1"));
}

#[test]
fn an_en_passant_square_without_a_legal_capture_is_dropped() {
    let no_pawn = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(position(no_pawn).ep_square(), None);
    assert_eq!(position(no_pawn).key(), position(&no_pawn.replace("e3", "-")).key());
    let pinned_along_the_rank = "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1";
    assert_eq!(position(pinned_along_the_rank).ep_square(), None);
    let legal = position("8/8/8/8/k2Pp3/8/8/3K4 b - d3 0 1");
    assert_eq!(legal.ep_square(), "d3".parse::<Square>().ok());
    assert_ne!(legal.key(), position("8/8/8/8/k2Pp3/8/8/3K4 b - - 0 1").key());
}

#[test]
fn a_setup_of_standard_chess_keeps_the_en_passant_square_and_castles_from_the_usual_squares_alone() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAkq e3 0 1";
    assert_eq!(Setup::of_standard(fen).unwrap().to_string(), fen.replace("HA", "KQ"));
    for fen in [
        "4k3/8/8/8/8/8/8/1K3R1R w F - 0 1",
        "4k3/8/8/8/8/8/8/1K5R w K - 0 1",
        "r3k1r1/8/8/8/8/8/8/4K3 b k - 0 1",
    ] {
        let error = Setup::of_standard(fen).unwrap_err().to_string();
        assert!(error.contains("without its king and rook in place"), "{fen}: {error}");
    }
}

#[test]
fn syntax_errors_name_the_field_and_the_column() {
    let pieces = "a piece letter, a count from 1 to 8 or '/'";
    let (castling, square) = ("'-' alone, or one of KQkq or a rook's file", "'-' or a square from a1 to h8");
    for (fen, field, column, problem) in [
        ("", "pieces", 1, "the field is missing"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "pieces", 18, "7 of 8 ranks"),
        ("4k2/8", "pieces", 4, "the rank ends after 7 of 8 squares"),
        ("4k31/8", "pieces", 4, "the rank has more than 8 squares"),
        ("44/8", "pieces", 2, "two counts of empty squares in a row"),
        ("BOARD/8 w - -", "pieces", 20, "more than 8 ranks"),
        ("4x3/8 w - -", "pieces", 2, &format!("expected {pieces}, found 'x'")),
        ("4é3 w - -", "pieces", 2, &format!("expected {pieces}, found 'é'")),
        ("BOARD", "side to move", 20, "the field is missing"),
        ("BOARD W - -", "side to move", 21, "expected 'w' or 'b', found 'W'"),
        ("BOARD w KX -", "castling", 24, &format!("expected {castling}, found 'X'")),
        ("BOARD w KK -", "castling", 24, "expected each castling right once, found 'K'"),
        ("BOARD w - e9", "en passant", 26, &format!("expected {square}, found '9'")),
        ("BOARD w - e", "en passant", 26, &format!("expected {square}, but the field ends")),
        ("BOARD w - - -1 1", "halfmove clock", 27, "expected a digit, found '-'"),
        ("BOARD w - - 0 65536", "fullmove number", 29, "the number is above 65535"),
        ("BOARD w - - 0 1 x", "fullmove number", 31, "more than 6 fields"),
    ] {
        let message = format!("FEN field \"{field}\", column {column}: {problem}");
        assert_eq!(error(&fen.replace("BOARD", "4k3/8/8/8/8/8/8/4K3")), message, "{fen}");
    }
}

#[test]
fn an_illegal_position_is_told_everything_that_is_wrong() {
    assert_eq!(
        error("PPPP4/8/8/8/8/8/QQQQQQQQ/QQQQQQQQ w Kq e6 0 1"),
        "illegal position: White has no king; White has more than 16 pieces; \
         Black has no king; a pawn on a8; a pawn on b8; a pawn on c8; a pawn on d8; \
         castling right \"K\" without its king and rook in place; \
         castling right \"q\" without its king and rook in place; \
         no pawn has just passed over the en-passant square e6"
    );
    assert_eq!(
        error("4k3/4R3/8/8/8/8/8/4K2K w - - 0 1"),
        "illegal position: White has 2 kings",
        "checks are judged only where there is one king each"
    );
    for (fen, what) in [("4k3/4R3/8/8/8/8/8/4K3", "a rook"), ("8/8/8/3kK3/8/8/8/8", "the king")] {
        let message = "illegal position: Black is in check but not to move";
        assert_eq!(error(&format!("{fen} w - - 0 1")), message, "by {what}");
    }
    assert_eq!(
        error("k7/8/8/8/8/8/8/1K2R2R w EH - 0 1"),
        "illegal position: castling right \"H\" without its king and rook in place",
        "two rooks on one side cannot both castle"
    );
}

#[test]
fn castling_is_understood_in_both_forms() {
    let start = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (standard, chess960) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        let m = start.parse_uci(standard).expect("legal castling");
        assert!(m.is_castling());
        assert_eq!(start.parse_uci(chess960), Some(m));
        assert_eq!((m.to_uci(false).as_str(), m.to_uci(true).as_str()), (standard, chess960));
    }
    for text in ["e1f1", "h1g1"] {
        assert!(!start.parse_uci(text).expect("a step of the king or of a rook").is_castling());
    }
    let tight = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert!(!tight.parse_uci("f1g1").expect("a step").is_castling());
    assert!(tight.parse_uci("f1h1").expect("castling").is_castling());
}

#[test]
fn only_legal_moves_are_understood() {
    let start = Position::start();
    for text in ["", "e2", "e2e5", "e7e5", "e2e4q", "e1g1", "E2E4", "e2e4 ", "0000", "é2e4", "e2é4"] {
        assert_eq!(start.parse_uci(text), None, "{text}");
    }
    let promoting = position("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    assert_eq!(promoting.parse_uci("e7e8"), None, "the piece is missing");
    assert_eq!(promoting.parse_uci("e7e8k"), None);
    assert_eq!(promoting.parse_uci("e7e8n").map(|m| m.to_uci(false)), Some("e7e8n".into()));
}

proptest! {
    #[test]
    fn a_damaged_fen_never_panics(
        fen in prop::sample::select(vec![
            Position::START_FEN,
            "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ]),
        damages in prop::collection::vec((any::<prop::sample::Index>(), "[pnbrqkPNBRQK1-8/ a-hw-]"), 1..5),
    ) {
        let mut letters: Vec<char> = fen.chars().collect();
        for (place, letter) in damages {
            let place = place.index(letters.len());
            letters[place] = letter.chars().next().expect("one letter");
        }
        let fen: String = letters.into_iter().collect();
        if let Ok(position) = Position::from_fen(&fen) {
            prop_assert_eq!(&Position::from_fen(&position.fen()).expect("our own FEN"), &position);
        }
    }
}
