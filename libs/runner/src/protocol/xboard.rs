//! The Chess Engine Communication Protocol of xboard and `WinBoard`.
//!
//! The engine keeps a board, and after `go` it answers every move with one of its own. So a question is compared with the
//! engine's board: usually the clocks and the opponent's move are all that it gets. Any other position is set up anew.

mod features;
mod lines;

use std::fmt::Write as _;
use std::time::Duration;

use features::{CHESS960, Features, PONDER, VARIANT};
use lines::Line;
use referee::{GameResult, Referee, Side, Variant, san};
use uci::{BestMove, EngineOption, Go, Info, Message, UciMove};

use super::{EngineInfo, Expected, Heard, LineKind, PositionLine, Protocol, Request, SearchTask};
use crate::SearchLimits;

/// How long an engine without `ping` has to be silent before it gets the next game.
const SILENCE: Duration = Duration::from_millis(200);

/// What the clock of an engine without a clock shows, as in cutechess.
const NO_CLOCK: Duration = Duration::from_secs(864);

#[derive(Debug, Default)]
pub(crate) struct Xboard {
    features: Features,
    /// Whether it thinks on its opponent's time.
    ponders: bool,
    /// The number of the last `ping`.
    pings: u32,
    /// Whether it has begun a game, and has the start position on its board.
    is_new: bool,
    board: Option<Board>,
}

/// What is on the engine's board.
#[derive(Debug)]
struct Board {
    start: String,
    moves: Vec<String>,
    /// The position after these moves, which it was asked about.
    referee: Referee,
    /// Its limits, without what is left on the clocks.
    limits: Go,
    /// The last move that it was sent, as written.
    sent: String,
    is_thinking: bool,
    /// Its answer, which it has played on its board.
    answer: Option<UciMove>,
    /// The line by which it gave up.
    resignation: Option<String>,
}

impl Xboard {
    fn begin_game(&mut self, lines: &mut String) {
        let thinking = if self.ponders { "hard" } else { "easy" };
        let _ = writeln!(lines, "new\nforce\npost\n{thinking}");
        (self.is_new, self.board) = (true, None);
    }

    fn ping(&mut self, lines: &mut String) {
        if self.features.ping {
            self.pings += 1;
            let _ = writeln!(lines, "ping {}", self.pings);
        }
    }

    fn ask(&mut self, position: &PositionLine, ahead: Option<&str>, go: &Go, lines: &mut String) {
        let moves: Vec<&str> = position.moves.split_ascii_whitespace().chain(ahead).collect();
        let limits = Go { wtime: None, btime: None, winc: None, binc: None, movestogo: None, ..go.clone() };
        let known = self.board.take().filter(|board| board.limits == limits);
        let (mut board, rest) = match known.and_then(|board| board.go_on(position.start.fen(), &moves)) {
            Some(known) => known,
            None => (self.set_up(position, limits, lines), &moves[..]),
        };
        // Without moves of its own on the board, it has been set up, and waits for `go`.
        let (is_new, answers) = (board.moves.is_empty(), rest.len() == 1);
        let mut told = String::new();
        for played in rest {
            board.play(played, &self.features, &mut told);
        }
        if is_new {
            Xboard::write_limits(board.referee.turn(), go, lines);
        } else if answers {
            self.write_clocks(board.referee.turn(), go, lines);
        } else {
            lines.push_str("force\n");
        }
        lines.push_str(&told);
        if is_new || !answers {
            self.write_clocks(board.referee.turn(), go, lines);
            lines.push_str("go\n");
        }
        board.is_thinking = true;
        self.board = Some(board);
    }

    fn set_up(&mut self, position: &PositionLine, limits: Go, lines: &mut String) -> Board {
        if !self.is_new {
            self.begin_game(lines);
        }
        self.is_new = false;
        let (start, variant) = (position.start.fen(), position.variant);
        if variant != Variant::Standard {
            let _ = writeln!(lines, "variant {}\nforce", self.features.name_of(variant));
        }
        // Positions are checked before they are sent.
        let referee = Referee::from_fen(start, variant).unwrap_or_else(|_| Referee::new(variant));
        let fen = referee.fen();
        if variant == Variant::Standard && fen == Referee::new(variant).fen() {
        } else if self.features.setboard {
            let _ = writeln!(lines, "setboard {fen}");
        } else {
            self.edit(&fen, lines);
        }
        Board {
            start: start.to_owned(),
            moves: Vec::new(),
            referee,
            limits,
            sent: String::new(),
            is_thinking: false,
            answer: None,
            resignation: None,
        }
    }

