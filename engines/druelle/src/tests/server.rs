//! druelle at the other end of the protocol.

use crate::engine::Druelle;
use uci::scripted_gui::ScriptedGui;

fn druelle() -> ScriptedGui {
    ScriptedGui::with(Druelle::new().unwrap())
}

#[test]
fn a_go_without_limits_searches_to_the_depth_of_the_option() {
    let mut gui = druelle();
    let ending = "position fen 4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1";
    assert_eq!(gui.search(ending, "go").depths().last(), Some(&3));
    gui.send("setoption name Depth value 2");
    assert_eq!(gui.search(ending, "go").depths().last(), Some(&2));
}

#[test]
fn the_opening_base_answers_and_can_be_switched_off() {
    let mut gui = druelle();
    let indian = "position startpos moves d2d4 g8f6 c2c4";
    let answer = gui.search(indian, "go depth 1");
    assert!(answer.says("opening base: Défense indienne"), "{answer:?}");
    assert_eq!(answer.best(), Some("e7e6"));
    gui.send("setoption name BookSeed value 1");
    let answer = gui.search(indian, "go");
    assert!(answer.says("opening base: Défense Benoni"), "{answer:?}");
    assert_eq!(answer.best(), Some("c7c5"));
    gui.send("setoption name OwnBook value false");
    let answer = gui.search("position startpos", "go depth 1");
    assert!(!answer.says("opening base"), "{answer:?}");
    assert_eq!(answer.depths(), [1]);
}

#[test]
fn a_base_with_a_bad_line_is_refused_and_the_old_one_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my.base");
    let use_file = format!("setoption name BookFile value {}", file.display());
    let mut gui = druelle();
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re5\n").unwrap();
    let refusal = gui.ask(&[&use_file]).join("\n");
    assert!(refusal.contains("my.base:1: field 5 (reply)"), "{refusal}");
    assert_eq!(gui.search("position startpos", "go depth 1").best(), Some("e2e4"));
    std::fs::write(&file, "x | RE1 | RE8 | blancs | Re1-e2\n").unwrap();
    assert!(gui.ask(&[&use_file]).is_empty());
    let answer = gui.search("position fen 4k3/8/8/8/8/8/8/4K3 w - -", "go depth 1");
    assert!(answer.says("opening base: x"), "{answer:?}");
    assert_eq!(answer.best(), Some("e1e2"));
}

#[test]
fn without_its_base_it_keeps_to_limits_from_the_first_move() {
    let mut gui = druelle();
    gui.send("setoption name OwnBook value false");
    assert!(gui.search("position startpos", "go nodes 777").nodes() <= Some(777));
    assert_eq!(gui.search("position startpos", "go depth 3").depths().last(), Some(&3));
}

#[test]
fn people_get_the_position_in_both_texts_and_its_score() {
    let text = druelle().ask(&["position startpos moves e2e4", "d", "eval"]).join("\n");
    assert!(text.contains("Fen: ") && text.contains("RE1:DD1") && text.contains("score -30"), "{text}");
}

#[test]
fn a_bad_fen_is_told_with_its_field() {
    let text = druelle().ask(&["position fen 8/8 w - -"]).join("\n");
    assert!(text.contains("position: FEN field 1"), "{text}");
}
