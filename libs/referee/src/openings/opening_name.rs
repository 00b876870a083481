//! The ECO code and name of a game's opening, from the table in `data/eco.txt`, whose header names its source.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Serialize;
use shakmaty::san::San;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position, variant::VariantPosition};

use crate::{Variant, fen, find_move};

const TABLE: &str = include_str!("../../data/eco.txt");

/// The number of plies that are searched; the longest line of the table is shorter.
const LONGEST: usize = 40;

/// The ECO code and name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OpeningName {
    /// The code of the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: &'static str,
    /// The name, such as `Sicilian Defense`.
    pub opening: &'static str,
    /// The variation, such as `Najdorf Variation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variation: Option<&'static str>,
}

impl OpeningName {
    /// The name of the last position of a game that has one, regardless of the move order. `None` for games of other
    /// variants and illegal start positions, too.
    pub fn of_game<'a>(
        start: &str,
        variant: Variant,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Option<OpeningName> {
        if variant != Variant::Standard {
            return None;
        }
        let mut position = fen::parse_position(start, variant).ok()?;
        let mut found = NAMES.get(&key(&position)).copied();
        for text in moves.into_iter().take(LONGEST) {
            let Ok((_, played)) = find_move(&position, variant, text) else { break };
            position.play_unchecked(played);
            found = NAMES.get(&key(&position)).copied().or(found);
        }
        found
    }

    /// The full name, such as `Sicilian Defense: Najdorf Variation`.
    pub fn whole(&self) -> String {
        self.variation
            .map_or_else(|| self.opening.to_owned(), |variation| format!("{}: {variation}", self.opening))
    }
}

static NAMES: LazyLock<HashMap<Zobrist64, OpeningName>> =
    LazyLock::new(|| rows().filter_map(|(position, name)| Some((key(&position?), name))).collect());

fn key(position: &VariantPosition) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

/// The rows of the table: the position after the moves, or `None` if they are illegal, and its name.
fn rows() -> impl Iterator<Item = (Option<VariantPosition>, OpeningName)> {
    let mut positions = vec![Some(Variant::Standard.start())];
    let mut last = OpeningName { eco: "", opening: "", variation: None };
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(move |line| {
        let (shared, mut rest) = line.split_once(' ')?;
        positions.truncate(shared.parse::<usize>().ok()? + 1);
        loop {
            let (word, behind) = rest.split_once(' ')?;
            rest = behind;
            if is_code(word) {
                last = name(word, rest, &last);
                return Some((positions.last()?.clone(), last));
            }
            positions.push(positions.last()?.as_ref().and_then(|position| after(position, word)));
        }
    })
}

fn is_code(word: &str) -> bool {
    word.len() == 3
        && word.starts_with(|letter: char| letter.is_ascii_uppercase())
        && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}

fn after(position: &VariantPosition, san: &str) -> Option<VariantPosition> {
    let played = San::from_ascii(san.as_bytes()).ok()?.to_move(position).ok()?;
    position.clone().play(played).ok()
}

fn name(eco: &'static str, text: &'static str, last: &OpeningName) -> OpeningName {
    if text == "=" {
        return OpeningName { eco, ..*last };
    }
    match text.split_once(": ").or(text.strip_prefix(':').map(|text| ("", text.trim_start()))) {
        Some(("", variation)) => OpeningName { eco, opening: last.opening, variation: Some(variation) },
        Some((opening, variation)) => OpeningName { eco, opening, variation: Some(variation) },
        None => OpeningName { eco, opening: text, variation: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn found(start: &str, moves: &str) -> Option<String> {
        let name = OpeningName::of_game(start, Variant::Standard, moves.split_whitespace())?;
        Some(format!("{} {}", name.eco, name.whole()))
    }

    #[test]
    fn every_row_can_be_played_and_has_a_position_of_its_own() {
        let text_rows = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(rows().filter(|(position, _)| position.is_some()).count(), text_rows);
        assert!(text_rows - NAMES.len() <= 2, "{} of {text_rows} positions", NAMES.len());
        assert!(rows().all(|(_, name)| !name.opening.is_empty() && name.variation != Some("")));
    }

    #[test]
    fn a_game_has_the_name_of_its_last_position_that_has_one() {
        for (moves, expected) in [
            (
                "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6 h2h3",
                "B90 Sicilian Defense: Najdorf Variation",
            ),
            ("g1f3 d7d5 d2d4 g8f6 c2c4 e7e6 b1c3", "D37 Queen's Gambit Declined: Three Knights Variation"),
            ("d2d4 g8f6 c2c4 e7e6 b1c3 d7d5 g1f3", "D37 Queen's Gambit Declined: Three Knights Variation"),
            ("g1h3 a7a5", "A00 Amar Opening"),
        ] {
            assert_eq!(found(START, moves).as_deref(), Some(expected), "{moves}");
        }
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        assert_eq!(found(after_e4, "e7e6 e4e9").as_deref(), Some("C00 French Defense"));
        assert_eq!(found("8/8/8/8/8/k7/8/K6R w - - 0 1", "h1h8"), None);
        assert_eq!(OpeningName::of_game(START, Variant::Chess960, ["e2e4"]), None);
    }
}
