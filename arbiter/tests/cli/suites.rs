//! Suites of positions: `arbiter perft`, `tactics` and `speed`.

use arbiter::measure::speed::SpeedReport;
use serde_json::Value;

use crate::programs::example;
use crate::workbench::{POSITIONS, TARRASCH, Workbench};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Mate in one, and a queen that hangs. The mock engine, which plays at random, finds neither.
const TACTICS: &str = "\
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\"; c9 \"required\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id \"loose queen\";
";

#[test]
fn a_right_suite_passes_with_our_own_core_and_with_tarrasch() {
    let bench = Workbench::new();
    // 16 pawn moves, 4 knight moves, and castling with the rook beside the king.
    let chess960 = "bnrkqnrb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQNRB w GCgc - 0 1";
    bench.write("a.epd", &format!("# start: all of it.\n{START} ;D1 20 ;D3 8902\n\n{chess960} ;D1 21\n"));
    let text = bench.run("perft --suite a.epd").expect_code(0).stdout();
    for counter in ["shakmaty", "arbiter"] {
        let line = text.lines().find(|line| line.trim_start().starts_with(counter)).unwrap();
        assert!(line.contains("a.epd") && line.contains('✓') && line.contains("2 positions"), "{line}");
    }
    let text = bench.run(&["perft", TARRASCH, "--suite", "a.epd"]).expect_code(0).stdout();
    assert!(
        text.lines().any(|line| line.trim_start().starts_with("tarrasch") && line.contains('✓')),
        "{text}"
    );
}

#[test]
fn a_wrong_count_is_a_regression_at_its_line() {
    let bench = Workbench::new();
    bench.write("a.epd", &format!("{START} ;D1 20\n\n# start: counted wrong.\n{START} ;D1 20 ;D2 401\n"));
    bench.run(&["perft", TARRASCH, "--suite", "a.epd"]).expect_code(1).shows(&[
        "a.epd:4: start at depth 2\n    expected 401 nodes, tarrasch counts 400",
        "the suite is wrong",
    ]);
    bench.run("perft --suite a.epd --depth 1").expect_code(0);
}

