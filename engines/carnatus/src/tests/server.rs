//! carnatus at the other end of the protocol.

use uci::Score;

use crate::engine::Carnatus;
use uci::scripted_gui::ScriptedGui;

fn carnatus() -> ScriptedGui {
    ScriptedGui::with(Carnatus::new())
}

#[test]
fn a_go_without_limits_spends_the_documents_ten_thousand_nodes() {
    let answer = carnatus().search("position startpos", "go");
    assert_eq!(answer.nodes(), Some(10_000));
    assert!(answer.best().is_some());
}

#[test]
fn any_fen_is_searched_for_both_colours() {
    // The program of the document searches every FEN as White's.
    for (fen, mate) in
        [("6k1/5ppp/8/8/8/8/8/1K1R4 w - - 0 1", "d1d8"), ("4r1k1/8/8/8/8/8/PPP5/1K6 b - - 0 1", "e8e1")]
    {
        let answer = carnatus().search(&format!("position fen {fen}"), "go depth 4");
        assert_eq!((answer.score(), answer.best()), (Some(Score::mate(1)), Some(mate)), "{fen}");
    }
}

#[test]
fn people_get_the_board_and_the_worth_of_each_piece() {
    let text = carnatus().ask(&["position startpos moves e2e4", "d", "eval"]).join("\n");
    assert!(text.contains("Black to move") && text.contains("sum "), "{text}");
}

#[test]
fn a_bad_fen_is_told_with_its_field() {
    let text = carnatus().ask(&["position fen 8/8 w - -"]).join("\n");
    assert!(text.contains("position: FEN field 1"), "{text}");
}
