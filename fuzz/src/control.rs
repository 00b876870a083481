//! Lines to the control socket, one request each, in a run of two engines.

use std::path::Path;

use arbiter::live::control::ControlHandler;
use arbiter::results::{RunState, SharedState};
use runner::{ControlCommand, RunConfig, RunControl};

const CONFIG: &str = "games = 100\n[limits]\nnodes = 5\n[book]\npath = 'x.epd'\n\
                      [[engine]]\nname = 'a'\nprogram = 'a'\n[[engine]]\nname = 'b'\nprogram = 'b'\n";

/// Every line gets an answer without an empty line, which would end it, and no order asks for more games than allowed.
pub fn run(bytes: &[u8]) {
    let config: RunConfig = toml::from_str(CONFIG).expect("a configuration");
    let control = RunControl::new(2);
    let state = SharedState::new(RunState::new(&config));
    let handler = ControlHandler::new(control.clone(), state, Path::new("run"));
    for line in bytes.split(|byte| *byte == b'\n').take(50) {
        let line = String::from_utf8_lossy(line);
        if let Ok(command) = line.parse::<ControlCommand>() {
            assert_eq!(command.to_string().parse(), Ok(command));
        }
        let answer = handler.answer(&line);
        assert!(!answer.is_empty() && answer.lines().all(|line| !line.is_empty()), "{line:?}: {answer:?}");
        assert!((1..=ControlCommand::MAX_CONCURRENCY).contains(&control.pace().concurrency));
    }
}
