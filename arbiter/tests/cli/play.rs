//! Wrong requests to the page of `arbiter play`. More is in `scenarios/pages.txt`.

use crate::browser::PageClient;
use crate::workbench::Workbench;

#[test]
fn invalid_requests_change_nothing() {
    let bench = Workbench::with_mocks(&["well"]);
    let page = PageClient::start(&bench, &["play", "well", "--nodes", "20", "--web"]);
    let host = format!("Host: 127.0.0.1:{}\r\n", page.port());
    let home = page.path();
    let post = |kind: &str, body: &str| {
        let length = body.len();
        let head = format!("POST {home}lines HTTP/1.1\r\n{host}{kind}Content-Length: {length}\r\n");
        page.ask(&head, body).status
    };
    let json = "Content-Type: application/json; charset=utf-8\r\n";
    assert_eq!(post("Content-Type: text/plain\r\n", "{\"line\":\"resign\"}"), 415);
    assert_eq!(post("", "{\"line\":\"resign\"}"), 415);
    assert_eq!(post(json, "resign"), 400);
    assert_eq!(post(json, &"x".repeat(3_000_000)), 413);
    assert_eq!(page.get("/lines").status, 405);
    assert!(page.wait_for("the game", |_| true)["outcome"].is_null());
}
