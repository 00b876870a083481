//! A page: its HTML, its style, its script.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

use crate::html::PAGE_STYLES;
use crate::report::page::PIECE_DRAWINGS;

/// The drawing of the board and what else the pages share.
const BOARD_SCRIPT: &str = include_str!("board.js");

/// The look of boards and players, which comes behind that of the reports.
const BOARD_STYLE: &str = include_str!("board.css");

/// A page with a board or more.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// What the window is called until the script knows better.
    pub title: &'static str,
    /// What stands between the tags of the body, as HTML.
    pub body: &'static str,
    /// What it does, behind what all pages do.
    pub script: &'static str,
}

impl Page {
    /// The page and what it loads.
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
