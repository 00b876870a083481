//! `arbiter sprt`, with results from every source, and `arbiter sprt plan`.

use arbiter::rating::plan::PlanReport;
use serde_json::Value;

use crate::json_schema;
use crate::workbench::Workbench;

/// The output of the command with these arguments and this exit code.
fn sprt(bench: &Workbench, args: &[&str], code: i32) -> String {
    bench.run(&[&["sprt"], args].concat()).expect_code(code).stdout()
}

fn assert_has(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "expected `{word}` in:\n{text}");
    }
}

#[test]
fn the_exit_code_is_the_verdict_of_the_test() {
    let bench = Workbench::new();
    let pairs = ["--ptnml", "199,1517,3095,1685,234", "--sprt", "0,3", "--beta", "0.1"];
    // After so many pairs the bounds of the curved test are still nearer than Wald's.
    assert_has(
        &sprt(&bench, &pairs, 0),
        &["LLR           2.89 (-2.07, 2.41) [0, 3] nElo, curved: H1 accepted"],
    );
    let accepted = sprt(&bench, &[&pairs[..], &["--sprt-test", "wald"]].concat(), 0);
    assert_has(
        &accepted,
        &[
            "+6.14 ± 3.55",
            "+10.16 ± 5.87",
            "99.97%",
            "LLR           2.89 (-2.25, 2.89) [0, 3] nElo: H1 accepted",
        ],
    );
    let rejected =
        sprt(&bench, &["--wdl", "21404,40708,29184", "--sprt", "0.5,2.5", "--model", "logistic"], 1);
    assert_has(&rejected, &["[0.5, 2.5] Elo, curved: H0 accepted"]);
    assert_has(&sprt(&bench, &["--wdl", "1,2,3", "--sprt", "-3,0"], 3), &["undecided"]);
    assert!(!sprt(&bench, &["--wdl", "1,2,3"], 0).contains("LLR"));
}

#[test]
fn counts_may_have_brackets_as_fastchess_prints_them() {
    let bench = Workbench::new();
    let plain = sprt(&bench, &["--ptnml", "1,2,3,4,5"], 0);
    assert_eq!(sprt(&bench, &["--ptnml", "[1, 2, 3, 4, 5]"], 0), plain);
}

#[test]
fn json_has_every_number() {
    let bench = Workbench::new();
    let text = sprt(&bench, &["--ptnml", "0,0,0,0,9", "--sprt", "0,5", "--json"], 3);
    let report: arbiter::rating::sprt::SprtReport = serde_json::from_str(&text).unwrap();
    assert_eq!((report.schema, report.games, report.estimates.pair_ratio), (2, 18, None));
    assert!(report.estimates.elo.upper.value().is_infinite() && report.estimates.elo.lower.value() > 0.0);
    assert!(report.estimates.sprt.unwrap().llr.value() > 0.0);
}

#[test]
fn a_run_is_computed_again_with_its_own_test_and_with_another() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "8", "--sprt", "0,5"];
    let args = [&["match", "well", "binary", "--openings", "book.epd", "--out", "run"], &limits[..]].concat();
    bench.run(&args).expect_code(3);
    let of_run = sprt(&bench, &["run"], 3);
    assert_has(&of_run, &["well vs binary", "Games         8: W ", "[0, 5] nElo, curved: undecided"]);
    let other_test = sprt(
        &bench,
        &["run", "--sprt=-900,-800", "--model", "logistic", "--alpha", "0.4", "--beta", "0.4"],
        0,
    );
    assert_has(&other_test, &["[-900, -800] Elo, curved: H1 accepted"]);
    let games = sprt(&bench, &["run/games.pgn"], 0);
    let of_games = games.lines().filter(|line| !line.contains("pairs found by round"));
    assert!(of_run.lines().filter(|line| !line.contains("LLR")).eq(of_games), "{of_run}\n{games}");
    let reversed = sprt(&bench, &["run", "--engine", "binary"], 3);
    assert_has(&reversed, &["binary vs well"]);
}

