//! Opens pages in a headless Chromium, and in a client without a browser. Without Chromium, the tests fail in CI, and are
//! skipped with a note elsewhere.

use std::env;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde_json::Value;
use tempfile::TempDir;

use crate::processes::interrupt;
use crate::programs::is_wine;
use crate::workbench::{PATIENCE, Workbench};

const NAMES: [&str; 5] =
    ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "chrome"];

/// The tests may run as root, there is no screen, and a page needs nothing from the network.
const FLAGS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/// Collects script errors, starting before the page's first script. The browser's time is simulated and runs as fast as
/// the page allows, but another thread unpacks games in real time, so a pause also waits for that thread.
const WATCH: &str = include_str!("pages/troubles.html");

pub struct Browser {
    program: PathBuf,
}

impl Browser {
    /// Without Chromium, a line on standard error names the test that checks nothing; in CI (with `CI` in the
    /// environment) the test fails.
    pub fn on_the_path() -> Option<Browser> {
        let path = env::var_os("PATH").unwrap_or_default();
        let programs = env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name)));
        if let Some(program) = programs.into_iter().find(|file| file.is_file()) {
            return Some(Browser { program });
        }
        assert!(
            env::var_os("CI").is_none(),
            "CI needs one of {NAMES:?} on the search path, and there is none"
        );
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        // The test harness would capture `eprintln!`.
        let _ = writeln!(io::stderr(), "NOT CHECKED: {test}: there is no Chromium on the search path");
        None
    }

    /// Opens a page from disk in a window of this width, and returns the result of a trial.
    ///
    /// `trial` is the body of an asynchronous JavaScript function, whose return value is read as JSON. In it, `troubles`
    /// holds the script errors so far, and `await pause(time)` lets the page work for that many milliseconds.
    pub fn try_page<T: DeserializeOwned>(&self, html: &str, width: u32, trial: &str) -> T {
        let place = TempDir::new().unwrap();
        let [page, file] = ["page.html", "frame.html"].map(|name| place.path().join(name));
        let runner = format!(
            "<script>addEventListener('load', async () => {{
                const found = await (async () => {{ {trial} }})().catch(error => ({{ failed: String(error.stack) }}));
                parent.postMessage(JSON.stringify(found), '*');
            }});</script></body>"
        );
        let html = html.replacen("<head>", &format!("<head>{WATCH}"), 1).replacen("</body>", &runner, 1);
        fs::write(&page, html).unwrap();
        // A window is never narrower than 500 pixels, but a frame can be.
        let frame = format!(
            "<body><iframe src=\"page.html\" style=\"border: 0; width: {width}px; height: 900px\"></iframe>
            <script>addEventListener('message', event => {{
                const outcome = document.createElement('pre');
                outcome.id = 'outcome';
                outcome.textContent = event.data;
                document.body.append(outcome);
            }});</script></body>"
        );
        fs::write(&file, frame).unwrap();
        let output = Command::new(&self.program)
            .args(FLAGS)
            .arg("--dump-dom")
            .arg("--virtual-time-budget=200000")
            .arg(format!("--window-size={},1000", width + 100))
            .arg(format!("--user-data-dir={}", place.path().join("profile").display()))
            .arg(format!("file://{}", file.display()))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let dom = String::from_utf8_lossy(&output.stdout);
        let outcome = dom.split_once("<pre id=\"outcome\">").and_then(|(_, rest)| rest.split_once("</pre>"));
        let Some((escaped, _)) = outcome else {
            panic!("the trial did not end: {}", String::from_utf8_lossy(&output.stderr))
        };
        let json = escaped.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\u{a0}");
        let json = json.replace("&amp;", "&");
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error} in {json}"))
    }
}

/// The program as a server. Dropping it interrupts it as Ctrl-C does.
pub struct PageClient {
    program: Child,
    port: u16,
    /// The path of the page, from the first slash.
    path: String,
}

pub struct PageAnswer {
    /// The header lines.
    pub head: String,
    pub body: String,
}

impl PageAnswer {
    pub fn of(state: &Value) -> PageAnswer {
        PageAnswer { head: String::new(), body: state.to_string() }
    }
}

impl PageClient {
    /// Starts the program and waits until it prints the address of its page.
    pub fn start(bench: &Workbench, args: &[&str]) -> PageClient {
        let mut program = bench
            .command(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next());
        let port =
            port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("no address in {line:?}"));
        let address = line.split_whitespace().next().unwrap_or_default();
        let path = address.splitn(4, '/').nth(3).map(|path| format!("/{path}")).unwrap_or_default();
        PageClient { program, port, path }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn get(&self, path: &str) -> PageAnswer {
        let home = self.path.trim_end_matches('/');
        self.ask(&format!("GET {home}{path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port), "")
    }

    pub fn type_line(&self, line: &str) -> PageAnswer {
        let body = serde_json::json!({ "line": line }).to_string();
        let head = format!(
            "POST {}lines HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            self.path,
            self.port,
            body.len()
        );
        self.ask(&head, &body)
    }

    /// Sends a request with these header lines and this body, and reads the whole answer.
    pub fn ask(&self, head: &str, body: &str) -> PageAnswer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{head}Connection: close\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        PageAnswer { head: head.to_owned(), body: body.to_owned() }
    }

    /// Follows the states that the page shows until one is as wanted, and returns that state.
    pub fn wait_for(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let home = &self.path;
        write!(stream, "GET {home}events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).unwrap();
        let begin = Instant::now();
        let mut latest = String::new();
        // Every event arrives as a chunk of its own that ends with a line.
        for line in BufReader::new(stream).lines().map(Result::unwrap) {
            let Some(json) = line.strip_prefix("data: ") else { continue };
            let state: Value = serde_json::from_str(json).unwrap();
            if wanted(&state) {
                return state;
            }
            json.clone_into(&mut latest);
            assert!(begin.elapsed() < PATIENCE, "{what} does not come: {latest}");
        }
        panic!("the server hung up before {what}: {latest}")
    }

    pub fn end(mut self) -> Option<i32> {
        // Wine has no console that could interrupt the program.
        if is_wine() {
            return Some(0);
        }
        self.interrupt();
        self.program.wait().unwrap().code()
    }

    /// Must run before the program is waited for, since its process number could be reused then.
    fn interrupt(&mut self) {
        if matches!(self.program.try_wait(), Ok(None)) {
            if is_wine() {
                let _ = self.program.kill();
            } else {
                interrupt(&self.program);
            }
        }
    }
}

impl Drop for PageClient {
    fn drop(&mut self) {
        self.interrupt();
        let _ = self.program.wait();
    }
}
