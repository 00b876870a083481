//! The table of misbehaviour: the name of each mode, its moment, and its action.

use std::fmt::Display;
use std::io::Write;
use std::process::{abort, exit};

use crate::Engine;
use crate::deeds::Outcome::{Handled, Normal};
use crate::deeds::{
    Done, burn, child_in_a_session_of_its_own, child_in_our_group, child_with_our_output, close_errors,
    close_input, close_output, complain, die_of_bad_access, flood, ignore_signals, never_end_the_line, pause,
    stay, stop_oneself, stop_runner, watch_wall,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the first line is read.
    Start,
    Uci,
    Ready,
    NewGame,
    Position,
    /// On any `go`: openings with castling, promotion or mate leave no time for good moves first.
    AnyGo,
    /// On `go` after [`GOOD_PLIES`].
    Go,
    Quit,
    /// When the input is closed.
    Abandoned,
}

use Moment::{Abandoned, AnyGo, Go, NewGame, Position, Quit, Ready, Start, Uci};

/// How many plies an engine plays well before it misbehaves in a search.
pub const GOOD_PLIES: usize = 4;

pub type Mode = (&'static str, Moment, fn(&mut Engine) -> Done);

const OPTION: &str =
    "option name A rather long name of an option type string default and a long default too\n";

const VARIANTS: &str = "option name UCI_Variant type combo default chess var chess var crazyhouse var atomic \
                        var antichess var horde var kingofthehill var racingkings var 3check\n";

const ODD_OPTIONS: &str = "option\noption name\noption name A type\noption name B type spin min x\n\
                           option name C type spin default 5 min 9 max 1\nid\nid name\nid author\n";

const ABSURD_NUMBERS: &str = "\
info depth 99999999999999999999 seldepth -3 nodes 18446744073709551615 nps -1 time NaN
info depth NaN score cp inf time 1e400 hashfull 4294967296 tbhits 0x7 nps 1.5
info depth 1 score cp 99999999999 time -9223372036854775808 nodes pv multipv x
info depth 4294967295 score cp -2147483648 time 9223372036854775807 nodes 7 pv MOVE
bestmove MOVE
";

/// A mode with several moments has several rows.
pub const MODES: &[Mode] = &[
    // From the start of the program to `uciok`.
    ("exit-at-start", Start, |_| exit(3)),
    ("slow-start", Start, |_| pause(100)),
    ("banner", Start, |engine| engine.add("Mock, a bad engine\n\nuciok perhaps\nreadyok? not yet\n")),
    ("complains-at-start", Start, |_| complain(2000)),
    ("brings-child", Start, |_| child_in_our_group()),
    ("brings-stray", Start, |_| child_in_a_session_of_its_own()),
    ("no-uciok", Uci, |_| Ok(Handled)),
    ("error-on-uci", Uci, |engine| {
        engine.only("Error (unknown command): uci\n")?;
        engine.out.flush()?;
        exit(3)
    }),
    ("exit-on-uci", Uci, |_| exit(3)),
    ("crash-on-uci", Uci, |_| abort()),
    ("stop-on-uci", Uci, |_| stop_oneself()),
    ("close-output-on-uci", Uci, |_| close_output()),
    ("flood-on-uci", Uci, flood),
    ("endless-line-on-uci", Uci, never_end_the_line),
    ("option-flood", Uci, |engine| {
        loop {
            engine.add(OPTION)?;
        }
    }),
    ("many-options", Uci, |engine| engine.add(OPTION.repeat(5000))),
    ("odd-options", Uci, |engine| engine.add(ODD_OPTIONS)),
    ("binary-introduction", Uci, |engine| engine.add(b"\xff\xfe\0 hello \xc3\nid name \xff\0\xfe\n")),
    ("variants", Uci, |engine| engine.add(VARIANTS)),
    // Getting ready.
    ("never-ready", Ready, |_| Ok(Handled)),
    ("crash-on-isready", Ready, |_| abort()),
    ("flood-on-isready", Ready, flood),
    ("slow-ready", Ready, |_| pause(50)),
    ("twice-ready", Ready, |engine| engine.add("readyok\n")),
    ("hang-on-new-game", Ready, |engine| Ok(if engine.games > 0 { Handled } else { Normal })),
    ("crash-on-new-game", NewGame, |_| abort()),
    ("slow-new-game", NewGame, |_| pause(50)),
    ("exit-between-games", NewGame, |engine| if engine.games == 2 { exit(4) } else { Ok(Normal) }),
    ("close-input", Ready, |engine| {
        if engine.games == 0 {
            return Ok(Normal);
        }
        close_input();
        // Another engine that is being started may briefly hold a copy of our end of the pipe.
        pause(100)?;
        engine.add("readyok\n")?;
        engine.out.flush()?;
        stay()
    }),
    ("close-errors", NewGame, |_| close_errors()),
    // Exits during a search.
    ("crash", Go, |_| abort()),
    ("segfault", Go, |_| die_of_bad_access()),
    ("exit", Go, |_| exit(7)),
    ("exit-quietly", Go, |_| exit(0)),
    ("exit-after-move", Go, |engine| {
        engine.play("\n")?;
        exit(5)
    }),
    ("exit-without-line-break", Go, |engine| {
        engine.play("")?;
        exit(0)
    }),
    ("leaves-child", Go, |_| {
        child_with_our_output()?;
        exit(0)
    }),
    ("close-output", Go, |_| close_output()),
    // No answer, or a late one.
    ("hang", Go, |_| stay()),
    ("stop", Go, |_| stop_oneself()),
    ("no-line-break", Go, |engine| {
        engine.play("")?;
        stay()
    }),
    ("flood", Go, flood),
    ("flood-after-move", Go, |engine| {
        engine.play("\n")?;
        flood(engine)
    }),
    ("flood-errors", Go, |_| {
        loop {
            complain(1000)?;
        }
    }),
    ("endless-line", Go, never_end_the_line),
    ("late", Go, |_| pause(300)),
    // Answers that are not legal moves.
    ("illegal", Go, |engine| engine.answer(Some("a1h8"))),
    ("other-side", Go, |engine| engine.answer(engine.board.move_of_the_other_side())),
    ("stale-move", Go, |engine| engine.answer(engine.board.own_last_move())),
    ("unreadable", Go, |engine| engine.answer(Some("Nf3"))),
    ("castling-takes-rook", AnyGo, |engine| engine.answer(engine.board.castling_takes_rook())),
    ("castling-in-letters", AnyGo, |engine| engine.answer(engine.board.castling_takes_rook().map(|_| "O-O"))),
    ("promotion-without-piece", AnyGo, |engine| engine.answer(engine.board.promotion_without_piece())),
    ("no-move", Go, |engine| engine.answer(Some("(none)"))),
    ("null-move", Go, |engine| engine.answer(Some("0000"))),
    ("empty-move", Go, |engine| engine.only("bestmove\n")),
    // Written at once, because a second move that arrives late would be taken for the answer to the next question.
    ("two-moves", Go, |engine| engine.chosen("bestmove MOVE\nbestmove MOVE\n")),
    ("move-before-go", Position, |engine| {
        if engine.board.plies >= GOOD_PLIES { engine.play("\n") } else { Ok(Normal) }
    }),
    ("move-before-go", Go, |_| Ok(Handled)),
    ("illegal-line", Go, |engine| engine.chosen("info score cp 3 pv MOVE a1h8\nbestmove MOVE\n")),
    ("unreadable-info", Go, |engine| {
        engine.chosen("info depth 3 score cp inf nodes 7 pv MOVE\nbestmove MOVE\n")
    }),
    ("unknown-lines", Go, |engine| engine.add("thinking\nstill thinking\n")),
    ("other-move", Go, |engine| match engine.board.another_move() {
        Some(other) => engine.chosen(&format!("info score cp 3 pv {other}\nbestmove MOVE\n")),
        None => Ok(Normal),
    }),
    ("wrong-mate", AnyGo, |engine| match engine.board.mating_move() {
        Some(mate) => engine.only(format!("info depth 9 score mate 3 pv {mate}\nbestmove {mate}\n")),
        None => Ok(Normal),
    }),
    // Harmless oddities.
    ("carriage-returns", Start, |engine| {
        engine.line_end = "\r\n";
        Ok(Normal)
    }),
    ("binary", Go, |engine| engine.add(b"info string \xff\0\xfe\ninfo nodes \0\n\n")),
    ("absurd-numbers", Go, |engine| engine.chosen(ABSURD_NUMBERS)),
    ("byte-by-byte", Go, |engine| {
        let chosen = engine.board.choose();
        for byte in format!("info score cp 3 pv {chosen}\nbestmove {chosen}\n").bytes() {
            engine.add([byte])?;
            engine.out.flush()?;
        }
        Ok(Handled)
    }),
    ("half-lines", Go, |engine| {
        engine.add("info score cp 3\nbestm")?;
        engine.out.flush()?;
        pause(10)?;
        engine.chosen("ove MOVE\n")
    }),
    ("blanks", Go, |engine| engine.chosen("\n\n  \t\n \tinfo  score\tcp 3 \n \tbestmove \tMOVE \t\n\n")),
    ("talkative", Go, |engine| {
        for depth in 0..1000 {
            writeln!(engine.out, "info depth {depth} string still thinking")?;
        }
        Ok(Normal)
    }),
    ("odd-ponder", Go, |engine| engine.chosen("info score cp 3\nbestmove MOVE ponder (none) x\n")),
    ("complains", Go, |_| complain(2000)),
    // At the end.
    ("ignores-quit", Quit, |_| Ok(Handled)),
    ("ignores-quit", Abandoned, |_| stay()),
    ("ignores-signals", Start, |_| ignore_signals()),
    ("ignores-signals", Quit, |_| Ok(Handled)),
    ("ignores-signals", Abandoned, |_| stay()),
    ("slow-quit", Quit, |_| pause(100)),
    ("crash-on-quit", Quit, |_| abort()),
    ("stop-on-quit", Quit, |_| stop_oneself()),
];

/// Modes for tests of clocks, which are not in the table of `engine_faults`.
pub const OF_CLOCKS: &[Mode] = &[
    ("well", Start, |_| Ok(Normal)),
    ("burns-time", Go, |_| burn()),
    ("needs-new-game", AnyGo, |engine| {
        if engine.games == 0 {
            eprintln!("thread 'main' panicked at board.rs:7: no board");
            exit(101);
        }
        Ok(Normal)
    }),
    ("stops-before-game", NewGame, |_| stop_oneself()),
    ("watches-wall", AnyGo, |_| watch_wall()),
    // Before the engine's third move as White.
    ("stops-runner", Go, |engine| if engine.board.plies == GOOD_PLIES { stop_runner() } else { Ok(Normal) }),
];

impl Engine {
    /// Says this before a good engine's answer.
    fn add(&mut self, text: impl AsRef<[u8]>) -> Done {
        self.out.write_all(text.as_ref())?;
        Ok(Normal)
    }

    /// Says this instead of a good engine's answer.
    fn only(&mut self, text: impl AsRef<[u8]>) -> Done {
        self.add(text)?;
        Ok(Handled)
    }

    /// Says this with the chosen move in place of `MOVE`, instead of a good engine's answer.
    fn chosen(&mut self, text: &str) -> Done {
        self.only(text.replace("MOVE", &self.board.choose().to_string()))
    }

    /// Answers with this move; without one, plays on well.
    fn answer(&mut self, text: Option<impl Display>) -> Done {
        text.map_or(Ok(Normal), |text| self.only(format!("bestmove {text}\n")))
    }

    /// Answers at once with a good move, and ends the line with this text.
    fn play(&mut self, end: &str) -> Done {
        self.chosen(&format!("bestmove MOVE{end}"))?;
        self.out.flush()?;
        Ok(Handled)
    }
}
