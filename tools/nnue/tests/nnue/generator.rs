//! The generator: the same file with any number of threads and stops; and what the program refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use chess::Position;
use nnue::datagen::{Counts, DataFile, EngineStamp, Header, OpeningFile, Settings, Target, generate};
use nnue::{Game, read_games};

use super::nnue;

const QUICK: Settings = Settings { nodes: 40, opening_nodes: 40, hash_mib: 1, ..Settings::DEFAULT };

fn header_of_build(settings: Settings, bench: u64) -> Header {
    let engine = EngineStamp { name: "Tarrasch".to_owned(), version: "0".to_owned(), bench };
    Header::new(engine, settings)
}

fn header(settings: &Settings) -> Header {
    header_of_build(settings.clone(), 1)
}

fn play(path: &Path, settings: &Settings, threads: u16, target: Target) -> Counts {
    let mut file = DataFile::open(path, &header(settings)).unwrap();
    generate(&mut file, settings, threads, target, &AtomicBool::new(false), &mut |_| ()).unwrap();
    file.counts
}

fn games(path: &Path) -> Vec<Game> {
    let mut games = Vec::new();
    read_games::<nnue::GamesError>(path, |game| {
        games.push(game.clone());
        Ok(())
    })
    .unwrap();
    games
}

fn in_folder(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

#[test]
fn a_file_that_was_cut_off_anywhere_becomes_the_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = in_folder(&folder, "whole.vf");
    let counts = play(&whole, &QUICK, 1, Target::Games(8));
    let expected = fs::read(&whole).unwrap();
    assert_eq!(counts.games, 8);
    for (cut, threads) in [(0, 2), (1, 1), (33, 3), (expected.len() / 2, 2), (expected.len() - 1, 3)] {
        let torn = in_folder(&folder, &format!("torn{cut}.vf"));
        fs::write(&torn, &expected[..cut]).unwrap();
        header(&QUICK).write(&torn).unwrap();
        assert_eq!(play(&torn, &QUICK, threads, Target::Games(8)), counts);
        assert_eq!(fs::read(&torn).unwrap(), expected, "cut at {cut}");
    }
}

#[test]
fn starts_are_not_played_twice_and_the_gaps_are_kept_in_mind() {
    // One random ply or two: twenty starts and four hundred.
    let few = Settings { random_plies: 1, ..QUICK };
    let folder = tempfile::tempdir().unwrap();
    let whole = in_folder(&folder, "whole.vf");
    play(&whole, &few, 2, Target::Games(60));
    let found = games(&whole);
    let mut keys: Vec<_> = found.iter().map(|game| game.start.key()).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), 60);
    assert!(found.iter().any(|game| game.skipped > 0));

    let parts = in_folder(&folder, "parts.vf");
    for games in (1..=60).step_by(7).chain([60]) {
        play(&parts, &few, 1 + games as u16 % 3, Target::Games(games));
    }
    assert_eq!(fs::read(&parts).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn stopping_keeps_what_is_there_and_positions_are_a_target_too() {
    let folder = tempfile::tempdir().unwrap();
    let [stopped, whole] = ["stopped.vf", "whole.vf"].map(|name| in_folder(&folder, name));
    let mut file = DataFile::open(&stopped, &header(&QUICK)).unwrap();
    let stop = AtomicBool::new(false);
    let mut report = |counts: Counts| stop.store(counts.games >= 2, Ordering::Relaxed);
    generate(&mut file, &QUICK, 2, Target::Positions(400), &stop, &mut report).unwrap();
    assert!(file.counts.games >= 2);
    drop(file);

    let counts = play(&stopped, &QUICK, 2, Target::Positions(400));
    assert!(counts.positions >= 400);
    assert_eq!(play(&whole, &QUICK, 1, Target::Positions(400)), counts);
    assert_eq!(fs::read(&stopped).unwrap(), fs::read(&whole).unwrap());
}

#[test]
fn seeds_make_other_games() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = [1, 2].map(|seed| {
        let path = in_folder(&folder, &format!("{seed}.vf"));
        play(&path, &Settings { seed, ..QUICK }, 1, Target::Games(2));
        games(&path)
    });
    assert!(one[0] != one[1] && one[0] != two[0] && one[1] != two[0]);
}

