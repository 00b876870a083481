//! A web site that answers like OpenBench at 9906bad, with one engine, one book and the tests given to it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Clone, Debug, Default)]
pub struct Asked {
    pub path: String,
    pub cookies: String,
    /// The fields of the form; empty if there is no form.
    pub form: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Behaviour {
    /// The presets of the engine, if it has any.
    pub presets: Value,
    /// Whether pages are shown only to users.
    pub is_private: bool,
    /// The error message for each test that is created.
    pub refusal: Option<String>,
    /// The initial tests by number: the facts that differ from a running test without games.
    pub tests: BTreeMap<u64, Value>,
    /// The file with the archive of games for each test, or with the reason why there is none.
    pub archive: PathBuf,
    /// Pages for which a proxy answers instead, and how many requests for each pass before that.
    pub outages: BTreeMap<String, usize>,
    /// Whether a test ends when it has been requested three times.
    pub tests_end: bool,
    /// How often each page was requested.
    pub requests: BTreeMap<String, usize>,
}

/// The site, which answers until the test ends.
pub struct OpenBenchSite {
    /// Its address.
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// The user whom the site knows.
const USER: &str = "ann";
const PASSWORD: &str = "secret&100% \"quoted\"";

const SESSION: &str = "sessionid=abc";

impl OpenBenchSite {
    /// Starts a site on a free port of this machine.
    pub fn start(behaviour: Behaviour) -> OpenBenchSite {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            let mut behaviour = behaviour;
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let Some(asked) = read(&stream) else { continue };
                let answer = behaviour.answer(&asked);
                log.lock().unwrap().push(asked);
                let _ = stream.write_all(&answer);
            }
        });
        OpenBenchSite { url, asked }
    }

    /// The forms of new tests and tunes, in order.
    pub fn created(&self) -> Vec<Asked> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .filter(|asked| asked.path.ends_with("/new/") && !asked.form.is_empty())
            .cloned()
            .collect()
    }
}

impl Behaviour {
    fn answer(&mut self, asked: &Asked) -> Vec<u8> {
        let earlier = self.requests.entry(asked.path.clone()).or_default();
        *earlier += 1;
        if self.outages.get(&asked.path[..]).is_some_and(|passed| *earlier == passed + 1) {
            return response("502 Bad Gateway", "", b"<h1>Bad Gateway</h1>");
        }
        let user = |asked: &Asked| {
            let is = |field: &str, value: &str| asked.form.get(field).is_some_and(|given| given == value);
            is("username", USER) && is("password", PASSWORD)
        };
        let knows = asked.cookies.contains(SESSION);
        match asked.path.as_str() {
            "/login/" if !asked.form.is_empty() => {
                let token = asked.form.get("csrfmiddlewaretoken").cloned().unwrap_or_default();
                match asked.cookies.contains(&format!("csrftoken={token}")) && token.len() == 32 {
                    true if user(asked) => redirect("/index/", true),
                    true => redirect("/login/", false),
                    false => response("403 Forbidden", "", b"CSRF"),
                }
            }
            "/login/" => page("<form>Only enabled users can create tests</form>"),
            "/test/new/" | "/tune/new/" if !asked.form.is_empty() => match (knows, &self.refusal) {
                (false, _) => redirect("/login/", false),
                (true, Some(_)) => redirect(&asked.path, true),
                (true, None) => {
                    self.create(&asked.form);
                    redirect("/index/", true)
                }
            },
            "/test/new/" | "/tune/new/" => {
                let refusal = self.refusal.clone().unwrap_or_default();
                page(&format!("<div class=\"error-message\"><pre>{refusal}</pre></div>"))
            }
            "/index/" if self.is_private && !knows => redirect("/login/", false),
            "/index/" => page(&self.list()),
            path if self.is_private && !knows && path.starts_with("/api/") => {
                json_of(&json!({ "error": "API requires authentication for this server" }))
            }
            "/api/config/" => json_of(&json!({ "engines": ["Tiny"], "books": { "small.epd": {} } })),
            "/api/config/Tiny/" => json_of(&json!({
                "private": false, "nps": 500_000, "source": "https://github.com/kit/Tiny", "build": {},
                "test_presets": if self.presets.is_null() { json!({ "default": {} }) } else { self.presets.clone() },
            })),
            "/api/networks/Tiny/" => json_of(&json!({
                "default": { "name": "big", "sha256": "AAAA1111" },
                "networks": [{ "name": "big", "sha256": "AAAA1111" }, { "name": "old", "sha256": "BBBB2222" }],
            })),
            path => self.answer_of_test(path),
        }
    }

