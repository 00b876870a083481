//! What a build shows when it is asked: perft, tactics, speed, bench and the protocol. Each is a suite, a measurement and a
//! comparison, used by its command, by `ci` and by `bisect`.

pub mod check;
pub mod evidence;
pub mod perft;
pub mod speed;
pub mod tactics;
