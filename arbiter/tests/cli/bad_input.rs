//! Whatever is wrong with what was typed or with a file is said in one message, before anything is played or written.

#[cfg(unix)]
use crate::programs::MOCK_ENGINE;
use crate::workbench::{TARRASCH, Workbench};

/// Runs a command that must be refused with exit code 2, one message with all these words, and no trace.
fn refused(bench: &Workbench, args: &[&str], words: &[&str]) {
    let before = bench.listing();
    let finished = bench.run(args).expect_code(2);
    let message = finished.stderr();
    assert!(message.starts_with("error: "), "{message}");
    assert_eq!(message.matches("error: ").count(), 1, "{message}");
    assert!(!message.ends_with("\n\n"), "{message}");
    assert_eq!(finished.stdout(), "");
    finished.tells(words);
    assert_eq!(bench.listing(), before, "something was left behind");
}

/// A match between two good engines that is refused for these arguments.
fn refused_match(args: &[&str], words: &[&str]) {
    let bench = Workbench::with_mocks(&["well"]);
    let mut all = vec!["match", TARRASCH, "well"];
    if !args.contains(&"--openings") {
        all.extend(["--openings", "book.epd"]);
    }
    all.extend(args);
    refused(&bench, &all, words);
}

/// A match in which the first engine is what is wrong.
fn refused_engine(bench: &Workbench, engine: &str, words: &[&str]) {
    refused(bench, &["match", engine, TARRASCH, "--openings", "book.epd"], words);
}

/// A match of an engine with this manifest, in `engines/odd/`.
fn refused_manifest(manifest: &str, words: &[&str]) {
    let bench = Workbench::new();
    bench.write("engines/odd/engine.toml", manifest);
    refused_engine(&bench, "odd", words);
}

/// A match with this book.
fn refused_book(file: &str, text: &str, words: &[&str]) {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write(file, text);
    refused(&bench, &["match", TARRASCH, "well", "--openings", file], words);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    refused_engine(
        &Workbench::new(),
        "./nowhere/engine",
        &["engine `./nowhere/engine`", "no such program file"],
    );
}

#[test]
fn a_file_that_is_no_program_is_named() {
    refused_engine(&Workbench::new(), "./book.epd", &["engine book", "book.epd", "cannot start"]);
}

#[test]
fn a_misspelt_engine_is_told_from_those_that_are_known() {
    let bench = Workbench::with_mocks(&["well"]);
    refused_engine(&bench, "tarasch", &["engine `tarasch`", "did you mean `tarrasch`?", "well"]);
    refused_engine(&bench, "zzz", &["engine `zzz`", "known engines:", "stockfish, tarrasch", "well"]);
}

#[test]
fn an_engine_alone_has_nobody_to_play() {
    let bench = Workbench::new();
    refused(
        &bench,
        &["match", TARRASCH, "--openings", "book.epd"],
        &["ENGINE", "at least two engines", "found one"],
    );
}

#[test]
fn a_mistake_in_a_manifest_is_shown_with_its_file_and_line() {
    let file = "engines/odd/engine.toml";
    refused_manifest(
        "name = 'odd'\ncommand = 'x'\ncomand = 'y'\n",
        &[file, "line 3", "unknown field `comand`"],
    );
    refused_manifest("name = 'odd'\ncommand = 3\n", &[file, "line 2", "command = 3", "expected a string"]);
    refused_manifest("name = 'odd\ncommand = 'x'\n", &[file, "line 1"]);
    refused_manifest("command = 'x'\n", &[file, "missing field `name`"]);
    refused_manifest(
        "name = 'odd'\ncommand = 'x'\n[options]\nHash = [1]\n",
        &[file, "line 4", "expected a number"],
    );
}

#[test]
fn a_manifest_whose_program_is_missing_is_named() {
    refused_manifest(
        "name = 'odd'\ncommand = 'bin/gone'\n",
        &["engines/odd/engine.toml", "command", "bin/gone"],
    );
    refused_manifest(
        "name = 'odd'\ncommand = 'no-such-program'\n",
        &["odd", "`no-such-program`", "search path"],
    );
}

#[test]
fn a_build_that_fails_shows_what_it_said() {
    let manifest = "name = 'odd'\ncommand = 'bin/odd'\nbuild = 'echo no compiler here >&2 && exit 3'\n";
    let bench = Workbench::new();
    bench.write("engines/odd/engine.toml", manifest);
    let message = bench.run(&["match", "odd", TARRASCH, "--openings", "book.epd"]).expect_code(2).stderr();
    let failed = if cfg!(windows) { "failed with exit code: 3" } else { "failed with exit status: 3" };
    for word in ["building odd", "no compiler here", failed] {
        assert!(message.contains(word), "{message}");
    }
}

