//! The options of cutechess-cli.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use runner::{SyzygyResults, SyzygyRule};
use stats::{Sprt, SprtModel};

use super::engine_words::Key;
use super::fastchess_words::{draw_rule, resign_rule, variant};
use super::file_words::openings;
use super::tournament::{FileOut, PgnOut, Player, Tournament};
use super::words::{Flag, flags};

impl Tournament {
    /// Reads a command line of cutechess-cli, without the program's name.
    ///
    /// # Errors
    /// An option or a value that cutechess-cli does not have, or one that cannot be done here, with what to use instead.
    pub fn of_cutechess(args: &[String]) -> Result<Tournament> {
        let mut tournament = Tournament::cutechess();
        let flags = flags(args)?;
        let mut repeat = false;
        for flag in &flags {
            tournament.take_cutechess(flag)?;
            repeat |= flag.name == "-repeat";
        }
        for flag in flags.iter().filter(|flag| flag.name == "-each") {
            for engine in &mut tournament.engines {
                take_engine(flag, engine, &mut tournament.ponder)?;
            }
        }
        tournament.settle_games(repeat)?;
        tournament.settle()?;
        Ok(tournament)
    }

    fn take_cutechess(&mut self, flag: &Flag) -> Result<()> {
        match &flag.name[..] {
            "-engine" => {
                let mut engine = Player::default();
                take_engine(flag, &mut engine, &mut self.ponder)?;
                self.engines.push(engine);
            }
            "-each" => {}
            "-concurrency" => {
                self.concurrency = flag.number()?;
                self.force_concurrency = true;
            }
            "-rounds" => self.rounds = flag.number()?,
            "-games" => self.games = flag.number()?,
            "-repeat" if flag.words.is_empty() || flag.number::<u32>()? == 2 => {}
            "-repeat" => bail!("-repeat: expected 2 games from each opening"),
            "-noswap" => self.noswap = flag.none().is_ok(),
            "-reverse" => self.reverse = flag.none().is_ok(),
            "-recover" => self.recover = flag.none().is_ok(),
            "-tournament" => {
                self.gauntlet = match flag.one()? {
                    "round-robin" => false,
                    "gauntlet" => true,
                    other => bail!(
                        "-tournament {other}: expected round-robin or gauntlet; `arbiter match --format knockout` plays a knockout"
                    ),
                }
            }
            "-seeds" if flag.number::<u32>()? == 1 => {}
            "-variant" => self.variant = variant(flag)?,
            "-openings" => self.openings = Some(openings(flag)?),
            "-srand" => self.seed = flag.number()?,
            "-sprt" => self.sprt = Some(sprt(flag)?),
            "-draw" => self.draw = Some(draw_rule(flag)?),
            "-resign" => self.resign = Some(resign_rule(flag)?),
            "-maxmoves" => self.max_moves = Some(flag.number()?).filter(|moves| *moves > 0),
            "-tb" => {
                let folders = flag
                    .one()?
                    .split([';', ':'])
                    .filter(|path| !path.is_empty())
                    .map(PathBuf::from)
                    .collect();
                self.tables_or_none().folders = folders;
            }
            "-tbpieces" => self.tables_or_none().pieces = flag.number()?,
            "-tbignore50" => self.tables_or_none().ignore_50 = flag.none().is_ok(),
            "-event" => self.event = flag.words.concat(),
            "-site" => self.site = flag.words.concat(),
            "-ratinginterval" => self.rating_interval = flag.number()?,
            "-outcomeinterval" => self.score_interval = flag.number()?,
            "-wait" if flag.number::<u64>()? == 0 => {}
            "-pgnout" => self.pgn = Some(pgn_out(flag)?),
            "-epdout" => self.epd = Some(FileOut { file: flag.one()?.into(), append: true }),
            "-outdir" => self.out = Some(flag.one()?.into()),
            "-debug" => {
                bail!("-debug: use -outdir DIR; DIR/bad has the protocol of every game that ended badly")
            }
            "-tournamentfile" | "-resume" => {
                bail!("{}: use -outdir DIR, and `arbiter resume DIR` afterwards", flag.name)
            }
            name => bail!(
                "{name}: no option of cutechess-cli that Arbiter has; `arbiter cutechess -help` lists them"
            ),
        }
        Ok(())
    }