/// Two lopsided positions and a sharp one, one of them twice.
const OPENINGS: &str = "# lopsided\n\
    4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - hmvc 3; id \"1\";\n\
    rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 20\n\n\
    4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQ - bm a6;\n\
    r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n";

fn with_openings(text: &str, share: f64, seed: u32) -> Settings {
    let folder = tempfile::tempdir().unwrap();
    let file = in_folder(&folder, "book.epd");
    fs::write(&file, text).unwrap();
    let openings = OpeningFile::load(&file, share, seed).unwrap();
    Settings { openings: Some(openings), seed, ..QUICK }
}

#[test]
fn a_share_of_the_games_begins_with_lines_of_a_file_each_once_before_one_comes_again() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = ["one.vf", "three.vf"].map(|name| in_folder(&folder, name));
    let settings = with_openings(OPENINGS, 0.5, 1);
    play(&one, &settings, 1, Target::Games(12));
    play(&three, &settings, 3, Target::Games(12));
    assert_eq!(fs::read(&one).unwrap(), fs::read(&three).unwrap());

    let found = games(&one);
    let lines = OPENINGS.lines().filter(|line| line.contains('/'));
    let board = |fen: &str| fen.split(' ').next().unwrap().to_owned();
    let boards: Vec<String> = lines.map(board).collect();
    let from_lines: Vec<&Game> = found.iter().skip(1).step_by(2).collect();
    let mut as_they_are: Vec<String> = from_lines[..3].iter().map(|game| board(&game.start.fen())).collect();
    as_they_are.sort();
    let mut expected = [&boards[0], &boards[1], &boards[3]].map(String::clone);
    expected.sort();
    assert_eq!(as_they_are, expected, "each line once, and the repeated one not again");
    // The move number is that of the line or, if higher, of the first position for training.
    let numbers =
        from_lines[..3].iter().map(|game| (game.start.fullmove_number(), game.start.occupied().count()));
    assert_eq!(numbers.filter(|&(number, _)| number == 9).count(), 2);
    // The second time around each game begins one ply later.
    for (first, again) in from_lines[..3].iter().zip(&from_lines[3..]) {
        assert_ne!(first.start.side_to_move(), again.start.side_to_move(), "{}", again.start);
    }
    // The other games are the same as without the file.
    let random = in_folder(&folder, "random.vf");
    play(&random, &QUICK, 2, Target::Games(12));
    let same = found.iter().step_by(2).zip(games(&random).iter().step_by(2).cloned().collect::<Vec<_>>());
    for (found, random) in same {
        assert_eq!(found.start, random.start);
        assert_eq!(found.moves, random.moves);
    }
}

#[test]
fn a_line_after_which_random_plies_end_every_game_gives_way_to_a_random_opening() {
    let folder = tempfile::tempdir().unwrap();
    let file = in_folder(&folder, "mate.vf");
    // The only move is stalemate.
    let settings = with_openings("k7/8/1Q6/8/8/8/6q1/7K w - - 0 30\n", 1.0, 1);
    play(&file, &settings, 1, Target::Games(2));
    let starts: Vec<Position> = games(&file).into_iter().map(|game| game.start).collect();
    assert_eq!(starts[0].occupied().count(), 4);
    assert!(starts[1].occupied().count() > 20 && starts[1].has_legal_move(), "{}", starts[1]);
}

#[test]
fn a_file_goes_on_only_with_its_own_openings() {
    let folder = tempfile::tempdir().unwrap();
    let path = in_folder(&folder, "y.vf");
    let open = |settings: &Settings| DataFile::open(&path, &header(settings)).map(drop);
    let message = |settings: &Settings| format!("{:#}", open(settings).unwrap_err());
    let settings = with_openings(OPENINGS, 0.5, 1);
    open(&settings).unwrap();
    open(&with_openings(&OPENINGS.replace("bm a6", "bm b6"), 0.5, 1)).unwrap();
    let other = message(&with_openings(OPENINGS, 0.25, 1));
    assert!(
        other.ends_with("settings.openings.share: the file was made with 0.5, and now it is 0.25"),
        "{other}"
    );
    let other =
        message(&with_openings(OPENINGS.split_once('\n').unwrap().1.rsplit_once("r3k").unwrap().0, 0.5, 1));
    assert!(other.contains("settings.openings.positions: the file was made with"), "{other}");
    let none = message(&QUICK);
    assert!(
        none.contains("settings.openings: the file was made with ") && none.ends_with("now it is nothing"),
        "{none}"
    );
}

