//! What a GUI may expect of every engine in this repository, tested on the programs themselves. Tests specific to an
//! engine are beside its sources.

use std::io::Write;
use std::process::{Command, Stdio};

use arbiter::measure::perft::PerftSuite;
use referee::{Referee, Variant};
use uci::{Message, Score};

use uci::scripted_gui::ScriptedGui;

use crate::programs::example;

const ENGINES: [(&str, &str); 6] = [
    ("tarrasch", example!("tarrasch")),
    ("bibichess", example!("bibichess")),
    ("carnatus", example!("carnatus")),
    ("druelle", example!("druelle")),
    ("schlottke", example!("schlottke")),
    ("thomartin", example!("thomartin")),
];

/// A middlegame that is in no opening book.
const QUIET: &str = "position fen r1bq1rk1/3n1pbp/pPpp1np1/8/3PP3/3B1N2/1P1N1PPP/R1BQR1K1 b - - 0 12";

/// A middlegame in which engines change their minds.
const SHARP: &str = "position fen 4kb1r/1pqb1ppp/3p1n2/4p3/r2pPP2/N2P2QP/1PPB2P1/R4RK1 b k - 3 18";

/// An engine that searches for material alone: to it, mate is the loss of a king, and it promotes only to queens.
const MATERIAL_ALONE: &str = "schlottke";

/// The most leaves counted for a position.
const FEW_LEAVES: u64 = 200_000;

/// Starts each engine in turn, and checks that it prints nothing more after the conversation.
fn each(converse: impl Fn(&str, &mut ScriptedGui)) {
    for (name, program) in ENGINES {
        let mut gui = ScriptedGui::start(program);
        converse(name, &mut gui);
        let rest = gui.end();
        assert!(rest.iter().all(String::is_empty), "{name}: {rest:?}");
    }
}

#[test]
fn the_introduction_is_of_the_protocol() {
    each(|name, gui| {
        let lines = gui.ask(&["uci"]);
        let messages: Vec<Message> = lines.iter().map(|line| line.parse().unwrap()).collect();
        assert!(matches!(messages.first(), Some(Message::IdName(_))), "{name}: {lines:?}");
        assert_eq!(messages.last(), Some(&Message::UciOk), "{name}");
        let overhead = "option name Move Overhead type spin default 10 min 0 max 10000";
        assert!(lines.iter().any(|line| line == overhead), "{name}: {lines:?}");
    });
}

#[test]
fn a_game_that_is_over_has_no_move() {
    each(|name, gui| {
        for fen in ["k7/2Q5/8/8/8/8/8/4K3 b - - 0 1", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"] {
            let answer = gui.search(&format!("position fen {fen}"), "go movetime 50");
            assert_eq!(answer.best(), None, "{name}: {fen}");
        }
    });
}

#[test]
fn limits_are_kept_there_is_a_move_however_little_they_allow_and_unreadable_ones_are_told() {
    each(|name, gui| {
        let answer = gui.search(QUIET, "go depth 2");
        assert_eq!(answer.depths().last(), Some(&2), "{name}: {answer:?}");
        let answer = gui.search(QUIET, "go depth 2 searchmoves h7h5");
        assert_eq!(answer.best(), Some("h7h5"), "{name}");
        let answer = gui.search(QUIET, "go nodes 777");
        assert!(answer.best().is_some() && answer.nodes() <= Some(777), "{name}: {answer:?}");
        for go in [
            "go nodes 1",
            "go movetime 0",
            "go depth 0",
            "go wtime 1 btime 1",
            "go wtime 0 btime 0 movestogo 1",
        ] {
            assert!(gui.search(QUIET, go).best().is_some(), "{name}: {go}");
        }
        for go in [
            "go depth -1",
            "go nodes 99999999999999999999",
            "go wtime 100 btime 100 movestogo -1",
            "go movetime soon depth 1",
            "go depth nodes 20",
        ] {
            let answer = gui.search(QUIET, go);
            assert!(answer.best().is_some() && answer.says("ignored: `"), "{name}: {go}: {answer:?}");
        }
    });
}

#[test]
fn wherever_a_search_is_interrupted_its_last_line_begins_with_the_move_played() {
    each(|name, gui| {
        for position in [QUIET, SHARP] {
            for nodes in (50..2000).step_by(50) {
                let answer = gui.search(position, &format!("go nodes {nodes}"));
                let last = answer.infos.iter().rev().find_map(|info| info.pv.first());
                let is_played = last.is_none_or(|first| Some(first.as_ref()) == answer.best());
                assert!(is_played, "{name}: {position}, {nodes} nodes: {answer:?}");
            }
        }
    });
}

#[test]
fn a_mate_is_played_by_both_colours_and_told_in_moves() {
    each(|name, gui| {
        for (fen, go, moves, mate) in [
            ("6k1/5ppp/8/8/8/8/8/1K1R4 w - - 0 1", "go depth 4", 1, Some("d1d8")),
            ("4r1k1/8/8/8/8/8/PPP5/1K6 b - - 0 1", "go depth 4", 1, Some("e8e1")),
            ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", "go mate 2", 2, None),
        ] {
            let answer = gui.search(&format!("position fen {fen}"), go);
            assert!(mate.is_none_or(|mate| answer.best() == Some(mate)), "{name}: {fen}, {answer:?}");
            assert!(
                name == MATERIAL_ALONE || answer.score() == Some(Score::mate(moves)),
                "{name}: {fen}, {answer:?}"
            );
        }
    });
}

