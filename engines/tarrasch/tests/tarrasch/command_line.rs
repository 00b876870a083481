//! Commands as arguments of the program, as OpenBench writes them.

use std::fs;
use std::process::{Command, Output};

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position as _};

fn tarrasch(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tarrasch")).args(arguments).output().unwrap()
}

/// The program's output for valid arguments.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = tarrasch(arguments);
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The single error message for invalid arguments.
fn refusal(arguments: &[&str]) -> String {
    let output = tarrasch(arguments);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with("error: ") && text.lines().count() == 1, "{text}");
    text
}

/// The openings that `genfens` prints, each legal and with a legal move.
fn openings(request: &str) -> Vec<Chess> {
    let positions = lines(&[request, "quit"]).into_iter().map(|line| {
        let fen = line.strip_prefix("info string genfens ").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        let position: Chess = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        assert!(!position.legal_moves().is_empty(), "{fen}");
        position
    });
    positions.collect()
}

/// The plies since the start of a game.
fn plies(position: &Chess) -> u32 {
    2 * (position.fullmoves().get() - 1) + u32::from(position.turn().is_black())
}

#[test]
fn openings_are_as_many_as_asked_and_decided_by_the_seed() {
    let found = openings("genfens 12 seed 7 book None ");
    assert_eq!(found.len(), 12);
    let mut lengths: Vec<u32> = found.iter().map(plies).collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert_eq!(lengths, [8, 9]);
    assert_eq!(openings("genfens 12 seed 7 book None "), found);
    assert_eq!(openings("genfens 5 seed 7 book none"), found[..5]);
    assert!(openings("genfens 5 seed 8 book None").iter().all(|position| !found.contains(position)));
    assert!(openings("genfens 3 seed 7 book None plies 2").iter().all(|position| plies(position) <= 3));
}

#[test]
fn openings_go_on_from_lines_of_a_book() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let text = "# a comment\n\n\
                rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n\
                rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\r\n\
                4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n";
    fs::write(&book, text).unwrap();
    let found = openings(&format!("genfens 8 seed 1 book {}", book.display()));
    assert!(found.len() == 8 && found.iter().all(|position| matches!(plies(position), 6 | 7)));

    let name = book.display().to_string();
    let ask = |text: &str| {
        fs::write(&book, text).unwrap();
        refusal(&[&format!("genfens 2 seed 1 book {name}"), "quit"])
    };
    assert!(ask("\n4k3/8/8/8 w - - 0 1\n").contains(&format!("{name}:2: ")));
    assert!(ask("# nothing\n").contains("expected lines of FEN or EPD"));
    assert!(ask("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1\n").contains("lopsided"));
    assert!(refusal(&["genfens 2 seed 1 book nowhere.epd"]).contains("book nowhere.epd: "));
}

#[test]
fn commands_are_obeyed_in_their_order_each_to_its_end() {
    let found = lines(&["position startpos moves e2e4", "go depth 3", "d", "go perft 1", "quit", "uci"]);
    let place = |start: &str| found.iter().position(|line| line.starts_with(start)).expect("a line");
    assert!(place("bestmove ") < place("Fen: ") && place("Fen: ") < place("Nodes searched: 20"));
    assert!(found.iter().any(|line| line.starts_with("info depth 3 ")));
    assert!(!found.contains(&"uciok".to_owned()));
    assert_eq!(lines(&["isready"]), ["readyok"]);
}

#[test]
fn bad_arguments_are_refused_with_one_message() {
    for (arguments, part) in [
        (&["dance"][..], "unknown word `dance`"),
        (&["isready", "go infinite"], "expected a limit"),
        (&["genfens"], "expected `genfens N seed S book None|FILE [plies P]`, found `genfens`"),
        (&["genfens few seed 1 book None"], "the number of openings: expected a whole number, found `few`"),
        (&["genfens 3 book None"], "expected `genfens N seed S"),
        (&["genfens 3 seed x book None"], "a whole number, found `x`"),
        (&["genfens 3 seed 1 book None plies 0"], "`plies P`"),
        (&["genfens 3 seed 1 book None quickly"], "`plies P`"),
        (&["position fen nonsense"], "position: "),
        (&["setoption name Hash value 0", "quit"], "option Hash"),
    ] {
        assert!(refusal(arguments).contains(part), "{arguments:?}: {}", refusal(arguments));
    }
}

#[test]
fn the_bench_is_a_command_of_its_own_and_one_among_others() {
    let nodes = |arguments: &[&str]| {
        let found = lines(arguments);
        found.into_iter().find(|line| line.starts_with("Nodes searched")).unwrap()
    };
    assert_eq!(nodes(&["bench", "3"]), nodes(&["isready", "bench 3"]));
}

#[test]
#[cfg(not(feature = "tuning"))]
fn the_build_that_ships_has_no_parameters_to_tune() {
    assert!(refusal(&["setoption name futility_margin value 80"]).contains("no option"));
}

/// The parameters of the search as options.
#[cfg(feature = "tuning")]
mod tuning {
    use super::{lines, refusal};

    /// The node count of a bench after some commands.
    fn bench_after(commands: &[&str], depth: u32) -> String {
        let mut found = lines(&[commands, &[&format!("bench {depth}")]].concat()).into_iter();
        found.find(|line| line.starts_with("Nodes searched")).unwrap()
    }

    #[test]
    fn parameters_are_options_that_change_the_search() {
        let options = lines(&["uci"]);
        // A null-move reduction ends a shallow search whatever is added to it, so several depths are tested.
        let usual = [6, 9, 11].map(|depth| (depth, bench_after(&[], depth)));
        let mut defaults = Vec::new();
        // Only parameters have names in small letters.
        let names = options.iter().filter_map(|line| line.strip_prefix("option name "));
        for line in names.filter(|line| line.starts_with(|letter: char| letter.is_ascii_lowercase())) {
            let fields: Vec<&str> = line.split(' ').collect();
            let [name, _, "spin", _, value, _, min, _, max] = fields[..] else { panic!("{line}") };
            let set = |value: &str| format!("setoption name {name} value {value}");
            let changes_bench = || {
                usual.iter().any(|(depth, nodes)| {
                    [min, max].into_iter().any(|value| bench_after(&[&set(value)], *depth) != *nodes)
                })
            };
            // A bench has no clock.
            assert!(name.starts_with("time_") || changes_bench(), "{name} has no effect on the bench");
            defaults.push(set(value));
        }
        assert!(defaults.len() > 40, "{options:?}");
        let defaults: Vec<&str> = defaults.iter().map(String::as_str).collect();
        assert_eq!(bench_after(&defaults, 9), usual[1].1);
    }

    #[test]
    fn a_value_out_of_range_is_refused() {
        assert!(refusal(&["setoption name futility_margin value 5000"]).contains("range"));
    }
}
