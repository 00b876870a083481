//! What goes wrong on `position` and `go`.

use std::io::{self, Write};
use std::process;
use std::time::Duration;

use shakmaty::uci::UciMove;

use crate::board::Board;
use crate::deeds::{
    self, Outcome, child_with_our_output, close_output, complain, die_of_bad_access, flood,
    never_end_the_line, pause, stop_oneself,
};
use crate::moments::modes;

/// How many plies a bad engine plays well before it misbehaves.
const GOOD_PLIES: usize = 4;

modes! {
    /// The modes of the search.
    Search {
        /// Aborts when asked for a move.
        Crash = "crash",
        /// Ends by a bad memory access when asked for a move.
        Segfault = "segfault",
        /// Ends with exit code 7 when asked for a move.
        Exit = "exit",
        /// Ends with exit code 0 when asked for a move.
        ExitQuietly = "exit-quietly",
        /// Ends with exit code 5 after it has answered.
        ExitAfterMove = "exit-after-move",
        /// Answers without ending the line, and ends.
        ExitWithoutLineBreak = "exit-without-line-break",
        /// Leaves a child that holds its output open, and ends.
        LeavesChild = "leaves-child",
        /// Closes its output and lives on.
        CloseOutput = "close-output",
        /// Never answers `go`.
        Hang = "hang",
        /// Stops itself.
        Stop = "stop",
        /// Answers without ending the line.
        NoLineBreak = "no-line-break",
        /// Sends `info` for ever.
        Flood = "flood",
        /// Answers, and then sends `info` for ever.
        FloodAfterMove = "flood-after-move",
        /// Fills its error output for ever.
        FloodErrors = "flood-errors",
        /// Sends a line that never ends.
        EndlessLine = "endless-line",
        /// Answers 300 ms after `go`.
        Late = "late",
        /// Answers a move that no position allows.
        Illegal = "illegal",
        /// Answers a move of the other side.
        OtherSide = "other-side",
        /// Answers its move before the last once more.
        StaleMove = "stale-move",
        /// Answers a move in the wrong notation.
        Unreadable = "unreadable",
        /// Castles by taking the rook, as only Chess960 writes it.
        CastlingTakesRook = "castling-takes-rook",
        /// Castles with the letter O.
        CastlingInLetters = "castling-in-letters",
        /// Promotes without saying to what.
        PromotionWithoutPiece = "promotion-without-piece",
        /// Says that it has no move.
        NoMove = "no-move",
        /// Passes.
        NullMove = "null-move",
        /// Says `bestmove` and nothing else.
        EmptyMove = "empty-move",
        /// Answers twice.
        TwoMoves = "two-moves",
        /// Answers `position` instead of `go`.
        MoveBeforeGo = "move-before-go",
        /// Reports a line that is not legal to its end.
        IllegalLine = "illegal-line",
        /// Plays another move than the one it reports.
        OtherMove = "other-move",
        /// Announces mate in three when it mates at once.
        WrongMate = "wrong-mate",
        /// Ends its lines as Windows does.
        CarriageReturns = "carriage-returns",
        /// Sends bytes that are no text.
        Binary = "binary",
        /// Reports numbers that no type holds.
        AbsurdNumbers = "absurd-numbers",
        /// Sends one byte at a time.
        ByteByByte = "byte-by-byte",
        /// Stops in the middle of a line for a while.
        HalfLines = "half-lines",
        /// Puts blanks and empty lines everywhere.
        Blanks = "blanks",
        /// Sends a thousand lines before each move.
        Talkative = "talkative",
        /// Hopes for a reply that is no move.
        OddPonder = "odd-ponder",
        /// Fills its error output with each move.
        Complains = "complains",
    }
}

impl Search {
    /// What happens on `position`.
    pub fn set_up(self, out: &mut impl Write, board: &Board) -> io::Result<()> {
        match self {
            Search::MoveBeforeGo if board.plies >= GOOD_PLIES => writeln!(out, "bestmove {}", board.choose()),
            _ => Ok(()),
        }
    }

    /// What happens on `go`. In openings that are about castling, promotion or mate there is no time to lose.
    pub fn answer(self, out: &mut impl Write, board: &Board) -> io::Result<Outcome> {
        match self {
            Search::CastlingTakesRook => return answer_with(out, board.castling_takes_rook()),
            Search::CastlingInLetters => return answer_with(out, board.castling_takes_rook().map(|_| "O-O")),
            Search::PromotionWithoutPiece => return answer_with(out, board.promotion_without_piece()),
            Search::WrongMate => {
                return board.mating_move().map_or(Ok(Outcome::Normal), |mate| {
                    writeln!(out, "info depth 9 score mate 3 pv {mate}\nbestmove {mate}")?;
                    Ok(Outcome::Handled)
                });
            }
            _ if board.plies < GOOD_PLIES => return Ok(Outcome::Normal),
            Search::MoveBeforeGo => return Ok(Outcome::Handled),
            _ => {}
        }
        self.go_away(out, board)?;
        self.keep_waiting(out, board)?;
        if self.answer_wrongly(out, board)? == Outcome::Handled {
            return Ok(Outcome::Handled);
        }
        self.answer_oddly(out, board)
    }