    /// Sets up a position piece by piece, as xboard does. Black is on move after a move of White; a king and a rook at home
    /// may castle, and nobody may capture en passant.
    fn edit(&self, fen: &str, lines: &mut String) {
        let (pieces, rest) = fen.split_once(' ').unwrap_or((fen, ""));
        if rest.starts_with('b') {
            let _ = writeln!(lines, "{}a2a3", self.features.before_move());
        }
        lines.push_str("edit\n#\n");
        for (is_white, end) in [(true, "c\n"), (false, ".\n")] {
            for (rank, row) in (1..=8).rev().zip(pieces.split('/')) {
                let mut file = b'a';
                for letter in row.chars() {
                    if letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == is_white {
                        let _ = writeln!(lines, "{}{}{rank}", letter.to_ascii_uppercase(), char::from(file));
                    }
                    file += letter.to_digit(10).unwrap_or(1) as u8;
                }
            }
            lines.push_str(end);
        }
    }

    /// Writes the limits of a whole game. `level` has whole seconds: it is rounded up, and `time` tells the hundredths.
    fn write_limits(side: Side, go: &Go, lines: &mut String) {
        let (clock, increment) = if side == Side::White { (go.wtime, go.winc) } else { (go.btime, go.binc) };
        let _ = if let Some(clock) = clock {
            let (moves, increment) = (go.movestogo.unwrap_or(0), increment.unwrap_or_default());
            let seconds = clock.saturating_sub(increment).as_millis().div_ceil(1000).max(1);
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            let seconds = if seconds > 0 { format!(":{seconds:02}") } else { String::new() };
            writeln!(lines, "level {moves} {minutes}{seconds} {}", increment.as_secs_f64())
        } else if let Some(time) = go.movetime {
            writeln!(lines, "st {}", time.as_secs())
        } else if let Some(nodes) = go.nodes {
            writeln!(lines, "st 1\nnps {nodes}")
        } else if go.depth.is_none() {
            writeln!(lines, "st 86400")
        } else {
            Ok(())
        };
        if let Some(depth) = go.depth {
            let _ = writeln!(lines, "sd {depth}");
        }
    }

    fn write_clocks(&self, side: Side, go: &Go, lines: &mut String) {
        if !self.features.no_time {
            let (own, other) = if side == Side::White { (go.wtime, go.btime) } else { (go.btime, go.wtime) };
            let own = own.or(go.movetime).unwrap_or(NO_CLOCK);
            let hundredths = |time: Duration| (time.as_millis() / 10).max(1);
            let _ = writeln!(lines, "time {}\notim {}", hundredths(own), hundredths(other.unwrap_or(own)));
        }
    }
}

impl Board {
    /// The board after the engine's answer, with the moves that lead on to a position; `None` if none do.
    fn go_on<'m>(mut self, start: &str, moves: &'m [&'m str]) -> Option<(Board, &'m [&'m str])> {
        let (known, rest) = moves.split_at_checked(self.moves.len())?;
        let (own, rest) = rest.split_first()?;
        let is_known = self.start == start && known == self.moves;
        let answer = self.answer.take().filter(|answer| is_known && answer.as_str() == *own)?;
        self.referee.play(answer.as_str()).ok()?;
        self.moves.push(answer.to_string());
        Some((self, rest))
    }

    /// Plays a move, and writes the line that tells it.
    fn play(&mut self, uci: &str, features: &Features, lines: &mut String) {
        let is_chess960 = self.referee.variant() == Variant::Chess960;
        self.sent = match self.referee.play(uci) {
            Ok(played) if features.san => played.san().to_owned(),
            Ok(played) if is_chess960 && played.san().starts_with("O-O") => {
                played.san().trim_end_matches(['+', '#']).to_owned()
            }
            _ => uci.to_owned(),
        };
        self.moves.push(uci.to_owned());
        let _ = writeln!(lines, "{}{}", features.before_move(), self.sent);
    }

    /// Whether a command sets the limits of the search, which must not be ignored.
    fn is_limit(&self, command: &str) -> bool {
        let Some((word, number)) = command.split_once(' ') else { return false };
        let Go { depth, movetime, nodes, .. } = &self.limits;
        match word {
            "sd" => depth.is_some_and(|depth| number == depth.to_string()),
            "st" => movetime.is_some() || nodes.is_some(),
            "nps" => nodes.is_some(),
            _ => false,
        }
    }

    /// Whether the engine loses by this result of the game.
    fn is_lost_by(&self, result: &str) -> bool {
        result == GameResult::won_by(self.referee.turn().other()).to_string()
    }
}

/// The move that a text stands for. An illegal one is returned as it is, for the referee.
fn read_move(referee: &Referee, text: &str) -> Option<UciMove> {
    let written: Option<UciMove> = text.parse().ok();
    let is_legal = |written: &UciMove| referee.clone().play(written.as_str()).is_ok();
    let in_letters = || san::san_to_uci(referee, text).ok()?.parse().ok();
    written.filter(is_legal).or_else(in_letters).or(written)
}

/// The moves of a variation, which is free text, up to the first word that is no legal move.
fn read_variation(referee: &Referee, text: &str) -> Vec<UciMove> {
    let (mut referee, mut moves) = (referee.clone(), Vec::new());
    for word in text.split_ascii_whitespace() {
        let word = word.rsplit_once('.').map_or(word, |(_, word)| word);
        // Numbers of moves may stand alone, before or behind their dots.
        if word.bytes().all(|letter| letter.is_ascii_digit()) {
            continue;
        }
        let Some(found) = read_move(&referee, word) else { break };
        if referee.play(found.as_str()).is_err() {
            break;
        }
        moves.push(found);
    }
    moves
}

impl Protocol for Xboard {
    fn write(&mut self, request: Request<'_>, lines: &mut String) {
        match request {
            Request::Introduce => {
                *self = Xboard::default();
                lines.push_str("xboard\nprotover 2\n");
            }
            Request::SetOption(PONDER, value) => self.ponders = value == Some("true"),
            // The variant is told with each position.
            Request::SetOption(CHESS960 | VARIANT, _) | Request::PonderHit => {}
            Request::SetOption(name, value) => self.features.write_option(name, value, lines),
            Request::GetReady => self.ping(lines),
            Request::NewGame => {
                self.begin_game(lines);
                self.ping(lines);
            }
            Request::Search(SearchTask::Of(position, go)) => self.ask(position, None, go, lines),
            Request::Search(SearchTask::After(position, uci, go)) => self.ask(position, Some(uci), go, lines),
            Request::Search(SearchTask::AsWritten(text)) => lines.push_str(text),
            Request::Stop => lines.push_str("?\n"),
            Request::GameOver(result, termination) => {
                self.board = None;
                let _ = writeln!(lines, "force\nresult {result} {{{termination}}}");
            }
            Request::Quit => lines.push_str("quit\n"),
        }
    }