#[test]
fn games_after_the_decision_are_excluded() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "4", "--sprt", "0,5"];
    let args = [&["match", "well", "binary", "--openings", "book.epd", "--out", "run"], &limits[..]].concat();
    bench.run(&args).expect_code(3);
    let before = sprt(&bench, &["run"], 3);
    let journal = bench.read("run/events.jsonl");
    let last = journal.rfind("{\"event\":\"game_finished\"").unwrap();
    let late = journal[last..].replacen("\"moves\":", "\"after_decision\":true,\"moves\":", 1);
    bench.write("run/events.jsonl", &(journal[..last].to_owned() + &late));
    let text = sprt(&bench, &["run"], 3);
    assert_has(&before, &["Games         4: W "]);
    assert_has(
        &text,
        &["1 unpaired game: counted in Games only", "1 game excluded: finished after the SPRT had stopped"],
    );
}

/// A game as other programs write it.
fn pgn(white: &str, black: &str, result: &str, round: &str, fen: &str) -> String {
    format!(
        "[Event \"?\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 {{+0.31/12 0.5s}} e5 {result}\n\n"
    )
}

#[test]
fn games_of_other_programs_are_paired_by_round_and_start() {
    let bench = Workbench::new();
    let (a, b) = ("8/8/4k3/8/8/4K3/8/R7 w - - 0 1", "8/8/4k3/8/8/4K3/8/Q7 w - - 0 1");
    let games = [
        pgn("new", "old", "1-0", "1", a),
        pgn("new", "old", "1/2-1/2", "2", b),
        pgn("old", "new", "0-1", "1", a),
        pgn("old", "new", "1-0", "2", b),
        pgn("new", "old", "*", "3", a),
        pgn("?", "old", "1-0", "3", a),
        pgn("old", "new", "1-0", "4", a),
    ];
    bench.write("games.pgn", &games.concat());
    let text = sprt(&bench, &["games.pgn"], 0);
    assert_has(
        &text,
        &[
            "new vs old",
            "Games         5: W 2 D 1 L 2, points 2.5",
            "Ptnml(0-2)    [0, 1, 0, 0, 1]",
            "2 pairs found by round and start position",
            "1 unpaired game: counted in Games only",
            "1 game excluded: no result",
            "1 game excluded: a player has no name",
        ],
    );
    let text = sprt(&bench, &["games.pgn", "--engine", "old"], 0);
    assert_has(&text, &["old vs new", "Ptnml(0-2)    [1, 0, 0, 1, 0]"]);
}

#[test]
fn games_from_the_usual_start_are_paired_by_book_or_by_shared_moves() {
    let bench = Workbench::new();
    let openings =
        ["1. e4 {book} e5 {book} 2. Nf3 {book} Nc6 {book} 3. ", "1. d4 {book} d5 {book} 2. Nf3 Nf6 3. "];
    let match_of = |openings: &[&str]| -> String {
        let players = [("new", "old"), ("old", "new")].iter().zip(["a3", "b3"]);
        let games = openings.iter().flat_map(|opening| players.clone().map(move |who| (opening, who)));
        let game = |(round, (opening, (&(white, black), last))): (usize, (&&str, _))| {
            format!(
                "[Round \"{round}.1\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{opening}{last} 1-0\n\n"
            )
        };
        games.enumerate().map(game).collect()
    };
    bench.write("book.pgn", &match_of(&openings));
    bench.write("plain.pgn", &match_of(&openings).replace(" {book}", ""));
    bench.write("alike.pgn", &match_of(&[openings[0]; 3]).replace(" {book}", ""));
    for (file, words) in [
        ("book.pgn", ["Ptnml(0-2)    [0, 0, 2, 0, 0]", "2 pairs found by their book moves"]),
        ("plain.pgn", ["Ptnml(0-2)    [0, 0, 2, 0, 0]", "2 pairs found by the moves that only they share"]),
        ("alike.pgn", ["Games         6: W 3 D 0 L 3", "W 3 D 0 L 3"]),
    ] {
        assert_has(&sprt(&bench, &[file], 0), &words);
    }
    assert!(!sprt(&bench, &["alike.pgn"], 0).contains("found by"));
}

