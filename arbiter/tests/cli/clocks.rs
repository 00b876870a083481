//! What engines are sent, beside fastchess.

use crate::workbench::Workbench;

/// The lines that fastchess sent, recorded as described at the top of the file.
const WIRE_LINES: &str = include_str!("../../../results/wire-lines.txt");

/// A clock value may be this much smaller than in the file, whose engines answered at once. Increments are larger.
const USED_MS: u64 = 3000;

#[test]
fn an_engine_is_sent_what_fastchess_sends() {
    let bench = Workbench::new();
    bench.write_program(
        "engine",
        "#!/bin/sh\nout=$2 back=$3\nwhile read -r line; do\n  case $line in\n    uci) echo uciok ;;\n    \
         isready) echo readyok ;;\n    position*) echo \"$line\" >>\"$1\" ;;\n    go*) echo \"$line\" >>\"$1\"; \
         echo \"bestmove $out\"; next=$back; back=$out; out=$next ;;\n    quit) exit ;;\n  esac\ndone\n",
    );
    let mut cases = 0;
    for case in WIRE_LINES.split("\n\n").skip(1) {
        let (heading, expected) = case.split_once('\n').unwrap();
        let parts: Vec<&str> = heading.split(" | ").collect();
        let start = parts.get(2).unwrap_or(&"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        bench.write("book.epd", &format!("{start}\n"));
        for log in ["a.log", "b.log"] {
            bench.write(log, "");
        }
        let mut args = vec!["fastchess"];
        let engines = [("a", "g1f3 f3g1", parts[0]), ("b", "g8f6 f6g8", parts[1])];
        let files =
            engines.map(|(name, moves, _)| (format!("name={name}"), format!("args={name}.log {moves}")));
        for ((name, log), (_, _, words)) in files.iter().zip(engines) {
            args.extend(["-engine", "cmd=./engine", name, log]);
            args.extend(words.split(' '));
        }
        args.extend(["-openings", "file=book.epd", "format=epd", "-rounds", "1", "-games", "1"]);
        args.extend(["-maxmoves", "3", "-concurrency", "1"]);
        bench.run(&args).expect_code(0);
        for engine in ["a", "b"] {
            let prefix = format!("{engine} ");
            let expected: Vec<&str> =
                expected.lines().filter_map(|line| line.strip_prefix(&prefix)).collect();
            let found = bench.read(&format!("{engine}.log"));
            assert_eq!(found.lines().count(), expected.len(), "{heading}: {found}");
            for (found, expected) in found.lines().zip(expected) {
                assert!(is_sent_so(found, expected), "{heading}, {engine}: {found}, expected {expected}");
            }
        }
        cases += 1;
    }
    assert_eq!(cases, 22);
}

/// Whether the lines are equal apart from the time used.
fn is_sent_so(found: &str, expected: &str) -> bool {
    let (found, expected): (Vec<&str>, Vec<&str>) =
        (found.split(' ').collect(), expected.split(' ').collect());
    found.len() == expected.len()
        && (0..found.len()).all(|index| {
            let is_time = index > 0 && matches!(expected[index - 1], "wtime" | "btime");
            found[index] == expected[index]
                || is_time
                    && expected[index]
                        .parse::<u64>()
                        .unwrap()
                        .checked_sub(found[index].parse().unwrap())
                        .is_some_and(|used| used < USED_MS)
        })
}
