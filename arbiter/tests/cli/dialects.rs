//! The dialects: fastchess's output line by line, and what its workers rely on when a tournament ends early.
//!
//! `transcripts/` holds the output of fastchess alpha 1.8.2 (74deac23) for the same command lines and engines. If a
//! `fastchess` is on the search path, it is run again for comparison.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Workbench, wait_until};

/// Positions with move counters, which fastchess requires.
const BOOK: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

/// The openings, adjudication and files of the recorded matches.
const USUAL: &str =
    "-openings file=mini.epd format=epd order=random -srand 20261123 -pgnout file=games.pgn append=false";

const LONG: &str = "-rounds 7 -repeat -ratinginterval 3 -maxmoves 60 -resign movecount=3 score=300 \
                    -draw movenumber=20 movecount=4 score=50 -recover";

const SHORT: &str = "-rounds 2 -repeat -ratinginterval 1 -maxmoves 20 -testEnv";

fn bench() -> Workbench {
    let bench = Workbench::new();
    bench.write("mini.epd", BOOK);
    bench
}

/// The arguments for a match of two mock engines, A and B.
fn line(modes: [&str; 2], rest: &str) -> String {
    let [first, second] = modes;
    format!(
        "-engine cmd={MOCK_ENGINE} name=A args={first} -engine cmd={MOCK_ENGINE} name=B args={second} \
         -each tc=inf nodes=100 {USUAL} {rest}"
    )
}

/// The text without the time taken.
fn timeless(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("Total Time")).collect::<Vec<_>>().join("\n") + "\n"
}

fn installed(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[test]
fn the_transcript_is_that_of_fastchess() {
    for (modes, rest, recorded) in [
        (["well", "well"], LONG.to_owned(), include_str!("transcripts/random_moves.txt")),
        (["illegal", "well"], format!("{SHORT} -recover"), include_str!("transcripts/illegal_moves.txt")),
    ] {
        let bench = bench();
        let finished = bench.run(&format!("fastchess {}", line(modes, &rest))).expect_code(0);
        assert_eq!(timeless(&finished.stdout()), recorded);
        let Some(fastchess) = installed("fastchess") else { continue };
        let output = Command::new(fastchess)
            .args(line(modes, &rest).split_whitespace())
            .current_dir(bench.path("."))
            .output();
        let theirs = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(timeless(&theirs), recorded, "the installed fastchess");
    }
}

#[test]
fn nobody_plays_on_for_a_worker_that_is_gone() {
    let bench = bench();
    fs::create_dir(bench.path("tmp")).unwrap();
    let line = line(["well", "well"], "-rounds 1000000 -recover -testEnv");
    let mut command = bench.command(&format!("fastchess {line}"));
    let mut child = command.env("TMPDIR", bench.path("tmp")).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().starts_with("Finished game 1 ")));
    drop(said);
    wait_until("it ends", || child.try_wait().unwrap().is_some());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(fs::read_dir(bench.path("tmp")).unwrap().count(), 0);
}
