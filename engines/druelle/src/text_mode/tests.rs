use std::fs;

use super::*;

fn new() -> TextMode {
    TextMode::new(Druelle::new().unwrap(), Side::White)
}

fn tell(game: &mut TextMode, input: &str) -> String {
    let mut output = Vec::new();
    game.run(input.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn save_quit_restore_and_play_on_to_the_same_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.json").display().to_string();
    let (opening, rest) = ("e2-e4\nCg1-f3\nFf1-b5\n", "0-0\nd2-d3\nCb1-c3\nTf1-e1\n");
    let mut whole = new();
    tell(&mut whole, &format!("{opening}{rest}"));
    let mut first = new();
    tell(&mut first, &format!("{opening}save {file}\nquit\n"));
    let mut second = new();
    tell(&mut second, &format!("load {file}\n"));
    assert_eq!(second.game.fen(), first.game.fen());
    let text = tell(&mut second, rest);
    assert_eq!(second.game.fen(), whole.game.fen(), "{text}");
    assert!(whole.game.turns >= 10, "{}", whole.game.fen());
}

#[test]
fn a_file_cut_short_or_edited_badly_gives_a_clear_error_and_leaves_the_game_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.json").display().to_string();
    let mut game = new();
    tell(&mut game, &format!("e2-e4\nsave {file}\n"));
    let good = fs::read_to_string(&file).unwrap();
    let before = game.game.clone();
    for (bad, part) in [
        (good[..good.len() / 2].to_owned(), "not a saved game: EOF"),
        (good.replace("RE1", "RE9"), "Joueurs1.Hash: `RE9` is not a piece"),
        (String::new(), "not a saved game"),
    ] {
        fs::write(&file, bad).unwrap();
        let text = tell(&mut game, &format!("load {file}\n"));
        assert!(text.contains(&file) && text.contains(part), "{part}: {text}");
        assert_eq!(game.game, before);
    }
    let text = tell(&mut game, "load /no/such/file\nload\n");
    assert!(text.contains("/no/such/file: ") && text.contains("load needs"), "{text}");
    // The game goes on, and its history is still there.
    assert!(tell(&mut game, "undo\n").contains("P P P P P P P P"));
}

#[test]
fn moves_are_written_and_read_in_french() {
    let mut game = new();
    let text = tell(&mut game, "moves\nNf3\nCg1-f4\nCf3\n");
    assert!(text.contains("Cg1-f3") && text.contains("is not French notation"), "{text}");
    assert!(text.contains("\"Cg1-f4\" is not legal") && text.contains("druelle plays "), "{text}");
}

#[test]
fn undo_takes_back_the_answer_and_the_move() {
    let mut game = new();
    assert!(tell(&mut game, "undo\n").contains("no move of yours"));
    tell(&mut game, "e2-e4\nd2-d4\nundo\nundo\n");
    assert_eq!(game.game, Game::start());
    let mut black = TextMode::new(Druelle::new().unwrap(), Side::Black);
    assert!(tell(&mut black, "undo\n").contains("no move of yours"));
}

#[test]
fn the_end_of_a_game_is_told() {
    let mut game = new();
    game.game =
        Game::from_fen("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4").unwrap();
    let text = tell(&mut game, "Dh5xf7\nundo\n");
    assert!(text.contains("Checkmate, White wins."), "{text}");
    assert!(game.end().is_none());
}
