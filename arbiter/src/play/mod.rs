//! `arbiter play`: a human plays an engine.
//!
//! [`HumanGame`] is the game itself: board, clocks, moves and outcome; it knows neither engines nor screens.
//! [`Opponent`] is the engine. A [`Session`] has both and executes one [`PlayCommand`] after the other.
//! [`TerminalSession`] shows it in the terminal, [`WebSession`] in the browser. The referee checks the moves, as in a
//! match.

mod board_drawing;
mod command;
mod game_file;
mod human_game;
mod notation;
mod opponent;
mod play_command;
mod session;
mod terminal_session;
mod web_session;

pub use board_drawing::BoardLook;
pub use command::PlayArgs;
pub use game_file::{GameFile, Players};
pub use human_game::{HumanGame, Outcome, Refused};
pub use notation::Notation;
pub use opponent::{Opponent, SearchResult};
pub use play_command::PlayCommand;
pub use session::{Reply, Session};
pub use terminal_session::{LineSource, TerminalSession};
pub use web_session::{WebSession, web_routes};
