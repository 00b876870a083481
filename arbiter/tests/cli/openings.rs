//! `arbiter openings`: makes, checks, selects from and converts books.

use std::process::ExitStatus;

use crate::processes::interrupt;
use crate::workbench::{TARRASCH, Workbench, wait_until};

/// Small and fast, with enough openings in range.
const RECIPE: [&str; 10] =
    ["--plies", "2..6", "--eval-range", "0..80", "--nodes", "3000", "--choice-nodes", "2000", "--seed", "3"];

/// Three games that meet after 1. d4 Nf6 2. c4, one of them by other moves, and one that is too short.
const GAMES: &str = "\
1. d4 Nf6 2. c4 e6 3. Nc3 Bb4 1-0

[Event \"two\"]

1. c4 Nf6 2. d4 g6 3. Nc3 d5 {a comment} 0-1

[Event \"three\"]

1. e4 *

[Event \"four\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2
";

fn make(bench: &Workbench, engine: &str, file: &str, args: &[&str], code: i32) -> String {
    bench.run(&[&["openings", "make", engine, file], args].concat()).expect_code(code).stderr()
}

fn lines(bench: &Workbench, file: &str) -> Vec<String> {
    let text = bench.read(file);
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(str::to_owned).collect()
}

fn eval(line: &str) -> i32 {
    let eval = line.split_once(" ce ").unwrap().1.split(';').next().unwrap();
    let eval: i32 = eval.parse().unwrap();
    if line.contains(" w ") { eval } else { -eval }
}

#[test]
fn a_book_is_the_same_for_any_number_of_engines_and_says_how_it_was_made() {
    let bench = Workbench::new();
    let args = [&RECIPE[..], &["--count", "12"]].concat();
    let told = make(&bench, TARRASCH, "a.epd", &args, 0);
    assert!(told.contains("a.epd: 12 openings from "), "{told}");
    make(&bench, TARRASCH, "b.epd", &[&args[..], &["--concurrency", "3"]].concat(), 0);
    let book = lines(&bench, "a.epd");
    assert_eq!(book.len(), 12);
    assert_eq!(lines(&bench, "b.epd"), book);
    assert!(book.iter().all(|line| eval(line).abs() <= 80 && line.contains(" c0 ")), "{book:?}");
    let text = bench.read("a.epd");
    for words in [
        "12 openings of 2 to 6 plies, made by Arbiter",
        "Tarrasch",
        "at 3,000 nodes",
        "0 to 80 centipawns",
        "Seed 3",
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert!(text.contains("# arbiter openings make ") && text.contains("a.epd --plies 2..6"), "{text}");
    assert!(!bench.path("a.epd.partial").exists());
}

#[test]
fn another_seed_makes_another_book() {
    let bench = Workbench::new();
    make(&bench, TARRASCH, "a.epd", &[&RECIPE[..8], &["--count", "6"]].concat(), 0);
    make(&bench, TARRASCH, "b.epd", &[&RECIPE[..8], &["--count", "6", "--seed", "2"]].concat(), 0);
    assert_ne!(lines(&bench, "a.epd"), lines(&bench, "b.epd"));
}

#[test]
fn the_evals_of_a_book_can_be_reproduced() {
    let bench = Workbench::new();
    make(&bench, TARRASCH, "a.epd", &[&RECIPE[..], &["--count", "8"]].concat(), 0);
    let check = |args: &[&str]| {
        let args = [&["openings", "check", "a.epd", "--eval-range", "0..80"], args].concat();
        bench.run(&args).expect_code(0).stdout()
    };
    let (by_book, by_engine) =
        (check(&[]), check(&["--engine", TARRASCH, "--nodes", "3000", "--concurrency", "2"]));
    let histogram = |text: &str| text.split_once("mean advantage ").unwrap().1.to_owned();
    assert_eq!(histogram(&by_engine), histogram(&by_book));
    assert!(by_book.contains("from the book") && by_engine.contains("Tarrasch"), "{by_engine}");
}

#[test]
fn openings_can_favour_a_side() {
    let bench = Workbench::new();
    let args = ["--plies", "4..8", "--eval-range", "40..250", "--favours", "black", "--nodes", "3000"];
    let args = [&args[..], &["--choice-nodes", "2000", "--tolerance", "200", "--count", "4"]].concat();
    make(&bench, TARRASCH, "a.epd", &args, 0);
    let evals: Vec<i32> = lines(&bench, "a.epd").iter().map(|line| eval(line)).collect();
    // Random openings mostly favour White.
    assert!(evals.iter().all(|eval| (-250..=-40).contains(eval)), "{evals:?}");
    let header = bench.read("a.epd").replace("\n# ", " ");
    assert!(header.contains("40 to 250 centipawns for Black"), "{header}");
}

#[test]
fn a_book_in_pgn_has_the_same_openings() {
    let bench = Workbench::new();
    let args = [&RECIPE[..], &["--count", "5"]].concat();
    make(&bench, TARRASCH, "a.epd", &args, 0);
    make(&bench, TARRASCH, "a.pgn", &args, 0);
    let check = |file: &str| {
        let text = bench.run(&["openings", "check", file, "--eval-range", "0..80"]).expect_code(0).stdout();
        text.split_once('\n').unwrap().1.to_owned()
    };
    assert_eq!(check("a.pgn"), check("a.epd"));
    assert!(bench.read("a.pgn").starts_with("; 5 openings of 2 to 6 plies"));
    bench.run("openings select a.pgn b.epd --to 5").expect_code(0);
    assert_eq!(lines(&bench, "b.epd"), lines(&bench, "a.epd"));
}

#[test]
fn openings_from_games_are_new_even_where_the_games_transpose() {
    let bench = Workbench::new();
    bench.write("games.pgn", GAMES);
    let args = ["--games", "games.pgn", "--plies", "3..3", "--eval-range", "0..9000", "--nodes", "300"];
    let args = [&args[..], &["--choice-nodes", "200"]].concat();
    let told = make(&bench, TARRASCH, "a.epd", &args, 3);
    assert!(told.contains("2 of 500 openings: the games have no other openings"), "{told}");
    let book = lines(&bench, "a.epd");
    assert_eq!(book.len(), 2, "{book:?}");
    assert!(book.iter().any(|line| line.contains("c0 \"e4 e5 Nf3\"")), "{book:?}");
    // The file says so, too.
    assert!(bench.read("a.epd").contains("# 2 of 500 openings"));
    bench.run("openings check a.epd").expect_code(0);
}

#[test]
fn a_run_folder_has_games_too() {
    let bench = Workbench::with_mocks(&["well"]);
    let args = ["match", TARRASCH, "well", "--nodes", "300", "--maxmoves", "9", "--openings", "book.epd"];
    bench.run(&[&args[..], &["--games", "6", "--out", "run"]].concat()).expect_code(0);
    let args =
        ["--games", "run", "--plies", "2..5", "--eval-range", "0..9000", "--nodes", "1000", "--count", "4"];
    make(&bench, TARRASCH, "a.epd", &args, 0);
    assert_eq!(lines(&bench, "a.epd").len(), 4);
    bench.run("openings check a.epd").expect_code(0);
}

#[test]
fn a_refused_recipe_has_a_message_and_leaves_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    bench.write("there.epd", "");
    let before = bench.listing();
    let cases: [(&str, &str, &[&str], &str); 9] = [
        (TARRASCH, "a.epd", &["--eval-range", "60..0"], "expected the smaller number first, as in 0..60"),
        (TARRASCH, "a.epd", &["--plies", "8,16"], "expected two numbers, as in 8..16"),
        (TARRASCH, "a.epd", &["--favours", "red"], "expected white or black"),
        (TARRASCH, "there.epd", &[], "there.epd: expected a new file, found one that exists"),
        (TARRASCH, "a.bin", &[], "a.bin: expected a file name that ends in .epd or .pgn"),
        (TARRASCH, "a.epd.gz", &[], "a.epd.gz: expected a file name that ends in .epd or .pgn"),
        (
            TARRASCH,
            "a.epd",
            &["--games", "."],
            "--games .: expected a PGN file, or a run folder with games.pgn",
        ),
        ("./no-engine", "a.epd", &[], "no-engine"),
        ("well", "a.epd", &[], "MultiPV"),
    ];
    for (engine, file, args, words) in cases {
        let told = make(&bench, engine, file, args, 2);
        assert!(told.contains(words), "{args:?}: {told}");
    }
    let told = make(&bench, TARRASCH, "no/folder/a.epd", &[], 2);
    assert!(told.contains("no/folder/a.epd"), "{told}");
    let impossible =
        ["--plies", "1..1", "--eval-range", "3000..3001", "--choice-nodes", "2000", "--count", "1"];
    let told = make(&bench, TARRASCH, "a.epd", &impossible, 2);
    assert!(
        told.contains("100 with an eval out of range") && told.contains("use a wider --eval-range"),
        "{told}"
    );
    assert_eq!(bench.listing(), before);
}

#[test]
fn a_book_with_too_few_openings_names_the_reason_for_most_lines() {
    let bench = Workbench::new();
    let args = ["--plies", "0..0", "--eval-range", "0..3000", "--nodes", "200", "--count", "2"];
    let told = make(&bench, TARRASCH, "a.epd", &args, 3);
    let reason = "1 of 2 openings: of 200 lines tried 199 were duplicates";
    assert!(told.contains(reason) && bench.read("a.epd").contains(reason), "{told}");
}

#[test]
fn an_engine_that_fails_ends_the_work() {
    let bench = Workbench::with_mocks(&["crash-on-new-game"]);
    bench.write("games.pgn", GAMES);
    let args = ["--games", "games.pgn", "--plies", "5..5", "--nodes", "50"];
    let told = make(&bench, "crash-on-new-game", "a.epd", &args, 4);
    assert!(told.contains("no opening found in 0 lines tried; engine crash-on-new-game: "), "{told}");
    assert!(!bench.path("a.epd").exists() && !bench.path("a.epd.partial").exists());
    let args = ["openings", "check", "book.epd", "--engine", "crash-on-new-game"];
    bench.run(&args).expect_code(4);
}

#[test]
fn an_interrupted_book_is_kept_with_a_note() {
    let bench = Workbench::new();
    let args = [&["openings", "make", TARRASCH, "a.epd", "--count", "100000"], &RECIPE[..]].concat();
    let mut arbiter = bench.spawn(&args);
    wait_until("the work begins", || bench.path("a.epd.partial").exists());
    // Some of it is then done, or none.
    std::thread::sleep(std::time::Duration::from_millis(500));
    interrupt(&arbiter);
    let status: ExitStatus = arbiter.wait().unwrap();
    assert_eq!(status.code(), Some(3));
    assert!(!bench.path("a.epd.partial").exists());
    if bench.path("a.epd").exists() {
        assert!(bench.read("a.epd").contains("of 100,000 openings: interrupted"));
        bench.run("openings check a.epd").expect_code(0);
    }
}

/// Lines 2 to 8: an opening, itself, the same by other moves, colours changed, an illegal move, no position, a lone
/// one.
const FLAWED: &str = "\
# A book with every flaw.
rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 ce -30; c0 \"e4 e5 Nf3\";
rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2 ce -30; c0 \"e4 e5 Nf3\";
rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 2 ce -30; c0 \"Nf3 e5 e4\";
rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3 ce -30;
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 ce 20; c0 \"e4 e4\";
rnbqkbnr/pppp1ppp/8/4p3/4P3 w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 ce 85; c0 \"e4 c5\";
";

#[test]
fn every_fault_of_a_book_is_reported_with_its_line() {
    let bench = Workbench::new();
    bench.write("a.epd", FLAWED);
    let args = ["openings", "check", "a.epd", "--eval-range", "0..60", "--mirrored"];
    let text = bench.run(&args).expect_code(1).stdout();
    for words in [
        "a.epd: 5 openings",
        "a.epd:6: operation c0: move \"e4\" is not legal",
        "a.epd:7: column 1: expected a board",
        "a.epd:3: same as line 2",
        "a.epd:4: same as line 2",
        "a.epd:5: same as line 2",
        "a.epd:8: eval +85, expected 0 to 60 centipawns for either side",
        "White 2 (40.0%), Black 3 (60.0%)",
        "evals in centipawns for White, from the book; mean advantage 41",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let count = |heading: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(heading)).unwrap();
        line.rsplit(' ').next().unwrap().to_owned()
    };
    let counts = ["illegal", "duplicates", "transpositions", "mirrored", "out of range"].map(count);
    assert_eq!(counts, ["2", "1", "1", "1", "1"]);
}

#[test]
fn a_file_that_is_not_a_book_is_refused() {
    let bench = Workbench::new();
    bench.write("empty.epd", "# nothing\n");
    bench.write("a.txt", "");
    for (file, words) in [
        ("empty.epd", "empty.epd: expected at least one opening, found none"),
        ("none.epd", "none.epd: "),
        ("a.txt", "a.txt: expected a book that ends in .epd"),
    ] {
        for args in [&["openings", "check", file][..], &["openings", "select", file, "new.epd", "--to", "1"]]
        {
            bench.run(args).expect_code(2).tells(&[words]);
        }
    }
    bench.run("openings check book.epd --engine ./none").expect_code(2).tells(&["none"]);
    bench.run("openings check book.epd --nodes 5").expect_code(2);
    assert!(!bench.path("new.epd").exists());
}

#[test]
fn a_selection_has_the_wanted_number_of_different_openings_and_names_its_source() {
    let bench = Workbench::new();
    let good: Vec<&str> =
        FLAWED.lines().filter(|line| !line.contains("e4 e4") && !line.contains("4P3 w")).collect();
    bench.write("a.epd", &(good.join("\n") + "\n"));
    let select = |new: &str, args: &[&str]| {
        bench.run(&[&["openings", "select", "a.epd", new, "--seed", "5"], args].concat())
    };
    select("b.epd", &["--to", "2"]).expect_code(0);
    select("c.epd", &["--to", "2"]).expect_code(0);
    assert_eq!(lines(&bench, "b.epd"), lines(&bench, "c.epd"));
    let text = bench.read("b.epd");
    assert!(text.contains("# 2 of 5 openings") && text.contains("#   A book with every flaw."), "{text}");
    bench.run("openings check b.epd").expect_code(0);

    // Five lines have three positions. Two of them are in range, each the mirror image of the other.
    select("d.epd", &["--to", "3"]).expect_code(0);
    assert_eq!(lines(&bench, "d.epd").len(), 3);
    for (args, words) in [
        (&["--to", "4"][..], "--to 4: the books have only 3 different openings"),
        (
            &["--to", "3", "--eval-range", "0..60"],
            "the books have only 2 different openings with an eval in --eval-range",
        ),
        (
            &["--to", "2", "--eval-range", "0..60", "--mirrored"],
            "the books have only 1 different opening with",
        ),
    ] {
        select("e.epd", args).expect_code(2).tells(&[words]);
    }
    select("b.epd", &["--to", "1"]).expect_code(2).tells(&["b.epd: expected a new file"]);
    bench.write("a.epd", FLAWED);
    select("e.epd", &["--to", "1"]).expect_code(2).tells(&["a.epd:6: operation c0"]);
    assert!(!bench.path("e.epd").exists() && !bench.path("e.epd.partial").exists());
}

#[test]
fn a_book_of_lines_becomes_a_polyglot_book_and_that_becomes_lines_again() {
    let bench = Workbench::new();
    bench.write(
        "lines.pgn",
        "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"b\"]\n\n1. e4 c5 *\n\n[Event \"c\"]\n\n1. d4 *\n",
    );
    let convert = |args: &[&str]| bench.run(&[&["openings", "convert"], args].concat());
    convert(&["lines.pgn", "book.bin"]).expect_code(0);
    convert(&["book.bin", "again.epd"]).expect_code(0);
    let again = lines(&bench, "again.epd");
    let moves: Vec<&str> = again.iter().map(|line| line.split("c0 ").nth(1).unwrap()).collect();
    assert_eq!(moves, ["\"e4 c5\";", "\"e4 e5 Nf3\";", "\"d4\";"]);

    convert(&["lines.pgn", "common.bin", "--min-lines", "2"]).expect_code(0);
    convert(&["common.bin", "common.pgn"]).expect_code(0);
    assert!(bench.read("common.pgn").ends_with("1. e4 *\n\n"), "{}", bench.read("common.pgn"));
}

#[test]
fn a_refused_conversion_has_a_message_and_leaves_nothing() {
    let bench = Workbench::new();
    bench.write("lines.pgn", "1. e4 e5 *\n");
    bench.write("broken.pgn", "1. e4 Ke4 *\n");
    for (args, expected) in [
        (&["lines.pgn", "new.txt"][..], "new.txt: expected a file name that ends in .epd or .pgn"),
        (
            &["lines.pgn", "new.epd", "--min-lines", "2"],
            "--min-lines is for Polyglot books: expected a new book that ends in .bin",
        ),
        (&["lines.pgn", "new.bin", "--min-lines", "2"], "lines.pgn: no move is played by at least 2 lines"),
        (&["broken.pgn", "new.bin"], "broken.pgn:1: game 1"),
        (&["lines.pgn", "lines.pgn"], "lines.pgn: expected a new file"),
    ] {
        bench.run(&[&["openings", "convert"], args].concat()).expect_code(2).tells(&[expected]);
    }
    assert!(!bench.path("new.bin").exists() && !bench.path("new.epd").exists());
}
