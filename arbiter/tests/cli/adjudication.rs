//! Rules that cut games short, and `arbiter sprt adjudication`, which says what they cost.

use std::env;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::json_schema;
use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Line, Workbench, rows, values};

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

/// A committed run without adjudication.
fn committed(name: &str) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("results").join(name);
    folder.to_str().unwrap().to_owned()
}

/// How each game of a match ended that is played to a resignation after one move, or for 40 moves.
fn endings(bench: &Workbench, run: &str, more: &[&str]) -> Vec<(String, String)> {
    let args = ["match", "well", "binary", "--nodes", "20", "--games", "12", "--out", run, "--seed", "4"];
    let rules = ["--openings", "book.epd", "--resign", "count=1,score=1", "--maxmoves", "40"];
    bench.run(&[&args[..], &rules, more].concat()).expect_code(0);
    let mut endings: Vec<(String, String)> =
        rows(bench, run).into_iter().map(|row| (row["game"].clone(), row["termination"].clone())).collect();
    endings.sort();
    endings
}

#[test]
fn a_finished_run_tells_what_rules_cost() {
    let bench = Workbench::new();
    let runs = ["tarrasch-glaurung", "tarrasch-gnuchess"].map(committed);
    let args = ["adjudication", &runs[0], &runs[1]];
    let text = bench.run(&args).expect_code(0).stdout();
    assert!(text.contains("2 runs, 200 games"), "{text}");
    assert!(text.contains("draw move=40,count=8,score=10"), "{text}");
    assert!(text.contains("2 games not counted, because they were not played out: 2 by crash."), "{text}");
    let json = |more: &[&str]| -> Value {
        let stdout = bench.run(&[&args[..], &["--json"], more].concat()).expect_code(0).stdout();
        serde_json::from_str(&stdout).unwrap()
    };
    let schema = json_schema::named("adjudication");
    assert_eq!(json_schema::problems(&json(&[]), &schema), Vec::<String>::new());
    let own = json(&["--draw", "move=1,count=1,score=0", "--resign", "count=1,score=10000"]);
    assert_eq!(json_schema::problems(&own, &schema), Vec::<String>::new());
    let rules = own["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 3, "each rule, and both together");
    assert!(rules.iter().all(|rule| rule["games"] == 198), "{own}");
    let changed = &rules[0]["changed"];
    assert!(changed["win_to_draw"].as_u64() > Some(0) && changed["draw_to_win"] == 0, "{own}");
}

#[test]
fn games_that_are_played_out_are_the_same_whatever_the_concurrency() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let play_out = ["--play-out", "0.4"];
    let one = endings(&bench, "one", &play_out);
    assert_eq!(one, endings(&bench, "three", &["--play-out", "0.4", "--concurrency", "3"]));
    let played_out = one.iter().filter(|(_, ending)| ending == "max_moves").count();
    assert!((1..12).contains(&played_out), "{one:?}");
    let others = one.iter().filter(|(_, ending)| ending == "resign_adjudication").count();
    assert_eq!(played_out + others, 12, "{one:?}");
    assert!(bench.read("one/run.toml").contains("play_out = 0.4"));
    assert!(bench.read("one/report.html").contains("What adjudication costs"));
}
