//! Pages in the user's own browser, served from this process and from nowhere else.
//!
//! The server listens on the loopback address only, and the [`doorkeeper`] turns away what does not come from its own
//! pages: other sites that the user has open may not give orders here, nor read. A page is a shell of HTML with style
//! and script ([`Page`]); what it shows comes as one JSON text, whole and again with every change ([`LatestState`]).

mod doorkeeper;
mod latest_state;
mod page;
mod page_server;

pub use latest_state::LatestState;
pub use page::Page;
pub use page_server::PageArgs;
