//! Files of games: their format, exports, statistics, and games of run folders.

use std::fs;
use std::path::Path;
use std::process::Command;

use chess::Position;
use nnue::viriformat::{GameProblem, encode};
use nnue::{ExportFormat, Filter, Game, GameReader, GameResult, GamesError, Imported, Info, export, import};
use runner::RunJournal;

use super::{game, random_game};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The example of the specification: 1. e4 e5 2. Qh5 Ke7 3. Qxe5#. The specification prints the first piece of a byte as
/// its high half; the crate reads and writes it as the low half.
const EXAMPLE: [u8; 56] = [
    0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88, 0x88, 0x9e,
    0xca, 0xad, 0xe9, 0x40, 0, 1, 0, 0, 0, 2, 0, 0x0c, 0x07, 0x0a, 0, 0x34, 0x09, 0x14, 0, 0xc3, 0x09, 0xe2,
    0xff, 0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0, 0, 0, 0,
];

fn games(bytes: &[u8]) -> Result<Vec<Game>, GamesError> {
    let mut reader = GameReader::new("x.vf".to_owned(), bytes);
    std::iter::from_fn(|| reader.next_game().transpose()).collect()
}

#[test]
fn the_example_of_the_specification_comes_back() {
    let moves = [("e2e4", 10), ("e7e5", 20), ("d1h5", -30), ("e8e7", 32767), ("h5e5", 32767)];
    let expected = game(START, &moves, GameResult::WhiteWins);
    assert_eq!(encode(&expected), EXAMPLE);
    assert_eq!(games(&EXAMPLE).unwrap(), [expected]);
}

#[test]
fn castling_en_passant_and_promotion_come_back() {
    let castling =
        game("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20", &[("e8c8", 1), ("e1g1", -2)], GameResult::Draw);
    let en_passant = game("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 30", &[("d4e3", 300)], GameResult::BlackWins);
    let promotion =
        game("8/P3k3/8/8/8/8/p3K3/8 w - - 0 60", &[("a7a8n", 0), ("a2a1q", -900)], GameResult::Draw);
    let all = [castling, en_passant, promotion];
    let bytes: Vec<u8> = all.iter().flat_map(encode).collect();
    let found = games(&bytes).unwrap();
    assert_eq!(found, all);
    let clocks = |game: &Game| (game.start.halfmove_clock(), game.start.fullmove_number());
    assert_eq!(found.iter().map(clocks).collect::<Vec<_>>(), [(3, 20), (0, 30), (0, 60)]);
}

#[test]
fn random_games_come_back() {
    let all: Vec<Game> = (0..100).map(random_game).collect();
    let bytes: Vec<u8> = all.iter().flat_map(encode).collect();
    assert_eq!(games(&bytes).unwrap(), all);
}

#[test]
fn a_torn_game_is_not_there_and_its_bytes_are_counted() {
    let whole = encode(&random_game(1));
    let torn = encode(&random_game(2));
    for cut in [0, 1, 31, 32, 35, 36, torn.len() - 4, torn.len() - 1] {
        let bytes = [&whole[..], &torn[..cut]].concat();
        let mut reader = GameReader::new("x.vf".to_owned(), &bytes[..]);
        assert_eq!(reader.next_game().unwrap(), Some(random_game(1)));
        assert_eq!(reader.next_game().unwrap(), None);
        assert_eq!((reader.whole, reader.torn), (whole.len() as u64, cut as u64));
    }
}

#[test]
fn wrong_bytes_are_named() {
    let message = |place: usize, byte: u8| {
        let mut bytes = EXAMPLE;
        bytes[place] = byte;
        games(&bytes).unwrap_err().to_string()
    };
    for (place, byte, expected) in [
        (0, 0xfe, "illegal position"),
        (2, 0xff, "40 pieces"),
        (8, 0x67, "piece code 7"),
        (24, 65, "en-passant square 65"),
        (30, 3, "result 3"),
        (33, 0x0b, "an illegal move, 0x0b0c, at ply 0"),
        (48, 0x09, "an illegal move, 0x0909, at ply 4"),
    ] {
        let message = message(place, byte);
        let start = "x.vf: byte 0: expected a game in viriformat, found ";
        assert!(message.starts_with(start) && message.contains(expected), "{message}");
    }
    let error = games(&[&EXAMPLE[..], b"This is no game, but a line of text."].concat()).unwrap_err();
    assert!(matches!(
        error,
        GamesError::Game { offset: 56, problem: GameProblem::Pieces(_) | GameProblem::Result(_), .. }
    ));
}