#[test]
fn games_that_are_not_paired_are_single_games() {
    let bench = Workbench::new();
    let game = |number: usize, white, black| {
        let round = number.to_string();
        pgn(white, black, "1-0", &round, "start").replace("[FEN \"start\"]\n", "")
    };
    bench.write("a.pgn", &[game(1, "new", "old"), game(2, "old", "new")].concat());
    bench.write("b.pgn", &[game(1, "new", "other"), game(2, "old", "other")].concat());
    let text = sprt(&bench, &["a.pgn", "b.pgn", "--engine", "new"], 0);
    assert_has(
        &text,
        &["new vs old, other", "Games         3: W 2 D 0 L 1", "trinomial", "1 game excluded: between other"],
    );
}

#[test]
fn a_forecast_is_the_same_every_time() {
    let bench = Workbench::new();
    let args =
        ["--sprt", "0,60", "--expect", "0,60", "--simulations", "60", "--draws", "0.4", "--bias", "80"];
    let text = sprt(&bench, &args, 0);
    assert_has(
        &text,
        &["60 simulations", "draw ratio 40.0% between equal engines", "a bias of 80 Elo", "True nElo"],
    );
    assert_eq!(sprt(&bench, &args, 0), text);
    let json = sprt(&bench, &[&args[..], &["--seed", "2", "--json"]].concat(), 0);
    let report: arbiter::rating::sprt::SprtReport = serde_json::from_str(&json).unwrap();
    let forecast = report.forecast.unwrap();
    assert_eq!((forecast.seed, forecast.forecasts.len()), (2, 2));
    assert!(forecast.forecasts[0].accepted_h1 < forecast.forecasts[1].accepted_h1);
    let observed = sprt(
        &bench,
        &["--ptnml", "10,20,40,20,10", "--sprt", "0,60", "--expect", "0", "--simulations", "5"],
        3,
    );
    assert_has(&observed, &["LLR", "results as in the match, shifted to each Elo difference"]);
}

#[test]
fn an_error_names_its_place() {
    let bench = Workbench::new();
    let game = pgn("new", "old", "1-0", "1", "8/8/4k3/8/8/4K3/8/R7 w - - 0 1");
    bench.write("cut.pgn", &format!("{game}{}", &game[..game.len() - 8]));
    bench.write("open.pgn", &game.replace('}', ""));
    bench.write("tag.pgn", &game.replace("\"old\"", "old"));
    bench.write("empty.pgn", "");
    bench.write("unknown.pgn", &game.replace("1-0", "*"));
    bench.write("alone.pgn", &game.replace("\"old\"", "\"new\""));
    bench.write("three.pgn", &format!("{game}{}", pgn("new", "third", "1-0", "2", "")));
    bench.write("folder/notes.txt", "no run");
    for (args, words) in [
        (&[][..], &["expected a run folder, PGN files", "--ptnml", "--wdl", "--expect"][..]),
        (&["--ptnml", "1,2,3,4"], &["--ptnml", "expected 5 whole numbers", "found 4"]),
        (&["--ptnml", "1,2,x,4,5"], &["--ptnml", "found `x`"]),
        (&["--ptnml", "1,2,-3,4,5"], &["--ptnml", "`-3`"]),
        (&["--wdl", "1,2,99999999999999999999"], &["--wdl", "`99999999999999999999`"]),
        (&["--wdl", "1,2,3", "--ptnml", "1,2,3,4,5"], &["--wdl", "--ptnml"]),
        (&["--wdl", "1,2,3", "--sprt", "5,0"], &["--sprt", "5 and 0"]),
        (&["--wdl", "1,2,3", "--sprt", "0,5", "--alpha", "1"], &["alpha", "between 0 and 1"]),
        (&["--wdl", "1,2,3", "cut.pgn"], &["--wdl", "DIR|PGN"]),
        (&["--wdl", "1,2,3", "--engine", "new"], &["--engine", "--wdl"]),
        (&["--engine", "new", "--sprt", "0,5"], &["DIR|PGN"]),
        (&["--expect", "3"], &["--expect", "--sprt"]),
        (&["--expect", "much", "--sprt", "0,5"], &["--expect", "'much'"]),
        (&["--expect", "3", "--sprt", "0,5", "--draws", "1.5"], &["--draws", "0 to 0.999"]),
        (&["--expect", "3", "--sprt", "0,5", "--bias", "nan"], &["--bias", "0 to 1000"]),
        (&["--draws", "0.5", "--wdl", "1,2,3"], &["--expect"]),
        (&["gone.pgn"], &["gone.pgn", "expected a run folder or a PGN file"]),
        (&["open.pgn"], &["open.pgn:9: game 1", "comment"]),
        (&["tag.pgn"], &["tag.pgn", "1 without a player's name"]),
        (&["empty.pgn"], &["empty.pgn", "at least one game"]),
        (&["alone.pgn"], &["alone.pgn", "two players", "only one player"]),
        (&["unknown.pgn"], &["unknown.pgn", "at least one game", "1 without a result"]),
        (&["three.pgn"], &["--engine", "the 3 players of three.pgn", "new, old, third"]),
        (&["three.pgn", "--engine", "nobody"], &["--engine nobody", "three.pgn", "new, old, third"]),
        (&["three.pgn", "--engine", "thirt"], &["did you mean `third`?"]),
        (&["folder"], &["folder", "expected a run folder"]),
        (&["folder", "three.pgn"], &["folder", "either one run folder or PGN files"]),
    ] {
        let finished = bench.run(&[&["sprt"], args].concat()).expect_code(2);
        let message = finished.stderr();
        assert!(message.starts_with("error: ") && message.matches("error: ").count() == 1, "{message}");
        assert_eq!(finished.stdout(), "");
        assert_has(&message, words);
    }
    let told = bench.run("sprt cut.pgn").expect_code(0).stderr();
    assert_has(&told, &["1 game skipped", "cut.pgn:19: game 2", "found the end of the file"]);
}