    fn tables_or_none(&mut self) -> &mut SyzygyRule {
        self.tables.get_or_insert_with(|| SyzygyRule {
            folders: Vec::new(),
            pieces: SyzygyRule::MOST_PIECES,
            ignore_50: false,
            results: SyzygyResults::All,
        })
    }

    /// `-games` counts the games of an encounter, and `-repeat` makes pairs of them.
    fn settle_games(&mut self, repeat: bool) -> Result<()> {
        let games = self.games.checked_mul(self.rounds).ok_or_else(|| anyhow!("-games: too many"))?;
        if repeat && !games.is_multiple_of(2) {
            bail!("-repeat: expected an even number of games, found {games}");
        }
        let each = if repeat { 2 } else { 1 };
        self.in_one_go = Some(if self.games.is_multiple_of(each) { self.games / each } else { 1 });
        (self.games, self.rounds) = (each, games / each);
        Ok(())
    }
}

fn take_engine(flag: &Flag, engine: &mut Player, ponder: &mut bool) -> Result<()> {
    for word in &flag.words {
        let Some((key, value)) = word.split_once('=') else {
            match &word[..] {
                "ponder" => *ponder = true,
                "trust" | "whitepov" | "debug" => bail!(
                    "{} {word}: Arbiter checks every move and takes scores from the engine's side",
                    flag.name
                ),
                _ => bail!("{} {word}: expected KEY=VALUE", flag.name),
            }
            continue;
        };
        if let Key::Taken = engine.set(flag, key, value)? {
            continue;
        }
        match key {
            "arg" => engine.args.push(value.to_owned()),
            "restart" => engine.restart = value == "on",
            "conf" => bail!(
                "{} conf={value}: expected cmd=COMMAND; Arbiter's own list of engines is `arbiter engines`",
                flag.name
            ),
            _ => {
                return Err(flag.unknown(
                    key,
                    value,
                    "a setting of an engine, as cmd, name, tc or option.NAME",
                ));
            }
        }
    }
    Ok(())
}

/// cutechess-cli's test is in logistic Elo.
fn sprt(flag: &Flag) -> Result<Sprt> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 0.0, 0.0, 0.0);
    for (key, value) in flag.pairs()? {
        match key {
            "elo0" => elo0 = flag.value(key, value)?,
            "elo1" => elo1 = flag.value(key, value)?,
            "alpha" => alpha = flag.value(key, value)?,
            "beta" => beta = flag.value(key, value)?,
            _ => return Err(flag.unknown(key, value, "elo0, elo1, alpha or beta")),
        }
    }
    Sprt::new(elo0, elo1, alpha, beta, SprtModel::Logistic).map_err(|problem| anyhow!("-sprt: {problem}"))
}

/// `FILE [min] [fi]`; unfinished games are never written.
fn pgn_out(flag: &Flag) -> Result<PgnOut> {
    let Some((file, words)) = flag.words.split_first() else { bail!("-pgnout: expected a file") };
    let mut out = PgnOut::to(file.into());
    for word in words {
        match &word[..] {
            "min" => out.min = true,
            "fi" => {}
            other => bail!("-pgnout {other}: expected min or fi"),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Tournament> {
        Tournament::of_cutechess(&shlex::split(line).unwrap())
    }

    const TWO: &str = "-engine cmd=a arg=-v 'arg=b c' -engine cmd=b -each proto=uci tc=40/60 ponder";

    #[test]
    fn games_of_an_encounter_become_rounds() {
        let games = |line: &str| read(&format!("{TWO} {line}")).map(|found| (found.rounds, found.games));
        assert_eq!(games("-games 2 -rounds 50 -repeat").unwrap(), (50, 2));
        assert_eq!(games("-games 7").unwrap(), (7, 1));
        assert_eq!(games("-games 5 -rounds 2 -repeat").unwrap(), (5, 2));
        assert!(games("-games 3 -repeat").is_err());
    }

    #[test]
    fn engines_have_cutechess_words() {
        let tournament = read(TWO).unwrap();
        assert_eq!(tournament.engines[0].args, ["-v", "b c"]);
        assert!(tournament.ponder);
        assert_eq!(tournament.engines[1].name, "b");
        for wrong in [
            "-engine conf=x",
            "-engine cmd=c trust",
            "-tournament knockout",
            "-debug",
            "-resume",
            "-frobnicate",
        ] {
            assert!(read(&format!("{TWO} {wrong}")).is_err(), "{wrong}");
        }
    }
}
