//! The output during a tournament, in the format of fastchess or of cutechess-cli.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use runner::process::EngineInfo;
use runner::{
    BookOrder, Event, FinishReason, GameRecord, RunConfig, RunControl, StopLevel, Termination, WarningKind,
};
use stats::Llr;

use super::cutechess_results::{CutechessResults, tally};
use super::dialect_config::{FileOut, Form, LogLevel, SwitchesOnly, Tournament, TournamentKind};
use super::pgn_out::{PgnText, epd_line, is_written, time_control};
use super::reason::{cutechess_reason, is_lost_engine, reason};
use super::result_block::{bounds_text, result_block, result_table};
use super::scores::{EloText, EngineScore, Scores, between, fixed};
use super::written_files::{GamesFile, LogFile, print_line, say_aside};
use crate::cli::is_closed_pipe;
use crate::files::write_whole;
use crate::results::facts::{last_words, log_of};
use crate::results::{Observer, RunState, Summary};
use crate::text::number_text::counted;

/// Prints and writes the events of a run. Only files that cannot be written are errors; a closed output is not.
#[derive(Debug)]
pub(super) struct DialectOutput<'a> {
    tournament: &'a Tournament,
    config: &'a RunConfig,
    introductions: &'a [EngineInfo],
    /// The results of the games reported so far and of those in the state file.
    scores: Scores,
    /// Finished games, including those of a state file.
    finished: u32,
    total: u32,
    pgn: Option<GamesFile>,
    epd: Option<GamesFile>,
    log: Option<LogFile>,
    folder: PathBuf,
    cutechess: Option<CutechessResults>,
    control: RunControl,
    pub(super) is_abnormal: bool,
    is_unsaved: bool,
    /// Whether games are no longer reported: the SPRT has decided, or the run was interrupted.
    is_silent: bool,
}

impl Observer for DialectOutput<'_> {
    fn on_event(&mut self, event: &Event, state: &RunState) -> Result<()> {
        match event {
            Event::GameStarted { game, white, black, .. } if !self.is_silent => {
                let (game, white, black) = (game + 1, self.name(*white), self.name(*black));
                self.print(&format!("Started game {game} of {} ({white} vs {black})", self.total));
            }
            Event::EngineWarning { engine, kind, text, culprit, .. } => {
                self.warn_of(*engine, *kind, text, culprit.as_deref().unwrap_or_default());
            }
            Event::GameFinished(game) if is_written(game) && !self.is_silent => self.finish(game, state)?,
            _ => {}
        }
        Ok(())
    }
}