#[test]
fn copies_of_a_game_and_games_after_the_verdict_are_left_out() {
    let bench = Workbench::new();
    let start = "8/8/4k3/8/8/4K3/8/R7 w - - 0 1";
    let pair = pgn("new", "old", "1-0", "1", start) + &pgn("old", "new", "1/2-1/2", "1", start);
    let late = pgn("new", "old", "1-0", "2", "").replace("[Round", "[AfterDecision \"1\"]\n[Round");
    bench.write("a.pgn", &(pair.clone() + &late));
    bench.write("b.pgn", &pair);
    let alone = bench.run("sprt a.pgn").expect_code(0).stdout();
    assert_has(
        &alone,
        &["Games         2: W 1 D 1 L 0", "finished after the SPRT had stopped (W 1 D 0 L 0)"],
    );
    let both = bench.run("sprt a.pgn b.pgn").expect_code(0).stdout();
    assert_has(&both, &["Games         2: W 1 D 1 L 0", "2 games excluded: counted already"]);
    let rated = bench.run("rate a.pgn b.pgn").expect_code(0).stdout();
    let excluded = "Excluded: 1 game finished after the SPRT had stopped, 2 games counted already";
    assert_has(&rated, &["2 games, 2 players", excluded]);
}

#[test]
fn a_damaged_journal_is_refused_with_its_line() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let args = [
        "match", "well", "binary", "--openings", "book.epd", "--out", "run", "--nodes", "20", "--games", "2",
    ];
    bench.run(&[&args[..], &["--maxmoves", "5"]].concat()).expect_code(0);
    let journal = bench.read("run/events.jsonl");
    let mut lines: Vec<&str> = journal.lines().collect();
    lines[2] = "{\"event\":\"game_fin";
    bench.write("run/events.jsonl", &(lines.join("\n") + "\n"));
    let message = bench.run("sprt run").expect_code(2).stderr();
    assert_has(&message, &["run/events.jsonl", "line 3"]);
}

