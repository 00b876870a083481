//! Shows the progress of a run to the user.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use console::{Term, measure_text_width};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::progress_text::ProgressText;
use crate::cli::{self, console::text_for_stdout};
use crate::report::result::{pooled, summary};
use crate::report::verdict::clock_advice;
use crate::results::ending::{ending, label};
use crate::results::facts::{again, last_words, log_of};
use crate::results::{Observer, RunResults, RunState};
use crate::text::number_text::long_time;
use crate::text::printable;
use crate::text::wrapped::wrapped;
use runner::{Event, GameRecord, MachineNoise, Termination, WarningKind};

/// Without a terminal, a line is printed after this many games or after this time.
const GAMES_BETWEEN_LINES: u64 = 10;
const TIME_BETWEEN_LINES: Duration = Duration::from_secs(30);

/// The number of faults of a kind that are reported one by one for each engine.
const FAULTS_TOLD: u32 = 3;
const COUNTED_FROM: u32 = FAULTS_TOLD + 1;

/// A display that stays in place on a terminal; elsewhere, occasional lines. The summary comes at the end.
pub struct Terminal {
    display: Display,
    colour: bool,
    is_noisy: bool,
    folder: PathBuf,
    /// The last words of each engine, which are printed only once.
    last_words: BTreeSet<(usize, Vec<String>)>,
    /// The number of faults of each engine and kind.
    faults_told: BTreeMap<(usize, Termination), u32>,
    wrong_with_pool: Vec<String>,
}

enum Display {
    InPlace { bar: ProgressBar, term: Term, drawn: Drawn },
    Lines { output: Box<dyn Write + Send>, last_games: u64, last_time: Instant },
}

#[derive(Default)]
struct Drawn {
    width: usize,
    lines: Vec<usize>,
}

impl Drawn {
    /// The number of rows that a narrower terminal has added to the display by wrapping its lines. The last line is padded
    /// with spaces to the full width.
    fn rows_broken_by(&self, width: usize) -> usize {
        if width >= self.width || self.lines.is_empty() {
            return 0;
        }
        let whole = &self.lines[..self.lines.len() - 1];
        let columns = whole.iter().chain([&self.width]);
        columns.map(|columns| columns.max(&1).div_ceil(width.max(1)) - 1).sum()
    }
}

