//! `arbiter match`: games are played, judged and kept, and the exit code says what came out.

use runner::{Event, FinishReason, RunConfig};

use crate::programs::MOCK_ENGINE;
use crate::workbench::{Finished, Line, TARRASCH, Workbench, events, games, rows, values};

/// Short games whose moves do not depend on the machine.
const SHORT: [&str; 6] = ["--nodes", "200", "--maxmoves", "12", "--seed", "7"];

/// Plays a match with the book of the bench into the folder `run`.
fn play(bench: &Workbench, engines: &[&str], args: &[&str]) -> Finished {
    let mut all = vec!["match"];
    all.extend(engines);
    all.extend(SHORT);
    all.extend(args);
    for (option, value) in [("--out", "run"), ("--openings", "book.epd")] {
        if !args.contains(&option) {
            all.extend([option, value]);
        }
    }
    bench.run(&all)
}

#[test]
fn a_match_leaves_the_whole_run_folder() {
    let bench = Workbench::with_mocks(&["well"]);
    let finished = play(&bench, &[TARRASCH, "well"], &["--games", "6"]).expect_code(0);

    let config: RunConfig = toml::from_str(&bench.read("run/run.toml")).unwrap();
    assert_eq!((config.games, config.book.seed, config.engines.len()), (6, 7, 2));
    assert_eq!(config.engines[0].name, "tarrasch");
    assert!(config.engines.iter().all(|engine| engine.sha256.is_some() && engine.version.is_some()));
    assert_eq!(config.made.unwrap().command[1], "match");

    let events = events(&bench, "run");
    assert!(matches!(events.first(), Some(Event::RunStarted { games: 6, .. })));
    let is_end =
        |event: &Event| matches!(event, Event::RunFinished { reason: FinishReason::AllGamesPlayed, .. });
    assert!(events.last().is_some_and(is_end));

    let rows = rows(&bench, "run");
    assert_eq!(rows.len(), 6);
    for pair in rows.chunks(2) {
        assert_eq!(pair[0]["opening_fen"], pair[1]["opening_fen"]);
        assert_eq!(pair[0]["white"], pair[1]["black"]);
    }
    let games = games(&bench, "run");
    assert_eq!(games.len(), 6);
    for (game, row) in games.iter().zip(&rows) {
        assert_eq!(game.moves.len().to_string(), row["plies"]);
        assert_eq!((&game.tags["White"], &game.tags["Result"]), (&row["white"], &row["result"]));
    }
    let summary: serde_json::Value = serde_json::from_str(&bench.read("run/summary.json")).unwrap();
    assert_eq!(summary["games"], 6);

    let text = finished.stdout();
    for words in ["tarrasch vs well", "Elo (95%)", "Ptnml(0-2)", "saved in run"] {
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn an_engine_that_breaks_loses_and_the_match_goes_on() {
    for (behaviour, termination) in [("crash", "crash"), ("illegal", "illegal_move")] {
        let bench = Workbench::with_mocks(&[behaviour, "well"]);
        let finished = play(&bench, &[behaviour, "well"], &["--games", "4"]).expect_code(0);
        assert_eq!(values(&bench, "run", "termination"), [termination]);
        assert_eq!(values(&bench, "run", "offender"), [behaviour]);
        assert_eq!(finished.stderr().matches("game ").count(), 4, "{}", finished.stderr());
        assert!(bench.path("run/bad/1.log").exists());
        play(&bench, &[behaviour, "well"], &["--games", "2", "--out", "strict", "--strict"]).expect_code(4);
        #[cfg(target_os = "linux")]
        assert_eq!(bench.processes(), 0);
    }
}

#[test]
fn the_protocol_of_any_game_is_kept_whole_where_it_is_wanted() {
    let bench = Workbench::with_mocks(&["crash", "well"]);
    play(&bench, &["well", TARRASCH], &["--games", "4", "--log-game", "2,4"]).expect_code(0);
    let logs = |run: &str| {
        let files = std::fs::read_dir(bench.path(run).join("logs")).into_iter().flatten();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(logs("run"), ["2.log.gz", "4.log.gz"]);
    let packed = std::fs::File::open(bench.path("run/logs/4.log.gz")).unwrap();
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(packed)).unwrap();
    for words in ["# White\n", "> ucinewgame", "# Black\n", "> go nodes 200", "< bestmove "] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(bench.read("run/run.toml").contains("logs = \"2,4\""));
    let faulty = play(&bench, &["crash", "well"], &["--games", "2", "--log", "--out", "all"]).expect_code(0);
    assert_eq!(logs("all"), ["1.log.gz", "2.log.gz"]);
    assert!(faulty.stderr().contains("see all/bad/1.log") && bench.path("all/bad/1.log").exists());
}

#[test]
fn games_may_be_single_with_colours_that_stay_on_cores_that_are_listed_and_for_an_occasion() {
    let bench = Workbench::with_mocks(&["well"]);
    let single = ["--games", "3", "--games-per-opening", "1", "--no-swap", "--restart"];
    let tags = ["--event", "Cup", "--site", "Here"];
    let finished = play(&bench, &[TARRASCH, "well"], &[&single[..], &tags].concat()).expect_code(0);
    let rows = rows(&bench, "run");
    assert_eq!(rows.iter().map(|row| row["white"].as_str()).collect::<Vec<_>>(), ["tarrasch"; 3]);
    assert_ne!(rows[0]["opening_fen"], rows[1]["opening_fen"]);
    let games = games(&bench, "run");
    assert!(games.iter().all(|game| game.tags["Event"] == "Cup" && game.tags["Site"] == "Here"));
    let config: RunConfig = toml::from_str(&bench.read("run/run.toml")).unwrap();
    assert!(config.engines.iter().all(|engine| engine.restart), "{}", finished.stdout());
    let sprt = ["--sprt", "0,400", "--games", "3", "--games-per-opening", "1", "--out", "sprt"];
    let text = play(&bench, &[TARRASCH, "well"], &sprt).stdout();
    assert!(text.contains("LLR") && bench.read("sprt/run.toml").contains("trinomial = true"), "{text}");
    let even = ["--games", "3", "--no-swap", "--out", "even"];
    play(&bench, &[TARRASCH, "well"], &even).expect_code(2).tells(&["--games 3: expected an even number"]);
}

#[cfg(target_os = "linux")]
#[test]
fn games_are_pinned_to_the_cores_that_are_listed() {
    let bench = Workbench::with_mocks(&["well"]);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let first = allowed.split(['-', ',']).next().unwrap();
    let affinity = format!("--affinity={first}");
    play(&bench, &[TARRASCH, "well"], &["--games", "2", &affinity]).expect_code(0);
    assert!(bench.read("run/run.toml").contains(&format!("affinity = \"{first}\"")));
    for (cores, answer) in [("99999", "found 99999"), ("x", "numbers and ranges joined by commas")] {
        let affinity = format!("--affinity={cores}");
        let refused = play(&bench, &[TARRASCH, "well"], &[&affinity, "--out", "no"]).expect_code(2);
        refused.tells(&[answer]);
    }
    play(&bench, &["0-3,8", "well"], &["--out", "no"]).expect_code(2).tells(&["--affinity=0-3,8"]);
}

#[test]
fn two_games_never_share_what_is_exclusive() {
    let bench = Workbench::with_mocks(&["well"]);
    let manifest = bench.read("engines/well/engine.toml");
    // Options are the last table of the manifest of a mock.
    for (name, card) in [("one", "gpu0"), ("two", "gpu0"), ("three", "gpu1")] {
        let text = manifest.replace(
            "name = 'well'",
            &format!("name = '{name}'\nexclusive = '{card}'\nstart_timeout = '1m'"),
        );
        bench.write(&format!("engines/{name}/engine.toml"), &text);
    }
    let games =
        ["--games", "4", "--nodes", "20", "--maxmoves", "8", "--openings", "book.epd", "--out", "run"];
    let run = [&["match", "one", "two", "three", "well", "--concurrency", "4"], &games[..]].concat();
    bench.run(&run).expect_code(0);
    let mut spans = Vec::new();
    for event in events(&bench, "run") {
        if let Event::GameFinished(game) = event {
            for (card, users) in [("gpu0", [0, 1]), ("gpu1", [2, 2])] {
                if users.contains(&game.white) || users.contains(&game.black) {
                    spans.push((card, game.started, game.ended()));
                }
            }
        }
    }
    spans.sort_unstable();
    for pair in spans.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
        assert!(pair[0].2 <= pair[1].1, "{pair:?}");
    }
    assert_eq!(spans.iter().filter(|span| span.0 == "gpu0").count(), 20);
    let alone = [&["match", "one", "well"], &games[..8], &["--out", "alone"]].concat();
    bench.run(&alone).expect_code(0).tells(&["4 games, 1 at once"]);
}

#[test]
fn a_test_without_a_chance_is_given_up() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let test = ["--sprt", "0,5", "--games", "60", "--concurrency", "1", "--give-up", "0.05"];
    let book = ["--openings", "arbiter-balanced.epd"];
    let text = play(&bench, &["well", "binary"], &[&test[..], &book].concat()).expect_code(3).stdout();
    assert!(text.contains("SPRT given up: too few games left to accept H1"), "{text}");
    let games = rows(&bench, "run").len();
    // Engines that answer at once may have played on before the forecast was there.
    assert!((40..=60).contains(&games), "{games}");
    let reason = |event: &Event| matches!(event, Event::RunFinished { reason: FinishReason::GaveUp, .. });
    assert!(events(&bench, "run").last().is_some_and(reason));
    bench.run("status run").expect_code(0).shows(&["given up"]);
}

