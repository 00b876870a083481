//! druelle as a whole: its moves beside the referee's, its search, its end of the protocol.

mod legal_moves;
mod search;
mod server;