#[test]
fn counts_divisions_and_solutions_are_printed_as_json_too() {
    let bench = Workbench::new();
    bench.write("a.epd", &format!("{START} ;D1 20 ;D2 401\n"));
    bench.write("t.epd", TACTICS);
    let json = |args: &[&str], code| -> Value {
        let text = bench.run(&[args, &["--json"]].concat()).expect_code(code).stdout();
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let perft = json(&["perft", TARRASCH, "--suite", "a.epd"], 1);
    let counted = &perft["counters"][1];
    assert_eq!(
        (&counted["counter"], &counted["judgement"]["verdict"]),
        (&"tarrasch".into(), &"regression".into())
    );
    let wrong = &counted["suites"][0]["wrong"][0];
    assert_eq!(["depth", "expected", "found"].map(|field| wrong[field].as_u64()), [2, 401, 400].map(Some));
    let divided = json(&["perft", TARRASCH, "--fen", START, "--depth", "2"], 0);
    assert_eq!(
        (&divided["levels"][0]["found"]["total"], &divided["wrong"]),
        (&400.into(), &Value::Array(vec![]))
    );
    let solved = json(&["tactics", TARRASCH, "--suite", "t.epd", "--nodes", "20000"], 0);
    assert_eq!(solved["results"][1]["answer"], "e4d5");
    assert_eq!(solved["judgements"][0]["sentence"], "2 of 2 positions solved");
}

/// Two bishops give check along one diagonal, which no move does.
const FOUR_BISHOPS: &str = "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1";

#[test]
fn what_no_game_reaches_is_counted_and_played_and_what_cannot_be_played_is_skipped_or_refused() {
    let bench = Workbench::new();
    let nine_pawns = "4k3/8/8/8/8/NNN5/PPPPPPPP/R3K2R w KQ - 0 1";
    let takes_king = "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1";
    let counts = "D1 6 ;D2 106 ;D3 1829 ;D4 31151";
    bench.write("a.epd", &format!("{FOUR_BISHOPS} ;{counts}\n{nine_pawns} ;D1 32\n{takes_king} ;D1 1\n"));
    for engine in [TARRASCH, example!("bibichess")] {
        let run = bench.run(&["perft", engine, "--suite", "a.epd"]).expect_code(0);
        run.shows(&["✓    2 positions"]).tells(&[
            "a.epd: 1 position skipped",
            "a.epd:3: FEN",
            "a.epd: 2 positions that no game reaches",
            "a.epd:1: impossible check",
            "a.epd:2: too much material",
        ]);
    }
    bench.run("perft --suite a.epd --strict").expect_code(2).tells(&["--strict", "a.epd:3: "]);
    bench.write("b.epd", &format!("{FOUR_BISHOPS}\n{takes_king}\n"));
    let told = ["1 position skipped", "b.epd:1: impossible check"];
    bench.run(&["speed", TARRASCH, "--suite", "b.epd", "--depth", "2"]).expect_code(0).tells(&told);
    bench.write("t.epd", &format!("{FOUR_BISHOPS} dm 30;\n{takes_king} dm 1;\n"));
    for command in ["speed", "tactics"] {
        let args = [command, TARRASCH, "--suite", "t.epd", "--depth", "2", "--strict"];
        bench.run(&args).expect_code(2).tells(&["--strict", "t.epd:2: "]);
    }
    let args =
        ["match", TARRASCH, example!("thomartin"), "--openings", "b.epd", "--games", "2", "--nodes", "20"];
    bench.run(&args).expect_code(0).tells(&["1 opening skipped", "b.epd:1: impossible check"]);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn a_position_is_divided_beside_our_own_counts_and_followed_to_the_wrong_moves() {
    let bench = Workbench::new();
    let divide = |engine: &str, args: &[&str]| {
        bench.run(&[&["perft", engine, "--fen", FOUR_BISHOPS][..], args].concat())
    };
    let run = divide(TARRASCH, &["--depth", "4"]).expect_code(0);
    let run = run.shows(&["31,151"]).tells(&["no game reaches this position (impossible check)"]);
    assert!(!run.stdout().contains('✗'));
    // After 1… Ke3 it has no Kb3.
    let first = |of_e3| {
        format!(
            "f3e2: 17\nf3f2: 18\nf3e3: {of_e3}\nf3g3: 18\nf3f4: 18\nf3g4: 18\nNodes searched: {}\n",
            89 + of_e3
        )
    };
    let count_of_one =
        |text: String| text.replace(": 17", ": 1").replace(": 18", ": 1").replace(": 106", ": 6");
    bench.write("2", &first(16));
    bench.write("1", &count_of_one(first(17)));
    let moves = "c4b4 c4b5 c4c5 c4d5 h1g2 h1f3 h1e4 h1d5 h1c6 h1b7 a8g2 a8f3 a8e4 a8d5 a8c6 a8b7";
    bench.write("1e3", &(moves.replace(' ', ": 1\n") + ": 1\nNodes searched: 16\n"));
    bench.write_program(
        "forgets",
        "#!/bin/sh\nwhile read -r word rest; do\n  case $word in\n    uci) echo uciok ;;\n    isready) echo readyok ;;\n    \
         quit) exit ;;\n    position) after=${rest#*f3} ;;\n    go) case $after in e3) e3=e3;; *) e3=;; esac; cat \"${rest#perft }$e3\" ;;\n  esac\ndone\n",
    );
    let text = divide("./forgets", &["--depth", "2"]).expect_code(1).stdout();
    assert!(text.contains("✗") && text.contains("one level deeper: --moves \"f3e3\" --depth 1"), "{text}");
    let text = divide("./forgets", &["--depth", "2", "--follow"]).expect_code(1).stdout();
    assert!(text.contains("after f3e3, depth 1:") && text.contains("missing moves: c4b3"), "{text}");
    assert_eq!(divide("./forgets", &["--moves", "f3e3"]).expect_code(1).stdout().matches('✗').count(), 2);
    bench.run("perft --fen 8/8/8/8/8/8/8/K7").expect_code(2);
}

#[test]
fn a_suite_that_is_solved_passes_and_its_table_has_a_row_per_position() {
    let bench = Workbench::new();
    bench.write("a.epd", TACTICS);
    let args = ["tactics", TARRASCH, "--suite", "a.epd", "--nodes", "20000", "--csv", "a.csv"];
    bench.run(&args).expect_code(0).shows(&["✓ 2/2"]);
    let table = bench.read("a.csv");
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<_> = rows.records().map(Result::unwrap).collect();
    let field = |row: usize, field: usize| rows[row].get(field).unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!((field(0, 0), field(0, 3), field(0, 6)), ("tarrasch", "back rank", "a1a8"));
    assert_eq!((field(1, 2), field(1, 3), field(1, 6)), ("2", "loose queen", "e4d5"));
}

#[test]
fn only_a_required_position_that_is_missed_is_a_regression() {
    let bench = Workbench::with_mocks(&["well", "illegal"]);
    bench.write("a.epd", TACTICS);
    let text = bench.run("tactics well --suite a.epd --nodes 20").expect_code(1).stdout();
    assert!(text.contains("missed back rank (a.epd:1, required): played "), "{text}");
    assert!(text.contains("✗ 0/2"), "{text}");
    bench.write("b.epd", &TACTICS.replace("c9 \"required\";", ""));
    bench.run("tactics well --suite b.epd --nodes 20").expect_code(0);
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn a_crash_no_move_and_an_illegal_move_are_engine_faults_even_where_a_move_is_only_to_be_avoided() {
    let bench = Workbench::new();
    bench.write("a.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - am Ke2; id \"stay\"; c9 \"required\";\n");
    bench.write("arbiter.toml", "engine = './odd'\n[tactics]\nsuites = ['a.epd']\nnodes = 20\n");
    for (go, fault) in [
        ("exit 9", "exit code 9"),
        ("echo 'bestmove (none)'", "expected `bestmove` with a move, found `bestmove (none)`"),
        ("echo 'bestmove Kf2'", "expected `bestmove` with a move, found `bestmove Kf2`"),
        ("echo 'bestmove a1h8'", "`bestmove`: move \"a1h8\" is not legal in 6k1/"),
    ] {
        bench.write_script("odd", go);
        let run = bench.run("tactics ./odd --suite a.epd --nodes 20").expect_code(4);
        assert!(run.stderr().contains("stay: ") && run.stderr().contains(fault), "{}", run.stderr());
        assert!(run.stdout().contains("✗ 0/1, 1 engine fault"), "{go}: {}", run.stdout());
        let text =
            bench.run(&["ci", "--out", &format!("run{}", bench.listing().len())]).expect_code(4).stdout();
        assert!(text.contains("stay (a.epd:1): ") && text.contains(fault), "{go}: {text}");
    }
}

#[test]
fn a_table_is_not_begun_by_an_engine_that_does_not_start() {
    let bench = Workbench::new();
    bench.write("a.epd", TACTICS);
    let tactics = |engine: &str, code| {
        let args = ["tactics", engine, "--suite", "a.epd", "--nodes", "20000", "--csv", "a.csv"];
        bench.run(&args).expect_code(code)
    };
    assert!(tactics(&format!("{TARRASCH}:Hash=0"), 2).stderr().contains("option `Hash`"));
    tactics(TARRASCH, 0);
}

#[test]
fn two_engines_are_compared_position_by_position() {
    let bench = Workbench::with_mocks(&["well"]);
    let mate = |number| format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"{number}\";\n");
    bench.write("a.epd", &(1..=6).map(mate).collect::<Vec<_>>().concat());
    let tactics = |first: &str, second: &str, code| {
        let args = ["tactics", first, second, "--suite", "a.epd", "--nodes", "2000", "--concurrency", "2"];
        bench.run(&args).expect_code(code).stdout()
    };
    let text = tactics(TARRASCH, "well", 0);
    assert!(text.contains("solved by tarrasch only: 6; by well only: 0"), "{text}");
    assert!(text.contains("p = 0.031, significant"), "{text}");
    let text = tactics("well", TARRASCH, 1);
    assert!(text.contains("- 5 (a.epd:5)") && !text.contains("- 6"), "{text}");
    assert!(text.contains("- … and 1 more (list them with --missed)"), "{text}");
    let text = tactics("well", "well", 0);
    assert!(text.contains("p = 1.000, not significant"), "{text}");
}

#[test]
fn moves_with_points_earn_them() {
    let bench = Workbench::new();
    bench.write("a.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; c0 \"Ra8=10, Ke2=3\";\n");
    let text = bench.run(&format!("tactics {TARRASCH} --suite a.epd --nodes 2000")).expect_code(0).stdout();
    assert!(text.contains("Points") && text.contains("10/10"), "{text}");
}

#[test]
fn counts_above_a_limit_are_skipped_with_a_note() {
    let bench = Workbench::new();
    bench.write("a.epd", &format!("{START} ;D1 20 ;D2 400 ;D3 8902\n{START} ;D1 20 ;D4 1\n"));
    let text = bench.run("perft --suite a.epd --max-nodes 500").expect_code(1).stdout();
    assert!(text.contains("1 count above 500 nodes skipped"), "{text}");
    let args = ["perft", "--suite", "a.epd", "--max-nodes", "500", "--depth", "3"];
    assert!(bench.run(&args).expect_code(0).stdout().contains("1 count above 500 nodes skipped"));
    let text = bench.run("perft --suite a.epd --depth 2").expect_code(0).stdout();
    assert!(!text.contains("skipped"), "{text}");
}

#[test]
fn the_table_has_a_row_for_every_engine_position_and_depth() {
    let bench = Workbench::new();
    bench.write("a.epd", &format!("# start: wrong at depth 2.\n{START} ;D1 20 ;D2 401 ;D3 8902\n"));
    let args = ["perft", TARRASCH, TARRASCH, "--suite", "a.epd", "--csv", "a.csv"];
    bench.run(&args).expect_code(1);
    let table = bench.read("a.csv");
    let rows: Vec<csv::StringRecord> =
        csv::Reader::from_reader(table.as_bytes()).records().map(Result::unwrap).collect();
    let counters: Vec<&str> = rows.iter().step_by(3).map(|row| row.get(0).unwrap()).collect();
    assert_eq!(rows.len(), 9);
    assert_eq!(counters, ["shakmaty", "tarrasch", "tarrasch#2"]);
    for row in rows.chunks(3) {
        let found: Vec<(&str, &str)> = row.iter().map(|row| (&row[7], &row[8])).collect();
        assert_eq!(found, [("20", "right"), ("400", "wrong"), ("", "skipped")]);
    }
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn an_engine_that_fails_in_a_count_does_not_stop_the_others() {
    let bench = Workbench::new();
    bench.write("a.epd", &format!("{START} ;D1 20 ;D2 400\n"));
    // The first count is asked to see whether it counts at all.
    for go in ["exit 7", "[ $asked ] && exit 7; asked=1; echo 'e2e4: 1'; echo 'Nodes searched: 20'"] {
        bench.write_script("breaks", go);
        let run = bench.run(&["perft", "./breaks", TARRASCH, "--suite", "a.epd"]).expect_code(4);
        assert!(run.stderr().contains("a.epd:1: line 1: engine breaks: "), "{}", run.stderr());
        assert!(
            run.stdout().lines().any(|line| line.trim_start().starts_with("tarrasch") && line.contains('✓'))
        );
    }
}

#[test]
#[cfg_attr(windows, ignore = "its engine is a shell script")]
fn a_move_that_is_listed_twice_and_a_total_that_is_not_the_sum_are_wrong_counts() {
    let bench = Workbench::new();
    bench.write("a.epd", "k7/8/K7/8/8/8/8/8 b - - 0 1 ;D1 1\n");
    for (answer, counts, fault) in [
        ("a8b8: 1\nNodes searched: 1", "", ""),
        ("a8b8: 1\na8b8: 1\nNodes searched: 2", "counts 2", "listed twice: a8b8"),
        ("a8b8: 1\na8b8: 1\nNodes searched: 1", "counts 2", "listed twice: a8b8"),
        ("a8b8: 1\nNodes searched: 5", "counts 5", "its moves are right, but their counts do not add up"),
        ("a8b8: 1\na8a7: 1\nNodes searched: 1", "counts 2", "illegal moves: a8a7"),
    ] {
        bench.write_script("counts", &format!("printf '{}\n'", answer.replace('\n', "\\n")));
        let code = i32::from(!fault.is_empty());
        bench.run("perft ./counts --suite a.epd").expect_code(code).shows(&[counts, fault]);
        bench.write("arbiter.toml", "engine = './counts'\n[perft]\nsuites = ['a.epd']\n");
        bench.run(&["ci", "--out", &format!("run{}", bench.listing().len())]).expect_code(code);
    }
}

#[test]
fn of_the_default_suites_an_engine_without_chess960_counts_the_others() {
    let bench = Workbench::new();
    let engine = example!("bibichess");
    let note = "bibichess has no option UCI_Chess960: skipped chess960.epd, hard-chess960.epd";
    let run = bench.run(&["perft", engine, "--depth", "1"]).expect_code(0).tells(&[note]);
    assert!(
        run.stdout()
            .lines()
            .any(|line| line.trim_start().starts_with("bibichess") && line.contains("smirf.epd"))
    );
    let ci = |suites: &str, code| {
        bench.write("arbiter.toml", &format!("engine = '{engine}'\n[perft]\ndepth = 1\n{suites}"));
        bench.run("ci --out run").expect_code(code)
    };
    let named = "suites = ['chess960.epd']";
    ci(named, 2).tells(&["perft, suites: chess960.epd", "UCI_Chess960"]);
    assert!(!bench.path("run").exists());
    assert!(ci("", 0).stderr().contains(note));
    assert!(!bench.read("run/ci.toml").contains("chess960"));
}

#[test]
fn zero_bytes_at_line_ends_are_read_with_a_warning_that_counts() {
    let bench = Workbench::new();
    bench.write("p.epd", "7k/8/8/8/8/8/8/K7 w - - 0 1 ;D1 3\0\n7k/8/8/8/8/8/8/K7 b - - 0 1 ;D1 3\0\0\n");
    bench.run("perft --suite p.epd").expect_code(0).tells(&["warning: p.epd: 2 lines with zero bytes"]);
    let args = [
        "match", TARRASCH, TARRASCH, "--openings", "b.epd", "--games", "2", "--nodes", "20", "--maxmoves",
        "2",
    ];
    bench.write("b.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\0\n");
    bench.run(&args).expect_code(0).tells(&["1 line with zero bytes"]);
}

#[test]
fn two_engines_search_the_same_positions_two_and_two() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let args =
        ["speed", TARRASCH, TARRASCH, "--suite", "positions.epd", "--depth", "4", "--rounds", "2", "--json"];
    let report: SpeedReport = serde_json::from_str(&bench.run(&args).expect_code(0).stdout()).unwrap();
    assert_eq!((report.schema, report.positions, report.rounds), (SpeedReport::SCHEMA, 2, 2));
    assert_eq!(report.limit, "go depth 4");
    let [one, other] = &report.engines[..] else { panic!("{report:?}") };
    // 24 starts a round, each with one of the positions, which is searched twice.
    assert_eq!((one.searches, other.searches), (96, 96));
    assert_eq!(one.nodes, other.nodes);
    assert!((one.mean_depth - 4.0).abs() < 1e-9);
    assert_eq!(report.comparisons.len(), 1);
    assert!(report.comparisons[0].time.is_some() && report.resolution.is_some());
}

#[test]
fn a_planted_slowdown_is_measured_and_everything_else_stays_the_same() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    let engine = example!("slowed_tarrasch");
    let slowed = format!("{engine}:Slowdown=1000");
    let limits = ["--suite", "positions.epd", "--rounds", "3", "--nodes", "2000", "--json"];
    let args = [&["speed", engine, &slowed], &limits[..]].concat();
    let report: SpeedReport = serde_json::from_str(&bench.run(&args).expect_code(0).stdout()).unwrap();
    let [plain, slowed] = &report.engines[..] else { panic!("{report:?}") };
    assert_eq!((plain.nodes, plain.hashfull), (slowed.nodes, slowed.hashfull));
    let comparison = &report.comparisons[0];
    let race = comparison.to_depth.as_ref().unwrap();
    assert!((race.nodes.ratio - 1.0).abs() < 1e-12 && race.mean_depth > 1.0, "{race:?}");
    if cfg!(target_os = "linux") {
        // As much time is wasted as is needed; how exactly that is seen depends on what else the machine does.
        let ratio = comparison.by_cpu_time.unwrap();
        assert!(ratio.ratio > 1.5 && ratio.ratio < 2.5, "{ratio:?}");
        assert!(slowed.memory_mb.unwrap() > 1.0 && slowed.user_seconds.is_some());
    }
}

#[test]
fn one_engine_alone_is_measured_too_and_shown_as_a_table() {
    let bench = Workbench::new();
    bench.write("positions.epd", POSITIONS);
    bench
        .run(&["speed", TARRASCH, "--suite", "positions.epd", "--nodes", "3000"])
        .expect_code(0)
        .shows(&["NPS", "  tarrasch", "2 positions, `go nodes 3000`"]);
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let bench = Workbench::new();
    bench.write("empty.epd", "# nothing\n");
    let errors = bench.run(&["speed", TARRASCH, "--suite", "empty.epd"]).expect_code(2).stderr();
    assert!(errors.contains("empty.epd: expected at least one position, found none"), "{errors}");
    bench.write("illegal.epd", "\n8/8/8/8/8/8/8/8 w - -\n");
    bench.run(&["speed", TARRASCH, "--suite", "illegal.epd"]).expect_code(2).tells(&["illegal.epd:2: "]);
    bench.run("speed nobody").expect_code(2).tells(&["nobody"]);
}

#[test]
fn so_many_processes_at_once_are_advised_as_keep_their_speed() {
    let bench = Workbench::new();
    let run = bench.run(&["cores", TARRASCH, "--most", "2", "--movetime", "20"]).expect_code(0);
    run.shows(&["At once", "NPS of each", "100.0%", "--concurrency "]).tells(&["1 at once", "2 at once"]);
    bench.run("cores nobody").expect_code(2).tells(&["nobody"]);
}