#[test]
fn a_revision_needs_a_repository_that_has_it() {
    let bench = Workbench::new();
    bench.write("engines/norepo/engine.toml", "name = 'norepo'\ncommand = 'bin/x'\n");
    refused_engine(&bench, "norepo@HEAD", &["engines/norepo/engine.toml", "`repo`", "`norepo@HEAD`"]);
    bench.write(
        "engines/nogit/engine.toml",
        "name = 'nogit'\ncommand = 'bin/x'\nbuild = 'true'\nrepo = 'home'\n",
    );
    refused_engine(&bench, "nogit@HEAD", &["`nogit@HEAD`", "`repo`", "home", "not a git repository"]);
    refused_engine(&bench, "tarrasch@", &["expected a git revision after `@`"]);
    refused_engine(&bench, "zzz@HEAD", &["engine `zzz`", "known engines:"]);
}

#[test]
fn an_option_value_out_of_range_is_shown_with_the_range() {
    let bench = Workbench::new();
    refused_engine(&bench, &format!("{TARRASCH}:Hash=0"), &["option `Hash`", "found `0`", "min 1"]);
    refused_engine(&bench, &format!("{TARRASCH}:Hash=much"), &["option `Hash`", "found `much`"]);
}

#[test]
fn an_engine_that_does_not_know_chess960_is_named() {
    refused_match(&["--chess960"], &["engine well", "UCI_Chess960"]);
}

#[test]
fn a_book_that_is_not_there_is_named() {
    refused_match(&["--openings", "gone.epd"], &["--openings gone.epd", "expected a file"]);
    refused_match(&["--openings", "engines"], &["--openings engines", "expected a file"]);
}

#[test]
fn a_broken_line_of_a_book_is_shown() {
    refused_book("a.epd", "# one\nrnbqkbnr/pppppppp w KQkq -\n", &["a.epd:2:", "eight ranks"]);
    refused_book("a.epd", "\n\n8/8/8/8/8/8/8/8 w - -\n8/8 w\n", &["a.epd:3:", "missing king", "(1 more"]);
    refused_book("a.epd", "k7/1Q6/1K6/8/8/8/8/8 b - -\n", &["a.epd:1:", "game is over"]);
    refused_book("a.pgn", "[Event \"a\"]\n\n1. e4 e5\n2. Qh6 *\n", &["a.pgn:4:", "game 1", "Qh6"]);
    refused_book("a.pgn", "1. e4 {never closed", &["a.pgn:1:"]);
    let chess960 = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq -\n";
    refused_book("a.epd", &chess960.repeat(2), &["a.epd:1:", "legal position of Chess960: use --chess960"]);
}

#[test]
fn an_empty_book_is_no_book() {
    refused_book("empty.epd", "# nothing\n\n", &["empty.epd", "at least one opening"]);
    refused_book("empty.pgn", "", &["empty.pgn", "at least one opening"]);
}

#[test]
fn a_book_of_an_unknown_kind_is_refused() {
    refused_book("book.txt", "1. e4", &["book.txt", ".epd, .fen, .pgn or .bin"]);
}

#[test]
fn a_text_that_is_no_time_control_is_explained() {
    for text in ["", "x", "0", "10+", "+1", "-3", "10+0.1+2", "0/10", "40/", "1:70", "1e9", "10,20"] {
        refused_match(&["--tc", text], &["'--tc <TC>'", &format!("time control `{text}`"), "`10+0.1`"]);
    }
}

#[test]
fn limits_that_contradict_each_other_are_named() {
    refused_match(&["--tc", "1+1", "--movetime", "50"], &["--tc", "--movetime"]);
}

#[test]
fn numbers_out_of_range_are_shown_with_their_option() {
    refused_match(&["--nodes", "0"], &["--nodes", "'0'"]);
    refused_match(&["--depth", "0"], &["--depth", "'0'"]);
    refused_match(&["--movetime", "0"], &["--movetime", "'0'"]);
    refused_match(&["--maxmoves", "0"], &["--maxmoves", "'0'"]);
    refused_match(&["--concurrency", "0"], &["--concurrency", "'0'"]);
    refused_match(&["--games", "3"], &["--games 3", "even"]);
    refused_match(&["--games", "0"], &["--games 0", "above 0"]);
    refused_match(&["--games", "many"], &["--games", "'many'"]);
}

