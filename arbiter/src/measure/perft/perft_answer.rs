//! An engine's answer to a count: a line for each move, a line with the total, or both.
//!
//! Every author writes these lines differently, so the parser needs only what they have in common: a move and the
//! number after it; the number next to `nodes`, `total`, `leaves`, `moves` or `perft`; a number alone; a row of a
//! table that begins with the depth.

use crate::measure::bench::{NumberPattern, nodes_in, number};
use uci::UciMove;

#[derive(Clone, Debug, Default)]
pub struct PerftAnswer {
    depth: u64,
    pub parts: Vec<(String, u64)>,
    pub total: Option<u64>,
    /// Whether the engine searches instead of counting.
    pub searches: bool,
    /// The last line, except answers to `isready`.
    pub last: Option<String>,
}

impl PerftAnswer {
    pub fn to(depth: u32) -> PerftAnswer {
        PerftAnswer { depth: depth.into(), ..PerftAnswer::default() }
    }

    /// Reads a line; if there is a pattern, only for the number that it matches.
    pub fn read(&mut self, line: &str, nodes: Option<&NumberPattern>) {
        let line = line.trim();
        if !line.is_empty() && line != "readyok" {
            self.last = Some(line.to_owned());
        }
        if let Some(nodes) = nodes {
            self.total = nodes.last_in(line).or(self.total);
            return;
        }
        let of_search = ["score", "currmove", "pv"];
        let is_info = line.starts_with("info ") && !line.starts_with("info string");
        if line.starts_with("bestmove") || is_info && line.split(' ').any(|word| of_search.contains(&word)) {
            self.searches = true;
        } else if let Some(part) = part_in(line) {
            self.parts.push(part);
        } else {
            self.total = total_in(line, self.depth).or(self.total);
        }
    }

    pub fn count(&self) -> Option<u64> {
        let sum = || self.parts.iter().fold(0_u64, |sum, (_, count)| sum.saturating_add(*count));
        self.total.or_else(|| (!self.parts.is_empty()).then(sum))
    }
}

/// Words that may stand between a name and its number.
const FILLERS: [&str; 8] = ["nodes", "node", "moves", "leaves", "leaf", "perft", "count", "is"];

fn words(line: &str) -> Vec<String> {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '|' | '(' | ')');
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    line.split(is_blank).map(bare).filter(|word| !word.is_empty()).collect()
}

/// `e2e4` and 600 in `e2e4: 600`, `e2e4 600`, `e2e4 - 600 nodes` or `move 13 : e2e4 : 600`.
fn part_in(line: &str) -> Option<(String, u64)> {
    let words = words(line);
    let as_move = |word: &String| word.parse::<UciMove>().ok();
    let at = words.iter().position(|word| as_move(word).is_some())?;
    let mut behind = words[at + 1..].iter().skip_while(|word| FILLERS.contains(&word.as_str()));
    let count = number(behind.next()?)?;
    behind.all(|word| as_move(word).is_none()).then_some((words[at].clone(), count))
}

/// The total number of leaves that a line states.
fn total_in(line: &str, depth: u64) -> Option<u64> {
    if let Some(nodes) = nodes_in(line) {
        return Some(nodes);
    }
    let words = words(line);
    let numbers: Vec<Option<u64>> = words.iter().map(|word| number(word)).collect();
    if let Some(at) = words.iter().position(|word| word == "perft" || word.starts_with("perft")) {
        let behind: Vec<u64> = numbers[at..].iter().copied().flatten().collect();
        return match behind[..] {
            [first, second, ..] if first == depth => Some(second),
            [only] if only == depth => None,
            [first, ..] => Some(first),
            [] => None,
        };
    }
    if let Some(at) =
        words.iter().position(|word| matches!(word.as_str(), "total" | "leaves" | "moves" | "result"))
    {
        let behind = words[at + 1..].iter().position(|word| !FILLERS.contains(&word.as_str()));
        let behind = behind.and_then(|next| numbers[at + 1 + next]);
        return behind.or_else(|| numbers[at.checked_sub(1)?]);
    }
    match numbers[..] {
        [only] => only,
        [Some(first), second, ..] if first == depth => second,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers as public engines write them, each below a line with the expected result.
    #[test]
    fn the_answers_of_public_engines_are_read() {
        let blocks: Vec<&str> = include_str!("perft_answers.txt").split("\n== ").skip(1).collect();
        for block in &blocks {
            let (head, text) = block.split_once('\n').unwrap();
            let (depth, expected) = head.split_once(": ").unwrap();
            let mut answer = PerftAnswer::to(depth.parse().unwrap());
            text.lines().filter(|line| !line.starts_with('#')).for_each(|line| answer.read(line, None));
            let mut told: Vec<String> =
                answer.parts.iter().map(|(m, count)| format!("{m}={count}")).collect();
            let count = answer.total.map_or_else(|| "no total".to_owned(), |total| total.to_string());
            told.push(if answer.searches { "a search".to_owned() } else { count });
            assert_eq!(told.join(" "), expected, "{text}");
        }
        assert!(blocks.len() > 40);
    }
}
