//! The UCI server with a scripted GUI, without a process.

use crate::syzygy::TABLES;
use tarrasch::Tarrasch;
use uci::scripted_gui::{ScriptedGui, converse};

fn tarrasch() -> ScriptedGui {
    ScriptedGui::with(Tarrasch::new().unwrap())
}

#[test]
fn a_search_answers_isready_at_once_and_ends_with_its_order_or_the_input() {
    for threads in [1, 3] {
        let mut gui = tarrasch();
        gui.send(&format!("setoption name Threads value {threads}"));
        gui.send("position startpos moves e2e4");
        for (go, order) in
            [("go infinite", "stop"), ("go ponder wtime 50 btime 50", "ponderhit"), ("go", "stop")]
        {
            gui.send(go);
            gui.send("isready");
            let before = gui.read_until("readyok");
            assert!(!before.iter().any(|line| line.starts_with("bestmove")), "{go}, {threads} threads");
            gui.send(order);
            gui.read_until("bestmove ");
        }
        gui.send("go infinite");
        assert!(gui.end().last().unwrap().starts_with("bestmove "), "{threads} threads");
    }
}

#[test]
fn quit_ends_the_server_though_the_input_stays_open() {
    let mut gui = tarrasch();
    gui.send("go infinite");
    gui.send("quit");
    gui.wait();
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