    /// `/api/pgns/N/`, `/api/workload/N/info/`, `/api/workload/N/results/`.
    fn answer_of_test(&self, path: &str) -> Vec<u8> {
        let parts: Vec<&str> = path.split('/').collect();
        let number = |part: &str| part.parse().ok().filter(|number| self.tests.contains_key(number));
        match parts[..] {
            ["", "api", "pgns", test, ""] if number(test).is_some() => {
                response("200 OK", "", &fs::read(&self.archive).unwrap())
            }
            ["", "api", "workload", test, query, ""] => match (number(test), query) {
                (None, _) => json_of(&json!({ "error": "Requested Workload Id does not exist" })),
                (Some(test), "info") => {
                    let mut facts = self.tests[&test].clone();
                    if self.tests_end && self.requests[path] >= 3 {
                        facts["finished"] = json!(true);
                    }
                    json_of(&json!({ "info": info(test, &facts) }))
                }
                (Some(_), _) => json_of(&json!({ "results": [
                    { "machine__id": 1, "timeloss": 2, "crashes": 0, "active": true },
                    { "machine__id": 2, "timeloss": 1, "crashes": 1, "active": false },
                ] })),
            },
            _ => response("500 Internal Server Error", "", b"<h1>Error</h1>"),
        }
    }

    fn create(&mut self, form: &BTreeMap<String, String>) {
        let test = self.tests.keys().next_back().map_or(1, |last| last + 1);
        // A tune has only one engine.
        let branch = |side: &str| form.get(&format!("{side}_branch")).unwrap_or(&form["dev_branch"]);
        let commit = |side: &str| json!({ "name": branch(side), "sha": "0".repeat(40) });
        let mut facts = json!({ "author": USER, "dev": commit("dev"), "base": commit("base") });
        for (field, value) in form {
            facts.as_object_mut().unwrap().entry(field).or_insert(value.as_str().into());
        }
        self.tests.insert(test, facts);
    }

    fn list(&self) -> String {
        let kind = |test: &u64| if self.tests[test]["test_mode"] == "SPSA" { "tune" } else { "test" };
        let link = |test: &u64| format!("<a href=\"/{}/{test}/\">dev</a>", kind(test));
        let is_over = |test: &u64| self.tests[test]["finished"] == true;
        let (over, running): (Vec<u64>, Vec<u64>) = self.tests.keys().partition(|test| is_over(test));
        let links = |tests: &[u64]| tests.iter().map(link).collect::<String>();
        format!("<a href=\"/test/new/\">+</a>{}<th>Finished</th>{}", links(&running), links(&over))
    }
}

/// The site's facts about a test.
fn info(test: u64, facts: &Value) -> Value {
    let mut info = json!({
        "id": test, "author": USER, "upload_pgns": "COMPACT", "info": "", "book_name": "small.epd",
        "dev_engine": "Tiny", "dev_options": "Threads=1 Hash=8", "dev_netname": "", "dev_time_control": "8.0+0.08",
        "base_engine": "Tiny", "base_options": "Threads=1 Hash=8", "base_netname": "",
        "base_time_control": "8.0+0.08", "test_mode": "SPRT", "elolower": 0.0, "eloupper": 5.0, "alpha": 0.05,
        "beta": 0.05, "currentllr": 0.0, "max_games": 0, "games": 0, "use_tri": false, "use_penta": true,
        "passed": false, "failed": false, "finished": false, "deleted": false, "approved": true, "error": false,
        "dev": { "name": "dev", "sha": "1a2b3c4d5e6f7081920a1b2c3d4e5f6071829304" },
        "base": { "name": "master", "sha": "ffeeddccbbaa99887766554433221100ffeeddcc" },
        "tri": [0, 0, 0], "penta": [0, 0, 0, 0, 0],
    });
    for (field, value) in facts.as_object().unwrap() {
        info[field] = value.clone();
    }
    info
}

/// Reads an HTTP request with or without a form.
fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split_whitespace().nth(1)?.to_owned();
    let (mut cookies, mut length) = (String::new(), 0);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("cookie") => cookies += value,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    let fields = body.split('&').filter_map(|field| field.split_once('='));
    let form = fields.map(|(name, value)| (decoded(name), decoded(value))).collect();
    Some(Asked { path, cookies, form })
}

/// Undoes form encoding.
fn decoded(text: &str) -> String {
    let mut bytes = text.bytes();
    let mut decoded = Vec::new();
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'%' => {
                let digits: String = bytes.by_ref().take(2).map(char::from).collect();
                u8::from_str_radix(&digits, 16).unwrap()
            }
            b'+' => b' ',
            other => other,
        });
    }
    String::from_utf8(decoded).unwrap()
}

fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n", body.len());
    [head.as_bytes(), body].concat()
}

fn page(content: &str) -> Vec<u8> {
    response("200 OK", "Content-Type: text/html\r\n", format!("<html>{content}</html>").as_bytes())
}

fn json_of(value: &Value) -> Vec<u8> {
    response("200 OK", "Content-Type: application/json\r\n", value.to_string().as_bytes())
}

fn redirect(path: &str, with_session: bool) -> Vec<u8> {
    let session = if with_session { format!("Set-Cookie: {SESSION}; Path=/\r\n") } else { String::new() };
    response("302 Found", &format!("Location: {path}\r\n{session}"), b"")
}
