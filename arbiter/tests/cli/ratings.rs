//! `arbiter rate`: rating lists of PGN files and runs; and `arbiter sprt plan`.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use arbiter::rating::plan::PlanReport;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

fn game(white: &str, black: &str, result: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n")
}

/// Three players with mixed results, one that won all games, and one without a result.
fn pool() -> String {
    let results = [
        ("new", "old", "1-0"),
        ("old", "new", "1/2-1/2"),
        ("new", "seed", "1-0"),
        ("seed", "new", "1-0"),
        ("old", "seed", "1/2-1/2"),
        ("seed", "old", "0-1"),
        ("ace", "new", "1-0"),
        ("old", "ace", "0-1"),
        ("idle", "new", "*"),
    ];
    results.iter().map(|(white, black, result)| game(white, black, result)).collect()
}

#[test]
fn the_list_has_players_with_and_without_a_rating() {
    let bench = Workbench::new();
    bench.write("games.pgn", &pool());
    let text = bench.run("rate games.pgn").expect_code(0).stdout();
    insta::assert_snapshot!(text);
}

#[test]
fn a_list_shows_who_was_asked_for_and_rates_by_all_games() {
    let bench = Workbench::new();
    let draws = |one: &str, other: &str| (game(one, other, "1/2-1/2") + &game(other, one, "1-0")).repeat(8);
    let mut text =
        draws("Alpha 1", "Alpha 2") + &draws("Alpha 2", "Beta 1") + &game("lucky", "Beta 1", "1-0");
    for group in 0..12 {
        text += &draws(&format!("x{group}"), &format!("y{group}"));
    }
    bench.write("games.pgn", &text);
    let rate = |args: &str| bench.run(&format!("rate games.pgn {args}")).expect_code(0).stdout();
    let json = |args: &str| -> Value { serde_json::from_str(&rate(&format!("{args} --json"))).unwrap() };
    let names = |list: &Value| -> Vec<String> {
        list["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let whole = json("");
    // One win takes nobody to the top.
    assert_eq!(names(&whole)[3], "lucky");
    let some = json("--only ^Alpha --only Beta --exclude 2$ --min-games 2");
    assert_eq!((names(&some).len(), &some["unlisted"]), (2, &Value::from(names(&whole).len() - 2)));
    let place = names(&whole).iter().position(|name| *name == names(&some)[0]).unwrap();
    assert_eq!(some["players"][0]["rating"], whole["players"][place]["rating"]);
    assert_eq!(some["cfs"][0][1], some["players"][0]["cfs_next"]);
    assert_eq!(names(&json("--top 2")), names(&whole)[..2]);
    let text = rate("");
    for words in ["Group 8,", "5 smaller groups of 10 players not shown, the largest with 2 players"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("Group 9,") && !rate("--top 2").contains("Group 2"), "{text}");
    bench.run("rate games.pgn --only nobody").expect_code(2);
}

#[test]
fn a_run_folder_is_rated_as_its_games_are() {
    let bench = Workbench::with_mocks(&["well"]);
    let args = ["match", TARRASCH, "well", "--openings", "book.epd", "--games", "4", "--nodes", "100"];
    bench.run(&[&args[..], &["--out", "run"]].concat()).expect_code(0);
    let of_run = bench.run("rate run").expect_code(0).stdout();
    assert_eq!(of_run, bench.run("rate run/games.pgn").expect_code(0).stdout());
    let both = bench.run("rate run run/games.pgn").expect_code(0).stdout();
    assert_eq!(both, format!("{of_run}  Excluded: 4 games counted already\n"));
    assert!(of_run.contains("4 games, 2 players"), "{of_run}");
    let mut packed =
        GzEncoder::new(File::create(bench.path("run/events.jsonl.gz")).unwrap(), Compression::default());
    packed.write_all(bench.read("run/events.jsonl").as_bytes()).unwrap();
    packed.finish().unwrap();
    fs::remove_file(bench.path("run/events.jsonl")).unwrap();
    fs::rename(bench.path("run/games.pgn"), bench.path("games.pgn")).unwrap();
    assert_eq!(of_run, bench.run("rate run").expect_code(0).stdout(), "from the compressed journal");
    fs::remove_file(bench.path("run/events.jsonl.gz")).unwrap();
    fs::rename(bench.path("games.pgn"), bench.path("run/games.pgn")).unwrap();
    assert_eq!(of_run, bench.run("rate run").expect_code(0).stdout(), "without a journal");
}

/// Games in pairs, `(start, outcome of the first player in both games)`, each in half points.
fn paired(players: &[&str], pairs: &[(&str, usize, usize)]) -> String {
    let mut text = String::new();
    for (number, &(start, first, second)) in pairs.iter().enumerate() {
        // Positions that differ by the number of the move.
        let start = start.bytes().fold(1, |sum, letter| (31 * sum + u32::from(letter)) % 9973);
        let black = players[1 + number % (players.len() - 1)];
        for (white, black, points) in [(players[0], black, first), (black, players[0], 2 - second)] {
            let result = ["0-1", "1/2-1/2", "1-0"][points];
            let _ = write!(
                text,
                "[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {start}\"]\n\n1. e4 {result}\n\n",
                number + 1
            );
        }
    }
    text
}

#[test]
fn two_players_have_the_numbers_of_sprt_to_the_last_digit() {
    let bench = Workbench::new();
    let lopsided: Vec<_> =
        (0..200).map(|n| ("s", 2 * usize::from(n % 2 == 0), 2 * usize::from(n % 2 == 1))).collect();
    let won = vec![("s", 2, 1); 9];
    let mixed = [&lopsided[..], &won[..]].concat();
    let few = [("s", 1, 1), ("s", 2, 2), ("s", 2, 0)];
    let gauntlet =
        paired(&["new", "old"], &[("a", 2, 0), ("b", 2, 1), ("c", 0, 1), ("d", 1, 1), ("e", 2, 2)]);
    let unpaired = gauntlet.clone() + &game("new", "old", "1-0") + &game("old", "new", "1-0");
    let singles = pool().lines().filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n");
    let singles = singles.replace("seed", "old").replace("ace", "old").replace("idle", "old");
    let singles = singles
        .replace("[White \"old\"]\n[Black \"old\"]", "[White \"?\"]\n[Black \"old\"]")
        .replace(']', "]\n");
    for (name, text) in [
        ("lopsided", paired(&["new", "old"], &mixed)),
        ("won", paired(&["new", "old"], &won)),
        ("few", paired(&["new", "old"], &few)),
        ("gauntlet", gauntlet),
        ("unpaired", unpaired),
        ("singles", singles),
    ] {
        bench.write("games.pgn", &text);
        assert_agree(&bench, "games.pgn", name);
    }
}

/// `rate` and `sprt` say the same of a file or run of two players, in JSON and in words.
fn assert_agree(bench: &Workbench, source: &str, name: &str) {
    let said = |args: &[&str]| bench.run(args).expect_code(0).stdout();
    let rated: Value = serde_json::from_str(&said(&["rate", source, "--json"])).unwrap();
    let first = rated["players"][0]["name"].as_str().unwrap().to_owned();
    let sprt: Value = serde_json::from_str(&said(&["sprt", source, "--engine", &first, "--json"])).unwrap();
    for end in ["elo", "lower", "upper"] {
        assert_eq!(rated["difference"][end].to_string(), sprt["elo"][end].to_string(), "{name} {end}");
    }
    assert_eq!(rated["players"][0]["cfs_next"], sprt["los"], "{name}");
    let (shown, calculated) = (said(&["rate", source]), said(&["sprt", source, "--engine", &first]));
    for label in ["Elo (95%)", "LOS"] {
        let line = calculated.lines().find(|line| line.trim_start().starts_with(label)).unwrap();
        let value = line.trim_start()[label.len()..].trim();
        assert!(shown.contains(value), "{name}: {value} in\n{shown}");
    }
}

/// A folder of `results/`.
fn committed(folder: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../results")).join(folder)
}

#[test]
fn real_files_of_two_players_have_the_numbers_of_sprt() {
    let bench = Workbench::new();
    for run in ["tarrasch-glaurung", "tarrasch-gnuchess"] {
        let folder = committed(run);
        assert_agree(&bench, folder.to_str().unwrap(), run);
        assert_agree(&bench, folder.join("games.pgn").to_str().unwrap(), run);
    }
    // Two runs are a gauntlet, a league is everybody's: each is cut down to two players.
    let gauntlet = ["tarrasch-glaurung", "tarrasch-gnuchess"]
        .map(|run| fs::read_to_string(committed(run).join("games.pgn")).unwrap())
        .concat();
    let league = fs::read_to_string(committed("league-2026-11").join("results.pgn")).unwrap();
    for (name, text, begin, opponent) in [
        ("gauntlet", gauntlet, "[Event ", "gnuchess"),
        ("league", league.clone(), "[White ", "glaurung"),
        ("league", league, "[White ", "thomartin"),
    ] {
        let played = |game: &&str| {
            ["tarrasch", opponent].iter().all(|player| {
                ["White", "Black"].iter().any(|side| game.contains(&format!("{side} \"{player}\"]")))
            })
        };
        let cut = text.split(begin).map(|game| format!("{begin}{game}")).collect::<Vec<_>>();
        let cut: String = cut.iter().map(String::as_str).filter(played).collect();
        bench.write("cut.pgn", &cut);
        assert_agree(&bench, "cut.pgn", &format!("{name}, {opponent}"));
    }
    // A round of its own for each game.
    let line = format!(
        "cutechess -engine cmd={TARRASCH} name=A -engine cmd={MOCK_ENGINE} name=B arg=well -each proto=uci tc=inf nodes=100 \
         -games 2 -rounds 4 -repeat -openings file=book.epd format=epd -maxmoves 30 -pgnout games.pgn"
    );
    bench.run(&line.split_whitespace().collect::<Vec<_>>()).expect_code(0);
    assert_agree(&bench, "games.pgn", "as cutechess");
}

#[test]
fn the_difference_of_a_match_is_the_same_wherever_it_is_shown() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("run")).unwrap();
    for file in ["events.jsonl.gz", "games.csv", "games.pgn", "run.toml", "summary.json"] {
        fs::copy(committed("tarrasch-glaurung").join(file), bench.path("run").join(file)).unwrap();
    }
    let said = |args: &[&str]| bench.run(args).expect_code(0).stdout();
    let json = |args: &[&str]| serde_json::from_str::<Value>(&said(args)).unwrap();
    let merged = said(&["merge", "run", "--out", "merged"]);
    said(&["report", "run", "--out", "page.html"]);
    let rated = json(&["rate", "run", "--json"]);
    for folder in ["run", "merged"] {
        let pairing = json(&["report", folder, "--json"])["runs"][0]["summary"]["pairings"][0].clone();
        assert_eq!(pairing["elo"], rated["difference"]);
        assert_eq!(pairing["los"], rated["players"][0]["cfs_next"]);
    }
    let [elo, lower, upper] =
        ["elo", "lower", "upper"].map(|end| format!("{:+.1}", rated["difference"][end].as_f64().unwrap()));
    let difference = format!("{elo} [{lower}, {upper}]");
    let markdown = said(&["report", "run", "--markdown"]).replace('\\', "");
    for text in [merged, said(&["status", "run"]), markdown, bench.read("page.html")] {
        assert!(text.contains(&difference), "{difference} in {}", &text[..text.len().min(3000)]);
    }
}

#[test]
fn pairs_and_shared_openings_are_counted_and_an_advantage_without_end_has_a_bound() {
    let bench = Workbench::new();
    let starts: Vec<String> = (0..20).map(|number| format!("start {number}")).collect();
    let pairs: Vec<_> = (0..40).map(|number| (&*starts[number / 2], 1 + number % 2, 1)).collect();
    bench.write("games.pgn", &paired(&["a", "b", "c"], &pairs));
    let text = bench.run("rate games.pgn").expect_code(0).stdout();
    assert!(text.contains("80 games, 3 players; 40 pairs found, 20 openings shared"), "{text}");
    let won = (0..40).map(|number| ("s", 2, usize::from(number % 10 == 0))).collect::<Vec<_>>();
    bench.write("white.pgn", &paired(&["a", "b"], &won));
    let text = bench.run("rate white.pgn").expect_code(0).stdout();
    assert!(text.contains("White advantage: above +") && !text.contains("unknown"), "{text}");
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
