//! A person plays an engine.
//!
//! [`SparringGame`] is the game itself: board, clocks, what was played, and how it ended; it knows neither engines nor
//! screens. [`Opponent`] is the engine. A [`Sitting`] has both, obeys one [`Order`] after the other, and answers in
//! words; a screen shows it: [`TerminalTable`] in the terminal, [`WebTable`] in the browser. Moves are judged by the
//! referee, as in a match.

mod board_drawing;
mod clock_text;
mod command;
mod game_file;
mod line_source;
mod move_reading;
mod notation;
mod numbered_moves;
mod opponent;
mod order;
mod outcome;
mod sitting;
mod sparring_game;
mod table_view;
mod terminal_table;
mod web_routes;
mod web_table;

pub use board_drawing::BoardLook;
pub use command::PlayArgs;
pub use game_file::{GameFile, Players};
pub use line_source::LineSource;
pub use notation::Notation;
pub use opponent::{Opponent, Thought};
pub use order::Order;
pub use outcome::Outcome;
pub use sitting::{Reply, Sitting};
pub use sparring_game::{Refused, SparringGame};
pub use terminal_table::TerminalTable;
pub use web_routes::web_routes;
pub use web_table::WebTable;