#[test]
fn what_cannot_be_done_is_one_line_and_exit_code_2_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("bad.epd", "# one\n4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8 w - -\n"),
        ("mate.epd", "R6k/6pp/8/8/8/8/8/K7 b - -\n"),
        ("none.epd", "# nothing\n"),
        ("text", "Not a game of chess, but a few words that go on and on."),
        ("short", "no"),
    ];
    for (name, text) in files {
        fs::write(in_folder(&folder, name), text).unwrap();
    }
    let run = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/singular-extensions");
    for (line, expected) in [
        ("datagen --games 1 --openings bad.epd", "error: --openings bad.epd:3: "),
        ("datagen --games 1 --openings mate.epd", "mate.epd:1: expected a position with a legal move"),
        ("datagen --games 1 --openings none.epd", "none.epd: expected lines of FEN or EPD, found none"),
        ("datagen --games 1 --openings missing.epd", "error: --openings missing.epd: "),
        ("datagen --games 1 --openings-share 0.2", "--openings <FILE>"),
        ("datagen --games 1 --openings bad.epd --openings-share 2", "expected a number from 0 to 1"),
        ("export text --to text", "error: text: byte 0: expected a game in viriformat, found "),
        ("export short --to text", "error: short: expected games in viriformat, found 2 bytes"),
        ("export missing --to text", "error: missing: "),
        ("import .", "error: .: "),
        ("train x.vf --from no.checkpoint", "error: --from no.checkpoint: "),
        ("train x.vf --width 0", "expected a multiple of 64 up to 1024"),
        ("train x.vf --width 100", "expected a multiple of 64 up to 1024"),
        ("train x.vf --width 1088", "expected a multiple of 64 up to 1024"),
        (&format!("import {run} --players toga"), "players whose names begin with \"toga\", found none"),
        ("info text", "error: text: byte 0: expected a game in viriformat, found "),
        ("info short", "error: short: expected games in viriformat, found 2 bytes that are none"),
        ("info missing", "error: missing: "),
    ] {
        let out = if line.starts_with("info") { &[][..] } else { &["--out", "out"] };
        let words: Vec<&str> = line.split(' ').chain(out.iter().copied()).collect();
        let (code, message) = nnue(folder.path(), &words);
        assert_eq!(code, Some(2), "{line}: {message}");
        assert!(message.contains(expected), "{line}: {message}");
        // The parser of the command line adds how it is used.
        assert!(message.lines().count() == 1 || message.contains("--help"), "{line}: {message}");
        assert!(message.matches("os error").count() < 2, "{line}: {message}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), files.len(), "{line}");
    }
}

#[test]
fn a_file_goes_on_only_as_it_was_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.vf");
    let message = |header: &Header| format!("{:#}", DataFile::open(&path, header).unwrap_err());
    let usual = header_of_build(Settings::DEFAULT, 7);
    let file = DataFile::open(&path, &usual).unwrap();
    assert!(message(&usual).ends_with("x.vf: another process is writing to it"));
    drop(file);

    let other = message(&header_of_build(Settings { nodes: 5000, ..Settings::DEFAULT }, 7));
    assert!(other.ends_with("settings.nodes: the file was made with 1500, and now it is 5000"), "{other}");
    let other = message(&header_of_build(Settings::DEFAULT, 8));
    assert!(other.ends_with("engine.bench: the file was made with 7, and now it is 8"), "{other}");

    fs::write(&path, "Not a game of chess, but a few words that go on and on.").unwrap();
    assert!(message(&usual).contains("x.vf: byte 0: expected a game in viriformat"));
    fs::remove_file(Header::path(&path)).unwrap();
    assert!(message(&usual).contains("x.vf.toml beside it"));
    assert!(fs::read_to_string(&path).unwrap().starts_with("Not a game"));
}
