//! A move in algebraic notation, English and French, in a position after random moves.

use referee::san::{line_to_san, san_to_uci};
use referee::{Referee, Variant, french};

/// The first bytes choose moves, up to a zero; the rest is the text. What is read as a move is legal, and written in
/// algebraic notation it is the same move again.
pub fn run(bytes: &[u8]) {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let (choices, text) = bytes.split_at(end);
    let variant =
        if choices.first().is_some_and(|byte| byte & 1 == 1) { Variant::Chess960 } else { Variant::Standard };
    let mut referee = Referee::new(variant);
    for choice in choices.iter().take(120) {
        let mut moves = referee.legal_moves();
        moves.sort_unstable();
        let Some(chosen) = moves.get(usize::from(*choice) % moves.len().max(1)) else { break };
        referee.play(chosen).expect("a legal move");
    }
    let text = String::from_utf8_lossy(text.strip_prefix(&[0]).unwrap_or(text));
    let legal = referee.legal_moves();
    if let Ok(uci) = san_to_uci(&referee, &text) {
        assert!(legal.contains(&uci), "{text:?} is not {uci}");
        let san = line_to_san(&referee, &[&uci]).expect("a legal line");
        assert_eq!(san_to_uci(&referee, &san[0]).as_ref(), Ok(&uci), "{san:?}");
    }
    if let Ok(uci) = french::french_to_uci(&referee, &text) {
        assert!(legal.contains(&uci), "{text:?} is not {uci}");
        let french = french::uci_to_french(&referee, &uci).expect("a legal move");
        assert_eq!(french::french_to_uci(&referee, &french).as_ref(), Ok(&uci), "{french}");
    }
    if let Ok(played) = referee.clone().play(&text) {
        let _ = played;
        assert!(legal.iter().any(|uci| *uci == text), "{text:?}");
    }
}
