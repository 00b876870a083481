//! `arbiter why` on a finished run and on its PGN.

use serde_json::Value;

use crate::json_schema::{named, problems};
use crate::workbench::{TARRASCH, Workbench};

/// The JSON output for a source with the usual options, and the error output.
fn why(bench: &Workbench, source: &str, options: &[&str]) -> (Value, String) {
    let usual = [
        "why", source, "--referee", TARRASCH, "--referee-nodes", "300", "--concurrency", "2", "--json",
        "--run-programs",
    ];
    let finished = bench.run(&[&usual, options].concat()).expect_code(0);
    (serde_json::from_str(&finished.stdout()).unwrap(), finished.stderr())
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// The sum of the points lost in all groups of a dimension.
fn by_dimension(told: &Value, dimension: &str) -> f64 {
    let groups = told["groups"].as_array().unwrap();
    groups.iter().filter(|group| group["dimension"] == dimension).map(|group| number(&group["lost"])).sum()
}

#[test]
fn points_add_up_to_the_result_and_a_second_call_asks_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    let play = [
        "match", "well", TARRASCH, "--nodes", "300", "--games", "6", "--openings", "book.epd", "--out", "run",
    ];
    bench.run(&play).expect_code(0);
    let (told, stderr) = why(&bench, "run", &["--positions", "2"]);
    assert!(stderr.contains("6 games, 300 nodes a position"), "{stderr}");
    assert_eq!(problems(&told, &named("why")), Vec::<String>::new());
    assert_eq!((&told["names"], &told["games"]), (&serde_json::json!(["well", "tarrasch"]), &6.into()));
    // The engine that plays random moves loses all six games.
    assert!((number(&told["lost"]) - 3.0).abs() < 1e-9, "{told}");
    let shares = &told["shares"];
    assert!(number(&shares["opening"]).abs() + number(&shares["faults"]).abs() < 1e-9, "{shares}");
    for dimension in ["material", "score", "king", "missed", "move number"] {
        assert!((by_dimension(&told, dimension) - number(&shares["moves"])).abs() < 1e-9, "{dimension}");
    }
    let page = bench.read("run/why/why.html");
    assert!(page.contains("<h1>well is 3.0 points behind an even score against tarrasch in 6 games"));
    let suite = bench.read("run/why/why.epd");
    let positions = told["positions"].as_array().unwrap();
    assert_eq!(suite.lines().count(), 1 + positions.len(), "{suite}");
    if !positions.is_empty() {
        let tactics = ["tactics", "well", TARRASCH, "--suite", "run/why/why.epd", "--nodes", "300", "--json"];
        let solved: Value = serde_json::from_str(&bench.run(&tactics).stdout()).unwrap();
        assert_eq!(solved["results"].as_array().map(Vec::len), Some(2 * positions.len()), "{solved}");
    }
    let (again, stderr) = why(&bench, "run", &["--positions", "0"]);
    assert!(!stderr.contains("looks at"), "{stderr}");
    assert_eq!((&again["groups"], &again["causes"]), (&told["groups"], &told["causes"]));
    // The other player gains what this one loses, in every group.
    let (other, _) = why(&bench, "run", &["--positions", "0", "--engine", "tarrasch"]);
    assert!((number(&other["lost"]) + 3.0).abs() < 1e-9);
    assert!((by_dimension(&other, "material") + by_dimension(&told, "material")).abs() < 1e-9);
    // The same games as PGN give the same results, including depths.
    let (pgn, _) = why(&bench, "run/games.pgn", &[]);
    assert_eq!((&pgn["names"], &pgn["pairs"]), (&told["names"], &told["pairs"]));
    assert_eq!(pgn["groups"], told["groups"]);
    let has_depth =
        |told: &Value| told["causes"].as_array().unwrap().iter().any(|cause| cause["kind"] == "depth");
    assert!(has_depth(&pgn) && has_depth(&told), "{pgn}");
}