#[test]
fn the_json_of_every_kind_of_source_keeps_to_its_schema() {
    let bench = Workbench::with_mocks(&["well"]);
    let limits =
        ["--nodes", "20", "--maxmoves", "5", "--games", "4", "--openings", "book.epd", "--out", "run"];
    bench.run(&[&["match", "well", "well:Hash=2"][..], &limits[..]].concat()).expect_code(0);
    let schema = json_schema::named("sprt");
    for (source, code) in [
        (&["run", "--sprt", "0,5"][..], 3),
        (&["run/games.pgn", "--engine", "well"], 0),
        (&["--ptnml", "0,0,0,0,9"], 0),
        (&["--wdl", "12,3,9", "--sprt", "0,5", "--expect", "3", "--simulations", "20"], 3),
        (&["--sprt", "0,9", "--expect=-3,0", "--draws", "0.5", "--simulations", "20"], 0),
    ] {
        let value: Value =
            serde_json::from_str(&sprt(&bench, &[source, &["--json"]].concat(), code)).unwrap();
        assert_eq!(json_schema::problems(&value, &schema), Vec::<String>::new(), "{source:?}");
    }
}

fn plan(bench: &Workbench, args: &[&str]) -> String {
    bench.run(&[&["plan"], args].concat()).expect_code(0).stdout()
}

#[test]
fn a_plan_names_the_tests_and_the_command_that_plays_the_best() {
    let bench = Workbench::with_mocks(&["well"]);
    let text = plan(&bench, &["--hours", "8", "--elo", "3", "--tc", "10+0.1", "--concurrency", "4"]);
    for part in [
        "8 h at 480 games/h: 3,840 games",
        "draw ratio 50.0%",
        "[0, 4.2]",
        "8 h are too few",
        "--give-up 0.05",
    ] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let args = ["--hours", "2", "--nelo", "40", "--games-per-hour", "600", "--draws", "0.2", "--json"];
    let report: PlanReport = serde_json::from_str(&plan(&bench, &args)).unwrap();
    assert_eq!((report.games, report.recommended), (1200, 0));
    // The command is one that the program takes; its engines are two of ours here.
    let command = report.command.replace("NEW", "well").replace("OLD", "well:Hash=2").replace("1200", "4");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    let limits = ["--nodes", "20", "--maxmoves", "5", "--openings", "book.epd", "--out", "run"];
    bench.run(&[&words[..], &limits[..]].concat()).expect_code(3);
    let like = plan(&bench, &["--hours", "1", "--elo", "20", "--like", "run"]);
    for part in [
        "as in the 4 games of run",
        "results as in the match",
        "match NEW OLD --nodes 20 --concurrency",
        &format!("--openings .{}book.epd --maxmoves 5 --sprt", std::path::MAIN_SEPARATOR),
    ] {
        assert!(like.contains(part), "`{part}` is missing in:\n{like}");
    }
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let bench = Workbench::new();
    for (args, words) in [
        (&["--hours", "8", "--elo", "3"][..], &["--tc", "--like", "--games-per-hour"][..]),
        (&["--elo", "3", "--tc", "10+0.1"], &["--hours"]),
        (&["--hours", "0", "--elo", "3", "--tc", "1+0.01"], &["--hours", "above 0"]),
        (&["--hours", "8", "--elo", "-3", "--tc", "1+0.01"], &["--elo", "above 0"]),
        (&["--hours", "8", "--elo", "nan", "--tc", "1+0.01"], &["--elo", "above 0"]),
        (&["--hours", "8", "--elo", "3", "--games-per-hour", "0.1"], &["--hours 8", "a pair of games"]),
        (&["--hours", "8", "--elo", "3", "--like", "gone"], &["gone"]),
        (&["--hours", "8", "--elo", "3", "--games-per-hour", "9", "--draws", "2"], &["--draws", "0.999"]),
        (&["--hours", "8", "--elo", "3", "--nelo", "3", "--games-per-hour", "9"], &["--elo", "--nelo"]),
        (&["--hours", "8", "--elo", "3", "--games-per-hour", "9", "--concurrency", "2"], &["--concurrency"]),
    ] {
        let finished = bench.run(&[&["plan"], args].concat()).expect_code(2);
        let message = finished.stderr();
        assert!(message.starts_with("error: ") && finished.stdout().is_empty(), "{message}");
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
}
