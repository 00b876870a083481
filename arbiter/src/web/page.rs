//! A page: HTML, style and script.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::html::{PAGE_STYLES, PIECE_DRAWINGS};

/// The script that all pages share: board, clocks, moves.
const BOARD_SCRIPT: &str = include_str!("board.js");

/// The style of boards and players, after the style of the reports.
const BOARD_STYLE: &str = include_str!("board.css");

/// A page with boards.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The title of the window until the script sets another.
    pub title: &'static str,
    /// The HTML of the body.
    pub body: &'static str,
    /// The script, after the shared one.
    pub script: &'static str,
}

impl Page {
    /// The routes of the page and its files.
    pub fn routes(self) -> Router {
        let file = |kind: &'static str, text: String| {
            get(move || async move { ([(CONTENT_TYPE, kind)], text).into_response() })
        };
        let script = format!("(() => {{\n\"use strict\";\n{BOARD_SCRIPT}\n{}}})();\n", self.script);
        Router::new()
            .route("/", file("text/html; charset=utf-8", self.html()))
            .route("/style.css", file("text/css; charset=utf-8", PAGE_STYLES.concat() + BOARD_STYLE))
            .route("/script.js", file("text/javascript; charset=utf-8", script))
    }

    fn html(self) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <title>{}</title>\n<link rel=\"stylesheet\" href=\"style.css\"/>\n\
             <link rel=\"icon\" href=\"data:,\"/>\n</head>\n<body>\n{PIECE_DRAWINGS}\n{}\
             <script src=\"script.js\"></script>\n</body></html>\n",
            self.title, self.body
        )
    }
}
