//! What the article shows, and the rules of chess beside shakmaty.

mod document;
mod rules;
#[path = "../../tests/engines/scripted_gui.rs"]
mod scripted_gui;
mod uci;
