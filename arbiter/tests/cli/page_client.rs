//! A page that the program serves, asked as a browser would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::workbench::{PATIENCE, Workbench};

/// The program with its server. Dropping it ends it as Ctrl-C does.
pub struct PageClient {
    program: Child,
    port: u16,
}

/// An answer.
pub struct Answer {
    /// The code, 200 where all is well.
    pub status: u16,
    /// The lines before the body.
    pub head: String,
    /// What was asked for.
    pub body: String,
}

impl PageClient {
    /// Starts the program and waits until it says where its page is.
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
        PageClient { program, port }
    }

    /// The port of the server.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Asks for something.
    pub fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n", self.port), "")
    }

    /// Sends a line to the game.
    pub fn type_line(&self, line: &str) -> Answer {
        let body = serde_json::json!({ "line": line }).to_string();
        let head = format!(
            "POST /lines HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            self.port,
            body.len()
        );
        self.ask(&head, &body)
    }

    /// Sends these lines of a head, with the body, and reads the answer to its end.
    pub fn ask(&self, head: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "{head}Connection: close\r\n\r\n{body}").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Follows what the page shows until it is as wanted, and returns that.
    pub fn wait_for(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).unwrap();
        let begin = Instant::now();
        let mut latest = String::new();
        // Every event comes as a chunk of its own, with its whole line.
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

    /// Ends the program and returns its exit code.
    pub fn end(mut self) -> Option<i32> {
        self.interrupt();
        self.program.wait().unwrap().code()
    }

    /// Nobody else may have the number of a program that has been waited for.
    fn interrupt(&mut self) {
        if matches!(self.program.try_wait(), Ok(None)) {
            let _ = kill_process(Pid::from_child(&self.program), Signal::INT);
        }
    }
}

impl Drop for PageClient {
    fn drop(&mut self) {
        self.interrupt();
        let _ = self.program.wait();
    }
}
