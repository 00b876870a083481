//! What the report promises, and the engine as a GUI meets it.

mod report;
#[path = "../../tests/engines/scripted_gui.rs"]
mod scripted_gui;
mod uci;