#[test]
fn exported_positions_are_those_of_the_side_to_move_or_of_white() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.vf");
    let late = game(
        "4k3/8/8/8/8/8/4P3/4K3 b - - 0 20",
        &[("e8e7", 150), ("e1d2", 160), ("e7e6", 3000)],
        GameResult::WhiteWins,
    );
    fs::write(&file, encode(&late)).unwrap();
    let export_to = |format| {
        let mut output = Vec::new();
        let count = export(&file, Filter::default(), format, &mut output).unwrap();
        assert_eq!(count, 2);
        output
    };
    let text = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 20 | 150 | 1.0\n8/4k3/8/8/8/8/4P3/4K3 w - - 1 21 | 160 | 1.0\n";
    assert_eq!(String::from_utf8(export_to(ExportFormat::Text)).unwrap(), text);

    let bytes = export_to(ExportFormat::Bulletformat);
    // Black to move: its king on e1, the opponent's on e8 and the pawn on e7.
    let occupied = 1 << 4 | 1_u64 << 60 | 1 << 52;
    let mut first = [0; 32];
    first[..8].copy_from_slice(&occupied.to_le_bytes());
    first[8..10].copy_from_slice(&[0x85, 0x0d]);
    first[24..29].copy_from_slice(&[(-150_i16).to_le_bytes()[0], 0xff, 0, 4, 4]);
    assert_eq!(bytes[..32], first);
    assert_eq!(bytes[56..61], [160, 0, 2, 4, 12]);
}

/// At ply 38: a quiet move, a capture, a quiet move in check, and a quiet move with a score beyond the limit.
fn first() -> Game {
    game(
        "4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 20",
        &[("a1a4", 510), ("e8e7", 490), ("c3d5", 500), ("e7d6", 700), ("d5f4", 2500)],
        GameResult::WhiteWins,
    )
}

/// The first two positions of the first game again, with another end.
fn second() -> Game {
    let first = first();
    Game { moves: first.moves[..2].to_vec(), result: GameResult::Draw, skipped: 3, ..first }
}

/// A game that ends before its positions are for training.
fn early() -> Game {
    game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 5", &[("e2e4", 20)], GameResult::BlackWins)
}

#[test]
fn each_count_is_what_can_be_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.vf", "two.vf"].map(|name| folder.path().join(name));
    fs::write(&one, [encode(&first()), encode(&early())].concat()).unwrap();
    fs::write(&two, [encode(&second()), vec![1; 7]].concat()).unwrap();

    let mut info = Info::default();
    info.add_file(&one, Filter::default()).unwrap();
    info.add_file(&two, Filter::default()).unwrap();
    let info = info.finish();
    assert_eq!((info.games(), info.plies(), info.results), (3, 8, [1, 1, 1]));
    // Rook a4; king e7, twice; the check of the knight on d5 and its capture do not count, nor does 2,500.
    assert_eq!((info.positions(), info.repeated), (4, 2));
    assert_eq!(info.scores, [0, 0, 0, 0, 0, 0, 4, 0, 0]);
    assert_eq!((info.lengths, info.skipped, info.torn_bytes), (vec![1, 2, 5], 3, 7));

    let all = Filter { min_ply: 0, max_score: 2501, keeps_checks: true, keeps_tactical: true };
    let mut info = Info::default();
    info.add_file(&one, all).unwrap();
    assert_eq!((info.positions(), info.plies()), (6, 6));

    let output = Command::new(env!("CARGO_BIN_EXE_nnue")).arg("info").arg(&one).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("Training positions  2 (33.3% of the plies)"), "{text}");
}

/// A match of two versions of Tarrasch, 100 games at 1+0.01.
const RUN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/singular-extensions");
/// 100 games of which GNU Chess lost two by a crash.
const CRASHES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/tarrasch-gnuchess");

fn imported(run: &str, players: &str) -> (Imported, Vec<Game>) {
    let mut bytes = Vec::new();
    let counts = import(Path::new(run), players, &mut bytes).unwrap();
    let mut reader = GameReader::new("imported".to_owned(), &bytes[..]);
    let games = std::iter::from_fn(|| reader.next_game().unwrap()).collect();
    assert_eq!(reader.torn, 0);
    (counts, games)
}

#[test]
fn each_game_leads_to_its_last_position_and_has_its_result() {
    let (counts, games) = imported(RUN, "tarrasch");
    assert_eq!(counts, Imported { games: 100, left_out: 0 });
    let records = RunJournal::open(Path::new(RUN)).unwrap().events.finished_games();
    for (record, game) in records.map(Result::unwrap).zip(&games) {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|played| position.play_unchecked(played.mv));
        let end = Position::from_fen(&record.final_fen).unwrap();
        assert_eq!((position.key(), game.moves.len()), (end.key(), record.moves.len()));
        let outcome = record.outcome(record.white).unwrap();
        assert_eq!(usize::from(game.result.half_points()), outcome.half_points());
    }
}

#[test]
fn scores_are_for_white_and_games_of_others_or_with_a_fault_are_left_out() {
    let (_, games) = imported(RUN, "tarrasch");
    let first: Vec<i16> = games[0].moves.iter().take(4).map(|played| played.score).collect();
    assert_eq!(first, [8, 14, 14, 5], "the engines said 8, -14, 14, -5 for themselves");
    let (counts, games) = imported(RUN, "tarrasch@09b368b");
    assert_eq!((counts, games.len()), (Imported { games: 0, left_out: 100 }, 0));
    let (counts, games) = imported(CRASHES, "");
    assert_eq!((counts, games.len()), (Imported { games: 98, left_out: 2 }, 98));
}
