//! `arbiter rate`: a rating list, as Ordo makes it.

mod command;
mod rating_text;

pub use command::{AnchorArg, RateArgs};
