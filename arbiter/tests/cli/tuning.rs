//! `arbiter tune`: values that games choose, and values that another program chooses.

use std::path::Path;

use serde_json::Value;

use crate::json_schema;
use crate::workbench::{TARRASCH, Workbench};

/// Tarrasch at a strength that one of its options says.
fn limited() -> String {
    format!("{TARRASCH}:UCI_LimitStrength=true,Seed=1")
}

/// Games that are soon over.
const QUICK: [&str; 8] =
    ["--nodes", "200", "--seed", "1", "--draw", "move=30,count=4,score=20", "--resign", "count=2,score=400"];

#[test]
fn games_find_that_more_elo_is_better() {
    let bench = Workbench::new();
    bench.write(
        "spec.csv",
        "# name, type, value, min, max, c_end, r_end\nUCI_Elo, int, 1400, 1200, 3000, 200, 0.1\n",
    );
    let engine = limited();
    let args =
        ["tune", &engine, "--spec", "spec.csv", "--games", "100", "--concurrency", "2", "--out", "run"];
    bench.run(&[&args[..], &QUICK].concat()).expect_code(0).shows(&["By chance", "arbiter report --tuned"]);

    let tuned = |form: &str| bench.run(&["report", "--tuned", form, "run"]).expect_code(0).stdout();
    let elo: i32 = tuned("options").trim().strip_prefix("UCI_Elo=").unwrap().parse().unwrap();
    assert!(elo > 1600, "{elo}");
    assert_eq!(tuned("spec"), format!("UCI_Elo, int, {elo}, 1200, 3000, 200, 0.1\n"));
    assert_eq!(tuned("c"), format!("int UCI_Elo = {elo};\n"));
    assert_eq!(tuned("rust"), format!("const UCI_ELO: i32 = {elo};\n"));
    let page = bench.read("run/report.html");
    assert!(page.contains("UCI_Elo") && page.contains("Tuning"), "the page does not show the values");
    bench
        .run("report --markdown run")
        .expect_code(0)
        .shows(&["| UCI\\_Elo | 1400 |", "1 parameter tuned in"]);
    assert!(bench.run("status run").expect_code(0).stdout().contains("UCI_Elo"));
    let json = bench.run("report --json run").expect_code(0).stdout();
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json_schema::problems(&json, &json_schema::named("report")), Vec::<String>::new());
    assert_eq!(json["runs"][0]["summary"]["tuned"][0]["text"], elo.to_string());

    // What was found is where the next run begins.
    bench.write("next.csv", &tuned("spec"));
    let next = ["tune", &engine, "--spec", "next.csv", "--games", "2", "--concurrency", "1", "--out", "next"];
    bench.run(&[&next[..], &QUICK].concat()).expect_code(0).shows(&[&elo.to_string()]);
}

#[test]
fn a_spec_that_cannot_be_tuned_is_refused_before_the_folder_is_made() {
    let bench = Workbench::new();
    let refused = |engine: &str, spec: &str| {
        bench.write("spec.csv", spec);
        let args = ["tune", engine, "--spec", "spec.csv", "--nodes", "10", "--out", "run"];
        let message = bench.run(&args).expect_code(2).stderr();
        assert!(!bench.path("run").exists());
        message
    };
    let message = refused(TARRASCH, "Hash, int, 16, 1, 64\n");
    assert!(message.contains("spec.csv: line 1: expected the 7 columns"), "{message}");
    let message = refused(TARRASCH, "Hash, int, 16, 64, 1, 2, 0.1\n");
    assert!(message.contains("spec.csv: line 1: min, max: expected min below max"), "{message}");
    let message = refused(TARRASCH, "Hasch, int, 16, 1, 64, 2, 0.1\n");
    assert!(message.contains("parameter Hasch") && message.contains("did you mean `Hash`"), "{message}");
    let message = refused(TARRASCH, "Hash, int, 16, 0, 64, 2, 0.1\n");
    assert!(message.contains("parameter Hash") && message.contains("min 1"), "{message}");
    let message = refused(&format!("{TARRASCH}:Hash=4"), "Hash, int, 16, 1, 64, 2, 0.1\n");
    assert!(message.contains("parameter Hash: the engine sets this option, too"), "{message}");
    bench.run(&["tune", TARRASCH]).expect_code(2).tells(&["--spec"]);
}

#[test]
fn the_values_of_a_run_that_tunes_nothing_are_refused() {
    let bench = Workbench::with_mocks(&["well"]);
    let games = ["match", "well", "well:Hash=2", "--nodes", "9", "--games", "2", "--openings", "book.epd"];
    bench.run(&[&games[..], &["--maxmoves", "4", "--out", "run"]].concat()).expect_code(0);
    bench.run("report --tuned spec run").expect_code(2).tells(&["run: expected a run of `arbiter tune`"]);
}