#[cfg(unix)]
#[test]
fn engines_that_start_slowly_start_side_by_side() {
    let bench = Workbench::new();
    for (file, other) in [("slow", "late"), ("late", "slow")] {
        // It is not ready before the other one has been started as often.
        let wait = format!(
            "echo >> {file}.starts; until [ $(wc -l < {other}.starts) -ge $(wc -l < {file}.starts) ]; do sleep 0.02; done"
        );
        bench.write(&format!("{file}.starts"), "");
        bench.write_program(file, &format!("#!/bin/sh\n{wait}\nexec '{MOCK_ENGINE}' well\n"));
    }
    // The processes that were introduced play the first game.
    let line = "match ./slow ./late --games 2 --concurrency 1 --nodes 20 --openings book.epd --maxmoves 4";
    bench.run(&format!("{line} --restart")).expect_code(0);
    assert_eq!([bench.read("slow.starts").len(), bench.read("late.starts").len()], [2, 2]);
    bench.run(line).expect_code(0);
    assert_eq!(bench.read("slow.starts").len(), 3);
    let dialect = "fastchess -engine cmd=./slow name=slow -engine cmd=./late name=late -each nodes=20 tc=inf -rounds 1 \
                   -openings file=book.epd format=epd -maxmoves 4";
    bench.run(dialect).expect_code(0);
    assert_eq!(bench.read("slow.starts").len(), 4);
}

