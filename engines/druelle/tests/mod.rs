//! druelle as a whole: its moves beside the referee's, its search, its end of the protocol.

mod legal_moves;
#[path = "../../../tests/engines/scripted_gui.rs"]
mod scripted_gui;
mod search;
mod server;