#[test]
fn another_program_asks_for_scores() {
    let bench = Workbench::new();
    let engine = format!("{}=1500", limited() + ",UCI_Elo");
    let args = ["tune", &engine, "--ask-tell", "--games", "20", "--concurrency", "1", "--out", "asked"];
    let args = [&args[..], &QUICK].concat();
    let asked = "{\"UCI_Elo\": 2400}\n{\"UCI_Elo\": 1200}\n";
    let answers = bench.run_with_input(&args, asked).expect_code(0).stdout();
    let lines: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [strong, weak] = &lines[..] else { panic!("{answers}") };
    assert!(strong["score"].as_f64() > weak["score"].as_f64(), "{answers}");
    assert!(weak["error"].as_f64() > Some(0.0) && weak["games"] == 20, "{answers}");
    assert!(
        bench.path("asked/2/games.pgn").is_file()
            && Path::new(strong["run"].as_str().unwrap()).ends_with("1")
    );

    // The same lines are answered from the folders, other ones are not.
    assert_eq!(bench.run_with_input(&args, asked).expect_code(0).stdout(), answers);
    let message = bench.run_with_input(&args, "{\"UCI_Elo\": 2000}\n").expect_code(2).stderr();
    assert!(message.contains("line 1: asked/1: this run was played with other values"), "{message}");
    let longer = [&args[..], &["--maxmoves", "9"]].concat();
    let message = bench.run_with_input(&longer, asked).expect_code(2).stderr();
    assert!(message.contains("line 1: asked/1: `adjudication` in its run.toml is not that of"), "{message}");
    bench.run_with_input(&args, "\nUCI_Elo=2000\n").expect_code(2).tells(&["line 2: expected a JSON object"]);
    for (line, expected) in [
        ("{\"UCI_Ello\": 2000}", "line 1: no option `UCI_Ello` (did you mean `UCI_Elo`?)"),
        ("{\"UCI_Elo\": 20000}", "line 1: option `UCI_Elo`"),
        ("{\"Hash\": 1, \"hash\": 2}", "line 1: hash: the line has this option twice"),
    ] {
        bench.run_with_input(&args, line).expect_code(2).tells(&[expected]);
    }
}

#[test]
fn a_series_goes_on_with_its_own_seed_and_in_no_folder_of_others() {
    let bench = Workbench::with_mocks(&["well"]);
    let args = ["tune", "well", "--ask-tell", "--nodes", "9", "--games", "2", "--openings", "book.epd"];
    let args = [&args[..], &["--maxmoves", "4", "--out"]].concat();
    let ask = |out: &str, lines: &str| bench.run_with_input(&[&args[..], &[out]].concat(), lines);
    let both = "{\"Hash\": 2}\n{\"Hash\": 4}\n";
    let first = ask("asked", "{\"Hash\": 2}\n").expect_code(0).stdout();
    let answers = ask("asked", both).expect_code(0).stdout();
    assert!(answers.starts_with(&first) && answers.lines().count() == 2, "{answers}");
    // The pairs were level, which is no certainty.
    let answer: Value = serde_json::from_str(&first).unwrap();
    assert!(answer["error"].as_f64() > Some(0.0), "{first}");

    for out in ["mine", "mine/2"] {
        bench.write("mine/2/1/thesis.txt", "precious");
        ask(out, both).expect_code(2).tells(&["the folder is not empty"]);
    }
    assert_eq!(bench.read("mine/2/1/thesis.txt"), "precious");
}

#[test]
fn positions_are_searched_with_the_values_too_and_only_once() {
    let bench = Workbench::new();
    bench.write("mates.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\";\n");
    bench.write("other.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra7; id \"not best\";\n");
    let args =
        ["tune", TARRASCH, "--ask-tell", "--games", "2", "--nodes", "9", "--maxmoves", "4", "--out", "asked"];
    let ask = |more: &[&str]| bench.run_with_input(&[&args[..], more].concat(), "{\"Hash\": 2}\n");
    let both = ["--suite", "mates.epd", "--suite", "other.epd"];
    let answer = ask(&both).expect_code(0).shows(&["\"solved\":1,\"positions\":2,"]).stdout();
    let file = bench.read("asked/1/tactics.toml");
    assert!(file.contains("go nodes 10000") && file.contains("solved = [\"back rank\"]"), "{file}");
    // What was found is read, not searched again.
    bench.write("asked/1/tactics.toml", &file.replace("[\"back rank\"]", "[]"));
    assert_eq!(ask(&both).expect_code(0).stdout(), answer.replace("\"solved\":1", "\"solved\":0"));
    for other in [&both[..2], &[&both[..], &["--suite-nodes", "99"]].concat()] {
        ask(other).expect_code(2).tells(&["tactics.toml: found by other --suite or --suite-nodes"]);
    }
    assert!(!ask(&[]).expect_code(0).stdout().contains("solved"));
    bench.run(&["tune", TARRASCH, "--spec", "x.csv", "--suite", "mates.epd"]).expect_code(2);
    bench
        .run(&[&args[..9], &["--suite", "none.epd"]].concat())
        .expect_code(2)
        .tells(&["--suite none.epd: expected a file"]);
}

#[test]
fn an_engine_that_breaks_is_counted_in_the_answer() {
    let bench = Workbench::with_mocks(&["crash"]);
    let args = ["tune", "crash", "--ask-tell", "--nodes", "9", "--games", "2", "--openings", "book.epd"];
    let ask = |more: &[&str]| bench.run_with_input(&[&args[..], more].concat(), "{\"Hash\": 2}\n");
    ask(&["--out", "asked"]).expect_code(0).shows(&["\"faults\":2,"]);
    ask(&["--out", "strict", "--strict"]).expect_code(4);
}
