//! HTTP by the system's curl. It reads its configuration from standard input, so that no command line has a password.

use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};

const CURL: &str = "curl";

/// Timeouts in seconds, long enough for any site that still responds.
const CONNECT_TIMEOUT: u32 = 20;
const SILENCE: u32 = 120;

#[derive(Clone, Debug, Default)]
pub(super) struct CurlRequest {
    pub(super) url: String,
    /// The fields of a form to post; empty for a GET.
    pub(super) form: Vec<(String, String)>,
    pub(super) cookie: Option<String>,
    pub(super) follow: bool,
}

#[derive(Clone, Debug)]
pub(super) struct CurlAnswer {
    pub(super) status: u16,
    /// The address of the answer, after all followed redirects.
    pub(super) url: String,
    pub(super) redirect: String,
    pub(super) body: Vec<u8>,
}

pub(super) fn exchange(requests: &[CurlRequest]) -> Result<Vec<CurlAnswer>> {
    let folder = tempfile::tempdir().context("a folder for temporary files")?;
    let body = |index: usize| folder.path().join(index.to_string());
    let mut config = String::new();
    for (index, request) in requests.iter().enumerate() {
        if index > 0 {
            config += "next\n";
        }
        write_request(&mut config, request, &body(index).to_string_lossy());
    }
    let spawned = Command::new(CURL)
        // `--disable` ignores the user's .curlrc, which may change what is printed.
        .args(["--disable", "--config", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!("expected the program {CURL} on the search path, found none"),
        _ => anyhow!(error).context(CURL),
    })?;
    // If curl exits early, the write fails here and curl's own message is reported below.
    let _ = child.stdin.take().map(|mut input| input.write_all(config.as_bytes()));
    let output = child.wait_with_output().context(CURL)?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let message = message.lines().next().unwrap_or("it failed without a message").trim();
        bail!("{}: {message}", requests[0].url);
    }
    let output_text = String::from_utf8_lossy(&output.stdout);
    let mut lines = output_text.lines();
    let answer = |index| {
        let mut facts = lines.next()?.splitn(3, ' ');
        Some(CurlAnswer {
            status: facts.next()?.parse().ok()?,
            url: facts.next()?.to_owned(),
            redirect: facts.next()?.to_owned(),
            // curl writes no file for an empty answer.
            body: fs::read(body(index)).unwrap_or_default(),
        })
    };
    let answers: Option<Vec<CurlAnswer>> = (0..requests.len()).map(answer).collect();
    answers.ok_or_else(|| anyhow!("{CURL}: expected a line for each request, found {output_text:?}"))
}

fn write_request(config: &mut String, request: &CurlRequest, output: &str) {
    let mut line = |option: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(config, "{option} = {}", quoted(value));
    };
    line("url", &request.url);
    line("output", output);
    line("write-out", "%{http_code} %{url_effective} %{redirect_url}\n");
    line("proto", "=http,https");
    line("user-agent", concat!("arbiter/", env!("CARGO_PKG_VERSION")));
    line("connect-timeout", &CONNECT_TIMEOUT.to_string());
    line("speed-time", &SILENCE.to_string());
    // Cookies are kept from one request to the next.
    line("cookie", "");
    if let Some(cookie) = &request.cookie {
        line("cookie", cookie);
        // Django checks the page on which a form was filled in.
        line("referer", &request.url);
    }
    for (name, value) in &request.form {
        line("data-urlencode", &format!("{name}={value}"));
    }
    *config += "silent\nshow-error\nfail-early\ngloboff\n";
    if request.follow {
        *config += "location\n";
    }
}

fn quoted(text: &str) -> String {
    let escapes = [("\\", "\\\\"), ("\"", "\\\""), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")];
    let escaped = escapes.iter().fold(text.to_owned(), |text, (c, escape)| text.replace(c, escape));
    format!("\"{escaped}\"")
}
