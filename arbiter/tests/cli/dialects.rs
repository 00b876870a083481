//! Both dialects: what fastchess and cutechess-cli share, and where they differ.

use std::fs;
#[cfg(unix)]
use std::process::Command;

use regex_lite::Regex;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Workbench};

/// Positions with move counters, which fastchess needs to have.
pub const BOOK: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

/// Openings, adjudication and files of the recorded matches.
const USUAL: &str =
    "-openings file=mini.epd format=epd order=random -srand 20261123 -pgnout file=games.pgn append=false";

pub fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("mini.epd", BOOK);
    bench
}

/// A line behind the program's name with two mock engines, A and B.
pub fn line(modes: [&str; 2], rest: &str) -> String {
    let [first, second] = modes;
    format!(
        "-engine cmd={MOCK_ENGINE} name=A args={first} -engine cmd={MOCK_ENGINE} name=B args={second} \
         -each tc=inf nodes=100 {USUAL} {rest}"
    )
}

pub fn play(bench: &Workbench, modes: [&str; 2], rest: &str) -> Finished {
    bench.run(&format!("fastchess {}", line(modes, rest)))
}

/// What the games of a PGN have behind a tag, in their order.
pub fn tags(pgn: &str, name: &str) -> Vec<String> {
    let regex = Regex::new(&format!("\\[{name} \"(.*)\"\\]")).unwrap();
    regex.captures_iter(pgn).map(|found| found[1].to_owned()).collect()
}

#[test]
#[cfg(unix)]
fn the_program_answers_to_the_name_of_fastchess() {
    let bench = bench();
    for (name, version) in [("fastchess-ob", "fastchess alpha 1.8.2"), ("cutechess-cli", "cutechess-cli 1")] {
        let link = bench.path(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_arbiter"), &link).unwrap();
        let output = Command::new(&link).arg("-version").output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().starts_with(version));
    }
    bench.run("fastchess --version").expect_code(0);
    assert!(bench.run("fastchess -help").expect_code(0).stdout().contains("-pgnout"));
}

/// The places in the book of the openings of four engines' round robin of two games for each encounter, twice over.
fn openings_of_four(bench: &Workbench, dialect: &str, policy: &str) -> (Vec<usize>, String) {
    let engine = |name| {
        format!(
            "-engine cmd={MOCK_ENGINE} name={name} {}=well",
            if dialect == "cutechess" { "arg" } else { "args" }
        )
    };
    let engines = ["A", "B", "C", "D"].map(engine).join(" ");
    let pgn = if dialect == "cutechess" { "games.pgn" } else { "file=games.pgn" };
    let _ = fs::remove_file(bench.path("games.pgn"));
    let finished = bench.run(&format!(
        "{dialect} {engines} -each proto=uci tc=inf nodes=9 -maxmoves 1 -games 2 -rounds 2 -repeat -concurrency 1 \
         -openings file=long.epd format=epd order=sequential {policy} -pgnout {pgn}"
    ));
    let finished = finished.expect_code(0);
    let book = bench.read("long.epd");
    let place = |fen: &String| book.lines().position(|known| known == fen);
    (tags(&bench.read("games.pgn"), "FEN").iter().filter_map(place).step_by(2).collect(), finished.stderr())
}

#[test]
fn cutechess_walks_the_whole_book_and_fastchess_warns_where_it_does_not() {
    let bench = bench();
    let places = (1..7).flat_map(|one| (1..7).map(move |other| [one, other]));
    let lines = places
        .map(|[one, other]| format!("4k3/8/{one}p{}/8/8/{other}P{}/8/4K3 w - - 0 1\n", 7 - one, 7 - other));
    bench.write("long.epd", &lines.collect::<String>());
    // As cutechess-cli 1.5.1 and fastchess 1.8.2 play them.
    let each: Vec<usize> = (0..12).collect();
    let of = |dialect, policy| openings_of_four(&bench, dialect, policy);
    assert_eq!(of("cutechess", ""), (each.clone(), String::new()));
    assert_eq!(of("cutechess", "policy=encounter").0, each);
    assert_eq!(of("cutechess", "policy=round").0, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
    let (openings, said) = of("fastchess", "");
    assert_eq!(openings, [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    assert!(
        said.contains("Warning; from round 2 on, every two engines have openings that they had before"),
        "{said}"
    );
    assert!(said.contains("12 games with the moves of an earlier one"), "{said}");
}

#[test]
fn the_engines_meet_in_the_order_of_the_original() {
    let bench = bench();
    let engines = ["A", "B", "C", "D"].map(|name| format!("-engine cmd={MOCK_ENGINE} name={name} ")).concat();
    for (line, games) in [
        ("cutechess", "ADBCACDBABCD"),
        ("cutechess -tournament gauntlet -seeds 2", "ACADBCBD"),
        ("cutechess -tournament pyramid", "BACACBDADBDC"),
        ("fastchess", "ABACADBCBDCD"),
        ("fastchess -tournament gauntlet -seeds 2", "ABACADBCBD"),
    ] {
        let rest = if line.starts_with('c') { "-games 2" } else { "-games 2 -rounds 1" };
        let line = format!("{line} {engines} -each proto=uci tc=inf nodes=9 -maxmoves 1 {rest}");
        let said = bench.run(&line).expect_code(0).stdout();
        let met = Regex::new(r"Started game [0-9]*[13579] of [0-9]+ \((.) vs (.)\)").unwrap();
        let met: Vec<String> =
            met.captures_iter(&said).map(|found| format!("{}{}", &found[1], &found[2])).collect();
        assert_eq!(met.concat(), games, "{line}");
    }
}
