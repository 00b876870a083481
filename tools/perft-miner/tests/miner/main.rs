//! The suites that this tool makes keep their promise: every case in a hundred positions, and the cases are those that they
//! name. And what the program refuses.

mod perft_mutants;

use std::fs;
use std::path::Path;
use std::process::Command;

use perft_miner::{CaseRecipe, CaseSet, RuleCase, Scene, cases_of};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, CastlingSide, Chess, Color, Move, Position as _, Role};

use arbiter::measure::perft::PerftSuite;
use referee::Variant;

/// In how many positions of its suite each case occurs at least.
const TIMES: u32 = 100;

const SUITES: [(&str, Variant); 2] =
    [("hard.epd", Variant::Standard), ("hard-chess960.epd", Variant::Chess960)];

fn text(name: &str) -> String {
    fs::read_to_string(
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("suites/perft").join(name),
    )
    .unwrap()
}

fn recipe(variant: Variant) -> CaseRecipe {
    CaseRecipe { variant, times: TIMES, seed: 0 }
}

#[test]
fn every_case_occurs_in_a_hundred_positions() {
    for (name, variant) in SUITES {
        let suite = PerftSuite::parse(name, &text(name)).unwrap();
        let cases: Vec<CaseSet> = suite
            .positions
            .iter()
            .map(|position| cases_of(&Scene::from_fen(&position.fen).unwrap()))
            .collect();
        for case in recipe(variant).wanted().iter() {
            let times = cases.iter().filter(|cases| cases.has(case)).count();
            assert!(times >= TIMES as usize, "{name}: {case} occurs in {times} positions");
        }
    }
}

#[test]
fn the_comment_above_a_position_names_the_cases_that_it_shows() {
    for (name, variant) in SUITES {
        let text = text(name);
        let lines: Vec<&str> = text.lines().collect();
        for position in PerftSuite::parse(name, &text).unwrap().positions {
            let comment = lines[position.line - 2];
            let named = comment.split_once(": ").map_or("", |(_, names)| names);
            let cases = cases_of(&Scene::from_fen(&position.fen).unwrap()) & recipe(variant).wanted();
            let shown: Vec<&str> = cases.iter().map(RuleCase::name).collect();
            assert_eq!(named, shown.join(", "), "{name}:{}", position.line);
        }
    }
}

/// The cases that the position shows by shakmaty's legal moves, and all those that this tells.
fn by_shakmaty(position: &Chess) -> (CaseSet, CaseSet) {
    let (mut cases, mut told) = (CaseSet::default(), CaseSet::default());
    let mut add = |condition: bool, case: RuleCase| {
        cases.insert_if(condition, case);
        told.insert(case);
    };
    let moves = position.legal_moves();
    let castles = |side: CastlingSide| {
        moves.iter().any(|m| matches!(m, Move::Castle { .. }) && m.castling_side() == Some(side))
    };
    let promotes = |captures: bool| moves.iter().any(|m| m.is_promotion() && m.is_capture() == captures);
    let checks = |wanted: &dyn Fn(&Move, usize, bool) -> bool| {
        moves.iter().any(|&m| {
            let mut next = position.clone();
            next.play_unchecked(m);
            let checkers = next.checkers();
            checkers.any() && wanted(&m, checkers.count(), checkers.contains(m.to()))
        })
    };
    let (white, black) = (position.turn() == Color::White, position.turn() == Color::Black);
    let en_passants = moves.iter().filter(|m| m.is_en_passant()).count();
    let in_check = position.is_check();
    add(en_passants > 0, RuleCase::EnPassant);
    add(en_passants == 2, RuleCase::EnPassantByTwo);
    add(checks(&|m, count, _| m.is_en_passant() && count == 2), RuleCase::EnPassantDoubleCheck);
    add(promotes(false), RuleCase::PromotionStep);
    add(promotes(true), RuleCase::PromotionCapture);
    add(checks(&|m, count, _| m.is_promotion() && count == 2), RuleCase::PromotionDoubleCheck);
    let by_knight = |m: &Move, _, direct: bool| direct && m.promotion() == Some(Role::Knight);
    add(checks(&by_knight), RuleCase::PromotionChecksKnight);
    for (role, double, uncovers) in [
        (Role::Pawn, Some(RuleCase::PawnDoubleCheck), RuleCase::PawnUncovers),
        (Role::Knight, Some(RuleCase::KnightDoubleCheck), RuleCase::KnightUncovers),
        (Role::Bishop, Some(RuleCase::BishopDoubleCheck), RuleCase::BishopUncovers),
        (Role::Rook, Some(RuleCase::RookDoubleCheck), RuleCase::RookUncovers),
        (Role::King, None, RuleCase::KingUncovers),
    ] {
        let plain = |m: &Move| m.role() == role && !m.is_castle() && !m.is_en_passant() && !m.is_promotion();
        if let Some(double) = double {
            add(checks(&|m, count, _| plain(m) && count == 2), double);
        }
        add(checks(&|m, count, direct| plain(m) && count == 1 && !direct), uncovers);
    }
    add(castles(CastlingSide::KingSide) && white, RuleCase::WhiteCastlesShort);
    add(castles(CastlingSide::QueenSide) && white, RuleCase::WhiteCastlesLong);
    add(castles(CastlingSide::KingSide) && black, RuleCase::BlackCastlesShort);
    add(castles(CastlingSide::QueenSide) && black, RuleCase::BlackCastlesLong);
    let castle_checks = |side| checks(&|m: &Move, _, _| m.is_castle() && m.castling_side() == Some(side));
    add(castle_checks(CastlingSide::KingSide), RuleCase::ShortChecks);
    add(castle_checks(CastlingSide::QueenSide), RuleCase::LongChecks);
    add(position.checkers().count() == 2, RuleCase::DoubleCheck);
    add(in_check && moves.len() == 1, RuleCase::OnlyMove);
    add(position.is_checkmate(), RuleCase::Checkmate);
    add(position.is_stalemate(), RuleCase::Stalemate);
    (cases, told)
}

#[test]
fn shakmaty_finds_the_same_cases_where_it_can_tell() {
    for (name, _) in SUITES {
        for position in PerftSuite::parse(name, &text(name)).unwrap().positions {
            let theirs: Chess =
                position.fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
            let (theirs, told) = by_shakmaty(&theirs);
            let ours = cases_of(&Scene::from_fen(&position.fen).unwrap()) & told;
            assert_eq!(ours, theirs, "{name}:{}", position.line);
        }
    }
}

fn mine(folder: &tempfile::TempDir, file: &str) -> (Option<i32>, String) {
    let mut miner = Command::new(env!("CARGO_BIN_EXE_perft-miner"));
    let output = miner.args([file, "--games", "3"]).current_dir(folder.path()).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_suite_that_cannot_be_mined_in_so_few_games_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let (code, message) = mine(&folder, "x.epd");
    assert_eq!(code, Some(2));
    assert!(message.contains("after 3 games") && message.contains("ep"), "{message}");
    assert!(!folder.path().join("x.epd").exists());
}

#[test]
fn a_file_that_is_there_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.epd"), "precious").unwrap();
    let (code, message) = mine(&folder, "mine.epd");
    assert_eq!(code, Some(2));
    assert!(message.contains("mine.epd: expected a new file"), "{message}");
    assert_eq!(fs::read_to_string(folder.path().join("mine.epd")).unwrap(), "precious");
}