impl<'a> DialectOutput<'a> {
    pub(super) fn open(
        tournament: &'a Tournament,
        config: &'a RunConfig,
        introductions: &'a [EngineInfo],
        games: u32,
        log: Option<LogFile>,
        folder: PathBuf,
        control: RunControl,
    ) -> DialectOutput<'a> {
        let played = tournament.games_played();
        // Both programs continue without a file that they cannot write.
        let open = |option, file: &Path, append: bool, with_crc| {
            let out = FileOut { file: file.to_owned(), append_file: append || played > 0 };
            match out.is_written().then(|| GamesFile::open(option, &out, with_crc))? {
                Ok(file) => Some(file),
                Err(error) => {
                    say_aside(&format!("Warning{} {error:#}", tournament.mark()));
                    None
                }
            }
        };
        let (pgn, epd) = (&tournament.pgn, &tournament.epd);
        let players = (0..config.engines.len()).map(|engine| {
            (config.engines[engine].name.clone(), time_control(config.limits_of(engine), "inf"))
        });
        let seeds = (tournament.kind == TournamentKind::Gauntlet).then_some(tournament.gauntlet_seeds);
        let format = &tournament.unsaved.result_format;
        DialectOutput {
            tournament,
            config,
            introductions,
            scores: tournament.played().map(|played| ((0, 1), played)).into_iter().collect(),
            finished: played,
            total: games + played,
            pgn: open("-pgnout", &pgn.file, pgn.append_file, pgn.crc),
            epd: open("-epdout", &epd.file, epd.append_file, false),
            log,
            folder,
            cutechess: (tournament.unsaved.is_cutechess)
                .then(|| CutechessResults::new(players.collect(), seeds, format)),
            control,
            is_abnormal: false,
            is_unsaved: false,
            is_silent: false,
        }
    }

    pub(super) fn begin(&mut self, refused: &[String]) {
        let opening = &self.tournament.opening;
        if opening.is_given() {
            if opening.order == BookOrder::Fastchess {
                self.print("Indexing opening suite...");
            }
        } else if !self.tournament.unsaved.is_cutechess {
            self.print(
                "Warning: No opening book specified! Consider using one, otherwise all games will be played from \
                 the starting position.",
            );
            self.print(
                "Warning: Unknown opening format, 2. All games will be played from the starting position.",
            );
        }
        for warning in refused {
            self.warn(warning);
        }
    }

    fn finish(&mut self, game: &GameRecord, state: &RunState) -> Result<()> {
        let number = game.game + 1;
        let is_illegal = matches!(game.termination, Termination::IllegalMove | Termination::NoMove);
        if is_illegal && !self.tournament.unsaved.is_cutechess {
            let illegal = game.illegal_move.as_deref().unwrap_or("(none)");
            let engine = game.offender.map_or(game.white, |side| game.engine(side));
            self.warn(&format!("Illegal move {illegal} played by {}", self.name(engine)));
        }
        self.write(game)?;
        if is_lost_engine(game.termination) && !self.tournament.recover {
            let said = "stalled / disconnected and no recover option set for engine, stopping tournament.";
            if !self.tournament.unsaved.is_cutechess {
                self.print_at(LogLevel::Warn, &format!("Game {number} {said}"));
            }
            self.stop();
        }
        let (white, black) = (self.name(game.white), self.name(game.black));
        let result = game.result.map_or("*", referee::GameResult::as_str);
        let reason = if self.tournament.unsaved.is_cutechess { cutechess_reason(game) } else { reason(game) };
        self.print(&format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"));
        self.tell_last_words(game);
        if self.tournament.show_latency {
            self.log_latency(game);
        }
        self.take_results(game, state);
        self.report(game, state);
        self.autosave();
        Ok(())
    }

    fn take_results(&mut self, game: &GameRecord, state: &RunState) {
        let pairing = (game.white.min(game.black), game.white.max(game.black));
        if let Some(games) = state.schedule().games_of(game.white, game.black) {
            let mut score = EngineScore::of(games, self.tournament.report_penta);
            self.tournament
                .played()
                .filter(|_| pairing == (0, 1))
                .iter()
                .for_each(|played| score.add(played));
            self.scores.insert(pairing, score);
        }
        self.cutechess.iter_mut().for_each(|results| results.add(game, state));
        self.finished += 1;
    }

    /// Writes the files before printing the line, since whoever reads the line may look for the game.
    fn write(&mut self, game: &GameRecord) -> Result<()> {
        if let Some(file) = &mut self.pgn {
            let out = &self.tournament.pgn;
            let (config, introductions) = (self.config, self.introductions);
            let SwitchesOnly { is_cutechess, test_env: for_worker, .. } = self.tournament.unsaved;
            let text = PgnText { config, introductions, out, for_worker, is_cutechess }.game(game);
            if let Some(line) = file.add(&text)? {
                self.print(&line);
            }
        }
        let file = &self.tournament.pgn.file;
        if self.pgn.is_none() && self.cutechess.is_some() && !file.as_os_str().is_empty() {
            self.warn(&format!("Could not open PGN file {}", file.display()));
        }
        if let Some(file) = &mut self.epd {
            let fen = || format!("{}\n", game.final_fen);
            file.add(&if self.tournament.unsaved.is_cutechess { fen() } else { epd_line(game) })?;
        }
        Ok(())
    }

    fn tell_last_words(&self, game: &GameRecord) {
        let Some(offender) = game.offender.filter(|_| is_lost_engine(game.termination)) else { return };
        let words = last_words(&self.folder, game.game + 1, offender);
        if !words.is_empty() {
            let name = self.name(game.engine(offender));
            say_aside(&format!("Info; {name} said last:\n  {}", words.join("\n  ")));
        }
        let place = match self.tournament.out() {
            Some(_) => format!("is {}", log_of(&self.folder, game.game + 1).display()),
            None => "is kept by -outdir DIR, in DIR/bad".to_owned(),
        };
        say_aside(&format!("Info; the protocol of game {} {place}", game.game + 1));
    }

    /// How much longer each move took than the engine reported.
    fn log_latency(&mut self, game: &GameRecord) {
        let mut side = game.first_to_move();
        for played in &game.moves {
            let millis = |time: Duration| time.as_millis();
            let (elapsed, reported) = (millis(played.time), played.engine_time.map_or(0, millis));
            let latency = elapsed as i128 - reported as i128;
            let name = self.name(game.engine(side));
            let said =
                format!("Engine {name} latency: {latency}ms (elapsed: {elapsed}, reported: {reported})");
            self.log.iter_mut().for_each(|log| log.add(LogLevel::Info, &said));
            side = side.other();
        }
    }

    fn report(&mut self, game: &GameRecord, state: &RunState) {
        let (first, second) = (game.white.min(game.black), game.white.max(game.black));
        let is_over = self.finished == self.total;
        let is_due = |interval: u32, number: u32| number.is_multiple_of(interval);
        if let Some(results) = &self.cutechess {
            if let Some(score) = results.score() {
                self.print(&score);
            }
            self.print_cutechess(is_due);
        } else if self.tournament.output == Form::Cutechess
            && (is_due(self.tournament.scoreinterval, self.finished) || is_over)
        {
            self.print_score(first, second);
        }
        let number = if self.tournament.report_penta { game.pair + 1 } else { self.finished };
        let is_open =
            state.schedule().games_of(first, second).is_some_and(|games| games.scored.is_open(game.pair));
        let is_rated =
            is_due(self.tournament.ratinginterval, number) && !(is_open && self.tournament.report_penta);
        if self.cutechess.is_none() && (is_rated || is_over) {
            self.print_results(first, second);
        }
        let (Some(accepted), Some(sprt)) = (self.accepted(), self.config.sprt.as_ref()) else { return };
        self.is_silent = true;
        if self.cutechess.is_none() {
            if self.tournament.output == Form::Cutechess {
                self.print_score(0, 1);
            }
            self.print_results(0, 1);
            self.print(&match self.tournament.output {
                Form::Fastchess => {
                    format!("SPRT ({}) completed - {accepted} was accepted", bounds_text(sprt))
                }
                Form::Cutechess => "Tournament finished".to_owned(),
            });
        }
        self.control.raise(StopLevel::Abandon);
    }

    fn accepted(&self) -> Option<&'static str> {
        match (self.control.verdict()?, self.tournament.is_test_reversed()) {
            (FinishReason::AcceptedH0, false) | (FinishReason::AcceptedH1, true) => Some("H0"),
            (FinishReason::AcceptedH1, false) | (FinishReason::AcceptedH0, true) => Some("H1"),
            _ => None,
        }
    }

    fn print_cutechess(&mut self, is_due: impl Fn(u32, u32) -> bool) {
        let Some(results) = &self.cutechess else { return };
        let (tournament, played) = (self.tournament, self.finished);
        let texts = [
            is_due(tournament.ratinginterval, played).then(|| {
                results.ranking(self.config.sprt.as_ref(), tournament.is_test_reversed(), self.accepted())
            }),
            is_due(tournament.scoreinterval, played).then(|| results.outcomes()),
        ];
        texts.iter().flatten().for_each(|text| self.print(text));
    }

    fn print_score(&mut self, first: usize, second: usize) {
        let score = between(&self.scores, first, second).games;
        self.print(&format!("Score of {} vs {}: {}", self.name(first), self.name(second), tally(score)));
    }

    fn print_results(&mut self, first: usize, second: usize) {
        let score = between(&self.scores, first, second);
        let is_match = self.config.engines.len() == 2;
        let table = || result_table(self.tournament, self.config, &self.scores);
        let text = match self.tournament.output {
            Form::Fastchess if is_match => self.block(first, second, &score),
            Form::Fastchess => format!("{0}\n{1}{0}\n", "-".repeat(50), table()),
            Form::Cutechess if is_match => self.cutechess_text(&score),
            Form::Cutechess => table(),
        };
        self.print(text.trim_end_matches('\n'));
    }

    fn cutechess_text(&self, score: &EngineScore) -> String {
        let elo = EloText::of(score, false);
        let draws = score.games.draws as f64 / score.games.games() as f64 * 100.0;
        let mut text = format!(
            "Elo difference: {} +/- {}, LOS: {} %, DrawRatio: {} %\n",
            fixed(elo.elo, 2),
            fixed(elo.elo_error, 2),
            fixed(elo.los * 100.0, 2),
            fixed(draws, 2)
        );
        if let Some(sprt) = &self.config.sprt {
            let llr = score.observations(false).llr(sprt);
            let (lower, upper) = (sprt.lower(), sprt.upper());
            let bound = if llr.value() < 0.0 { lower } else { upper };
            let share = Llr::new(llr.value() / bound.value() * 100.0);
            let accepted =
                self.accepted().map_or_else(String::new, |accepted| format!(" - {accepted} was accepted"));
            let _ = writeln!(
                text,
                "SPRT: llr {llr:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}{accepted}"
            );
        }
        text
    }

    fn block(&self, first: usize, second: usize, score: &EngineScore) -> String {
        let Tournament { opening, report_penta, .. } = self.tournament;
        let book = opening.file.file_name().unwrap_or_default().to_string_lossy();
        let (config, sprt) = (self.config, self.config.sprt.as_ref());
        result_block(config, self.introductions, [first, second], &book, *report_penta, score, sprt)
    }

    fn warn_of(&mut self, engine: usize, kind: WarningKind, text: &str, culprit: &str) {
        let name = self.name(engine);
        let said = match kind {
            // Reported before the first game.
            WarningKind::UnknownOption => return,
            WarningKind::OddNotation | WarningKind::UnreadInfo | WarningKind::UnknownLine => {
                return say_aside(&format!("Warning; Engine {name}: {text}"));
            }
            // fastchess has no such warning, so it must not stop a strict run.
            WarningKind::RunnerLate | WarningKind::ProgramReplaced => {
                return self.print_at(LogLevel::Warn, &format!("Engine {name}: {text}"));
            }
            WarningKind::IllegalLine => format!("Illegal PV move - move {culprit} from {name}"),
            WarningKind::LineAfterCheckmate => {
                format!("PV continues after checkmate - move {culprit} from {name}")
            }
            WarningKind::LineAfterStalemate => {
                format!("PV continues after stalemate - move {culprit} from {name}")
            }
            WarningKind::OtherMove => {
                format!("Bestmove does not match beginning of last PV - move {culprit} from {name}")
            }
            WarningKind::MateTooShort => format!("Incomplete mating PV - from {name}"),
            WarningKind::MateTooLong => format!("Too long mating PV - from {name}"),
            WarningKind::NoMateAtEnd => format!("Mating PV does not end with checkmate - from {name}"),
            WarningKind::UnaskedMove => format!("Unexpected bestmove - from {name}"),
            WarningKind::StopIgnored => format!("Engine {name} is not responsive"),
        };
        let separator = if self.tournament.unsaved.test_env { " :: " } else { "\n" };
        self.warn(&format!("{said}{separator}Info; {text}"));
    }

    fn warn(&mut self, text: &str) {
        if self.tournament.unsaved.is_cutechess {
            say_aside(&format!("Warning: {text}"));
        } else {
            self.print_at(LogLevel::Warn, &format!("Warning; {text}"));
        }
        if self.tournament.unsaved.strict {
            self.stop();
        }
    }

    fn stop(&mut self) {
        self.is_abnormal = true;
        self.is_silent = true;
        self.control.raise(StopLevel::Abandon);
    }

    pub(super) fn end(&mut self, summary: &Summary) {
        // Nothing is repeated that was printed after the last game.
        self.print_cutechess(|interval, games| games == 0 || !games.is_multiple_of(interval));
        if self.tournament.output == Form::Fastchess {
            let faults = summary.engines.iter().map(|engine| {
                let lost = engine.faults.iter().filter(|(kind, _)| is_lost_engine(**kind));
                (&engine.name, engine.faults_of(Termination::TimeLoss), lost.map(|(_, count)| count).sum())
            });
            let faulty = faults.filter(|(_, late, lost): &(_, u64, u64)| late + lost > 0);
            let lines: Vec<String> = faulty
                .map(|(name, late, lost)| format!("Player: {name}\n  Timeouts: {late}\n  Crashed: {lost}"))
                .collect();
            if !lines.is_empty() {
                self.print(&format!("\n{}\n", lines.join("\n")));
            }
        }
        if summary.repeated_games() > 0 {
            let repeated = counted(summary.repeated_games(), "game");
            say_aside(&format!(
                "Warning; {repeated} with the moves of an earlier one: the error bars are too small"
            ));
        }
        self.save();
    }

    fn autosave(&mut self) {
        let interval = self.tournament.autosaveinterval;
        let played = self.finished - self.tournament.games_played();
        if interval > 0 && played.is_multiple_of(interval) {
            self.save();
        }
    }

    /// Writes the state file, if there is one. A file that cannot be written does not stop the run.
    pub(super) fn save(&mut self) {
        let Some(file) = self.tournament.state_file() else { return };
        let written = write_whole(file, self.tournament.text(&self.scores));
        if let (Err(error), false) = (&written, self.is_unsaved) {
            let warning = format!("Warning; the state file {} cannot be written: {error}", file.display());
            self.print_at(LogLevel::Warn, &warning);
        }
        self.is_unsaved = written.is_err();
    }

    pub(super) fn saved(&self) -> Option<&Path> {
        self.tournament.state_file().filter(|_| !self.is_unsaved && self.config.engines.len() == 2)
    }

    pub(super) fn print(&mut self, text: &str) {
        self.print_at(LogLevel::Info, text);
    }

    /// Prints lines and flushes them. A closed output does not stop the run, unless it is a worker's, without which nobody
    /// gets the results.
    fn print_at(&mut self, level: LogLevel, text: &str) {
        let is_alone = print_line(self.tournament, text).is_err_and(|error| is_closed_pipe(&error));
        if is_alone && self.tournament.unsaved.test_env && self.tournament.out().is_none() {
            self.stop();
        }
        if let Some(log) = &mut self.log {
            log.add(level, text);
        }
    }

    fn name(&self, engine: usize) -> String {
        self.config.engines[engine].name.clone()
    }
}
