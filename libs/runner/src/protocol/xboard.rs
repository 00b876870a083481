//! The Chess Engine Communication Protocol of xboard and WinBoard.
//!
//! The engine keeps a board, and after `go` it answers every move with one of its own. So a question is compared with the
//! engine's board: usually the clocks and the opponent's move are all that it gets. Any other position is set up anew.

mod features;
mod lines;

use std::fmt::Write as _;
use std::time::Duration;

use features::{CHESS960, Features, PONDER};
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
            self.write_limits(board.referee.turn(), go, lines);
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
        if variant == Variant::Chess960 {
            lines.push_str("variant fischerandom\nforce\n");
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
    fn write_limits(&self, side: Side, go: &Go, lines: &mut String) {
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
        if self.features.time {
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

/// The moves of a variation, up to the first word that is none or the first illegal one.
fn read_variation(referee: &Referee, text: &str) -> Vec<UciMove> {
    let (mut referee, mut moves) = (referee.clone(), Vec::new());
    for word in text.split_ascii_whitespace() {
        let word = word.rsplit_once('.').map_or(word, |(_, word)| word);
        // Numbers of moves may stand alone, before or behind their dots.
        if word.bytes().all(|letter| letter.is_ascii_digit()) {
            continue;
        }
        let Some(found) = read_move(&referee, word) else { break };
        moves.push(found);
        if referee.play(found.as_str()).is_err() {
            break;
        }
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
            Request::SetOption(CHESS960, _) | Request::PonderHit => {}
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
            Line::Illegal(text) => board.is_thinking && text == board.sent,
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
                Some(Message::Info(Box::new(Info { pv, ..report.into_info() })))
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
        self.features.reuse
    }
}

#[cfg(test)]
mod tests {
    use uci::Command;

    use super::*;

    const CASTLING: &str = "1k1r4/8/8/8/8/8/8/4K2R w K - 0 1";

    fn introduced(features: &str) -> Xboard {
        let mut engine = Xboard::default();
        engine.introduce(&format!("feature {features}"), &mut EngineInfo::default(), &mut String::new());
        engine
    }

    /// What the engine is sent for a `position` and a `go` of UCI, in one line.
    fn asked(engine: &mut Xboard, position: &str, variant: Variant, go: &str) -> String {
        let (Ok(Command::Position { start, moves }), Ok(Command::Go(go))) =
            (format!("position {position}").parse(), go.parse())
        else {
            panic!("{position}: {go}");
        };
        let mut line = PositionLine::new(start.fen(), variant);
        moves.iter().for_each(|played| line.play(played.as_str()));
        let mut lines = String::new();
        engine.write(Request::Search(SearchTask::Of(&line, &go)), &mut lines);
        lines.trim_end().replace('\n', ", ")
    }

    fn standard(engine: &mut Xboard, position: &str, go: &str) -> String {
        asked(engine, position, Variant::Standard, go)
    }

    fn heard(engine: &mut Xboard, line: &str) -> (LineKind, Option<String>) {
        let kind = engine.classify(line.as_bytes()).0;
        (kind, engine.read(line).map(|message| message.to_string()))
    }

    fn answers(engine: &mut Xboard, text: &str, best: &str) {
        assert_eq!(heard(engine, text), (LineKind::Answer, Some(format!("bestmove {best}"))), "{text}");
    }

    #[test]
    fn a_game_is_told_move_by_move_and_its_level_once() {
        let mut engine = introduced("ping=1 setboard=1 usermove=1 done=1");
        let mut begun = String::new();
        engine.write(Request::NewGame, &mut begun);
        assert_eq!(begun, "new\nforce\npost\neasy\nping 1\n");
        assert_eq!(engine.classify(b"pong 1").0, LineKind::Ready);
        let clocks = |left: u32| format!("go wtime {left} btime 9009 winc 2 binc 2");
        let sent = standard(&mut engine, "startpos moves d2d4 d7d5", &clocks(202));
        assert_eq!(sent, "usermove d2d4, usermove d7d5, level 0 0:01 0.002, time 20, otim 900, go");
        answers(&mut engine, "move g1f3", "g1f3");
        let sent = standard(&mut engine, "startpos moves d2d4 d7d5 g1f3 g8f6", &clocks(107));
        assert_eq!(sent, "time 10, otim 900, usermove g8f6");
        answers(&mut engine, "move Nc3", "b1c3");
        // Two moves from a book.
        let moves = "startpos moves d2d4 d7d5 g1f3 g8f6 b1c3 b8c6 c1f4 c8f5";
        let sent = standard(&mut engine, moves, &clocks(3));
        assert_eq!(sent, "force, usermove b8c6, usermove c1f4, usermove c8f5, time 1, otim 900, go");
        // Another game than it has on its board.
        answers(&mut engine, "move e2e3", "e2e3");
        let sent = standard(&mut engine, "startpos moves d2d4", "go btime 90000 movestogo 40");
        assert_eq!(sent, "new, force, post, easy, usermove d2d4, level 40 1:30 0, time 9000, otim 9000, go");
        let mut ended = String::new();
        engine.write(Request::GameOver(GameResult::Draw, crate::Termination::MaxMoves), &mut ended);
        assert_eq!(ended, "force\nresult 1/2-1/2 {max_moves}\n");
        // Without an answer to `ping` it has to be silent.
        let timeout = Duration::from_secs(1);
        assert_eq!(engine.silence(Request::NewGame, timeout), None);
        assert_eq!(introduced("").silence(Request::NewGame, timeout), Some(SILENCE));
        assert_eq!(introduced("done=0").silence(Request::Introduce, timeout), None);
        assert!(engine.plays_again() && !introduced("reuse=0").plays_again());
    }

    #[test]
    fn limits_and_positions_are_told_as_the_engine_can_be_told() {
        let new = "new, force, post, easy";
        let black = "4k3/p7/8/8/8/8/8/K7 b - - 0 1";
        for (features, position, go, sent) in [
            ("", "startpos", "go depth 5", "sd 5, time 86400, otim 86400, go"),
            ("time=0", "startpos", "go movetime 2000 depth 3", "st 2, sd 3, go"),
            ("nps=1 time=0", "startpos", "go nodes 900", "st 1, nps 900, go"),
            ("san=1 time=0", "startpos moves g1f3", "go depth 1", "Nf3, sd 1, go"),
            ("setboard=1 time=0", black, "go depth 1", "setboard 4k3/p7/8/8/8/8/8/K7 b - - 0 1, sd 1, go"),
            ("time=0", black, "go depth 1", "a2a3, edit, #, Ka1, c, Ke8, Pa7, ., sd 1, go"),
        ] {
            let position = if position == black { format!("fen {black}") } else { position.to_owned() };
            assert_eq!(standard(&mut introduced(features), &position, go), format!("{new}, {sent}"));
        }
        let mut engine = introduced("time=0 setboard=1 variants=\"normal,fischerandom\"");
        let position = |moves: &str| format!("fen {CASTLING} moves{moves}");
        let sent = asked(&mut engine, &position(""), Variant::Chess960, "go depth 1");
        assert_eq!(sent, format!("{new}, variant fischerandom, force, setboard {CASTLING}, sd 1, go"));
        answers(&mut engine, "move O-O", "e1h1");
        let mut engine = introduced("time=0 setboard=1");
        let sent = asked(&mut engine, &position(" e1h1 d8d2"), Variant::Chess960, "go depth 1");
        assert!(sent.ends_with(", O-O, d8d2, sd 1, go"), "{sent}");
    }

    #[test]
    fn an_answer_is_a_move_in_either_notation_a_resignation_or_a_complaint() {
        let none = || (LineKind::Answer, Some("bestmove (none)".to_owned()));
        let after = |line: &str| {
            let mut engine = introduced("setboard=1");
            standard(&mut engine, "startpos moves e2e4", "go depth 1");
            let heard = heard(&mut engine, line);
            (heard, engine.resignation().map(str::to_owned))
        };
        for (line, best) in [("move e7e5", "e7e5"), ("1. ... Nf6", "g8f6"), ("move a1h8", "a1h8")] {
            assert_eq!(after(line), ((LineKind::Answer, Some(format!("bestmove {best}"))), None));
        }
        assert_eq!(after("move knight"), ((LineKind::Answer, None), None));
        for line in ["resign", "1-0 {Black resigns}", "1-0"] {
            assert_eq!(after(line), (none(), Some(line.to_owned())));
        }
        for line in ["Illegal move: e2e4", "tellusererror Illegal position"] {
            assert_eq!(after(line), (none(), None));
        }
        for line in ["1/2-1/2 {Draw by repetition}", "0-1 {Black mates}", "Illegal move: otim", "offer draw"]
        {
            let ((kind, _), resignation) = after(line);
            assert_eq!((kind, resignation), (LineKind::Idle, None), "{line}");
        }
        let (report, _) = after("3 -31 7 90 1. ... e7e5 2.Nf3 Nc6 Bb5 <HT>");
        let info = "info depth 3 score cp -31 nodes 90 time 70 pv e7e5 g1f3 b8c6 f1b5";
        assert_eq!(report, (LineKind::Exact, Some(info.to_owned())));
        // After its move, it may still give up while the opponent thinks.
        let mut engine = introduced("");
        standard(&mut engine, "startpos", "go depth 1");
        answers(&mut engine, "move e2e4", "e2e4");
        assert_eq!(heard(&mut engine, "resign").0, LineKind::Idle);
        assert!(engine.resignation().is_some());
    }
}
