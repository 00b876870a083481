//! Pages in the user's browser, served by this process.
//!
//! The server listens on the loopback address only, and the [`origin_guard`] rejects requests of other sites that the user
//! has open. A [`Page`] is static HTML with style and script; its data comes as one JSON text, complete after every
//! change ([`LatestState`]).

mod origin_guard;
mod page_server;

pub use page_server::{LatestState, Page, PageArgs, guarded};