#[test]
fn an_infinite_search_has_its_move_after_stop_and_one_on_the_opponents_time_after_the_hit() {
    each(|name, gui| {
        let early = gui.ask(&[QUIET, "go infinite"]);
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{name}: {early:?}");
        gui.send("stop");
        assert!(gui.answer().best().is_some(), "{name}");
        let early = gui.ask(&[QUIET, "go ponder wtime 50 btime 50"]);
        assert!(!early.iter().any(|line| line.starts_with("bestmove")), "{name}: {early:?}");
        gui.send("ponderhit");
        assert!(gui.answer().best().is_some(), "{name}");
    });
}

#[test]
fn bad_positions_and_options_are_refused_with_a_reason_and_the_old_position_stays() {
    each(|name, gui| {
        let before = gui.ask(&["position startpos moves e2e4", "d"]);
        for (bad, reason) in [
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", ""),
            ("position fen nonsense", ""),
            ("position startpos moves e2e4 e7e5 e1e3", "position: move 3 of the list, e1e3, is illegal"),
            ("position startpos moves e2", ""),
            ("position", ""),
        ] {
            let refusal = gui.ask(&[bad]);
            let is_reason = |line: &String| line.starts_with("info string ") && line.contains(reason);
            assert!(refusal.len() == 1 && refusal.iter().all(is_reason), "{name}, {bad}: {refusal:?}");
            assert_eq!(gui.ask(&["d"]), before, "{name}, {bad}");
        }
        for bad in [
            "setoption name Move Overhead value lots",
            "setoption name Move Overhead value -1",
            "setoption name Move Overhead",
            "setoption name Contempt value 5",
        ] {
            let refusal = gui.ask(&[bad]);
            let is_reason = |line: &String| line.starts_with("info string ");
            assert!(refusal.len() == 1 && refusal.iter().all(is_reason), "{name}, {bad}: {refusal:?}");
        }
        let silence = gui.ask(&["setoption name move overhead value 50", "ucinewgame", "debug on", ""]);
        assert!(silence.is_empty(), "{name}: {silence:?}");
    });
}

#[test]
fn a_game_against_itself_has_legal_moves_only() {
    each(|name, gui| {
        let mut referee = Referee::new(Variant::Standard);
        let mut position = "position startpos moves".to_owned();
        while referee.ply() < 120 && referee.outcome().is_none() {
            let answer = gui.search(&position, "go nodes 200");
            let best = answer.best().unwrap_or_else(|| panic!("{name} has no move in {}", referee.fen()));
            referee.play(best).unwrap_or_else(|error| panic!("{name}: {error}"));
            position = format!("{position} {best}");
        }
        assert!(referee.ply() > 10, "{name}: the game is over in {}", referee.fen());
    });
}

#[test]
fn perft_is_that_of_the_smirf_suite() {
    let suite = PerftSuite::parse("smirf.epd", suites::suite("perft", "smirf.epd").unwrap()).unwrap();
    each(|name, gui| {
        gui.send("go perft 0");
        assert_eq!(gui.read_until("Nodes searched: "), ["", "Nodes searched: 1"], "{name}");
        for position in suite.positions.iter().map(|position| position.within(4, FEW_LEAVES)) {
            // Its own tests count without underpromotions.
            if name == MATERIAL_ALONE && position.name == "S3" {
                continue;
            }
            gui.send(&format!("position fen {}", position.fen));
            for (depth, count) in position.counts {
                gui.send(&format!("go perft {depth}"));
                let lines = gui.read_until("Nodes searched: ");
                let total = lines.last().unwrap();
                assert_eq!(*total, format!("Nodes searched: {count}"), "{name}: {}, {depth}", position.name);
            }
        }
    });
}

#[test]
fn a_program_says_its_version_and_refuses_words_that_it_does_not_know() {
    for (name, program) in ENGINES {
        let run = |word: &str| Command::new(program).arg(word).stdin(Stdio::null()).output().unwrap();
        for (word, told) in [("--version", format!("{name} ")), ("--help", format!("Usage: {name}"))] {
            let output = run(word);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(output.status.success() && text.contains(&told), "{name} {word}: {text}");
        }
        assert!(!run("--foo").status.success(), "{name}");
    }
}

/// The output of a program for commands piped into it, as scripts do.
fn piped(program: &str, commands: &str) -> String {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(commands.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{program}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn what_counts_is_finished_before_quit_and_the_end_of_the_input() {
    for (name, program) in ENGINES {
        for end in ["quit\n", ""] {
            let text = piped(program, &format!("position startpos\ngo perft 4\n{end}"));
            assert!(text.contains("Nodes searched: 197281\n"), "{name}: {text}");
            let text = piped(program, &format!("bench 1\n{end}"));
            let lines: Vec<&str> = text.lines().collect();
            let [.., nodes, speed] = &lines[..] else { panic!("{name}: {text}") };
            assert!(nodes.starts_with("Nodes searched  : "), "{name}: {text}");
            assert!(speed.starts_with("Nodes/second    : "), "{name}: {text}");
        }
        let text = piped(program, "position startpos\ngo infinite\nquit\n");
        assert!(text.contains("bestmove "), "{name}: {text}");
    }
}
