//! Rejects requests that do not come from our own pages.
//!
//! A page of another site can send requests to a server on the user's machine. The header `Origin` shows its site, and
//! the header `Host` shows DNS rebinding, where the site's own name points at the loopback address. `POST` requests must
//! be JSON, which browsers do not let other sites send without a preflight request.

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The content security policy: a page may load only its own style and script, and images that it holds itself, such as
/// the empty icon.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Accepts a request to the server on this port if it comes from one of its own pages, or from no page at all.
pub async fn check(State(port): State<u16>, request: Request, next: Next) -> Response {
    if let Err((status, why)) = accept(port, request.method(), request.headers()) {
        return (status, why).into_response();
    }
    let mut response = next.run(request).await;
    let rules =
        [(CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff"), (CACHE_CONTROL, "no-store")];
    for (name, value) in rules {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn accept(port: u16, method: &Method, headers: &HeaderMap) -> Result<(), (StatusCode, &'static str)> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
    let own_names = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_own = |name: &str| own_names.iter().any(|own| own == name);
    if !text(HOST).is_some_and(is_own) {
        return Err((StatusCode::FORBIDDEN, "expected the host 127.0.0.1 or localhost\n"));
    }
    let has_foreign_origin = |origin: &str| !origin.strip_prefix("http://").is_some_and(is_own);
    if text(ORIGIN).is_some_and(has_foreign_origin) {
        return Err((StatusCode::FORBIDDEN, "expected a request from a page of this server\n"));
    }
    let is_json = text(CONTENT_TYPE).is_some_and(|kind| kind.split(';').next() == Some("application/json"));
    if method == Method::POST && !is_json {
        return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected application/json\n"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::slice::from_ref;

    use super::*;

    fn status(method: &Method, headers: &[(HeaderName, &'static str)]) -> Option<u16> {
        let headers: HeaderMap =
            headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect();
        accept(8080, method, &headers).err().map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_own_pages_and_programs_without_a_page_are_accepted() {
        let own = (HOST, "127.0.0.1:8080");
        assert_eq!(status(&Method::GET, from_ref(&own)), None);
        assert_eq!(
            status(&Method::GET, &[(HOST, "localhost:8080"), (ORIGIN, "http://localhost:8080")]),
            None
        );
        assert_eq!(status(&Method::GET, &[(HOST, "evil.example:8080")]), Some(403));
        assert_eq!(status(&Method::GET, &[]), Some(403));
        for origin in ["http://evil.example", "null", "https://127.0.0.1:8080", "http://127.0.0.1:8081"] {
            assert_eq!(status(&Method::GET, &[own.clone(), (ORIGIN, origin)]), Some(403), "{origin}");
        }
    }

    #[test]
    fn posts_must_be_json() {
        let own = (HOST, "127.0.0.1:8080");
        assert_eq!(status(&Method::POST, from_ref(&own)), Some(415));
        assert_eq!(status(&Method::POST, &[own.clone(), (CONTENT_TYPE, "text/plain")]), Some(415));
        let json = (CONTENT_TYPE, "application/json; charset=utf-8");
        assert_eq!(status(&Method::POST, &[own, json]), None);
    }
}
