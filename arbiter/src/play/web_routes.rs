//! The page of a game and what it asks for.

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::web_table::WebTable;
use crate::web::Page;

/// What the page sends: a line as it would be typed in the terminal.
#[derive(Debug, Deserialize)]
struct TypedLine {
    line: String,
}

/// The page of a table: `/`, what it shows as server-sent events at `/events`, lines by `POST` to `/lines`, and the
/// game at `/game.pgn`.
pub fn web_routes(table: WebTable) -> Router {
    let page = Page { title: "Arbiter", body: include_str!("table.html"), script: include_str!("table.js") };
    let (state, asked) = (table.state().clone(), table.clone());
    page.routes()
        .route("/events", get(move || async move { state.events() }))
        .route("/lines", post(move |body: String| async move { obey(&asked, &body).await }))
        .route("/game.pgn", get(move || async move { pgn(&table).await }))
}

async fn obey(table: &WebTable, body: &str) -> Response {
    let line = match serde_json::from_str::<TypedLine>(body) {
        Ok(TypedLine { line }) => line,
        Err(error) => {
            let problem = format!("expected {{\"line\": \"…\"}}: {error}\n");
            return (StatusCode::BAD_REQUEST, problem).into_response();
        }
    };
    match table.ask(line).await {
        Some(reply) => {
            let answer = serde_json::json!({ "answer": reply.lines });
            ([(CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
        }
        None => gone(),
    }
}

async fn pgn(table: &WebTable) -> Response {
    let Some(reply) = table.ask("pgn".to_owned()).await else { return gone() };
    let headers = [
        (CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.pgn\""),
    ];
    (headers, reply.lines.join("\n")).into_response()
}

fn gone() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "the game is gone\n").into_response()
}
