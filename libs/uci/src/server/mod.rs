//! The server that connects the protocol and an engine.
//!
//! The calling thread reads commands. A second thread owns the engine and executes them in order, one `go` at a time.
//! The reader itself handles what cannot wait for a running search (`stop`, `ponderhit`, `quit`, and `isready` during
//! a search), through each search's [`SearchControl`]. Input and output are passed in, so a test can play the GUI
//! without a process.

mod command_line;
mod search_control;
mod time_manager;
mod uci_engine;

pub use command_line::{ObeyError, Task, TaskOptions, obey_all, small_engine_task};
pub use search_control::{SearchBudget, SearchControl};
pub use time_manager::{ClockState, TimeManager};
pub use uci_engine::{Nodes, UciEngine, bench_positions, run_bench, set_up, write_totals};

use std::io::{self, BufRead, Write};
use std::iter;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Command, EngineOption, Go, Info, Message, OptionValue, ParseError};

/// The stack of the search thread. The search recurses deeply, so it is larger than the usual 2 MiB.
pub const STACK_BYTES: usize = 32 << 20;

/// The time of a search whose limits cannot be read, since the GUI may be waiting for a move.
const TIME_WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// Serves `engine` until `quit` or the end of `input`.
///
/// # Errors
/// If `input` cannot be read, `output` cannot be written (the GUI is gone), or no thread can be started.
pub fn serve<E: UciEngine>(engine: E, input: impl BufRead, output: impl Write + Send) -> io::Result<()> {
    let output = Output(Mutex::new(output));
    thread::scope(|scope| {
        let (jobs, queue) = mpsc::channel();
        let worker = Worker::new(engine, &output);
        let worker = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, move || worker.work(&queue))?;
        let reader = Reader { jobs, running: Vec::new(), own: E::OWN_COMMANDS, output: &output };
        let read = reader.read_all(input);
        let worked = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        read.and(worked)
    })
}

/// A line to an engine.
enum Order {
    Command(Command),
    /// One of the engine's own commands.
    Own(String),
}

impl Order {
    /// Reads a line. `own` has the first words of the engine's own commands.
    fn read(line: &str, own: &[&str]) -> Result<Order, ParseError> {
        match line.parse() {
            Err(ParseError::Unknown(word)) if own.contains(&&*word) => Ok(Order::Own(line.trim().to_owned())),
            other => other.map(Order::Command),
        }
    }
}

enum Job {
    Order(Order),
    Search(Go, Arc<Running>),
}

/// A `go` that has been read, and may be answered already.
struct Running {
    control: SearchControl,
    is_over: AtomicBool,
    /// Whether it is a perft. Scripts write `go perft` and `quit` at once, and want the count.
    is_perft: bool,
}

/// Writes whole lines, from both threads.
struct Output<W>(Mutex<W>);

impl<W: Write> Output<W> {
    fn send(&self, message: &Message) -> io::Result<()> {
        self.with(|output| writeln!(output, "{message}"))
    }

    fn tell(&self, text: impl Into<String>) -> io::Result<()> {
        self.send(&Message::Info(Box::new(Info::text(text))))
    }

    fn with<E: From<io::Error>>(&self, write: impl FnOnce(&mut W) -> Result<(), E>) -> Result<(), E> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut output)?;
        Ok(output.flush()?)
    }
}

struct Reader<'a, W> {
    jobs: Sender<Job>,
    running: Vec<Arc<Running>>,
    own: &'static [&'static str],
    output: &'a Output<W>,
}

impl<W: Write> Reader<'_, W> {
    /// Reads until `quit`, the end of the input, or the end of the engine's thread, and then stops all searches, so
    /// that they answer. `go perft` and `bench` run to their end.
    fn read_all(mut self, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        let result = loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
            let received = Instant::now();
            match Order::read(&String::from_utf8_lossy(&line), self.own) {
                Ok(Order::Command(Command::Quit)) => break Ok(()),
                Ok(order) => {
                    if let Err(error) = self.obey(order, received) {
                        break Err(error);
                    }
                }
                Err(ParseError::Empty) => {}
                Err(error) => {
                    if let Err(error) = self.output.tell(error.to_string()) {
                        break Err(error);
                    }
                }
            }
        };
        self.running.iter().filter(|search| !search.is_perft).for_each(|search| search.control.stop());
        result
    }

    fn obey(&mut self, order: Order, received: Instant) -> io::Result<()> {
        let Order::Command(command) = order else { return self.queue(Job::Order(order)) };
        self.running.retain(|search| !search.is_over.load(Ordering::Acquire));
        match command {
            Command::Stop => self.running.iter().for_each(|search| search.control.stop()),
            Command::PonderHit => self.running.iter().for_each(|search| search.control.ponder_hit(received)),
            Command::IsReady if !self.running.is_empty() => self.output.send(&Message::ReadyOk)?,
            Command::Go(mut go) => {
                for error in &go.ignored {
                    self.output.tell(format!("ignored: {error}"))?;
                }
                if !go.ignored.is_empty() && !go.infinite && !go.is_limited() {
                    go.movetime = Some(TIME_WITHOUT_LIMIT);
                }
                let control = SearchControl::new(received, go.ponder);
                let running = Arc::new(Running {
                    control,
                    is_over: AtomicBool::new(false),
                    is_perft: go.perft.is_some(),
                });
                self.running.push(Arc::clone(&running));
                self.queue(Job::Search(go, running))?;
            }
            command => self.queue(Job::Order(Order::Command(command)))?,
        }
        Ok(())
    }

    fn queue(&self, job: Job) -> io::Result<()> {
        self.jobs.send(job).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }
}