#[test]
fn a_sequential_test_that_makes_no_sense_is_explained() {
    refused_match(&["--sprt", "5"], &["--sprt", "two Elo bounds"]);
    refused_match(&["--sprt", "5,5"], &["--sprt", "5 and 5"]);
    refused_match(&["--sprt", "5,0"], &["--sprt", "5 and 0"]);
    refused_match(&["--sprt", "0,nan"], &["--sprt", "NaN"]);
    refused_match(&["--sprt", "0,5", "--alpha", "2"], &["alpha", "between 0 and 1"]);
    refused_match(&["--sprt", "0,5", "--beta", "0"], &["beta", "between 0 and 1"]);
    refused_match(&["--alpha", "0.1"], &["--sprt"]);
    refused_match(&["well", "--sprt", "0,5"], &["--sprt", "expected two engines", "--base", "found 3"]);
}

#[test]
fn adjudication_rules_are_read_to_the_last_key() {
    refused_match(&["--draw", "soon"], &["--draw", "`soon`", "move=40,count=8,score=10"]);
    refused_match(&["--draw", "move=40"], &["--draw", "`count` is missing"]);
    refused_match(&["--draw", "move=40,count=0,score=10"], &["--draw", "`count=0`"]);
    refused_match(&["--resign", "count=3"], &["--resign", "`score` is missing"]);
    refused_match(&["--resign", "count=3,score=600,move=1"], &["--resign", "`move`"]);
}

#[test]
fn a_run_folder_that_is_in_use_is_left_alone() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("mine/notes.txt", "precious");
    let with_out = |out: &str, words: &[&str]| {
        let args = ["match", TARRASCH, "well", "--openings", "book.epd", "--out", out];
        refused(&bench, &args, words);
    };
    with_out("mine", &["--out mine", "not empty"]);
    with_out("book.epd", &["--out book.epd", "expected a folder, found a file"]);
    with_out("book.epd/run", &["--out book.epd/run"]);
    assert_eq!(bench.read("mine/notes.txt"), "precious");
}

#[test]
fn a_folder_without_a_run_cannot_be_resumed() {
    let bench = Workbench::new();
    bench.write("mine/notes.txt", "precious");
    refused(&bench, &["resume", "mine"], &["mine", "expected a run folder", "run.toml"]);
    refused(&bench, &["resume", "nowhere"], &["nowhere", "expected a run folder"]);
    bench.write("run/run.toml", "games = 2\nconcurency = 1\n");
    refused(&bench, &["resume", "run"], &["run/run.toml", "line 2", "`concurency`"]);
}

/// A run of two games that is over, in the folder `run`.
fn finished_run() -> Workbench {
    let bench = Workbench::with_mocks(&["well", "binary"]);
    let limits = ["--nodes", "20", "--maxmoves", "5", "--games", "2"];
    let args = [&["match", "well", "binary", "--openings", "book.epd", "--out", "run"], &limits[..]].concat();
    bench.run(&args).expect_code(0);
    bench
}

#[test]
fn a_journal_that_is_damaged_is_not_continued() {
    let bench = finished_run();
    let journal = bench.read("run/events.jsonl");
    let mut lines: Vec<&str> = journal.lines().collect();
    lines[2] = "{\"event\":\"game_fin";
    bench.write("run/events.jsonl", &(lines.join("\n") + "\n"));
    let before = bench.read("run/games.pgn");
    refused(&bench, &["resume", "run"], &["events.jsonl", "line 3"]);
    assert_eq!(bench.read("run/games.pgn"), before);
}

#[test]
fn a_run_is_not_continued_with_another_book() {
    let bench = finished_run();
    let book = bench.read("book.epd");
    bench.write("book.epd", &book.replacen("w KQkq -", "w Qkq -", 1));
    refused(&bench, &["resume", "run"], &["book.epd", "SHA-256"]);
    std::fs::remove_file(bench.path("book.epd")).unwrap();
    refused(&bench, &["resume", "run"], &["book.epd"]);
}

#[test]
fn a_run_is_not_continued_with_another_program() {
    let bench = Workbench::new();
    std::fs::copy(TARRASCH, bench.path("engine")).unwrap();
    let args = ["match", "./engine", TARRASCH, "--openings", "book.epd", "--out", "run", "--nodes", "20"];
    bench.run(&[&args[..], &["--games", "2", "--maxmoves", "5"]].concat()).expect_code(0);
    // Only the beginning is in the journal, as if the run had been killed then.
    let journal = bench.read("run/events.jsonl");
    bench.write("run/events.jsonl", journal.split_inclusive('\n').next().unwrap());
    std::fs::copy(MOCK_ENGINE, bench.path("engine")).unwrap();
    refused(&bench, &["resume", "run"], &["engine `engine`", "SHA-256", "arbiter run DIR --accept-changed"]);
    std::fs::remove_file(bench.path("engine")).unwrap();
    refused(&bench, &["resume", "run"], &["engine `engine`", "no program ./engine any more"]);
}