    fn expects(&self, request: Request<'_>) -> Expected {
        match request {
            Request::Introduce => Expected::Introduction("feature done=1"),
            Request::GetReady | Request::NewGame => Expected::Ready("pong"),
            Request::SetOption(..) => Expected::Answer("option"),
            _ => Expected::Answer("move"),
        }
    }

    fn introduce(&mut self, line: &str, engine: &mut EngineInfo, answer: &mut String) -> Heard {
        if engine.options.is_empty() {
            engine.options.push(EngineOption::check(PONDER, false));
        }
        let features = line.trim().strip_prefix("feature ");
        features.map_or(Heard::More, |features| self.features.read(features, engine, answer))
    }

    fn classify(&mut self, line: &[u8]) -> (LineKind, bool) {
        let text = String::from_utf8_lossy(line);
        let line = Line::read(&text);
        if line == Line::Pong(self.pings) {
            return (LineKind::Ready, false);
        }
        let Some(board) = &mut self.board else { return (LineKind::Idle, false) };
        let is_answer = match line {
            Line::Report(report) => {
                return (if report.is_bound() { LineKind::Bound } else { LineKind::Exact }, true);
            }
            Line::Move(text) => {
                if board.is_thinking {
                    board.answer = read_move(&board.referee, text);
                }
                board.is_thinking = false;
                return (LineKind::Answer, false);
            }
            Line::Resignation => true,
            Line::Result(result) => board.is_lost_by(result),
            Line::Illegal(text) => board.is_thinking && (text == board.sent || board.is_limit(text)),
            Line::NoPosition => board.is_thinking,
            Line::Pong(_) | Line::Text => false,
        };
        if is_answer && matches!(line, Line::Resignation | Line::Result(_)) {
            board.resignation = Some(text.trim().to_owned());
        }
        let is_answer = is_answer && std::mem::take(&mut board.is_thinking);
        (if is_answer { LineKind::Answer } else { LineKind::Idle }, false)
    }

    fn read(&self, line: &str) -> Option<Message> {
        match Line::read(line) {
            Line::Move(_) => {
                let best = Some(self.board.as_ref()?.answer?);
                Some(Message::BestMove(BestMove { best, ponder: None }))
            }
            Line::Report(report) => {
                let board = self.board.as_ref();
                let pv =
                    board.map_or_else(Vec::new, |board| read_variation(&board.referee, report.variation));
                Some(Message::Info(Box::new(Info { pv, ..report.info })))
            }
            Line::Resignation | Line::Result(_) | Line::Illegal(_) | Line::NoPosition => {
                Some(Message::BestMove(BestMove { best: None, ponder: None }))
            }
            Line::Pong(_) => None,
            Line::Text => Some(Message::Info(Box::new(Info::text(line.trim())))),
        }
    }

    fn silence(&self, request: Request<'_>, timeout: Duration) -> Option<Duration> {
        match request {
            // Engines from before the features say nothing.
            Request::Introduce => (!self.features.needs_time).then_some(timeout),
            _ => (!self.features.ping).then_some(SILENCE),
        }
    }

    fn resignation(&self) -> Option<&str> {
        self.board.as_ref()?.resignation.as_deref()
    }

    fn refuses(&self, limits: &SearchLimits) -> Option<String> {
        self.features.refuse(limits)
    }

    fn plays_again(&self) -> bool {
        !self.features.no_reuse
    }
}

#[cfg(test)]
mod tests;
