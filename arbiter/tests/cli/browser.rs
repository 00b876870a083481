//! A headless Chromium that tests pages. Without Chromium, the tests fail in CI, and are skipped with a note elsewhere.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use serde::de::DeserializeOwned;
use tempfile::TempDir;

const NAMES: [&str; 5] =
    ["chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "chrome"];

/// It may be root who runs the tests, there is no screen, and a page needs nothing from the network.
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

/// Collects what goes wrong, from before the first script of the page on. Time in the browser is made up and runs as
/// fast as the page lets it, but games are unpacked by another thread in real time, so a pause also waits for that.
const WATCH: &str = "<script>
window.troubles = [];
addEventListener('error', event => troubles.push(String(event.message)));
addEventListener('unhandledrejection', event => troubles.push(String(event.reason)));
const sleep = time => new Promise(done => setTimeout(done, time));
const read = Response.prototype.text;
let unpacking = 0;
Response.prototype.text = async function () {
    unpacking += 1;
    try { return await read.call(this); } finally { unpacking -= 1; }
};
const pause = async time => {
    await sleep(time);
    while (unpacking > 0) await sleep(1);
    await sleep(1);
};
</script>";

/// A browser on the search path.
pub struct Browser {
    program: PathBuf,
}

impl Browser {
    /// The browser, if there is one.
    ///
    /// Where there is none, a line of the standard error stream names the test that checks nothing.
    ///
    /// # Panics
    ///
    /// In CI, that is with `CI` in the environment, if there is none.
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
        // Not by `eprintln!`, which the test harness would keep to itself.
        let _ = writeln!(io::stderr(), "NOT CHECKED: {test}: there is no Chromium on the search path");
        None
    }

    /// Opens a page from disk in a window of this width, and gives back what a trial finds.
    ///
    /// `trial` is the body of an asynchronous function in JavaScript, and what it returns is read as JSON. In it,
    /// `troubles` are the script errors up to then, and `await pause(time)` lets the page work for so many
    /// milliseconds.
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
        // A window of its own is never narrower than 500 pixels, a frame is.
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
