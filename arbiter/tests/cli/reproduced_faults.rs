//! `arbiter reproduce`: games that were lost by a fault, played again.

use crate::workbench::{Workbench, events};
use runner::{Event, Termination};

/// Plays a match that one engine spoils, and returns the number of its first lost game.
fn spoiled(bench: &Workbench, engine: &str, more: &str) -> u32 {
    let line = format!("match well {engine} --openings book.epd --games 4 --concurrency 1 --out run {more}");
    bench.run(&line).expect_code(0);
    let lost = |event: &Event| match event {
        Event::GameFinished(game) if game.termination.is_fault() => Some(game.game + 1),
        _ => None,
    };
    events(bench, "run").iter().find_map(lost).expect("a game was lost by a fault")
}

#[test]
fn every_kind_of_fault_comes_again_and_a_few_lines_are_left() {
    for (mode, kind, limit, lines) in [
        ("crash", Termination::Crash, "--nodes 50", 6),
        ("illegal", Termination::IllegalMove, "--nodes 50", 5),
        ("no-move", Termination::NoMove, "--nodes 50", 5),
        ("late", Termination::TimeLoss, "--tc 0.2+0.2", 6),
    ] {
        let bench = Workbench::with_mocks(&["well", mode]);
        let game = spoiled(&bench, mode, limit);
        let name = kind.to_string().replace('_', " ");
        let done = bench.run(&format!("reproduce run {game} --tries 3 --least"));
        let is_late = kind == Termination::TimeLoss;
        if is_late && done.code() == Some(3) {
            // The load of the machine is to blame for every try.
            continue;
        }
        let said = done.expect_code(1).stdout();
        assert!(said.contains(&format!("Looked for: {name}. The fault came in ")), "{said}");
        assert!(is_late || said.contains("in 3 of 3 tries"), "{said}");
        let file = format!("run/bad/{game}.least");
        let least = bench.read(&file);
        let sent = least.lines().filter(|line| !line.starts_with('#')).count();
        assert!(sent <= lines && least.contains("\nuci\n"), "{mode}: {least}");
        if is_late {
            continue;
        }
        bench.run(&format!("reproduce {file} --tries 2")).expect_code(1).shows(&["in 2 of 2 tries"]);
        // A build without the fault.
        let mended = bench.run(&format!("reproduce {file} --tries 2 --engine well")).expect_code(0).stdout();
        assert!(mended.contains("in 0 of 2 tries") && mended.contains("fewer than 78%"), "{mended}");
    }
}

#[test]
fn an_engine_that_hangs_or_does_not_get_ready_is_known_by_that() {
    let bench = Workbench::with_mocks(&["well", "hang", "crash-on-isready"]);
    let game = spoiled(&bench, "hang", "--tc 0.1+0.1");
    let done = bench.run(&format!("reproduce run/bad/{game}.log --tries 2 --concurrency 2 --fast"));
    // Unless the machine is to blame for each.
    assert!(matches!(done.code(), Some(1 | 3)) && done.stdout().contains("  stall"), "{}", done.stdout());
    bench.write("log", "1 >x(0): uci\n2 >x(0): isready\n3 >x(0): go depth 1\n{White disconnects}\n");
    let said = bench.run("reproduce log --engine crash-on-isready --tries 2").expect_code(1).stdout();
    assert!(said.contains("Looked for: crash. The fault came in 2 of 2 tries"), "{said}");
}

#[test]
#[cfg(unix)]
fn what_an_earlier_game_has_left_behind_is_sent_again() {
    let bench = Workbench::with_mocks(&["well"]);
    // It breaks in the third game of a process, unless the moves of the first are missing.
    let script = "#!/bin/sh\nwhile read -r line; do\n  case $line in\n    uci) echo 'option name Hash type spin default 1 min 1 max 9'; \
                  echo uciok ;;\n    isready) echo readyok ;;\n    ucinewgame) n=$((n + 1)) ;;\n    position*) p=$line ;;\n    \
                  go*) if [ \"$n\" = 3 ]; then echo 'stale' >&2; kill -ABRT $$; fi\n      m=$(printf '%s\\n%s\\n' \"$p\" go | ENGINE well) ; \
                  echo \"$m\" ;;\n    quit) exit ;;\n  esac\ndone\n";
    let well = format!("{} well | grep bestmove", crate::programs::MOCK_ENGINE);
    bench.write_program("stale", &script.replace("ENGINE well", &well));
    let game = spoiled(&bench, "./stale:Hash=2", "--nodes 50 --maxmoves 4");
    assert_eq!(game, 3);
    let log = bench.read("run/bad/3.log");
    assert!(log.contains("# set before: setoption name Hash value 2\n# games before: 1 2\n"), "{log}");
    let said = bench.run("reproduce run 3 --tries 3 --least --fast").expect_code(1).stdout();
    assert!(said.contains("in 3 of 3 tries") && said.contains("in 3 games"), "{said}");
    let least = bench.read("run/bad/3.least");
    let sent: Vec<&str> = least.lines().filter(|line| !line.starts_with('#')).collect();
    let games = sent.iter().filter(|line| **line == "ucinewgame").count();
    assert!(games == 3 && sent.len() <= 10 && !least.contains("Hash"), "{least}");
    assert!(least.contains("# stale\n"), "{least}");
    // The last position alone is not to blame.
    let alone = bench.run("reproduce run 3 --tries 2 --at 1").expect_code(0).stdout();
    assert!(alone.contains("in 0 of 2 tries"), "{alone}");
}

