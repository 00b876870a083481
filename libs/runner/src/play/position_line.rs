//! The `position` line of a game, which grows by one move at a time.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

use super::Clock;
use crate::{PositionForm, SearchLimits};
use referee::{Referee, Side, Variant};
use uci::Go;

/// The standard start position of chess.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The `position` command with all moves so far, kept as text so that each move only appends its own letters.
#[derive(Debug)]
pub struct PositionLine {
    /// The line, followed by what was written for the last search.
    text: String,
    /// The length of the line itself in bytes.
    end: usize,
    has_moves: bool,
    variant: Variant,
}

impl PositionLine {
    /// The line of a game that begins at this position. The start position of standard chess is sent as `startpos`, which
    /// the books and the logs of some engines expect; a Chess960 position is always sent as a FEN.
    pub fn new(fen: &str, variant: Variant) -> PositionLine {
        let text = if variant == Variant::Standard && fen == START {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", as_sent(fen, variant))
        };
        PositionLine { end: text.len(), text, has_moves: false, variant }
    }

    /// Names this position, by its FEN, and only the moves after it from now on.
    pub fn restart(&mut self, fen: &str) {
        self.text = format!("position fen {}", as_sent(fen, self.variant));
        self.end = self.text.len();
        self.has_moves = false;
    }

    /// Adds a move in UCI notation.
    pub fn play(&mut self, uci: &str) {
        self.text.truncate(self.end);
        self.append_move(uci);
        self.end = self.text.len();
        self.has_moves = true;
    }

    /// Adds a move that the referee has just played.
    pub fn extend(&mut self, uci: &str, referee: &Referee, form: PositionForm) {
        if form == PositionForm::Fen && referee.halfmove_clock() == 0 {
            self.restart(&referee.fen());
        } else {
            self.play(uci);
        }
    }

    /// The lines that ask for a search of the current position.
    pub fn with(&mut self, go: &Go) -> &str {
        self.text.truncate(self.end);
        self.append_order(go)
    }

    /// The lines that ask for a search of the position after one more move.
    pub fn with_move_ahead(&mut self, uci: &str, go: &Go) -> &str {
        self.text.truncate(self.end);
        self.append_move(uci);
        self.append_order(go)
    }

    fn append_move(&mut self, uci: &str) {
        self.text.push_str(if self.has_moves { " " } else { " moves " });
        self.text.push_str(uci);
    }

    fn append_order(&mut self, go: &Go) -> &str {
        // Writing to a string never fails.
        let _ = writeln!(self.text, "\n{go}");
        &self.text
    }
}

/// A FEN as engines get it. Chess960 castling rights are the files of the rooks, as fastchess and cutechess send them.
fn as_sent(fen: &str, variant: Variant) -> Cow<'_, str> {
    let mut fields: Vec<&str> = fen.split(' ').collect();
    let [board, _, castling, ..] = fields[..] else { return fen.into() };
    if variant == Variant::Standard {
        return fen.into();
    }
    let files_of = |rook: char| {
        let rank = if rook == 'R' { board.rsplit('/').next() } else { board.split('/').next() };
        let squares = rank.unwrap_or_default().chars().flat_map(|letter| {
            let width = letter.to_digit(10).unwrap_or(1);
            std::iter::repeat_n(letter, width as usize)
        });
        ('a'..='h').zip(squares).filter(move |(_, piece)| *piece == rook).map(|(file, _)| file)
    };
    let file = |right: char| match right {
        'K' => files_of('R').last().map(|file| file.to_ascii_uppercase()),
        'Q' => files_of('R').next().map(|file| file.to_ascii_uppercase()),
        'k' => files_of('r').last(),
        'q' => files_of('r').next(),
        _ => None,
    };
    let castling: String = castling.chars().map(|right| file(right).unwrap_or(right)).collect();
    fields[2] = &castling;
    fields.join(" ").into()
}

/// The smallest clock value that is sent. UCI times are whole milliseconds, and many engines take 0 to mean no clock.
const LEAST_TIME: Duration = Duration::from_millis(1);