    /// The ways not to be there any more.
    fn go_away(self, out: &mut impl Write, board: &Board) -> io::Result<()> {
        match self {
            Search::Crash => process::abort(),
            Search::Segfault => die_of_bad_access(),
            Search::Exit => process::exit(7),
            Search::ExitQuietly => process::exit(0),
            Search::ExitAfterMove => {
                writeln!(out, "bestmove {}", board.choose())?;
                out.flush()?;
                process::exit(5);
            }
            Search::ExitWithoutLineBreak => {
                write!(out, "bestmove {}", board.choose())?;
                out.flush()?;
                process::exit(0);
            }
            Search::LeavesChild => {
                child_with_our_output()?;
                process::exit(0);
            }
            Search::CloseOutput => close_output(),
            _ => {}
        }
        Ok(())
    }

    /// The ways not to answer, or not in time.
    fn keep_waiting(self, out: &mut impl Write, board: &Board) -> io::Result<()> {
        match self {
            Search::Hang => deeds::stay(),
            Search::Stop => stop_oneself(),
            Search::NoLineBreak => {
                write!(out, "bestmove {}", board.choose())?;
                out.flush()?;
                deeds::stay();
            }
            Search::Flood => drop(flood(out)?),
            Search::FloodAfterMove => {
                writeln!(out, "bestmove {}", board.choose())?;
                flood(out)?;
            }
            Search::FloodErrors => loop {
                complain(1000);
            },
            Search::EndlessLine => drop(never_end_the_line(out)?),
            Search::Late => pause(Duration::from_millis(300)),
            _ => {}
        }
        Ok(())
    }

    /// The ways to answer what is no legal move.
    fn answer_wrongly(self, out: &mut impl Write, board: &Board) -> io::Result<Outcome> {
        match self {
            Search::Illegal => writeln!(out, "bestmove a1h8")?,
            Search::OtherSide => return answer_with(out, board.move_of_the_other_side()),
            Search::StaleMove => return answer_with(out, board.own_last_move()),
            Search::Unreadable => writeln!(out, "bestmove Nf3")?,
            Search::NoMove => writeln!(out, "bestmove (none)")?,
            Search::NullMove => writeln!(out, "bestmove 0000")?,
            Search::EmptyMove => writeln!(out, "bestmove")?,
            _ => return Ok(Outcome::Normal),
        }
        Ok(Outcome::Handled)
    }

    /// The ways to answer well in an odd manner.
    fn answer_oddly(self, out: &mut impl Write, board: &Board) -> io::Result<Outcome> {
        let chosen = board.choose();
        match self {
            // In one piece: a move that comes late enough is taken for the answer to the next question.
            Search::TwoMoves => {
                out.write_all(format!("bestmove {chosen}\nbestmove {chosen}\n").as_bytes())?;
            }
            Search::IllegalLine => write!(out, "info score cp 3 pv {chosen} a1h8\nbestmove {chosen}\n")?,
            Search::OtherMove => match board.another_move() {
                Some(other) => write!(out, "info score cp 3 pv {other}\nbestmove {chosen}\n")?,
                None => return Ok(Outcome::Normal),
            },
            Search::AbsurdNumbers => absurd_numbers(out, chosen)?,
            Search::ByteByByte => {
                for byte in format!("info score cp 3 pv {chosen}\nbestmove {chosen}\n").bytes() {
                    out.write_all(&[byte])?;
                    out.flush()?;
                }
            }
            Search::HalfLines => {
                write!(out, "info score cp 3\nbestm")?;
                out.flush()?;
                pause(Duration::from_millis(10));
                writeln!(out, "ove {chosen}")?;
            }
            Search::Blanks => write!(out, "\n\n  \t\n \tinfo  score\tcp 3 \n \tbestmove \t{chosen} \t\n\n")?,
            Search::OddPonder => write!(out, "info score cp 3\nbestmove {chosen} ponder (none) x\n")?,
            Search::Talkative => {
                let line = |depth| format!("info depth {depth} string still thinking\n");
                out.write_all((0..1000).map(line).collect::<String>().as_bytes())?;
                return Ok(Outcome::Normal);
            }
            Search::Binary => {
                out.write_all(b"info string \xff\0\xfe\ninfo nodes \0\n\n")?;
                return Ok(Outcome::Normal);
            }
            Search::Complains => {
                complain(2000);
                return Ok(Outcome::Normal);
            }
            _ => return Ok(Outcome::Normal),
        }
        Ok(Outcome::Handled)
    }
}

/// Sends an answer if there is one; otherwise the engine plays on well.
fn answer_with(out: &mut impl Write, text: Option<impl std::fmt::Display>) -> io::Result<Outcome> {
    let Some(text) = text else { return Ok(Outcome::Normal) };
    writeln!(out, "bestmove {text}")?;
    Ok(Outcome::Handled)
}

fn absurd_numbers(out: &mut impl Write, chosen: UciMove) -> io::Result<()> {
    writeln!(out, "info depth 99999999999999999999 seldepth -3 nodes 18446744073709551615 nps -1 time NaN")?;
    writeln!(out, "info depth NaN score cp inf time 1e400 hashfull 4294967296 tbhits 0x7 nps 1.5")?;
    writeln!(out, "info depth 1 score cp 99999999999 time -9223372036854775808 nodes pv multipv x")?;
    writeln!(out, "info depth 4294967295 score cp -2147483648 time 9223372036854775807 nodes 7 pv {chosen}")?;
    writeln!(out, "bestmove {chosen}")
}
