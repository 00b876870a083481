//! Rules that cut games short, and `arbiter sprt adjudication`, which says what they cost.

use std::env;
use std::fs;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Line, Workbench, values};

fn play(bench: &Workbench, args: &[&str]) -> Finished {
    let match_of = ["match", "well", "binary", "--nodes", "20", "--games", "2", "--out", "run"];
    bench.run(&[&match_of, &["--openings", "book.epd"][..], args].concat())
}

#[test]
fn a_table_that_cannot_be_used_is_named_and_counted_and_the_games_are_played() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("tables/KRvK.rtbw", "");
    bench.write("tables/KBvK.rtbw", "version https://git-lfs.github.com/spec/v1\n");
    let complaint = "2 of 2 Syzygy tables cannot be used: ";
    // An empty part of the list is no folder.
    let folders = env::join_paths(["tables", ""]).unwrap().into_string().unwrap();
    let run = play(&bench, &["--maxmoves", "4", "--syzygy", &folders]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["max_moves"]);
    run.tells(&[
        complaint,
        "KBvK.rtbw: expected a Syzygy table, found a pointer of Git LFS",
        "games continue without them",
    ]);
    let whole = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    fs::write(bench.path("tables/KQvK.rtbw"), whole).unwrap();
    let again = bench.run("run run --out again").expect_code(0);
    again.tells(&["2 of 3 Syzygy tables cannot be used: "]);
    let line =
        "fastchess -engine cmd=well name=a -engine cmd=well name=b -each nodes=9 -rounds 1 -maxmoves 2 -tb";
    let line = line.replace("cmd=well", &format!("cmd={MOCK_ENGINE} args=well"));
    let theirs = bench.run(&[&line.words()[..], &[&*folders]].concat()).expect_code(0);
    let said = theirs.stdout() + &theirs.stderr();
    assert!(said.contains("Warning; 2 of 3 Syzygy tables cannot be used: "), "{said}");
}
