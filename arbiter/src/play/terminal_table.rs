//! A game in the terminal: the board is drawn, a line is read, the engine answers.

use std::fmt::Display;
use std::io::{self, Write};

use super::board_drawing::{BoardDrawing, BoardLook};
use super::clock_text::clock_text;
use super::line_source::LineSource;
use super::order::Order;
use super::outcome::Outcome;
use super::sitting::{Reply, Sitting};
use crate::cli::ExitCode;
use referee::{PlayedMove, Side};

/// The screen of a sitting in a terminal.
pub struct TerminalTable<W> {
    sitting: Sitting,
    look: BoardLook,
    below: Side,
    out: W,
}

impl<W: Write> TerminalTable<W> {
    /// Shows a sitting.
    pub fn new(sitting: Sitting, look: BoardLook, out: W) -> TerminalTable<W> {
        TerminalTable { below: sitting.game().person(), sitting, look, out }
    }

    /// Plays until the person leaves, or there is no more input.
    ///
    /// # Errors
    /// The terminal cannot be read or written.
    pub fn play(mut self, lines: LineSource) -> io::Result<ExitCode> {
        let (engine, side) = (&self.sitting.players().engine, self.sitting.game().person());
        writeln!(self.out, "  You have {side} against {engine}. `help` lists what you can type.")?;
        self.show_board()?;
        loop {
            if self.sitting.game().awaits_engine() {
                let reply = self.sitting.let_engine_move();
                self.show(&reply)?;
            }
            if let Some(words) = self.sitting.tell_outcome() {
                self.say(words)?;
            }
            let prompt = format!("{}> ", self.sitting.game().turn());
            let Some(line) = lines.next(&prompt)? else { break };
            if line.trim().is_empty() {
                continue;
            }
            match line.parse() {
                Ok(Order::Quit) => break,
                Ok(order) => self.obey(order)?,
                Err(error) => self.say(error)?,
            }
        }
        let is_broken = matches!(self.sitting.game().outcome(), Some(Outcome::EngineFailed(_)));
        Ok(if is_broken { ExitCode::EngineBroke } else { ExitCode::Done })
    }

    fn obey(&mut self, order: Order) -> io::Result<()> {
        match order {
            Order::Board => self.show_board(),
            Order::Flip => {
                self.below = self.below.other();
                self.show_board()
            }
            // Without an indentation, to be copied.
            Order::Pgn => write!(self.out, "{}", self.sitting.players().pgn(self.sitting.game())),
            order => {
                let side = self.sitting.game().person();
                let reply = self.sitting.obey(order);
                if self.sitting.game().person() != side {
                    self.below = side.other();
                }
                self.show(&reply)
            }
        }
    }

    fn show(&mut self, reply: &Reply) -> io::Result<()> {
        reply.lines.iter().try_for_each(|line| self.say(line))?;
        // Where the engine answers at once, the board is shown after its move.
        if reply.board_changed && !self.sitting.game().awaits_engine() {
            self.show_board()?;
        }
        self.out.flush()
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = self.sitting.game();
        let fen = game.referee().fen();
        let last = game.moves().last().map(PlayedMove::uci);
        let drawing = BoardDrawing { fen: &fen, last, below: self.below, look: self.look };
        write!(self.out, "\n{drawing}")?;
        if let [Some(white), Some(black)] = game.time_left(self.sitting.thinking_time()) {
            writeln!(self.out, "  White {}   Black {}", clock_text(white), clock_text(black))?;
        }
        if game.referee().is_check() && game.outcome().is_none() {
            writeln!(self.out, "  {} is in check", game.turn())?;
        }
        writeln!(self.out)?;
        self.out.flush()
    }

    fn say(&mut self, text: impl Display) -> io::Result<()> {
        writeln!(self.out, "  {text}")
    }
}
