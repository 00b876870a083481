//! An OpenBench site: its address, the login if it asks for one, and its answers.

use std::collections::BTreeSet;
use std::net::IpAddr;

use anyhow::{Context, Result, anyhow, bail};
use axum::http::Uri;
use regex_lite::Regex;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::curl::{CurlAnswer, CurlRequest, exchange};
use crate::cli::console;

/// The CSRF token. Django only compares the cookie with the form field, so a client that is not a browser can choose it.
const CSRF_TOKEN: &str = "arbiterArbiterarbiterArbiter1234";

const SHOWN: usize = 80;

/// The start of error messages after a test has been created.
pub(super) const TAKEN: &str = "the site has taken the test";

#[derive(Clone)]
pub(super) struct Login {
    pub(super) name: String,
    pub(super) password: String,
}

pub(super) struct Site {
    url: String,
    login: Option<Login>,
}

impl Site {
    pub(super) fn new(url: &str, login: Option<Login>) -> Result<Site> {
        let url = url.trim_end_matches('/');
        let is_web = |uri: Uri| matches!(uri.scheme_str(), Some("http" | "https"));
        if url.contains(['?', '#', '@']) || !url.parse().is_ok_and(is_web) {
            bail!("URL `{url}`: expected the address of a site, such as https://openbench.example.org");
        }
        Ok(Site { url: url.to_owned(), login })
    }

    pub(super) fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.url)
    }

    pub(super) fn test_address(&self, test: u64) -> String {
        self.address(&format!("test/{test}/"))
    }

    pub(super) fn login(&self) -> Result<&Login> {
        let login = self.login.as_ref();
        login.with_context(|| {
            format!(
                "{} asks for a login: expected OPENBENCH_USERNAME and OPENBENCH_PASSWORD, or --username and --password",
                self.url
            )
        })
    }

    pub(super) fn fetch(&self, paths: &[String]) -> Result<Vec<CurlAnswer>> {
        self.fetch_each(paths)?.into_iter().collect()
    }

    /// Fetches pages, each with a result of its own. Logs in if the site shows them only to users.
    fn fetch_each(&self, paths: &[String]) -> Result<Vec<Result<CurlAnswer>>> {
        let requests: Vec<CurlRequest> = paths
            .iter()
            .map(|path| CurlRequest { url: self.address(path), follow: true, ..CurlRequest::default() })
            .collect();
        let mut answers = exchange(&requests)?;
        if answers.iter().any(asks_for_login) {
            let login = self.login()?;
            answers = exchange(&[&[self.login_form(login)], &requests[..]].concat())?;
            let welcome = answers.remove(0);
            if welcome.status >= 400 || is_login_page(&welcome.redirect) || answers.iter().any(asks_for_login)
            {
                return Err(self.refused(login));
            }
        }
        Ok(answers.into_iter().map(with_content).collect())
    }

    /// Fetches JSON pages: from each, the value under `key` or why it has none.
    pub(super) fn fetch_values<T: DeserializeOwned>(
        &self,
        paths: &[String],
        key: &str,
    ) -> Result<Vec<Result<T>>> {
        let value_of = |answer: CurlAnswer| {
            let mut value = json(&answer)?;
            let value = if key.is_empty() { value } else { value[key].take() };
            serde_json::from_value(value)
                .with_context(|| format!("{}: expected what OpenBench answers", answer.url))
        };
        Ok(self.fetch_each(paths)?.into_iter().map(|answer| answer.and_then(value_of)).collect())
    }

    pub(super) fn fetch_value<T: DeserializeOwned>(&self, path: &str, key: &str) -> Result<T> {
        self.fetch_values(&[path.to_owned()], key)?.remove(0)
    }

    /// Fills in the form of a new `test` or `tune`.
    pub(super) fn create(&self, kind: &str, fields: &[(&str, String)]) -> Result<SitePage> {
        let login = self.login()?;
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let form = CurlRequest { follow: true, ..self.form(&format!("{kind}/new/"), fields) };
        let answer = exchange(&[self.login_form(login), form])?.remove(1);
        // The site redirects to the list of tests when it has accepted one.
        let is_taken = answer.url.trim_end_matches('/').ends_with("/index");
        let answer =
            with_content(answer).map_err(|error| if is_taken { error.context(TAKEN) } else { error })?;
        let page = SitePage::of(&answer.body);
        if is_login_page(&answer.url) {
            return Err(self.refused(login));
        }
        if let Some(reasons) = page.error() {
            bail!("{} refuses the test: {reasons}", self.url);
        }
        if !is_taken {
            bail!("{}: expected the list of tests, found {}", answer.url, excerpt(&answer.body));
        }
        Ok(page)
    }

    fn login_form(&self, login: &Login) -> CurlRequest {
        if self.is_overheard() {
            console::note(&format!("warning: the password goes unencrypted to {}", self.url));
        }
        let Login { name, password } = login.clone();
        self.form("login/", vec![("username".to_owned(), name), ("password".to_owned(), password)])
    }

    fn form(&self, path: &str, mut form: Vec<(String, String)>) -> CurlRequest {
        form.push(("csrfmiddlewaretoken".to_owned(), CSRF_TOKEN.to_owned()));
        let cookie = Some(format!("csrftoken={CSRF_TOKEN}"));
        CurlRequest { url: self.address(path), form, cookie, follow: false }
    }

    /// Whether others may read the requests: they leave this machine unencrypted.
    fn is_overheard(&self) -> bool {
        let Ok(uri) = self.url.parse::<Uri>() else { return true };
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_here =
            host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        uri.scheme_str() == Some("http") && !is_here
    }

    fn refused(&self, login: &Login) -> anyhow::Error {
        anyhow!(
            "{} refuses the login of {}: the password is wrong, or the account is not enabled",
            self.url,
            login.name
        )
    }
}

