//! `arbiter games extract`: quiet positions of games, with scores and results.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};

use referee::{Epd, Referee, Side, Variant};

use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::workbench::{TARRASCH, Workbench, events, rows};

/// A draw of twenty quiet plies.
const GAME: &str = "\
[White \"one\"]
[Black \"two\"]
[Result \"1/2-1/2\"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Nbd2 a6 8. a4 h6 9. h3 Re8 10. Re1 Be6 1/2-1/2

";

fn positions(bench: &Workbench, file: &str) -> Vec<Epd> {
    let text = bench.read(file);
    text.lines().filter(|line| !line.starts_with('#')).map(|line| Epd::parse(line).unwrap()).collect()
}

fn operand(epd: &Epd, opcode: &str) -> Option<String> {
    epd.operands(opcode).map(|operands| operands.join(" "))
}

/// A run of Tarrasch against a mock in `run`.
fn play(bench: &Workbench) {
    let run = ["match", TARRASCH, "well", "--openings", "book.epd", "--order", "sequential", "--games", "6"];
    bench.run(&[&run[..], &["--nodes", "300", "--out", "run"]].concat()).expect_code(0);
}

#[test]
fn a_run_gives_quiet_positions_with_the_movers_score_and_the_result_of_the_game() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench);
    let all = ["extract", "run", "--out", "all.epd", "--per-game", "1000", "--skip", "0"];
    let finished = bench.run(&all).expect_code(0);
    let found = positions(&bench, "all.epd");
    assert!(
        finished.stderr().contains(&format!("all.epd: {} positions", found.len())),
        "{}",
        finished.stderr()
    );
    let journal = format!("{:?}", events(&bench, "run"));
    let results: BTreeSet<String> =
        rows(&bench, "run").into_iter().map(|mut row| row.remove("result").unwrap()).collect();
    let mut boards = BTreeSet::new();
    for epd in &found {
        let referee = Referee::from_fen(&epd.fen, Variant::Standard).unwrap();
        assert!(!referee.is_check() && referee.outcome().is_none(), "{epd}");
        assert!(boards.insert(epd.fen.clone()), "twice: {epd}");
        assert!(results.contains(&operand(epd, "c9").unwrap()), "{epd}");
        if let Some(score) = operand(epd, "ce") {
            assert!(journal.contains(&format!("Cp({score})")), "{epd}");
        }
    }
    assert!(found.iter().any(|epd| operand(epd, "ce").is_some()));
    let sides: BTreeSet<bool> = boards.iter().map(|board| board.contains(" w ")).collect();
    assert_eq!(sides.len(), 2);
    // The comments of the PGN tell the same scores.
    bench
        .run(&["extract", "run/games.pgn", "--out", "pgn.epd", "--per-game", "1000", "--skip", "0"])
        .expect_code(0);
    let of_pgn = positions(&bench, "pgn.epd");
    assert_eq!(of_pgn.iter().map(|epd| epd.fen.clone()).collect::<BTreeSet<_>>(), boards);
    // A position of two games has the score of the one that is read first.
    let others = of_pgn.iter().filter(|epd| !found.contains(epd)).count();
    assert!(others * 10 <= found.len(), "{others} of {}", found.len());
}

#[test]
fn only_positions_of_the_wanted_player_are_extracted() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench);
    let name = rows(&bench, "run")[0]["white"].clone();
    let other = rows(&bench, "run")[0]["black"].clone();
    let of = |engine: &str, file: &str| {
        let command = ["extract", "run", "--per-game", "1000", "--engine", engine, "--out", file];
        bench.run(&command).expect_code(0);
        positions(&bench, file).into_iter().map(|epd| epd.fen).collect::<BTreeSet<String>>()
    };
    let (first, second) = (of(&name, "a.epd"), of(&other, "b.epd"));
    assert!(!first.is_empty() && !second.is_empty());
    // Both move in some position only where two games cross.
    assert!(first.intersection(&second).count() * 10 < first.len(), "{first:?}");
}