#[test]
fn a_perft_suite_that_cannot_be_read_is_named() {
    let bench = Workbench::new();
    refused(&bench, &["perft", "--suite", "gone.epd"], &["--suite gone.epd", "smirf.epd"]);
    bench.write("empty.epd", "# nothing\n");
    refused(&bench, &["perft", "--suite", "empty.epd"], &["empty.epd: expected at least one position"]);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    bench.write("bad.epd", &format!("{start} ;D1 20\n{start} ;D1 twenty\n"));
    refused(&bench, &["perft", "--suite", "bad.epd"], &["bad.epd:2:", "`;D1 twenty`"]);
    bench.write("bad.epd", &format!("{start}\n"));
    refused(&bench, &["perft", "--suite", "bad.epd"], &["bad.epd:1:", "at least one"]);
    bench.write("bad.epd", &format!("{start} ;D1 20\n\n{start} ;D0 1 ;D1 20\n"));
    refused(&bench, &["perft", "--suite", "bad.epd"], &["bad.epd:3:", "depths from 1"]);
    bench.write("bad.epd", &format!("{start} ;D1 99999999999999999999\n"));
    refused(&bench, &["perft", "--suite", "bad.epd"], &["bad.epd:1:", "99999999999999999999"]);
    bench.write("bad.epd", &format!("# fine\n{} ;D1 20\n", start.replace("8/8/8/8", "8/8/9/8")));
    refused(&bench, &["perft", "--suite", "bad.epd"], &["bad.epd:2:", "field 1 (board)"]);
    let latin_1: Vec<u8> = [start.as_bytes(), b" ;D1 20\n# Stra\xdfe\n"].concat();
    std::fs::write(bench.path("bad.epd"), latin_1).unwrap();
    bench.run("perft --suite bad.epd").expect_code(0).tells(&["warning: bad.epd: 1 line not in UTF-8"]);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_without_perft_is_distinguished_from_one_that_counts_wrong() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("a.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n");
    let message = bench.run("perft well --suite a.epd").expect_code(2).stderr();
    assert!(message.starts_with("error: engine well: it answered `go perft` with a search"), "{message}");
    bench.write("b.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 ;D1 20\n");
    bench.write_script("counts", "echo 'e2e4: 1'; echo 'Nodes searched: 20'");
    let message = bench.run("perft ./counts --suite b.epd").expect_code(2).stderr();
    assert!(
        message.starts_with("error: b.epd:1: line 1: engine counts: no option `UCI_Chess960`"),
        "{message}"
    );
    for answer in ["info string what?", "Nodes searched: 20", "Nodes searched: abc"] {
        bench.write_script("odd", &format!("echo '{answer}'"));
        let message = bench.run("perft ./odd --suite a.epd").expect_code(2).stderr();
        assert!(message.starts_with("error: engine odd: expected lines such as `e2e4: 1`"), "{message}");
        assert!(message.contains(&format!("found `{answer}`; it has no perft like that of")), "{message}");
    }
}

#[test]
fn a_tactics_suite_that_cannot_be_read_is_named() {
    let bench = Workbench::new();
    let tactics = |suite: &str, words: &[&str]| {
        refused(&bench, &["tactics", TARRASCH, "--depth", "1", "--suite", suite], words);
    };
    tactics("gone.epd", &["--suite gone.epd", "classics.epd"]);
    tactics("book.epd", &["book.epd:2:", "expected one of the operations bm, am and dm"]);
    bench.write("empty.epd", "# nothing\n");
    let tactics = |suite: &str, words: &[&str]| {
        refused(&bench, &["tactics", TARRASCH, "--depth", "1", "--suite", suite], words);
    };
    tactics("empty.epd", &["empty.epd: expected at least one position"]);
    bench.write("bad.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Qh5;\n");
    refused(&bench, &["tactics", TARRASCH, "--suite", "bad.epd"], &["bad.epd:1:", "operation bm"]);
    refused(&bench, &["tactics", "zzz"], &["engine `zzz`"]);
    refused(&bench, &["tactics", &format!("{TARRASCH}:Foo=1")], &["engine tarrasch", "`Foo`"]);
}