/// The content of an answer as JSON, without control characters.
fn json(answer: &CurlAnswer) -> Result<Value> {
    let mut value: Value = serde_json::from_slice(&answer.body).map_err(|_| {
        anyhow!("{}: expected JSON from OpenBench, found {}", answer.url, excerpt(&answer.body))
    })?;
    scrub(&mut value);
    match value["error"].as_str() {
        Some(error) => bail!("{}: {error}", answer.url),
        None => Ok(value),
    }
}

/// The error in an answer that is JSON instead of the requested file.
pub(super) fn refusal(answer: &CurlAnswer) -> Option<anyhow::Error> {
    answer.body.trim_ascii_start().starts_with(b"{").then(|| json(answer).err()).flatten()
}

fn scrub(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.replace(char::is_control, " "),
        Value::Array(values) => values.iter_mut().for_each(scrub),
        Value::Object(values) => values.values_mut().for_each(scrub),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn asks_for_login(answer: &CurlAnswer) -> bool {
    is_login_page(&answer.url)
        || refusal(answer).is_some_and(|error| error.to_string().contains("requires authentication"))
}

fn is_login_page(url: &str) -> bool {
    url.trim_end_matches('/').ends_with("/login")
}

fn with_content(answer: CurlAnswer) -> Result<CurlAnswer> {
    if answer.status >= 400 {
        bail!("{}: expected a page of OpenBench, found the HTTP status {}", answer.url, answer.status);
    }
    Ok(answer)
}

fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let words: Vec<&str> = text.split_whitespace().collect();
    let start: String = words.join(" ").chars().filter(|c| !c.is_control()).take(SHOWN).collect();
    format!("`{start}`")
}

pub(super) struct SitePage {
    text: String,
}

impl SitePage {
    pub(super) fn of(body: &[u8]) -> SitePage {
        SitePage { text: String::from_utf8_lossy(body).into_owned() }
    }

    /// The tests and tunes linked above the heading of finished tests, in ascending order.
    pub(super) fn unfinished_tests(&self) -> BTreeSet<u64> {
        let end = self.text.find(">Finished<").unwrap_or(self.text.len());
        let links = Regex::new("/(?:test|tune)/([0-9]+)").expect("a pattern");
        links.captures_iter(&self.text[..end]).filter_map(|link| link[1].parse().ok()).collect()
    }

    pub(super) fn error(&self) -> Option<String> {
        self.message("error-message")
    }

    pub(super) fn warning(&self) -> Option<String> {
        self.message("warning-message")
    }

    /// The text of the box with this class: `<div class="error-message"><pre>…</pre></div>`, with or without quotes.
    fn message(&self, class: &str) -> Option<String> {
        let boxes = [format!("<div class=\"{class}\">"), format!("<div class={class}>")];
        let inside = boxes.iter().find_map(|start| self.text.split_once(start.as_str()))?.1;
        let inside = inside.split("</div>").next()?.replace("<pre>", "").replace("</pre>", "");
        let lines = inside.lines().map(str::trim).filter(|line| !line.is_empty());
        let text = unescaped(&lines.collect::<Vec<_>>().join("; "));
        Some(text.replace(char::is_control, " "))
    }
}

fn unescaped(text: &str) -> String {
    let escapes =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    escapes.iter().fold(text.to_owned(), |text, (escape, c)| text.replace(escape, c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_and_encryption_keep_a_password() {
        let is_overheard = |url: &str| Site::new(url, None).unwrap().is_overheard();
        let here =
            ["https://example.org", "http://127.0.0.1:8000/ob/", "http://localhost", "http://[::1]:8000"];
        assert!(!here.into_iter().any(is_overheard));
        let elsewhere = ["http://example.org", "http://127.0.0.1.example.org:80/ob", "http://192.168.0.1"];
        assert!(elsewhere.into_iter().all(is_overheard));
    }
}