#[test]
fn a_pgn_file_gives_results_without_scores_and_the_seed_decides_the_choice() {
    let bench = Workbench::new();
    let lost = GAME.replace("1/2-1/2\"]", "0-1\"]\n[Termination \"time forfeit\"]");
    let open = GAME.replace("1/2-1/2\"]", "*\"]");
    bench.write("a.pgn", &[GAME, &lost, &open, GAME].concat());
    let drawn = |seed: &str, file: &str| {
        let options = ["--per-game", "4", "--seed", seed, "--out", file];
        let finished = bench.run(&[&["extract", "a.pgn"], &options[..]].concat()).expect_code(0);
        let text = finished.stderr();
        assert!(text.contains("4 games: 1 with a fault, 1 unfinished"), "{text}");
        assert!(text.contains("8 written") && text.contains("16 in the opening"), "{text}");
        positions(&bench, file)
    };
    let found = drawn("1", "a.epd");
    assert_eq!(found, drawn("1", "b.epd"));
    assert_ne!(found, drawn("2", "c.epd"));
    for epd in &found {
        assert_eq!((operand(epd, "ce"), operand(epd, "c9").as_deref()), (None, Some("1/2-1/2")));
    }
    let white = found
        .iter()
        .filter(|epd| Referee::from_fen(&epd.fen, Variant::Standard).unwrap().turn() == Side::White);
    assert!(white.count() < found.len());
}

#[test]
fn an_engine_scores_the_positions_in_place_of_the_players() {
    let bench = Workbench::with_mocks(&["well"]);
    play(&bench);
    let score = |options: &[&str], file: &str| {
        let command = ["extract", "run", "--per-game", "1000", "--score-by", TARRASCH, "--out", file];
        let text = bench.run(&[&command, options].concat()).expect_code(0).stderr();
        (positions(&bench, file), text)
    };
    let (one, text) = score(&["--nodes", "500"], "one.epd");
    let (two, _) = score(&["--nodes", "500", "--concurrency", "2"], "two.epd");
    assert!(bench.read("one.epd").contains("# ce: the score by the engine of --score-by"));
    assert!(one.iter().all(|epd| operand(epd, "ce").is_some() && operand(epd, "c9").is_some()));
    let fens = |found: &[Epd]| found.iter().map(|epd| epd.fen.clone()).collect::<BTreeSet<String>>();
    // A hash table filled otherwise gives other scores here and there, and few cross the limit for that.
    assert!(fens(&one).symmetric_difference(&fens(&two)).count() * 10 < one.len(), "{text}");
    let scores = |found: &[Epd]| {
        let numbers = found.iter().map(|epd| operand(epd, "ce").unwrap().parse::<i32>().unwrap().abs());
        numbers.collect::<BTreeSet<i32>>()
    };
    let all = scores(&one);
    let (&least, &largest) = (all.first().unwrap(), all.last().unwrap());
    let limit = i32::midpoint(least, largest);
    let (level, text) = score(&["--max-score", &limit.to_string()], "level.epd");
    assert!(!level.is_empty() && scores(&level).last().unwrap() <= &limit, "{text}");
    assert!(text.contains("scored above --max-score by the engine"), "{text}");
    assert!(text.contains(&format!("{} written", level.len())), "{text}");
}

fn zipped(files: [&str; 2]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in ["one.pgn", "two.pgn"].into_iter().zip(files) {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn in_tar(text: &str) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    builder.append_data(&mut header, "games.pgn", text.as_bytes()).unwrap();
    builder.into_inner().unwrap()
}

#[test]
fn packed_games_give_the_same_ratings_and_positions_and_other_variants_are_counted_by_name() {
    let bench = Workbench::new();
    let won = GAME.replace("1/2-1/2", "1-0").replace("Be6", "Bg4 {+0.50/9 0.1s}");
    let other = |name: &str| GAME.replace("[White", &format!("[Variant \"{name}\"]\n[White"));
    let first = [GAME, &other("Crazyhouse"), &other("Atomic"), GAME].concat();
    let second = [won, other("Atomic"), other("From Position")].concat();
    let text = [&first[..], &second].concat();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text.as_bytes()).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let packed = [
        ("games.pgn", text.clone().into_bytes()),
        ("games.zip", zipped([&first, &second])),
        ("games.pgn.bz2", bzip2.finish().unwrap()),
        ("games.tar", in_tar(&text)),
        ("games.pgn.gz", gzip.finish().unwrap()),
        ("games.pgn.zst", compress_to_vec(text.as_bytes(), CompressionLevel::Fastest)),
    ];
    let told = packed.map(|(name, bytes)| {
        fs::write(bench.path(name), bytes).unwrap();
        let skipped = format!("{name}: 2 games of Atomic, 1 of Crazyhouse skipped");
        let rated = bench.run(&["rate", name, "--json"]).expect_code(0).tells(&[&skipped]).stdout();
        let command = ["extract", name, "--skip", "0", "--out", "found.epd"];
        let extracted = bench.run(&command).expect_code(0).tells(&[&skipped, "4 games: "]);
        let found = positions(&bench, "found.epd");
        fs::remove_file(bench.path("found.epd")).unwrap();
        (rated, extracted.stderr().replace(name, ""), found)
    });
    for other in &told[1..] {
        assert_eq!(other, &told[0]);
    }
}