#[test]
fn a_table_that_exists_is_not_overwritten() {
    let bench = Workbench::new();
    bench.write("mine.csv", "precious");
    refused(&bench, &["tactics", TARRASCH, "--csv", "mine.csv"], &["--csv mine.csv", "exists"]);
    refused(&bench, &["tactics", TARRASCH, "--csv", "no/such/folder.csv"], &["--csv no/such/folder.csv"]);
    assert_eq!(bench.read("mine.csv"), "precious");
}

#[test]
#[cfg(unix)]
fn a_folder_that_another_run_takes_meanwhile_is_the_users_to_choose() {
    let bench = Workbench::with_mocks(&["well"]);
    // The engine stands for the other run: it fills the folder while it is asked what it is.
    let other = format!("#!/bin/sh\nmkdir -p run\necho mine > run/run.toml\nexec '{MOCK_ENGINE}' well\n");
    bench.write_program("taker", &other);
    let line = "match ./taker well --nodes 1 --games 2 --openings book.epd --out run";
    bench.run(line).expect_code(2).tells(&["run: the folder exists and is not empty; choose another"]);
    assert_eq!(bench.read("run/run.toml"), "mine\n");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_cannot_be_made_is_the_users_to_choose() {
    let bench = Workbench::with_mocks(&["well"]);
    let games = "--openings book.epd --out /proc/no/run";
    let ablation = format!("ablate {TARRASCH} --depth 1 --toggle MultiPV=2,1 --elo 2 --elo-nodes 9 {games}");
    for line in [format!("match well well --nodes 1 --games 2 {games}"), ablation] {
        bench.run(&line).expect_code(2).tells(&["/proc/no"]);
    }
}

/// Ratings of these games, with more arguments, that are refused.
fn refused_ratings(text: &str, args: &[&str], words: &[&str]) {
    let bench = Workbench::new();
    bench.write("games.pgn", text);
    refused(&bench, &[&["rate", "games.pgn"], args].concat(), words);
}

#[test]
fn a_game_that_is_cut_off_is_not_rated_and_named_with_its_line() {
    let game = "[White \"new\"]\n[Black \"old\"]\n[Result \"1-0\"]\n\n1. e4 {good} 1-0\n\n";
    let bench = Workbench::new();
    for (cut, line) in [("[Bl", 8), ("[Black \"old\"]", 8), ("{go", 11), ("1. e4", 11)] {
        bench.write("games.pgn", &format!("{game}{}", &game[..game.find(cut).unwrap() + cut.len()]));
        let finished = bench.run("rate games.pgn").expect_code(0);
        let told = finished.stderr();
        assert!(finished.stdout().contains("1 game, 2 players"), "{}", finished.stdout());
        assert!(told.contains("warning: games.pgn: 1 game skipped"), "{told}");
        assert!(told.contains(&format!("games.pgn:{line}: game 2: expected")), "{told}");
    }
    refused_ratings("no games\n", &[], &["games.pgn", "at least one game"]);
}

#[test]
fn ratings_need_games_with_players_and_results() {
    refused_ratings("", &[], &["games.pgn", "at least one game"]);
    let unknown = "[White \"new\"]\n[Black \"old\"]\n[Result \"*\"]\n\n*\n\n[Result \"1-0\"]\n\n1-0\n";
    refused_ratings(unknown, &[], &["games with two players and a result", "2 games excluded"]);
}

#[test]
fn an_anchor_has_to_be_a_player_with_one_rating() {
    let game = "[White \"new\"]\n[Black \"old\"]\n[Result \"1-0\"]\n";
    refused_ratings(game, &["--anchor", "odl=2500"], &["--anchor odl", "did you mean `old`?"]);
    refused_ratings(game, &["--anchor", "new"], &["--anchor", "Tarrasch=2500"]);
    refused_ratings(game, &["--anchor", "new=inf"], &["--anchor", "Tarrasch=2500"]);
    refused_ratings(
        game,
        &["--anchor", "new=1", "--anchor", "new=2"],
        &["--anchor new", "one rating", "two"],
    );
}

#[test]
fn what_is_no_collection_and_no_run_is_not_rated() {
    let bench = Workbench::new();
    bench.write("empty/notes.txt", "");
    refused(
        &bench,
        &["rate", "empty"],
        &["empty", "a PGN file, or a run folder", "events.jsonl", "games.pgn"],
    );
    refused(&bench, &["rate", "nowhere.pgn"], &["nowhere.pgn"]);
    bench.write("torn/events.jsonl", "{}\n{}\n");
    refused(&bench, &["rate", "torn"], &["torn/events.jsonl", "line 1"]);
}