#[test]
#[cfg(unix)]
fn a_fault_that_comes_in_one_of_three_tries_is_shrunk_too() {
    let bench = Workbench::new();
    bench.write_script(
        "race",
        "n=$(cat n); echo $((n + 1)) >n; [ $((n % 3)) = 0 ] && exit 7; echo bestmove a2a3",
    );
    let log = "1 >race(0): uci\n1 >race(0): setoption name Hash value 4\n2 >race(0): isready\n3 >race(0): ucinewgame\n\
               3 >race(0): isready\n4 >race(0): position startpos\n4 >race(0): go depth 1\nWhite disconnects\n";
    bench.write("log", log);
    bench.write("n", "0\n");
    let said = bench.run("reproduce log --engine ./race --tries 12 --least").expect_code(1).stdout();
    assert!(said.contains("in 4 of 12 tries (14% to 61%)") && said.contains("no fault"), "{said}");
    assert!(said.contains("log.least: 3 lines of 7\n  uci\n  position startpos\n  go depth 1\n"), "{said}");
}

#[test]
fn what_cannot_be_played_is_said() {
    let bench = Workbench::with_mocks(&["well", "crash", "illegal"]);
    let game = spoiled(&bench, "crash", "--nodes 50");
    bench
        .run("reproduce run")
        .expect_code(2)
        .tells(&["expected the number of a game", &format!("ended {game}")]);
    bench.run("reproduce run 99").expect_code(2).tells(&["no game 99"]);
    bench.run("reproduce run/games.csv").expect_code(2).tells(&["run/games.csv", "expected a protocol log"]);
    bench
        .run(&format!("reproduce run/bad/{game}.log --at 200"))
        .expect_code(2)
        .tells(&["expected a move of the engine"]);
    bench.write("log", "1 >x(0): uci\n2 >x(0): go depth 1\n");
    bench.run("reproduce log").expect_code(2).tells(&["expected --engine ENGINE"]);
    bench.run("reproduce log --engine well --player y").expect_code(2).tells(&["expected one of x(0)"]);
    // Another fault than the one that is looked for.
    let other =
        bench.run(&format!("reproduce run {game} --engine illegal --tries 1")).expect_code(4).stdout();
    assert!(other.contains("in 0 of 1 tries") && other.contains("1  illegal move"), "{other}");
}

/// An engine whose other build reports an error when it is to think in a certain position.
#[cfg(unix)]
fn with_other_build(bench: &Workbench, report: &str) {
    bench.write_script("plain", "echo bestmove e8d8");
    let report = format!("case $line in *nodes*) echo '{report}' >&2 ;; esac; echo bestmove 0000");
    bench.write_script("checked", &report);
    let manifest = "name = 'mine'\ncommand = 'bin/mine'\nbuild = 'mkdir -p bin && cp plain bin/mine'\n[builds.sanitize]\n\
                    build = 'mkdir -p bin && cp checked bin/mine-asan'\ncommand = 'bin/mine-asan'\n";
    bench.write("engines/mine/engine.toml", manifest);
}

#[test]
#[cfg(unix)]
fn another_build_of_the_engine_says_where_the_fault_is() {
    let bench = Workbench::with_mocks(&["well"]);
    with_other_build(&bench, "src/eval.c:31:7: runtime error: index 64 out of bounds");
    let game = spoiled(&bench, "mine", "--nodes 50");
    let said = bench.run(&format!("reproduce run {game} --build sanitize --tries 2")).expect_code(1).stdout();
    assert!(
        said.contains("mine+sanitize: ") && said.contains("index 64 out of bounds at src/eval.c:31"),
        "{said}"
    );
    bench
        .run(&format!("reproduce run {game} --build tsan"))
        .expect_code(2)
        .tells(&["expected sanitize, found no `tsan`"]);
    bench
        .run("match well:build=x well --games 2")
        .expect_code(2)
        .tells(&["`builds`: expected [builds.NAME]"]);
    // After a match, and as a step of CI.
    let line =
        "match mine well --openings book.epd --nodes 50 --games 8 --out other --build-every sanitize:4";
    let said = bench.run(line).expect_code(4).stdout();
    assert!(
        said.contains("2 games of the build sanitize, not counted: index 64 out of bounds at src/eval.c:31"),
        "{said}"
    );
    assert!(bench.path("other/sanitize/events.jsonl").is_file());
    bench.run("match well well --games 2 --build-every sanitize:4").expect_code(2).tells(&["found none"]);
    let file = "engine = 'mine'\n[sanitize]\nopenings = 'book.epd'\n";
    bench.write("arbiter.toml", file);
    let said = bench.run("ci --out red").expect_code(4).stdout();
    assert!(said.contains("sanitize   ✗ index 64 out of bounds at src/eval.c:31"), "{said}");
    bench.write("arbiter.toml", &file.replace("[sanitize]", "[sanitize]\nbuild = 'debug'"));
    bench.run("ci --out none").expect_code(2).tells(&["expected [builds.debug] in the manifest"]);
}

#[test]
#[cfg(unix)]
fn a_build_without_reports_passes() {
    let bench = Workbench::with_mocks(&["well"]);
    let mock = crate::programs::MOCK_ENGINE;
    let other = format!("#!/bin/sh\nexec {mock} well\n");
    bench.write_program("checked", &other);
    let manifest = bench.read("engines/well/engine.toml");
    let builds = "[builds.sanitize]\nbuild = 'cp checked asan'\ncommand = './asan'\n";
    bench.write("engines/well/engine.toml", &format!("{manifest}{builds}"));
    bench.write(
        "arbiter.toml",
        "engine = 'well'\n[sanitize]\nopenings = 'book.epd'\nlimits = { clock = '1+0.01' }\ngames = 2\n",
    );
    let said = bench.run("ci --out green").expect_code(0).stdout();
    assert!(said.contains("sanitize   ✓ 2 games without an error report"), "{said}");
}