struct Worker<'a, E, W> {
    engine: E,
    output: &'a Output<W>,
    /// The value of `Move Overhead`.
    overhead: Duration,
}

const MOVE_OVERHEAD: &str = "Move Overhead";
const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(10);
const MAX_MOVE_OVERHEAD_MS: i64 = 10_000;

impl<'a, E: UciEngine, W: Write> Worker<'a, E, W> {
    fn new(engine: E, output: &'a Output<W>) -> Worker<'a, E, W> {
        Worker { engine, output, overhead: DEFAULT_MOVE_OVERHEAD }
    }

    fn work(mut self, queue: &Receiver<Job>) -> io::Result<()> {
        for job in queue {
            match job {
                Job::Search(go, running) => {
                    let answered = self.search(&go, &running.control);
                    running.is_over.store(true, Ordering::Release);
                    answered?;
                }
                Job::Order(order) => match self.obey(order) {
                    Ok(()) => {}
                    Err(ObeyError::Refused(refusal)) => self.output.tell(refusal)?,
                    Err(ObeyError::Io(error)) => return Err(error),
                },
            }
        }
        Ok(())
    }

    fn obey(&mut self, order: Order) -> Result<(), ObeyError> {
        let command = match order {
            Order::Command(command) => command,
            Order::Own(line) => {
                let Worker { engine, output, .. } = self;
                return output.with(|output| engine.own_command(&line, output));
            }
        };
        match command {
            Command::Uci => self.introduce()?,
            Command::IsReady => self.output.send(&Message::ReadyOk)?,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::UciNewGame => self.engine.new_game(),
            Command::Position { start, moves } => self.engine.set_position(&start, &moves)?,
            Command::Bench(depth) => {
                let Worker { engine, output, .. } = self;
                output.with(|output| engine.bench(depth, output))?;
            }
            Command::Display => self.output.with(|output| writeln!(output, "{}", self.engine.display()))?,
            Command::Eval => self.output.with(|output| writeln!(output, "{}", self.engine.explain()))?,
            // The reader handles the others itself. `debug` has no effect, as there is no additional output.
            Command::Debug(_) | Command::Go(_) | Command::Stop | Command::PonderHit | Command::Quit => {}
        }
        Ok(())
    }

    fn introduce(&self) -> io::Result<()> {
        self.output.send(&Message::IdName(E::NAME.to_owned()))?;
        self.output.send(&Message::IdAuthor(E::AUTHOR.to_owned()))?;
        for option in self.options() {
            self.output.send(&Message::Option(option))?;
        }
        self.output.send(&Message::UciOk)
    }

    fn options(&self) -> Vec<EngineOption> {
        let default = DEFAULT_MOVE_OVERHEAD.as_millis() as i64;
        let overhead = EngineOption::spin(MOVE_OVERHEAD, default, 0..=MAX_MOVE_OVERHEAD_MS);
        iter::once(overhead).chain(self.engine.options()).collect()
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), String> {
        let options = self.options();
        let option = options.iter().find(|option| option.is_named(name));
        let option = option.ok_or_else(|| format!("there is no option `{name}`"))?;
        let value = option.read_value(value).map_err(|error| format!("option {}: {error}", option.name))?;
        match (option.name.as_str(), value) {
            (MOVE_OVERHEAD, OptionValue::Spin(millis)) => {
                self.overhead = Duration::from_millis(millis as u64);
            }
            (name, value) => self.engine.set_option(name, value)?,
        }
        Ok(())
    }

    fn search(&mut self, go: &Go, control: &SearchControl) -> io::Result<()> {
        if let Some(depth) = go.perft {
            return self.perft(depth, control);
        }
        control.overhead.get_or_init(|| self.overhead);
        let mut sent = Ok(());
        let output = self.output;
        let best_move = self.engine.search(go, control, &mut |info| {
            if sent.is_ok() {
                sent = output.send(&Message::Info(Box::new(info)));
            }
            if sent.is_err() {
                control.stop();
            }
        });
        sent?;
        control.wait_until_answer_is_due(go.infinite);
        self.output.send(&Message::BestMove(best_move))
    }

    fn perft(&mut self, depth: u32, control: &SearchControl) -> io::Result<()> {
        let (output, mut total) = (self.output, u64::from(depth == 0));
        let mut counts = self.engine.perft(depth.max(1));
        while depth > 0
            && !control.is_stopped()
            && let Some((mv, nodes)) = counts.next()
        {
            total += nodes;
            output.with(|output| writeln!(output, "{mv}: {nodes}"))?;
        }
        if control.is_stopped() {
            return output.tell("perft was stopped: what was counted is no answer");
        }
        output.with(|output| writeln!(output, "\nNodes searched: {total}\n"))
    }
}
