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
fn the_longest_game_has_as_many_moves_of_each_side_where_black_begins() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("book.epd", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n");
    play(&bench, &["--maxmoves", "3"]).expect_code(0);
    for row in rows(&bench, "run") {
        assert_eq!((row["termination"].as_str(), row["plies"].as_str()), ("max_moves", "6"));
        assert_eq!((row["white_moves"].as_str(), row["black_moves"].as_str()), ("3", "3"));
    }
}

#[test]
fn a_resignation_may_need_the_winner_to_agree() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    // The scores of these engines are within a pawn of zero, so that half of them lose by a hundredth.
    play(&bench, &["--resign", "count=1,score=1", "--maxmoves", "40"]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["resign_adjudication"]);
    fs::remove_dir_all(bench.path("run")).unwrap();
    play(&bench, &["--resign", "count=40,score=1,twosided=true", "--maxmoves", "20"]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["max_moves"]);
    assert!(bench.read("run/run.toml").contains("resign = \"count=40,score=1,twosided=true\""));
}

#[test]
fn tables_that_cannot_be_used_are_named_before_the_first_game() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("empty/readme.txt", "no tables here");
    let refused = |args: &[&str], words: &str| {
        play(&bench, args).expect_code(2).tells(&[words]);
        assert!(!bench.path("run").exists());
    };
    refused(&["--syzygy", "nowhere"], "nowhere");
    refused(
        &["--syzygy", "empty"],
        "empty: expected Syzygy tablebases, files such as KQvKR.rtbw, found none",
    );
    refused(&["--syzygy", ""], "expected a folder with Syzygy tablebases");
    refused(&["--syzygy-pieces", "5"], "--syzygy");
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

#[test]
fn a_match_with_an_sprt_has_its_own_book_and_rules_unless_told_otherwise() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let config = |out: &str, args: &[&str]| {
        let match_of =
            ["match", "well", "binary", "--nodes", "20", "--games", "2", "--maxmoves", "5", "--out", out];
        let finished = bench.run(&[&match_of[..], args].concat());
        assert!(matches!(finished.code(), Some(0 | 1 | 3)), "{}", finished.stderr());
        bench.read(&format!("{out}/run.toml"))
    };
    let (draw, resign) =
        ("draw = \"move=34,count=8,score=20\"", "resign = \"count=3,score=400,twosided=true\"");
    let with_test = config("tested", &["--sprt", "0,5"]);
    for expected in ["arbiter-unbalanced.epd", draw, resign] {
        assert!(with_test.contains(expected), "{with_test}");
    }
    let own =
        config("own", &["--sprt", "0,5", "--openings", "book.epd", "--draw", "none", "--resign", "none"]);
    assert!(own.contains("book.epd") && !own.contains("draw =") && !own.contains("resign ="), "{own}");
    let without = config("without", &[]);
    assert!(without.contains("arbiter-balanced.epd") && !without.contains("resign ="), "{without}");
}

#[test]
fn a_test_is_curved_unless_walds_is_asked_for() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let finished = play(&bench, &["--maxmoves", "5", "--sprt", "0,5"]).expect_code(3);
    assert!(finished.stdout().contains("(-1.57, 1.57) [0, 5] nElo, curved"), "{}", finished.stdout());
    assert!(bench.read("run/run.toml").contains("test = \"curved\""));
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let finished = play(&bench, &["--maxmoves", "5", "--sprt", "0,5", "--sprt-test", "wald"]).expect_code(3);
    assert!(finished.stdout().contains("(-2.94, 2.94) [0, 5] nElo"), "{}", finished.stdout());
    assert!(!bench.read("run/run.toml").contains("test ="));
}

#[test]
fn a_mixture_is_named_beside_the_bounds() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let finished = play(&bench, &["--maxmoves", "5", "--sprt", "0,5", "--mixture"]).expect_code(3);
    assert!(finished.stdout().contains("[0, 5] nElo, mixture"), "{}", finished.stdout());
    assert!(bench.read("run/run.toml").contains("mixture = true"));
    let refused = play(&bench, &["--sprt", "0,5", "--mixture", "--give-up", "0.05"]).expect_code(2).stderr();
    assert!(refused.contains("--give-up") && refused.contains("--mixture"), "{refused}");
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

#[test]
fn what_cannot_be_checked_is_an_error() {
    let bench = Workbench::with_mocks(&["well"]);
    let refused = |args: &[&str], words: &str| {
        bench.run(args).expect_code(2).tells(&[words]);
    };
    refused(&["adjudication"], "<DIR>");
    refused(&["adjudication", "nowhere"], "expected a run folder with a journal");
    refused(&["adjudication", "nowhere", "--resign", "count=3"], "`score` is missing");
    let game = ["match", "well", "well:Hash=2", "--nodes", "20", "--games", "2", "--play-out"];
    refused(&[&game[..], &["0.1"]].concat(), "--play-out: expected --draw or --resign too");
    refused(&[&game[..], &["10", "--draw", "move=1,count=1,score=1"]].concat(), "at most 1, as in 0.1");
}
