//! The HTTP routes of the page of a session.

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::web_session::WebSession;
use crate::web::Page;

/// A line from the page, as the user would type it in the terminal.
#[derive(Debug, Deserialize)]
struct TypedLine {
    line: String,
}

/// The routes: the page at `/`, its data as server-sent events at `/events`, commands by `POST` to `/lines`, and the
/// game at `/game.pgn`.
pub fn web_routes(session: WebSession) -> Router {
    let page = Page { title: "Arbiter", body: include_str!("play.html"), script: include_str!("play.js") };
    let (state, receiver) = (session.state().clone(), session.clone());
    page.routes()
        .route("/events", get(move || async move { state.events() }))
        .route("/lines", post(move |body: String| async move { execute(&receiver, &body).await }))
        .route("/game.pgn", get(move || async move { pgn(&session).await }))
}

async fn execute(session: &WebSession, body: &str) -> Response {
    let line = match serde_json::from_str::<TypedLine>(body) {
        Ok(TypedLine { line }) => line,
        Err(error) => {
            let problem = format!("expected {{\"line\": \"…\"}}: {error}\n");
            return (StatusCode::BAD_REQUEST, problem).into_response();
        }
    };
    match session.ask(line).await {
        Some(reply) => {
            let answer = serde_json::json!({ "answer": reply.lines });
            ([(CONTENT_TYPE, "application/json")], answer.to_string()).into_response()
        }
        None => ended(),
    }
}

async fn pgn(session: &WebSession) -> Response {
    let Some(reply) = session.ask("pgn".to_owned()).await else { return ended() };
    let headers = [
        (CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.pgn\""),
    ];
    (headers, reply.lines.join("\n")).into_response()
}

fn ended() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "the session has ended\n").into_response()
}
