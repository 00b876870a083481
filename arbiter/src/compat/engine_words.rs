//! What stands behind `-engine` and `-each`.

use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use runner::{SearchLimits, TimeControl, UciSetting};

use super::tournament::Player;
use super::words::Flag;

/// What a key of an engine is good for.
pub(super) enum Key {
    Taken,
    Unknown,
}

impl Player {
    /// Takes a setting that both dialects have.
    pub(super) fn set(&mut self, flag: &Flag, key: &str, value: &str) -> Result<Key> {
        match key {
            "cmd" => value.clone_into(&mut self.cmd),
            "name" => value.clone_into(&mut self.name),
            "dir" => value.clone_into(&mut self.dir),
            "tc" => self.limits.clock = time_control(flag, value)?,
            "st" => self.limits.movetime = Some(seconds(flag, key, value)?),
            "timemargin" => self.time_margin = Duration::from_millis(flag.value(key, value)?),
            "nodes" => self.limits.nodes = Some(flag.value(key, value)?).filter(|nodes| *nodes > 0),
            "depth" => self.limits.depth = Some(flag.value(key, value)?).filter(|depth| *depth > 0),
            "proto" if value == "uci" => {}
            "proto" => bail!(
                "proto={value}: expected uci; switch the engine to UCI where it can (GNU Chess: arg=--uci), or put an adapter \
                 between that speaks UCI to us and xboard's protocol to the engine, such as Wb2Uci (Debian's polyglot adapts \
                 the other way)"
            ),
            _ => match key.strip_prefix("option.") {
                Some(name) => self.set_option(name, value),
                None => return Ok(Key::Unknown),
            },
        }
        Ok(Key::Taken)
    }

    /// A later value replaces an earlier one.
    pub(super) fn set_option(&mut self, name: &str, value: &str) {
        let setting = UciSetting { name: name.to_owned(), value: Some(value.to_owned()) };
        match self.options.iter_mut().find(|known| known.name == name) {
            Some(known) => *known = setting,
            None => self.options.push(setting),
        }
    }

    /// The name, or that of the program without folder and extension.
    pub(super) fn settle_name(&mut self) {
        if self.name.is_empty() {
            let stem = std::path::Path::new(&self.cmd).file_stem();
            self.name = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        }
    }

    /// Checks that every search ends.
    pub(super) fn check(&self) -> Result<()> {
        if self.cmd.is_empty() {
            bail!("-engine name={}: expected cmd=COMMAND", self.name);
        }
        self.limits.validate().map_err(|problem| anyhow!("-engine name={}: {problem}", self.name))
    }
}

/// Later engines of the same name are numbered, from 2.
pub(super) fn number_namesakes(engines: &mut [Player]) {
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    for (index, engine) in engines.iter_mut().enumerate() {
        let earlier = names[..index].iter().filter(|name| **name == engine.name).count();
        if earlier > 0 {
            engine.name = format!("{}_{}", engine.name, earlier + 1);
        }
    }
}

/// `moves/minutes:seconds+increment`, or `inf`.
fn time_control(flag: &Flag, text: &str) -> Result<Option<TimeControl>> {
    if matches!(text, "inf" | "infinite") {
        return Ok(None);
    }
    // `inf/8+0.08` and a unit behind a number are fastchess's.
    let no_moves = ["inf/", "infinite/", "0/"];
    let rest = no_moves.iter().find_map(|prefix| text.strip_prefix(prefix)).unwrap_or(text);
    let plain = rest.replace("s+", "+");
    let plain = plain.strip_suffix('s').unwrap_or(&plain);
    plain.parse().map(Some).map_err(|error| anyhow!("{} tc={text}: {error}", flag.name))
}

fn seconds(flag: &Flag, key: &str, text: &str) -> Result<Duration> {
    let number: f64 = flag.value(key, text.strip_suffix('s').unwrap_or(text))?;
    // `go movetime` has milliseconds.
    let duration = Duration::try_from_secs_f64(number).ok().filter(|duration| duration.as_millis() > 0);
    duration.ok_or_else(|| anyhow!("{} {key}={text}: expected seconds, at least 0.001", flag.name))
}

/// What bounds the searches of an engine, as the heading of a result has it: `8+0.08`, `0.1/move`, `12 plies`,
/// `5000 nodes`.
pub(super) fn limits_text(limits: &SearchLimits) -> String {
    if let Some(clock) = &limits.clock {
        let stage = clock.stages()[0];
        let moves = stage.moves.map_or_else(String::new, |moves| format!("{moves}/"));
        let increment = if stage.increment.is_zero() {
            String::new()
        } else {
            format!("+{}", super::elo_text::general(stage.increment.as_secs_f64(), 2))
        };
        return format!("{moves}{}{increment}", stage.time.as_secs_f64());
    }
    match (limits.movetime, limits.depth, limits.nodes) {
        (Some(time), ..) => format!("{}/move", time.as_secs_f64()),
        (None, Some(depth), _) => format!("{depth} plies"),
        (None, None, Some(nodes)) => format!("{nodes} nodes"),
        (None, None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(words: &str) -> Result<Player> {
        let words = words.split_whitespace().map(str::to_owned).collect();
        let flag = Flag { name: "-engine".to_owned(), words };
        let mut player = Player::default();
        for (key, value) in flag.pairs()? {
            if matches!(player.set(&flag, key, value)?, Key::Unknown) {
                bail!("{key}");
            }
        }
        player.settle_name();
        Ok(player)
    }

    #[test]
    fn time_controls_are_those_of_cutechess() {
        for (text, expected) in [
            ("8+0.08", "8+0.08"),
            ("0.300+0.003", "0.3+0.003"),
            ("40/1:30+1", "40/90+1"),
            ("inf/10s+0.333s", "10+0.33"),
            ("1.33+12.5", "1.33+12"),
        ] {
            assert_eq!(limits_text(&player(&format!("tc={text}")).unwrap().limits), expected, "{text}");
        }
        assert_eq!(player("tc=inf nodes=3000").unwrap().limits.clock, None);
        assert_eq!(limits_text(&player("tc=inf nodes=3000").unwrap().limits), "3000 nodes");
        assert_eq!(limits_text(&player("st=0.1").unwrap().limits), "0.1/move");
        assert!(player("tc=hg").is_err() && player("tc=8+").is_err());
        assert!(player("st=0.00").is_err() && player("st=0.0004").is_err() && player("st=0.001").is_ok());
    }

    #[test]
    fn an_engine_is_called_after_its_program_and_later_ones_are_numbered() {
        let mut engines: Vec<Player> =
            ["cmd=./a/new.exe", "cmd=new", "cmd=c name=new"].map(|words| player(words).unwrap()).to_vec();
        number_namesakes(&mut engines);
        let names: Vec<&str> = engines.iter().map(|engine| &engine.name[..]).collect();
        assert_eq!(names, ["new", "new_2", "new_3"]);
    }

    #[test]
    fn a_later_option_replaces_an_earlier_one() {
        let found = player("option.Hash=8 option.Threads=2 option.Hash=16").unwrap();
        let options: Vec<String> = found.options.iter().map(ToString::to_string).collect();
        assert_eq!(options, ["Hash=16", "Threads=2"]);
        assert_eq!(player("option.EvalFile=").unwrap().options[0].to_string(), "EvalFile=");
        assert!(player("name=").is_err());
        assert!(player("proto=xboard").is_err() && player("colour=red").is_err());
    }
}