/// The `go` command for the side to move, from its own limits and both clocks (White's first).
///
/// An engine without a clock gets no clock, even if its opponent has one; an engine with a clock gets its own and its
/// opponent's, if there is one. All this is as in fastchess, whose lines the test has.
pub fn search_order(limits: &SearchLimits, clocks: &[Option<Clock>; 2], side: Side) -> Go {
    let mut go = limits.go();
    if let Some(own) = &clocks[side as usize] {
        let [white, black] = clocks;
        let time = |clock: &Option<Clock>| clock.as_ref().map(|clock| clock.remaining().max(LEAST_TIME));
        let increment =
            |clock: &Option<Clock>| clock.as_ref().map(Clock::increment).filter(|time| !time.is_zero());
        (go.wtime, go.btime) = (time(white), time(black));
        (go.winc, go.binc) = (increment(white), increment(black));
        go.movestogo = own.moves_to_go();
    }
    go
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(depth: u32) -> Go {
        Go { depth: Some(depth), ..Go::default() }
    }

    #[test]
    fn the_usual_start_position_goes_by_its_name() {
        let mut line = PositionLine::new(START, Variant::Standard);
        assert_eq!(line.with(&depth(1)), "position startpos\ngo depth 1\n");
        line.play("e2e4");
        line.play("e7e5");
        assert_eq!(line.with(&depth(1)), "position startpos moves e2e4 e7e5\ngo depth 1\n");
    }

    #[test]
    fn other_positions_and_other_variants_are_written_out() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let mut line = PositionLine::new(after_e4, Variant::Standard);
        line.play("c7c5");
        assert_eq!(line.with(&depth(2)), format!("position fen {after_e4} moves c7c5\ngo depth 2\n"));
        // As fastchess 1.8.2 sends them.
        for (fen, sent) in [
            (START, START.replace("KQkq", "HAha").as_str()),
            (
                "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
                "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w EAea - 0 1",
            ),
            ("1k2r3/8/8/8/8/8/8/R1R1K3 w C - 0 1", "1k2r3/8/8/8/8/8/8/R1R1K3 w C - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 b - - 3 9", "4k3/8/8/8/8/8/8/4K3 b - - 3 9"),
        ] {
            let mut line = PositionLine::new(fen, Variant::Chess960);
            assert_eq!(line.with(&depth(2)), format!("position fen {sent}\ngo depth 2\n"));
            line.restart(fen);
            assert_eq!(line.with(&depth(2)), format!("position fen {sent}\ngo depth 2\n"));
        }
    }

    #[test]
    fn a_restart_forgets_the_moves() {
        let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let mut line = PositionLine::new(START, Variant::Standard);
        line.play("e2e4");
        line.restart(after_e4);
        assert_eq!(line.with(&depth(1)), format!("position fen {after_e4}\ngo depth 1\n"));
        line.play("g8f6");
        assert_eq!(line.with(&depth(1)), format!("position fen {after_e4} moves g8f6\ngo depth 1\n"));
    }

    #[test]
    fn a_move_ahead_is_not_played() {
        let mut line = PositionLine::new(START, Variant::Standard);
        assert_eq!(line.with_move_ahead("e2e4", &depth(1)), "position startpos moves e2e4\ngo depth 1\n");
        line.play("d2d4");
        let ahead = line.with_move_ahead("d7d5", &depth(1));
        assert_eq!(ahead, "position startpos moves d2d4 d7d5\ngo depth 1\n");
        line.play("g8f6");
        assert_eq!(line.with(&depth(3)), "position startpos moves d2d4 g8f6\ngo depth 3\n");
    }

    #[test]
    fn an_order_has_the_limits_of_its_engine_and_the_clocks_of_both_if_it_has_one() {
        let handicap = [Some("10+0.1"), Some("40/60")];
        for (nodes, depth, controls, side, order) in [
            (None, None, handicap, Side::White, "go wtime 10100 btime 60000 winc 100"),
            (None, None, handicap, Side::Black, "go wtime 10100 btime 60000 winc 100 movestogo 40"),
            (
                Some(5000),
                Some(9),
                [Some("1"), Some("1")],
                Side::White,
                "go nodes 5000 depth 9 wtime 1000 btime 1000",
            ),
            (None, None, [Some("10+0.1"), None], Side::White, "go wtime 10100 winc 100"),
            (Some(700), None, [Some("10+0.1"), None], Side::Black, "go nodes 700"),
            // A clock of almost 0 is still sent.
            (None, None, [Some("0.0004"), Some("1")], Side::White, "go wtime 1 btime 1000"),
        ] {
            let clocks = controls.map(|it| Some(Clock::new(it?.parse().unwrap(), Duration::ZERO)));
            let limits = SearchLimits { nodes, depth, ..SearchLimits::default() };
            assert_eq!(search_order(&limits, &clocks, side).to_string(), order);
        }
    }
}
