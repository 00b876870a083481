//! What a person types, in the terminal or on the page: line by line against the rules.

use std::time::Duration;

use arbiter::play::{HumanGame, PlayCommand};
use referee::Side;
use referee::san::san_to_uci;
use referee::{Referee, Variant};

/// Every line is a command or an error, and a move that is played is legal.
pub fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines();
    let fen = lines.next().filter(|line| !line.is_empty());
    let Ok(mut game) = HumanGame::new(fen, Side::White, None) else { return };
    let start = fen.map_or_else(
        || Referee::new(Variant::Standard),
        |fen| Referee::from_fen(fen, Variant::Standard).expect("the game took it"),
    );
    let mut shadow = vec![start];
    for line in lines.take(200) {
        match line.parse() {
            Ok(PlayCommand::Move(typed)) => {
                let referee = shadow.last().expect("the start");
                let uci = san_to_uci(referee, &typed).unwrap_or(typed);
                if game.play(&uci, Duration::from_millis(1)).is_ok() {
                    let mut next = referee.clone();
                    next.play(&uci).expect("a move that was played is legal");
                    shadow.push(next);
                }
            }
            Ok(PlayCommand::Undo) => {
                let taken_back = game.undo();
                shadow.truncate(shadow.len() - taken_back);
            }
            Ok(PlayCommand::Resign) => game.resign(),
            _ => {}
        }
        assert_eq!(game.moves().len() + 1, shadow.len());
    }
}
