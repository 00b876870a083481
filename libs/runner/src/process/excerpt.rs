//! What an engine said, fit to be repeated in a message.

/// The beginning of a text, `longest` letters at most, with whatever a terminal would obey made visible.
pub(super) fn excerpt(text: &str, longest: usize) -> String {
    let mut letters = text.trim().chars();
    let tame = |letter: char| if letter.is_control() { char::REPLACEMENT_CHARACTER } else { letter };
    let mut kept: String = letters.by_ref().take(longest).map(tame).collect();
    if letters.next().is_some() {
        kept.push('…');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_and_a_control_character_shows() {
        assert_eq!(excerpt("bestmove e2e4\r\n", 20), "bestmove e2e4");
        assert_eq!(excerpt("ééééé", 3), "ééé…");
        assert_eq!(excerpt("a\u{1b}[31mb\0", 20), "a\u{fffd}[31mb\u{fffd}");
    }
}