#[test]
fn a_table_that_cannot_be_used_is_named_and_counted_and_the_games_are_played() {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    bench.write("tables/KRvK.rtbw", "");
    bench.write("tables/KBvK.rtbw", "version https://git-lfs.github.com/spec/v1\n");
    let complaint = "2 of 2 Syzygy tables cannot be used: ";
    // An empty part of the list is no folder.
    let folders = std::env::join_paths(["tables", ""]).unwrap().into_string().unwrap();
    let run = play(&bench, &["well", "binary"], &["--games", "2", "--syzygy", &folders]).expect_code(0);
    assert_eq!(values(&bench, "run", "termination"), ["max_moves"]);
    run.tells(&[
        complaint,
        "KBvK.rtbw: expected a Syzygy table, found a pointer of Git LFS",
        "games continue without them",
    ]);
    let whole = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
    std::fs::write(bench.path("tables/KQvK.rtbw"), whole).unwrap();
    let again = bench.run("run run --out again").expect_code(0);
    again.tells(&["2 of 3 Syzygy tables cannot be used: "]);
    let line =
        "fastchess -engine cmd=well name=a -engine cmd=well name=b -each nodes=9 -rounds 1 -maxmoves 2 -tb";
    let line = line.replace("cmd=well", &format!("cmd={MOCK_ENGINE} args=well"));
    let theirs = bench.run(&[&line.words()[..], &[&*folders]].concat()).expect_code(0);
    let said = theirs.stdout() + &theirs.stderr();
    assert!(said.contains("Warning; 2 of 3 Syzygy tables cannot be used: "), "{said}");
}
