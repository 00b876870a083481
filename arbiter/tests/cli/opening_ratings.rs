//! `arbiter openings rate`: books compared by the games from them.

use serde_json::Value;

use crate::json_schema;
use crate::workbench::Workbench;

/// Openings with evals for the side to move, one quiet, one lopsided and one without.
const WITH_EVALS: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - ce 25;
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - ce -90;
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
";

/// A folder with a match from `book.epd` in `plain`, and one from a book with evals in `mixed`.
fn played() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("evals.epd", WITH_EVALS);
    for (book, run) in [("book.epd", "plain"), ("evals.epd", "mixed")] {
        let limits = ["match", "well", "binary", "--nodes", "20", "--games", "6", "--maxmoves", "5"];
        bench.run(&[&limits[..], &["--openings", book, "--out", run]].concat()).expect_code(0);
    }
    bench
}

fn rated(bench: &Workbench, args: &[&str]) -> Value {
    let stdout = bench.run(&[&["openings", "rate"], args, &["--json"]].concat()).expect_code(0).stdout();
    let value: Value = serde_json::from_str(&stdout).unwrap();
    let schema = json_schema::named("openings-rate");
    assert_eq!(json_schema::problems(&value, &schema), Vec::<String>::new());
    value
}

#[test]
fn books_stand_side_by_side_and_ranges_of_evals_too() {
    let bench = played();
    let both = rated(&bench, &["plain", "mixed"]);
    assert_eq!(
        (&both["books"][0]["book"], &both["books"][1]["book"]),
        (&"book.epd".into(), &"evals.epd".into())
    );
    // All games end after five moves as draws.
    assert_eq!(
        (&both["books"][1]["draws"], &both["books"][1]["level"]["by_draws"]),
        (&1.0.into(), &3.into())
    );
    let ranges = rated(&bench, &["mixed", "--by-eval", "0,50,100,150"]);
    let bounds: Vec<&Value> =
        ranges["books"].as_array().unwrap().iter().map(|book| &book["eval"]["most"]).collect();
    assert_eq!(bounds, [49, 99], "a range without games is left out");
    assert_eq!(ranges["without_range"], 2);
    let text = bench.run(&["openings", "rate", "mixed", "--by-eval", "0,50,100"]).expect_code(0).stdout();
    assert!(text.contains("Games needed") && text.contains("50..99"), "{text}");
    assert!(text.contains("2 games not counted: the eval of the opening is missing"), "{text}");
}

#[test]
fn runs_that_cannot_be_compared_are_errors_or_noted() {
    let bench = played();
    let refused = |args: &[&str], words: &str| {
        let message = bench.run(&[&["openings", "rate"], args].concat()).expect_code(2).stderr();
        assert!(message.contains(words), "expected `{words}` in: {message}");
    };
    refused(&["nowhere"], "expected a run folder with a journal");
    refused(&["plain", "--by-eval", "50"], "at least two ascending bounds");
    refused(&["plain", "--by-eval", "0,50"], "book.epd: expected evals");
    refused(&["mixed", "--by-eval", "500,600"], "mixed: expected finished games in the ranges of --by-eval");
    bench.write("evals.epd", &WITH_EVALS.replace("ce 25", "ce 26"));
    refused(&["mixed", "--by-eval", "0,50"], "expected the book with SHA-256");
    let warning = bench.run(&["openings", "rate", "mixed"]).expect_code(0).stderr();
    assert!(warning.contains("warning: mixed: nElo per Elo takes White for"), "{warning}");
    let three =
        ["match", "well", "well:Hash=2", "binary", "--nodes", "20", "--games", "2", "--maxmoves", "5"];
    bench.run(&[&three[..], &["--openings", "book.epd", "--out", "three"]].concat()).expect_code(0);
    refused(&["three"], "three: expected a match of two engines, found 3");
    let other = ["match", "well", "binary", "--nodes", "30", "--games", "2", "--maxmoves", "5"];
    bench.run(&[&other[..], &["--openings", "book.epd", "--out", "other"]].concat()).expect_code(0);
    let noted = bench.run(&["openings", "rate", "plain", "other"]).expect_code(0).stderr();
    assert!(noted.contains("other: other engines or limits"), "{noted}");
}
