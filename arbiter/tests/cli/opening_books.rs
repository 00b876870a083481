//! Opening books: what a match plays from them, and `arbiter openings rate`.

use std::fs;
use std::io::Write;

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position};

use crate::workbench::{Finished, Workbench, games};

fn play(bench: &Workbench, book: &str, args: &[&str]) -> Finished {
    let match_of = ["match", "well", "binary", "--nodes", "20", "--maxmoves", "8", "--out", "run"];
    bench.run(&[&match_of, &["--openings", book][..], args].concat())
}

fn bench() -> Workbench {
    Workbench::with_mocks(&["well", "binary"])
}

/// A Polyglot book of 1. e4 e5, 1. e4 c5 and 1. d4, which weighs least.
fn polyglot() -> Vec<u8> {
    let mut entries = Vec::new();
    for (line, weight) in [("e2e4", 9_u16), ("e2e4 e7e5", 2), ("e2e4 c7c5", 1), ("d2d4", 1)] {
        let (before, uci) = line.rsplit_once(' ').unwrap_or(("", line));
        let mut position = Chess::new();
        for text in before.split_whitespace() {
            let played = text.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(played);
        }
        let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
        let UciMove::Normal { from, to, .. } = uci.parse().unwrap() else { unreachable!("a usual move") };
        let number = (u32::from(from) << 6 | u32::from(to)) as u16;
        entries
            .push([&key.to_be_bytes()[..], &number.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat());
    }
    entries.sort();
    entries.concat()
}

#[test]
fn a_polyglot_book_gives_lines_by_weight_and_repeats_them_at_its_end() {
    let bench = bench();
    fs::write(bench.path("book.bin"), polyglot()).unwrap();
    let args = ["--games", "8", "--order", "sequential"];
    let told = play(&bench, "book.bin", &args).expect_code(0).stderr();
    assert!(told.contains("book.bin: 3 lines drawn, all legal, no duplicates"), "{told}");
    let games = games(&bench, "run");
    let begins = [["e4", "e5"], ["e4", "c5"]];
    for (game, begin) in games.iter().step_by(2).zip(begins) {
        assert_eq!(game.moves[..2], begin);
    }
    assert_eq!(games[4].moves[0], "d4");
    assert_eq!(games[6].moves[..2], begins[0]);
    assert_eq!(bench.read("run/games.pgn").matches("{book}").count(), 2 * (2 + 2 + 1 + 2));
}

#[test]
fn a_compressed_book_is_read_and_a_broken_one_refused() {
    let bench = bench();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&polyglot()).unwrap();
    let packed = encoder.finish().unwrap();
    fs::write(bench.path("book.bin.gz"), &packed).unwrap();
    play(&bench, "book.bin.gz", &["--games", "2"]).expect_code(0);
    fs::remove_dir_all(bench.path("run")).unwrap();

    fs::write(bench.path("torn.bin.gz"), &packed[..packed.len() - 9]).unwrap();
    play(&bench, "torn.bin.gz", &[]).expect_code(2).tells(&["torn.bin.gz: expected gzip data"]);
    fs::write(bench.path("torn.bin"), &polyglot()[..40]).unwrap();
    play(&bench, "torn.bin", &[]).expect_code(2).tells(&["torn.bin: entry 3: expected 16 bytes, found 8"]);
    assert!(!bench.path("run").exists());
}
