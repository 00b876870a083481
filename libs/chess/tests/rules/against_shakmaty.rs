//! Our rules and shakmaty's agree along random games of chess and Chess960.

use chess::{Move, MoveList, Position};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError, fen::Fen};

/// Positions from which a random game soon has promotions, en passant, pins, checks and castling.
const LIVELY: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/7p/p5pb/4k3/P1pPn3/8/P5PP/1rB2RK1 b - d3 0 28",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "r1r1k1rb/1pppppp1/8/8/8/8/1PPPPPP1/R1R1K1RB w GAga - 4 20",
    "8/8/8/2k5/1b1Nn1B1/8/3K4/8 w - - 10 60",
];

/// The Chess960 starting position with this number, 0 to 959, by Scharnagl's numbering: the bishops first, then the
/// queen, the knights from a table, and king and rooks on the squares left.
fn chess960_start(number: usize) -> String {
    let mut rank = [' '; 8];
    rank[number % 4 * 2 + 1] = 'b';
    rank[number / 4 % 4 * 2] = 'b';
    let free = |rank: &[char; 8], nth: usize| {
        rank.iter().enumerate().filter(|(_, piece)| **piece == ' ').map(|(file, _)| file).nth(nth).unwrap()
    };
    let queen = free(&rank, number / 16 % 6);
    rank[queen] = 'q';
    let (first, second) =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)][number / 96];
    let (first, second) = (free(&rank, first), free(&rank, second));
    (rank[first], rank[second]) = ('n', 'n');
    for piece in ['r', 'k', 'r'] {
        let file = free(&rank, 0);
        rank[file] = piece;
    }
    let black: String = rank.iter().collect();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_uppercase())
}

fn sorted(moves: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<_> = moves.into_iter().collect();
    moves.sort();
    moves
}

fn shakmaty_position(fen: &str) -> Result<Chess, String> {
    let fen: Fen = fen.parse().map_err(|error| format!("{error}"))?;
    let playable = fen.into_position(CastlingMode::Chess960).or_else(PositionError::ignore_impossible_check);
    playable.or_else(PositionError::ignore_too_much_material).map_err(|error| error.to_string())
}

fn assert_same(ours: &Position, theirs: &Chess) {
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(ours.fen(), fen);
    let moves = ours.move_list();
    assert_eq!(
        sorted(moves.iter().map(|m| m.to_uci(true))),
        sorted(theirs.legal_moves().iter().map(|m| m.to_uci(CastlingMode::Chess960).to_string())),
        "{fen}"
    );
    assert_eq!(ours.is_check() && moves.is_empty(), theirs.is_checkmate(), "{fen}");
    assert_eq!(!ours.is_check() && moves.is_empty(), theirs.is_stalemate(), "{fen}");
    assert_eq!(ours.has_legal_move(), !moves.is_empty(), "{fen}");
    assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{fen}");
}

/// Checks that all methods that answer the same question about a position agree.
fn assert_consistent(position: &Position) {
    let fen = position.fen();
    assert_eq!((position.key(), position.pawn_key()), position.keys_from_scratch(), "{fen}");
    let again = Position::from_fen(&fen).expect("a FEN of ours is legal");
    assert_eq!(&again, position, "{fen}");
    assert_eq!((again.checkers(), again.pinned()), (position.checkers(), position.pinned()), "{fen}");
    let all = position.move_list();
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.noisy_moves(&mut noisy);
    position.quiet_moves(&mut quiet);
    assert!(noisy.iter().all(|&m| position.is_noisy(m)), "{fen}");
    assert!(!quiet.iter().any(|&m| position.is_noisy(m)), "{fen}");
    let parts = noisy.iter().chain(&quiet).map(ToString::to_string);
    assert_eq!(sorted(parts), sorted(all.iter().map(ToString::to_string)), "{fen}");
    if !position.is_check() {
        let mut checks = MoveList::new();
        position.quiet_checks(&mut checks);
        let is_ordinary = |m: &&Move| m.promotion().is_none() && !m.is_castling();
        let expected = quiet.iter().filter(is_ordinary).filter(|m| position.gives_check(**m));
        assert_eq!(
            sorted(checks.iter().map(ToString::to_string)),
            sorted(expected.map(ToString::to_string)),
            "{fen}"
        );
    }
    for m in all {
        assert!(position.is_legal(m), "{m} in {fen}");
        assert_eq!(position.gives_check(m), position.play(m).is_check(), "{m} in {fen}");
        assert_eq!(position.parse_uci(&m.to_uci(true)), Some(m), "{m} in {fen}");
        let taken = position.occupied().count() - position.play(m).occupied().count();
        assert_eq!(position.captured(m).is_some(), taken == 1, "{m} in {fen}");
        assert_eq!(position.is_capture(m), taken == 1, "{m} in {fen}");
        let next = position.play(m);
        let changes_rights = next.castling() != position.castling() || next.ep_square().is_some();
        if !changes_rights && !m.is_castling() && !m.is_en_passant() {
            assert_eq!(position.likely_key_after(m), next.key(), "{m} in {fen}");
        }
    }
}

fn assert_null_move_is_sound(position: &Position) {
    if position.is_check() {
        return;
    }
    let passed = position.play_null();
    assert_eq!(passed.side_to_move(), !position.side_to_move());
    assert_eq!(passed.ep_square(), None);
    assert_consistent(&passed);
    if !passed.is_check() && position.ep_square().is_none() {
        assert_eq!(&passed.play_null(), position);
    }
}

