//! Before the search: the introduction, the options, and the wait until the engine is ready.

use std::time::{Duration, Instant};

use super::{EngineProcess, Silence};
use crate::config::ProtocolName;
use crate::process::EngineError;
use crate::protocol::{EngineInfo, Heard, LineKind, Request};
use crate::termination::Termination;
use referee::GameResult;
use uci::{Message, OptionKind};

/// The longest start of an engine that has said that it needs time; xboard waits as long.
const LONGEST_START: Duration = Duration::from_hours(1);

impl EngineProcess {
    /// Lets the engine introduce itself: in UCI, `uci` and the lines to `uciok`. A line that cannot be understood is skipped.
    /// An engine that answers as one of xboard's is asked again in that protocol.
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if the introduction does not end.
    pub async fn handshake(&mut self, timeout: Duration) -> Result<(), EngineError> {
        let lines: String = std::mem::take(&mut self.init).iter().flat_map(|line| [line, "\n"]).collect();
        let mut heard = self.hear_introduction(lines, timeout).await;
        if let Ok(Heard::SpeaksXboard) = heard {
            self.protocol = ProtocolName::Xboard.begin();
            self.introduction.protocol = ProtocolName::Xboard;
            heard = self.hear_introduction(String::new(), timeout).await;
        }
        heard.map(drop).map_err(|silence| self.unanswered(silence, Request::Introduce, timeout))
    }

    async fn hear_introduction(&mut self, mut lines: String, timeout: Duration) -> Result<Heard, Silence> {
        self.protocol.write(Request::Introduce, &mut lines);
        self.introduction = EngineInfo { protocol: self.introduction.protocol, ..EngineInfo::default() };
        let mut deadline = Instant::now() + timeout;
        self.send(lines.as_bytes(), deadline).await?;
        loop {
            let line = match self.next_line(deadline).await {
                Err(Silence::Deadline) if self.protocol.silence(Request::Introduce, timeout).is_some() => {
                    return Ok(Heard::Last);
                }
                line => line?,
            };
            let text = String::from_utf8_lossy(self.stdout.text(line));
            lines.clear();
            let heard = self.protocol.introduce(&text, &mut self.introduction, &mut lines);
            if !lines.is_empty() {
                self.send(lines.as_bytes(), deadline).await?;
            }
            match heard {
                Heard::More => {}
                Heard::NeedsTime => deadline = Instant::now() + LONGEST_START,
                Heard::Last | Heard::SpeaksXboard => return Ok(heard),
            }
        }
    }

    /// Sets an option that the engine announced. If it does not have the option, `Threads=1` and `MultiPV=1` need not be set.
    ///
    /// # Errors
    /// [`EngineError::Setting`] if there is no such option or it does not take the value; [`EngineError::Silent`] or
    /// [`EngineError::Ended`] if the engine does not read.
    pub async fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let is_met = |option: &&str| option.eq_ignore_ascii_case(name) && value == Some("1");
        if self.introduction.option(name).is_none() && ["Threads", "MultiPV"].iter().any(is_met) {
            return Ok(());
        }
        let option = self
            .introduction
            .check_setting(name, value)
            .map_err(|source| EngineError::Setting { engine: self.name.clone(), source: Box::new(source) })?;
        let (name, value) = (option.name.clone(), value.filter(|_| option.kind != OptionKind::Button));
        if matches!(option.kind, OptionKind::String { .. }) {
            self.texts_set.push(name.clone());
        }
        self.send_option(&name, value, timeout).await
    }

    /// Sets an option whether the engine announced it or not: by the protocol an engine ignores an option that it does
    /// not have, and it may have options that it does not announce.
    ///
    /// # Errors
    /// The errors of [`set_option`](Self::set_option), except that the option may be unknown.
    pub async fn try_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        if self.introduction.option(name).is_some() {
            return self.set_option(name, value, timeout).await;
        }
        self.send_option(name, value, timeout).await
    }

    async fn send_option(
        &mut self,
        name: &str,
        value: Option<&str>,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let request = Request::SetOption(name, value);
        let lines = self.compose(request);
        let mut sent = Ok(());
        if !lines.is_empty() {
            self.settings.retain(|(known, _)| value.is_none() || known.as_deref() != Some(name));
            self.settings.push((value.map(|_| name.to_owned()), lines.trim_end().to_owned()));
            sent = self.send(lines.as_bytes(), Instant::now() + timeout).await;
        }
        self.lines = lines;
        sent.map_err(|silence| self.unanswered(silence, request, timeout))
    }

    /// Waits until the engine says that it is ready, in UCI `isready` and `readyok`. What it says meanwhile about options
    /// that were set is added to the [remarks](crate::process::EngineInfo::remarks).
    ///
    /// # Errors
    /// [`EngineError::Silent`] or [`EngineError::Ended`] if it does not get ready.
    pub async fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.ask_if_ready(Request::GetReady, timeout).await
    }

    /// Begins another game, in UCI `ucinewgame` and `isready`, with a fresh protocol log.
    ///
    /// # Errors
    /// The errors of [`is_ready`](Self::is_ready).
    pub async fn new_game(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.log.clear();
        self.ask_if_ready(Request::NewGame, timeout).await
    }

    /// Tells the engine how the game ended, in protocols that say so. An engine that does not read is found out later.
    pub(crate) async fn end_game(&mut self, result: GameResult, termination: Termination, timeout: Duration) {
        let _ = self.request(Request::GameOver(result, termination), Instant::now() + timeout).await;
    }

    async fn ask_if_ready(&mut self, request: Request<'_>, timeout: Duration) -> Result<(), EngineError> {
        let begin = Instant::now();
        let silence = self.protocol.silence(request, timeout);
        let deadline = begin + silence.unwrap_or(timeout);
        self.watch_after(timeout / 2);
        self.watch.begin(begin);
        let talk = async {
            self.request(request, deadline).await?;
            loop {
                let line = match self.watched_line(deadline).await {
                    Err(Silence::Deadline) if silence.is_some() => return Ok(()),
                    line => line?,
                };
                let line = self.stdout.text(line).trim_ascii();
                if self.protocol.classify(line).0 == LineKind::Ready {
                    self.texts_set.clear();
                    return Ok(());
                }
                if !self.texts_set.is_empty()
                    && let Some(Message::Info(info)) = self.protocol.read(&String::from_utf8_lossy(line))
                    && let Some(text) = info.string
                {
                    self.introduction.hear_of_options(&text, &self.texts_set);
                }
            }
        };
        let outcome = talk.await;
        self.clock.find_processes(self.group);
        outcome.map_err(|silence| self.unanswered(silence, request, timeout))
    }

    fn unanswered(&self, silence: Silence, request: Request<'_>, timeout: Duration) -> EngineError {
        self.explain(silence, self.protocol.expects(request), timeout)
    }
}
