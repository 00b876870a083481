//! A saved game of `arbiter play`.

use referee::SavedGame;

/// A game is written so that it reads as the same one.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(game) = SavedGame::parse("x.json", &text) {
        let again = SavedGame::parse("x.json", &game.to_json()).expect("a game reads what it wrote");
        assert_eq!(again.fen(), game.fen());
    }
}