impl Terminal {
    /// Shows progress on standard error, in place if that is a terminal. `colour` is whether the user wants colours (the
    /// caller checks `NO_COLOR`); without a terminal there are none in any case.
    ///
    /// `games` is the number of games played earlier, if the run is resumed.
    pub fn stderr(games: u64, colour: bool, folder: &Path) -> Terminal {
        if !io::stderr().is_terminal() {
            return Terminal::lines_to(Box::new(cli::stderr()), games, folder);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a template with one known key"));
        let display = Display::InPlace { bar, term: Term::stderr(), drawn: Drawn::default() };
        Terminal::new(display, colour, folder)
    }

    fn new(display: Display, colour: bool, folder: &Path) -> Terminal {
        Terminal {
            display,
            colour,
            is_noisy: false,
            folder: folder.to_owned(),
            last_words: BTreeSet::new(),
            faults_told: BTreeMap::new(),
            wrong_with_pool: Vec::new(),
        }
    }

    pub fn lines_to(output: Box<dyn Write + Send>, games: u64, folder: &Path) -> Terminal {
        let display = Display::Lines { output, last_games: games, last_time: Instant::now() };
        Terminal::new(display, false, folder)
    }

    /// A handle through which other threads print lines without disturbing the display.
    pub fn speaker(&self) -> Speaker {
        match &self.display {
            Display::InPlace { bar, .. } => Speaker::above(bar.clone()),
            Display::Lines { .. } => Speaker::stderr(),
        }
    }

    /// Removes the display and writes the summary of the run to `output`.
    pub fn write_summary(&self, run: &RunResults, output: &mut dyn Write, colour: bool) -> io::Result<()> {
        if let Display::InPlace { bar, .. } = &self.display {
            bar.finish_and_clear();
        }
        let RunResults { summary: numbers, noisy, config, .. } = run;
        let mut document = summary(numbers, Some(config));
        if !noisy.is_zero() {
            let advice = clock_advice(config).unwrap_or_default();
            document.line(format!("the machine was noisy for {}{advice}", long_time(*noisy)));
        }
        output.write_all(text_for_stdout(document, colour).as_bytes())
    }

    /// Updates the display; `at_once` prints a line even if none is due.
    fn show(&mut self, state: &RunState, at_once: bool) -> io::Result<()> {
        match &mut self.display {
            Display::InPlace { bar, term, drawn } => {
                let width = usize::from(term.size().1);
                let text = ProgressText { width, colour: self.colour, is_going_on: true };
                let lines = text.lines(state);
                let broken = drawn.rows_broken_by(width);
                if broken > 0 {
                    // CUU and ED of ECMA-48, as in `Speaker::reply`.
                    bar.suspend(|| term.write_str(&format!("\u{1b}[{broken}A\u{1b}[J")))?;
                }
                *drawn = Drawn { width, lines: lines.iter().map(|line| measure_text_width(line)).collect() };
                bar.set_message(printable(&lines.join("\n")).into_owned());
                Ok(())
            }
            Display::Lines { output, last_games, last_time } => {
                let games = state.games();
                let due = games >= *last_games + GAMES_BETWEEN_LINES
                    || (games > *last_games && last_time.elapsed() >= TIME_BETWEEN_LINES);
                if !(due || at_once && games > *last_games) {
                    return Ok(());
                }
                (*last_games, *last_time) = (games, Instant::now());
                writeln!(output, "{}", ProgressText::line(state))
            }
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        match &mut self.display {
            Display::InPlace { bar, term, .. } => {
                bar.println(printable(&wrapped(&format!("  {text}"), usize::from(term.size().1))));
                Ok(())
            }
            Display::Lines { output, .. } => writeln!(output, "{text}"),
        }
    }

    /// Reports a fault in a line: what happened, the engine's last words if they are new, and the place of the protocol.
    /// After the first faults of a kind, says that further ones are only counted.
    fn tell_of_fault(&mut self, game: &GameRecord, state: &RunState) -> io::Result<()> {
        let number = game.game + 1;
        let [white, black] = [game.white, game.black].map(|engine| state.engine_name(engine));
        let Some(offender) = game.offender else { return Ok(()) };
        let engine = game.engine(offender);
        let words = last_words(&self.folder, number, offender);
        let told = self.faults_told.entry((engine, game.termination)).or_default();
        *told += 1;
        match *told {
            ..=FAULTS_TOLD => {}
            COUNTED_FROM => {
                let (kind, name) = (label(game.termination), state.engine_name(engine));
                let text = format!(
                    "further games of this kind are only counted ({kind} of {name}); all are in games.csv"
                );
                return self.say(&text);
            }
            _ => return Ok(()),
        }
        let mut said = String::new();
        if !words.is_empty() && self.last_words.insert((engine, words.clone())) {
            said = format!("; its last words: {}", words.join(" / "));
        }
        let log = log_of(&self.folder, number);
        let (log, again) = (log.display(), again(&self.folder, number));
        let ending = ending(game);
        self.say(&format!("game {number} ({white} – {black}): {ending}{said}; see {log}; again: {again}"))
    }

    /// In a log, reports when the problems with the pool change.
    fn tell_of_pool(&mut self, state: &RunState) -> io::Result<()> {
        let summary = state.quick_summary();
        let wrong: Vec<String> = pooled(&summary).into_iter().skip(1).collect();
        if matches!(self.display, Display::Lines { .. }) && wrong != self.wrong_with_pool {
            wrong.iter().try_for_each(|line| self.say(&format!("warning: {line}")))?;
            self.wrong_with_pool = wrong;
        }
        self.show(state, false)
    }

    /// The display in place shows the noise while it lasts; a log has a line when it starts and when it ends.
    fn tell_of_noise(&mut self, state: &RunState, noise: Option<MachineNoise>) -> io::Result<()> {
        let was_noisy = std::mem::replace(&mut self.is_noisy, noise.is_some());
        match (&self.display, noise) {
            (Display::InPlace { .. }, _) => self.show(state, false),
            (Display::Lines { .. }, Some(noise)) => {
                let advice = clock_advice(state.config()).unwrap_or_default();
                self.say(&format!("warning: the machine is noisy: {noise}{advice}"))
            }
            (Display::Lines { .. }, None) if was_noisy => self.say("the machine is quiet again"),
            (Display::Lines { .. }, None) => Ok(()),
        }
    }
}

impl Observer for Terminal {
    fn on_event(&mut self, event: &Event, state: &RunState) -> anyhow::Result<()> {
        // A closed terminal does not stop the run.
        let _ = match event {
            // Reported before the first game.
            Event::EngineWarning { kind: WarningKind::UnknownOption, .. } => Ok(()),
            Event::EngineWarning { game, engine, text, .. } => {
                let line = format!("warning: game {}, {}: {text}", game + 1, state.engine_name(*engine));
                self.say(&line)
            }
            Event::TableUnreadable { game, text } => {
                self.say(&format!("warning: game {}: {text}; games continue without it", game + 1))
            }
            Event::GameFinished(game) if game.termination.is_fault() => {
                self.tell_of_fault(game, state).and_then(|()| self.show(state, false))
            }
            Event::MachineNoise { noise, .. } => self.tell_of_noise(state, *noise),
            Event::PoolRead(_) => self.tell_of_pool(state),
            Event::RunFinished { .. } => self.show(state, true),
            _ => self.show(state, false),
        };
        Ok(())
    }
}

/// Prints lines above the display that stays in place, or on standard error if there is none. Ignores a closed terminal.
#[derive(Clone, Debug, Default)]
pub struct Speaker {
    display: Option<ProgressBar>,
}

impl Speaker {
    pub const COLUMNS: usize = 100;

    pub fn stderr() -> Speaker {
        Speaker::default()
    }

    pub fn above(display: ProgressBar) -> Speaker {
        Speaker { display: Some(display) }
    }

    /// Prints one or more lines, indented like all our output unless they are already.
    pub fn say(&self, text: &str) {
        let indented = |line: &str| if line.starts_with(' ') { line.to_owned() } else { format!("  {line}") };
        let lines: Vec<String> = text.lines().map(indented).collect();
        self.print(&lines.join("\n"));
    }

    /// Answers a line that was typed at the terminal, given without its line break. The display leaves the cursor at the
    /// right edge, so the typed text appears below it, and the display does not know that the cursor has moved.
    pub fn reply(&self, typed: &str, text: &str) {
        if self.display.is_some() {
            let lines = 1 + measure_text_width(typed).div_ceil(self.width());
            // The control sequences CUU and ED of ECMA-48: move the cursor up, and clear what is below.
            let _ = write!(io::stderr(), "\u{1b}[{lines}A\u{1b}[J");
        }
        self.say(text);
    }

    /// The number of columns for text; without a terminal, a comfortable line length.
    pub fn width(&self) -> usize {
        match &self.display {
            Some(_) => usize::from(Term::stderr().size().1).max(1),
            None => Speaker::COLUMNS,
        }
    }

    fn print(&self, lines: &str) {
        match &self.display {
            Some(display) => display.println(printable(&wrapped(lines, self.width()))),
            None => {
                let _ = writeln!(cli::stderr(), "{lines}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrower_terminal_breaks_the_lines_that_no_longer_fit() {
        let drawn = Drawn { width: 110, lines: vec![60, 90, 20] };
        assert_eq!([120, 110, 100, 80, 50].map(|width| drawn.rows_broken_by(width)), [0, 0, 1, 2, 4]);
        assert_eq!(Drawn::default().rows_broken_by(50), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn of_a_noisy_machine_it_is_said_what_would_help() {
        use std::io::{Read, Seek};
        use std::sync::Arc;

        use crate::results::test_games::{outcome, two_engine_match};
        let mut run = outcome(&["new", "old"], false, &two_engine_match("wd"));
        let program = std::env::current_exe().unwrap();
        Arc::make_mut(&mut run.config)
            .engines
            .iter_mut()
            .for_each(|engine| engine.program.clone_from(&program));
        run.noisy = Duration::from_secs(20);
        let mut written = tempfile::tempfile().unwrap();
        let mut terminal = Terminal::lines_to(Box::new(written.try_clone().unwrap()), 0, Path::new("run"));
        let noise = Some(MachineNoise { others: 0.5, stolen: 0.0 });
        terminal.tell_of_noise(&RunState::new(run.config.clone()), noise).unwrap();
        terminal.write_summary(&run, &mut written, false).unwrap();
        let mut text = String::new();
        written.rewind().and_then(|()| written.read_to_string(&mut text)).unwrap();
        for said in
            ["other programs take 50% of the cores; --clock cpu", "noisy for 20 s; --clock cpu prevents that"]
        {
            assert!(text.contains(said), "{text}");
        }
    }
}
