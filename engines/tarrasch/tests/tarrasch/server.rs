//! The UCI server with a scripted GUI, without a process.

use crate::syzygy::TABLES;
use tarrasch::Tarrasch;
use uci::scripted_gui::{ScriptedGui, converse};

fn tarrasch() -> ScriptedGui {
    ScriptedGui::with(Tarrasch::new().unwrap())
}

fn quit(mut gui: ScriptedGui) -> Vec<String> {
    gui.send("quit");
    gui.wait()
}

#[test]
fn a_search_ends_with_the_input_and_with_quit_though_the_input_stays_open() {
    for threads in [1, 3] {
        for end in [ScriptedGui::end, quit] {
            let mut gui = tarrasch();
            gui.ask(&[&format!("setoption name Threads value {threads}"), "go infinite"]);
            assert!(end(gui).last().unwrap().starts_with("bestmove "), "{threads} threads");
        }
    }
}

#[test]
fn a_count_that_was_stopped_does_not_look_like_an_answer() {
    let mut gui = tarrasch();
    // Counting a single root move takes far longer than the `stop` sent with it.
    gui.send("go perft 6");
    gui.send("stop");
    let lines = gui.read_until("info string");
    assert!(!lines.iter().any(|line| line.starts_with("Nodes searched")), "{lines:?}");
    gui.send("go perft 1");
    assert_eq!(gui.read_until("Nodes searched: ").pop().unwrap(), "Nodes searched: 20");
    gui.end();
}

#[test]
fn conversations_go_as_written() {
    converse(&include_str!("../../conversations.txt").replace("$TABLES", TABLES), || {
        Tarrasch::new().unwrap()
    });
}
