//! The page and what it asks for.

use axum::Router;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::show::Show;
use crate::web::Page;

/// The page of a show: `/`, what it shows as server-sent events at `/events`, and finished games at `/games/NUMBER`.
pub fn routes(show: Show) -> Router {
    let page = Page {
        title: "Arbiter",
        body: include_str!("exhibition.html"),
        script: include_str!("exhibition.js"),
    };
    let state = show.state().clone();
    page.routes()
        .route("/events", get(move || async move { state.events() }))
        .route("/games/{number}", get(move |Path(number): Path<u32>| async move { game(&show, number) }))
}

fn game(show: &Show, number: u32) -> Response {
    match show.game(number) {
        Ok(Some(json)) => ([(CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(None) => (StatusCode::NOT_FOUND, format!("no game {number} is finished\n")).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}\n")).into_response(),
    }
}
