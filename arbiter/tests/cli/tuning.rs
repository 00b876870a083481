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
