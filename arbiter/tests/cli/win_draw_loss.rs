//! `arbiter wdl`: the chances of win, draw and loss by an engine's scores.

use std::fmt::Write as _;

use serde_json::Value;

use crate::json_schema;
use crate::workbench::Workbench;

const MOVES: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O O-O Nbd2 a6 a4 h6 h3 Re8 Re1 Be6";

/// Games in which White's score stays as it is and the results are those of the model with a = 100 and b = 50.
fn games(openings: u32, of_each: u32) -> String {
    let won = |score: f64| 1.0 / (1.0 + ((100.0 - score) / 50.0).exp());
    let mut text = String::new();
    for score in (-4..=4).map(|level| 50.0 * f64::from(level)) {
        for number in 0..openings * of_each {
            let place = (f64::from(number % of_each) + 0.5) / f64::from(of_each);
            let result = match place {
                place if place < won(score) => "1-0",
                place if place > 1.0 - won(-score) => "0-1",
                _ => "1/2-1/2",
            };
            // The number of the first move tells openings apart.
            let fen = format!(
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {}",
                18 + 2 * (number / of_each)
            );
            let tags = [("White", "one"), ("Black", "two"), ("Result", result), ("FEN", &fen)];
            for (name, value) in tags {
                writeln!(text, "[{name} \"{value}\"]").unwrap();
            }
            for (san, sign) in MOVES.split(' ').zip([1.0, -1.0].into_iter().cycle()) {
                write!(text, "\n{san} {{{:+.2}/9 0.1s}}", sign * score / 100.0).unwrap();
            }
            writeln!(text, " {result}\n").unwrap();
        }
    }
    text
}

#[test]
fn the_model_that_the_results_follow_is_found_and_told_as_code_numbers_and_page() {
    let bench = Workbench::new();
    bench.write("games.pgn", &games(10, 20));
    let command = ["wdl", "games.pgn", "--by", "move", "--html", "wdl.html"];
    let text = bench.run(&command).expect_code(0).stdout();
    for words in [
        "1,800 games, 36,000 positions with scores",
        "wins half of the games at move 32 (NormalizeToPawnValue)",
        "constexpr double as[] = {",
        "const WDL_B: [f64; 4] = [",
        "setoption name WDL_A3 value ",
        "0.4 to 0.5",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let page = bench.read("wdl.html");
    assert!(page.contains("Win, model") && page.contains("Games held out"), "{page}");
    let of_one = ["wdl", "games.pgn", "--by", "move", "--engine", "one", "--json"];
    let json: Value = serde_json::from_str(&bench.run(&of_one).expect_code(0).stdout()).unwrap();
    assert_eq!(json_schema::problems(&json, &json_schema::named("wdl")), Vec::<String>::new());
    assert_eq!((&json["positions"], &json["engines"]), (&Value::from(18_000), &Value::from(vec!["one"])));
    let figure = |name: &str| json[name]["value"].as_f64().unwrap();
    assert!((figure("normalize_to_pawn_value") - 100.0).abs() < 5.0, "{json}");
    // What happens less than once in forty games never happens in twenty, so the steps are steeper than 50.
    assert!((figure("spread") - 50.0).abs() < 8.0, "{json}");
    assert!((json["draws_at_zero"].as_f64().unwrap() - 0.76).abs() < 0.07, "{json}");
}

#[test]
fn games_that_tell_no_model_are_refused() {
    let bench = Workbench::new();
    let text = games(10, 1);
    bench.write("games.pgn", &text);
    bench.write("few.pgn", &games(1, 1));
    bench.write("drawn.pgn", &text.replace("1-0", "1/2-1/2").replace("0-1", "1/2-1/2"));
    bench.write("silent.pgn", &text.replace("/9 0.1s", ""));
    for (command, words) in [
        (
            &["wdl", "games.pgn", "--engine", "three"][..],
            "--engine three: not a player of these games; the players are one, two",
        ),
        (
            &["wdl", "few.pgn"],
            "expected at least 50 finished games with scores of ±400 cp, found 9 (0 games without)",
        ),
        (&["wdl", "silent.pgn"], "found 0 (90 games without)"),
        (&["wdl", "drawn.pgn"], "expected games of which some were drawn and others not"),
    ] {
        bench.run(command).expect_code(2).tells(&[words]);
    }
}
