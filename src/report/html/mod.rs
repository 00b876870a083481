//! The report as one HTML page that needs nothing beside itself.

mod game_viewer;

pub use game_viewer::GameViewer;
