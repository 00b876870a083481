//! What the report promises, and the engine as a GUI meets it.

mod report;
mod uci;
