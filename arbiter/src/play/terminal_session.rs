//! A session in the terminal: draws the board, reads a line, shows the engine's reply.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Stdout, Write};
use std::time::Duration;

use referee::{PlayedMove, Side};

use super::board_drawing::{BoardDrawing, BoardLook};
use super::human_game::HumanGameOutcome;
use super::play_command::PlayCommand;
use super::session::{Reply, Session};
use crate::cli::{ExitCode, stdout};
use crate::text::Printable;

pub struct TerminalSession {
    session: Session,
    look: BoardLook,
    below: Side,
    out: Printable<Stdout>,
}

impl TerminalSession {
    pub fn new(session: Session, look: BoardLook) -> TerminalSession {
        TerminalSession { below: session.game.human, session, look, out: stdout() }
    }

    pub fn play(mut self) -> io::Result<ExitCode> {
        let (engine, side) = (&self.session.players.engine, self.session.game.human);
        writeln!(self.out, "  You play {side} against {engine}. Type help for the commands.")?;
        self.show_board()?;
        loop {
            if self.session.game.awaits_engine() {
                let reply = self.session.play_engine_move();
                self.show(&reply)?;
            }
            if let Some(words) = self.session.report_outcome() {
                self.say(words)?;
            }
            let prompt = format!("{}> ", self.session.game.turn());
            let Some(line) = next_line(&prompt)? else { break };
            if line.trim().is_empty() {
                continue;
            }
            match line.parse() {
                Ok(PlayCommand::Quit) => break,
                Ok(command) => self.execute(command)?,
                Err(error) => self.say(error)?,
            }
        }
        let has_failed = matches!(self.session.game.outcome(), Some(HumanGameOutcome::EngineFailed(_)));
        Ok(if has_failed { ExitCode::EngineBroke } else { ExitCode::Done })
    }

    fn execute(&mut self, command: PlayCommand) -> io::Result<()> {
        match command {
            PlayCommand::Board => self.show_board(),
            PlayCommand::Flip => {
                self.below = self.below.other();
                self.show_board()
            }
            // Not indented, so that it can be copied.
            PlayCommand::Pgn => write!(self.out, "{}", self.session.players.pgn(&self.session.game)),
            command => {
                let side = self.session.game.human;
                let reply = self.session.execute(command);
                if self.session.game.human != side {
                    self.below = side.other();
                }
                self.show(&reply)
            }
        }
    }

    fn show(&mut self, reply: &Reply) -> io::Result<()> {
        reply.lines.iter().try_for_each(|line| self.say(line))?;
        // If the engine is to move, the board is shown after its move.
        if reply.board_changed && !self.session.game.awaits_engine() {
            self.show_board()?;
        }
        self.out.flush()
    }

    fn show_board(&mut self) -> io::Result<()> {
        let game = &self.session.game;
        let fen = game.referee().fen();
        let last = game.moves().last().map(PlayedMove::uci);
        let drawing = BoardDrawing { fen: &fen, last, below: self.below, look: self.look };
        write!(self.out, "\n{drawing}")?;
        if let [Some(white), Some(black)] = game.time_left(self.session.thinking_time()) {
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

const TENTHS_BELOW: Duration = Duration::from_secs(20);

/// Minutes and seconds, with hours if needed: `1:05:00`, `4:58`, `0:09.4`. Rounded down.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else if left < TENTHS_BELOW {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// The next line of standard input, with a prompt if input and output are a terminal; `None` at its end (Ctrl-D).
fn next_line(prompt: &str) -> io::Result<Option<String>> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        let mut out = io::stdout().lock();
        write!(out, "{prompt}")?;
        out.flush()?;
    }
    let mut bytes = Vec::new();
    let length = io::stdin().lock().read_until(b'\n', &mut bytes)?;
    // Invalid UTF-8 is treated like any other text that is not a move.
    Ok((length > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_time_is_shown_in_tenths() {
        for (millis, text) in
            [(3_900_000, "1:05:00"), (298_700, "4:58"), (20_000, "0:20"), (9_490, "0:09.4"), (0, "0:00.0")]
        {
            assert_eq!(clock_text(Duration::from_millis(millis)), text);
        }
    }
}