/// Of all sixteen-bit values, exactly the legal moves are accepted.
fn assert_only_legal_moves_are_legal(position: &Position) {
    let mut expected: Vec<u16> = position.move_list().iter().map(|m| m.bits()).collect();
    expected.sort_unstable();
    let found: Vec<u16> =
        (1..=u16::MAX).filter(|&bits| position.is_legal(Move::from_bits(bits).expect("not zero"))).collect();
    assert_eq!(found, expected, "{position}");
}

fn walk(fen: &str, choices: &[u16]) -> Position {
    let mut ours = Position::from_fen(fen).expect("a legal start");
    let mut theirs = shakmaty_position(fen).expect("a legal start");
    assert_same(&ours, &theirs);
    for &choice in choices {
        let moves = ours.move_list();
        assert_consistent(&ours);
        assert_null_move_is_sound(&ours);
        let Some(&m) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
        let uci: shakmaty::uci::UciMove = m.to_uci(true).parse().expect("a UCI move");
        theirs.play_unchecked(uci.to_move(&theirs).expect("a legal move"));
        ours.play_unchecked(m);
        assert_same(&ours, &theirs);
    }
    ours
}

#[test]
fn all_chess960_starts_agree() {
    for number in 0..960 {
        let choices: Vec<u16> = (0..12).map(|ply| (number * 7919 + ply * 104_729) as u16).collect();
        let end = walk(&chess960_start(number), &choices);
        assert_only_legal_moves_are_legal(&end);
    }
    assert_eq!(chess960_start(518), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

/// Random games hardly ever reach these special cases of Chess960 castling.
#[test]
fn castling_in_tight_corners_agrees() {
    for (fen, castles) in [
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", false),
        ("4k3/8/8/8/8/8/8/qR1K4 w B - 0 1", false),
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", true),
        ("4k3/8/8/8/8/8/8/1RK4r w B - 0 1", false),
        ("4k3/8/8/8/8/8/8/nRK5 w B - 0 1", true),
        ("4k3/8/8/8/8/8/8/5KRr w G - 0 1", false),
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", true),
        ("5k2/8/8/8/8/8/8/1R2K3 w B - 0 1", true),
        ("1r2k3/8/8/8/8/8/8/1R2K3 w B - 0 1", true),
        ("2r1k3/8/8/8/8/8/8/1R2K3 w B - 0 1", false),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", true),
        ("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", true),
        ("4k3/8/8/8/8/8/8/1KR3N1 w C - 0 1", false),
    ] {
        let (ours, theirs) = (Position::from_fen(fen).unwrap(), shakmaty_position(fen).unwrap());
        assert_same(&ours, &theirs);
        assert_consistent(&ours);
        assert_only_legal_moves_are_legal(&ours);
        assert_eq!(ours.move_list().iter().any(|m| m.is_castling()), castles, "{fen}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_games_of_chess_agree(choices in prop::collection::vec(any::<u16>(), 0..160)) {
        assert_only_legal_moves_are_legal(&walk(Position::START_FEN, &choices));
    }

    #[test]
    fn random_games_from_lively_positions_agree(
        start in prop::sample::select(&LIVELY[..]),
        choices in prop::collection::vec(any::<u16>(), 0..60),
    ) {
        assert_only_legal_moves_are_legal(&walk(start, &choices));
    }

    #[test]
    fn random_games_of_chess960_agree(
        number in 0..960_usize,
        choices in prop::collection::vec(any::<u16>(), 0..100),
    ) {
        walk(&chess960_start(number), &choices);
    }
}

/// A FEN with both kings somewhere and some other pieces; its position may well be illegal.
fn dubious_fen() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec((0..64_usize, prop::sample::select(&b"PNBRQpnbrqRRrrPp"[..])), 0..16);
    let kings = prop_oneof![Just((4, 60)), (0..64_usize, 0..64_usize), (0..8_usize, 56..64_usize),];
    let ep_file = prop::option::weighted(0.3, 0..8_u8);
    let castling = prop::sample::select(&["-", "-", "KQkq", "K", "q", "Hh", "Ab", "Qk", "GBgb"][..]);
    (pieces, kings, any::<bool>(), castling, ep_file).prop_map(|(pieces, kings, white, castling, ep_file)| {
        let mut board = [b'1'; 64];
        for (square, piece) in pieces {
            board[square] = piece;
        }
        (board[kings.0], board[kings.1]) = (b'K', b'k');
        let ep_square = ep_file.map_or_else(
            || "-".to_owned(),
            |file| format!("{}{}", char::from(b'a' + file), if white { 6 } else { 3 }),
        );
        let ranks: Vec<String> = board.chunks(8).rev().map(compact_rank).collect();
        format!("{} {} {castling} {ep_square} 0 1", ranks.join("/"), if white { 'w' } else { 'b' })
    })
}

fn compact_rank(squares: &[u8]) -> String {
    let mut text: String = squares.iter().map(|&square| char::from(square)).collect();
    for count in (2..=8).rev() {
        text = text.replace(&"1".repeat(count), &count.to_string());
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_same_positions_are_legal(fen in dubious_fen()) {
        match (Position::from_fen(&fen), shakmaty_position(&fen)) {
            (Ok(ours), Ok(theirs)) => {
                assert_same(&ours, &theirs);
                assert_consistent(&ours);
            }
            (Err(ours), Err(_)) => assert!(ours.to_string().starts_with("illegal position: "), "{ours}"),
            (ours, theirs) => panic!("{fen}: {ours:?} but {theirs:?}"),
        }
    }
}
