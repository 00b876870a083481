//! The UCI server with a scripted GUI, without a process.

use crate::gui::Gui;
use tarrasch::Tarrasch;
use uci::scripted_gui::ScriptedGui;

fn tarrasch() -> ScriptedGui {
    ScriptedGui::with(Tarrasch::new().unwrap())
}

/// The answers to these commands, up to the end of the output.
fn answers(commands: &[&str]) -> Vec<String> {
    let mut gui = tarrasch();
    let lines = gui.ask(commands);
    assert!(gui.end().is_empty());
    lines
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
fn good_options_are_taken_in_silence() {
    let lines = answers(&[
        "setoption name hash value 2",
        "setoption name Clear Hash",
        "setoption name Threads value 3",
        "setoption name MultiPV value 3",
        "setoption name Ponder value true",
        "setoption name Move Overhead value 50",
        "setoption name UCI_Chess960 value true",
        "ucinewgame",
        "debug on",
        "",
    ]);
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn with_its_book_it_plays_at_once_and_thinks_where_the_book_ends() {
    let mut gui = tarrasch();
    gui.send("setoption name OwnBook value true");
    gui.send("position startpos");
    gui.send("go depth 60");
    let lines = gui.read_until("bestmove");
    assert!(lines.iter().any(|line| line.contains("a move of the book")), "{lines:?}");
    for (set, go) in [
        ("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go depth 2"),
        ("position startpos", "go depth 2 searchmoves a2a4"),
        ("setoption name OwnBook value false", "go depth 2"),
    ] {
        gui.send(set);
        gui.send(go);
        let lines = gui.read_until("bestmove");
        assert!(lines.iter().any(|line| line.contains("depth 2")), "{lines:?}");
    }
    gui.send("setoption name BookFile value /nowhere/the  book.bin");
    assert!(gui.read_until("info string")[0].contains("/nowhere/the  book.bin"));
    gui.end();
}

#[test]
fn perft_counts_per_move_and_in_total() {
    let mut gui = tarrasch();
    gui.send("go perft 3");
    let lines = gui.read_until("Nodes searched: ");
    assert_eq!(lines.len(), 22);
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    assert_eq!(lines[20..], [String::new(), "Nodes searched: 8902".to_owned()]);
    gui.end();
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
fn people_see_the_board_and_the_evaluation() {
    let board = answers(&["position startpos moves e2e4 f7f6 d1h5", "d"]);
    assert_eq!(board[0], "8 r n b q k b n r");
    assert!(board.iter().any(|line| line == "Checkers: h5"));
    assert!(
        board.iter().any(|line| line.starts_with("Fen: rnbqkbnr/ppppp1pp/5p2/7Q/4P3/8/PPPP1PPP/RNB1KBNR b"))
    );
    let evaluation = answers(&["eval"]);
    assert!(evaluation.iter().any(|line| line.starts_with("mobility")));
}

#[test]
fn expected_results_are_told_when_they_are_asked_for() {
    let mut gui = Gui::with(&[]);
    let silent = gui.search(&["position startpos", "go depth 4"]);
    assert!(silent.infos.iter().all(|info| info.wdl.is_none()));
    let told = gui.search(&["setoption name UCI_ShowWDL value true", "position startpos", "go depth 4"]);
    let scored: Vec<_> = told.infos.iter().filter(|info| info.score.is_some()).collect();
    assert!(!scored.is_empty());
    assert!(scored.iter().all(|info| info.wdl.is_some_and(|wdl| wdl.iter().sum::<u16>() == 1000)));
}
