//! What fastchess keeps of a tournament to go on with it, as a tournament and back.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use referee::Variant;
use referee::openings::BookFormat;
use runner::{DrawRule, ResignRule, SearchLimits, Stage, SyzygyResults, SyzygyRule, TimeControl, UciSetting};
use serde::Serialize;
use stats::{Sprt, SprtModel};

use super::fastchess_words::{join_arguments, split_arguments};
use super::file_words::book;
use super::scoreboard::Score;
use super::state_file::{
    Clock, Draw, Engine, Limit, Log, MaxMoves, Opening, Resign, StateFile, Stats, Tables, Test,
};
use super::tournament::{FileOut, Form, LogLevel, LogOut, Openings, Player, Tournament};

/// The level that fastchess counts first is one that logs everything.
const LEVELS: [LogLevel; 5] =
    [LogLevel::Trace, LogLevel::Info, LogLevel::Warn, LogLevel::Err, LogLevel::Fatal];

/// Reads a state file, with the results of the first two engines.
pub(super) fn read(file: &Path) -> Result<Tournament> {
    let place = || format!("-config file={}", file.display());
    let text = fs::read_to_string(file).with_context(place)?;
    let state: StateFile = serde_json::from_str(&text).with_context(place)?;
    tournament(state).with_context(place)
}

/// The text of the state file after these results, seen by the first of every two engines.
pub(super) fn text(tournament: &Tournament, scores: &[(usize, usize, Score)]) -> String {
    let name = |engine: usize| &tournament.engines[engine].name;
    let stats = scores.iter().map(|(first, second, score)| {
        (format!("{} vs {}", name(*first), name(*second)), Stats::of(score, tournament.penta))
    });
    let state = StateFile { stats: Some(stats.collect()), ..state_of(tournament) };
    let mut text = Vec::new();
    let style = serde_json::ser::PrettyFormatter::with_indent(b"    ");
    // Plain values into memory.
    let _ = state.serialize(&mut serde_json::Serializer::with_formatter(&mut text, style));
    String::from_utf8_lossy(&text).into_owned() + "\n"
}

fn tournament(state: StateFile) -> Result<Tournament> {
    state.check()?;
    let engines: Vec<Player> = state.engines.into_iter().map(player).collect();
    let played = match (&engines[..], &state.stats) {
        ([first, second, ..], Some(stats)) => {
            stats.get(&format!("{} vs {}", first.name, second.name)).map(Stats::score)
        }
        _ => None,
    };
    let level = usize::from(state.log.level).saturating_sub(1);
    let log = LogOut {
        to: FileOut { file: state.log.file.into(), append: state.log.append_file },
        level: *LEVELS.get(level).unwrap_or(&LogLevel::Warn),
        engine: state.log.engine_coms,
    };
    let sprt = &state.sprt;
    let model = match &sprt.model[..] {
        "normalized" => SprtModel::Normalized,
        "logistic" => SprtModel::Logistic,
        other => bail!("sprt, model: expected normalized or logistic, found `{other}`"),
    };
    let sprt = sprt.enabled.then(|| Sprt::new(sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, model));
    let opening = state.opening;
    Ok(Tournament {
        engines,
        output: if state.output == 0 { Form::Fastchess } else { Form::Cutechess },
        concurrency: state.concurrency,
        force_concurrency: state.force_concurrency,
        affinity: state.affinity,
        rounds: state.rounds,
        games: state.games,
        noswap: state.noswap,
        reverse: state.reverse,
        gauntlet: state.format == 1,
        seeds: state.gauntlet_seeds,
        wait: Duration::from_millis(state.wait),
        show_latency: state.show_latency,
        variant: if state.variant == 0 { Variant::Standard } else { Variant::Chess960 },
        openings: (!opening.file.is_empty()).then(|| Openings {
            format: match opening.format {
                0 => Some(BookFormat::Epd),
                1 => Some(BookFormat::Pgn),
                _ => None,
            },
            random: opening.order == 0,
            plies: usize::try_from(opening.plies).ok(),
            start: opening.start.max(1),
            ..book(opening.file.as_ref())
        }),
        seed: state.seed,
        sprt: sprt.transpose().context("sprt")?,
        penta: state.report_penta,
        draw: state.draw.enabled.then_some(DrawRule {
            from_move: state.draw.move_number,
            count: state.draw.move_count,
            score: state.draw.score,
        }),
        resign: state.resign.enabled.then_some(ResignRule {
            count: state.resign.move_count,
            score: state.resign.score,
            two_sided: state.resign.twosided,
        }),
        max_moves: state.maxmoves.enabled.then_some(state.maxmoves.move_count),
        tables: state.tb_adjudication.enabled.then(|| SyzygyRule {
            folders: state.tb_adjudication.syzygy_dirs.split([';', ':']).map(Into::into).collect(),
            pieces: match state.tb_adjudication.max_pieces {
                0 => SyzygyRule::MOST_PIECES,
                pieces => pieces,
            },
            ignore_50: state.tb_adjudication.ignore_50_move_rule,
            results: SyzygyResults::All,
        }),
        recover: state.recover,
        check_mate_pvs: state.check_mate_pvs,
        rating_interval: interval(state.ratinginterval),
        score_interval: interval(state.scoreinterval),
        pgn: state.pgn,
        epd: Some(state.epd).filter(|epd| !epd.file.as_os_str().is_empty()),
        log: (!log.to.file.as_os_str().is_empty()).then_some(log),
        config_name: state.config_name,
        autosave: state.autosaveinterval,
        played,
        ..Tournament::fastchess()
    })
}

/// fastchess writes an interval that is switched off as the largest number.
fn interval(interval: u32) -> u32 {
    if interval == i32::MAX as u32 { 0 } else { interval }
}

fn player(engine: Engine) -> Player {
    let Clock { increment, fixed_time, time, moves, timemargin } = engine.limit.tc;
    let (time, increment) = (Duration::from_millis(time), Duration::from_millis(increment));
    let stage = Stage { moves: Some(moves).filter(|moves| *moves > 0), time, increment };
    let clock = (!(time + increment).is_zero()).then(|| TimeControl::of(stage));
    Player {
        name: engine.name,
        cmd: engine.cmd,
        dir: engine.dir,
        args: split_arguments(&engine.args),
        restart: engine.restart,
        options: engine
            .options
            .into_iter()
            .map(|(name, value)| UciSetting { name, value: Some(value) })
            .collect(),
        limits: SearchLimits {
            clock,
            movetime: Some(Duration::from_millis(fixed_time)).filter(|time| !time.is_zero()),
            nodes: Some(engine.limit.nodes).filter(|nodes| *nodes > 0),
            depth: Some(engine.limit.plies).filter(|plies| *plies > 0),
        },
        time_margin: Duration::from_millis(timemargin),
        ..Player::default()
    }
}

fn state_of(tournament: &Tournament) -> StateFile {
    let path = |out: Option<&FileOut>| out.map(|out| out.file.display().to_string()).unwrap_or_default();
    let append = |out: Option<&FileOut>| out.is_none_or(|out| out.append);
    let variant = u8::from(tournament.variant == Variant::Chess960);
    let (draw, resign) = (tournament.draw.as_ref(), tournament.resign.as_ref());
    let (tables, sprt, openings) =
        (tournament.tables.as_ref(), tournament.sprt.as_ref(), tournament.openings.as_ref());
    let log = tournament.log.as_ref();
    StateFile {
        resign: Resign {
            move_count: resign.map_or(1, |rule| rule.count),
            score: resign.map_or(0, |rule| rule.score),
            twosided: resign.is_some_and(|rule| rule.two_sided),
            enabled: resign.is_some(),
        },
        draw: Draw {
            move_number: draw.map_or(0, |rule| rule.from_move),
            move_count: draw.map_or(1, |rule| rule.count),
            score: draw.map_or(0, |rule| rule.score),
            enabled: draw.is_some(),
        },
        maxmoves: MaxMoves {
            move_count: tournament.max_moves.unwrap_or(1),
            enabled: tournament.max_moves.is_some(),
        },
        tb_adjudication: Tables {
            syzygy_dirs: tables.map_or_else(String::new, |rule| {
                let folders: Vec<String> =
                    rule.folders.iter().map(|path| path.display().to_string()).collect();
                folders.join(":")
            }),
            max_pieces: tables.map_or(0, |rule| rule.pieces),
            ignore_50_move_rule: tables.is_some_and(|rule| rule.ignore_50),
            enabled: tables.is_some(),
        },
        opening: Opening {
            file: openings.map_or_else(String::new, |book| book.file.display().to_string()),
            format: match openings.and_then(|book| book.format) {
                Some(BookFormat::Epd) => 0,
                Some(BookFormat::Pgn) => 1,
                Some(BookFormat::Polyglot) | None => 2,
            },
            order: u8::from(!openings.is_some_and(|book| book.random)),
            plies: openings.and_then(|book| book.plies).map_or(-1, |plies| plies as i64),
            start: openings.map_or(1, |book| book.start),
        },
        pgn: tournament.pgn.clone(),
        epd: tournament.epd.clone().unwrap_or(FileOut { file: "".into(), append: true }),
        sprt: Test {
            alpha: sprt.map_or(0.0, Sprt::alpha),
            beta: sprt.map_or(0.0, Sprt::beta),
            elo0: sprt.map_or(0.0, Sprt::elo0),
            elo1: sprt.map_or(0.0, Sprt::elo1),
            model: match sprt.map(Sprt::model) {
                Some(SprtModel::Logistic) => "logistic".to_owned(),
                Some(SprtModel::Normalized) | None => "normalized".to_owned(),
            },
            enabled: sprt.is_some(),
        },
        config_name: tournament.config_name.clone(),
        output: u8::from(tournament.output == Form::Cutechess),
        seed: tournament.seed,
        variant,
        format: u8::from(tournament.gauntlet),
        gauntlet_seeds: tournament.seeds,
        ratinginterval: if tournament.rating_interval == 0 {
            i32::MAX as u32
        } else {
            tournament.rating_interval
        },
        scoreinterval: if tournament.score_interval == 0 {
            i32::MAX as u32
        } else {
            tournament.score_interval
        },
        wait: tournament.wait.as_millis() as u64,
        autosaveinterval: tournament.autosave,
        games: tournament.games,
        rounds: tournament.rounds,
        concurrency: tournament.concurrency,
        force_concurrency: tournament.force_concurrency,
        recover: tournament.recover,
        noswap: tournament.noswap,
        reverse: tournament.reverse,
        report_penta: tournament.penta,
        affinity: tournament.affinity,
        check_mate_pvs: tournament.check_mate_pvs,
        show_latency: tournament.show_latency,
        log: Log {
            file: path(log.map(|log| &log.to)),
            level: log.map_or(3, |log| log.level as u8 + 1),
            append_file: append(log.map(|log| &log.to)),
            compress: false,
            realtime: true,
            engine_coms: log.is_some_and(|log| log.engine),
        },
        engines: tournament.engines.iter().map(|player| engine_of(player, variant)).collect(),
        stats: None,
    }
}

fn engine_of(player: &Player, variant: u8) -> Engine {
    let stage = player.limits.clock.as_ref().map(|clock| clock.stages()[0]);
    let millis = |time: Option<Duration>| time.map_or(0, |time| time.as_millis() as u64);
    Engine {
        name: player.name.clone(),
        dir: player.dir.clone(),
        cmd: player.cmd.clone(),
        args: join_arguments(&player.args),
        restart: player.restart,
        options: player
            .options
            .iter()
            .map(|setting| (setting.name.clone(), setting.value.clone().unwrap_or_default()))
            .collect(),
        limit: Limit {
            tc: Clock {
                increment: millis(stage.map(|stage| stage.increment)),
                fixed_time: millis(player.limits.movetime),
                time: millis(stage.map(|stage| stage.time)),
                moves: stage.and_then(|stage| stage.moves).unwrap_or(0),
                timemargin: millis(Some(player.time_margin)),
            },
            nodes: player.limits.nodes.unwrap_or(0),
            plies: player.limits.depth.unwrap_or(0),
        },
        variant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state file that fastchess alpha 1.8.2 (74deac23) wrote after four games.
    const WRITTEN_BY_FASTCHESS: &str = include_str!("fastchess_config.json");

    #[test]
    fn what_is_written_is_what_fastchess_writes() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("config.json");
        fs::write(&file, WRITTEN_BY_FASTCHESS).unwrap();
        let tournament = read(&file).unwrap();
        let played = tournament.played.unwrap();
        assert_eq!((tournament.engines.len(), played.games.games(), played.pairs.pairs()), (2, 4, 2));
        assert_eq!(text(&tournament, &[(0, 1, played)]), WRITTEN_BY_FASTCHESS);
    }

    #[test]
    fn every_setting_comes_back() {
        let line = "-engine cmd=./tarrasch name=A option.Hash=1 args='-x \"a b\"' restart=on -engine cmd=./tarrasch \
                    -each tc=40/1:00+0.08 option.Threads=1 -rounds 4 -srand 18446744073709551615 -noswap -report penta=false \
                    -sprt elo0=0 elo1=5 alpha=0.05 beta=0.1 model=logistic -resign movecount=3 score=600 twosided=true \
                    -maxmoves 99 -tb a:b -tbpieces 5 -epdout file=b.epd -crc32 pgn=true -event E -check-mate-pvs";
        let tournament = Tournament::of_fastchess(&shlex::split(line).unwrap()).unwrap();
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("config.json");
        let written = text(&tournament, &[]);
        fs::write(&file, &written).unwrap();
        let again = read(&file).unwrap();
        assert_eq!(again.engines, tournament.engines);
        assert_eq!(again.sprt, tournament.sprt);
        assert_eq!(text(&again, &[]), written);
        let line = format!("-config file={} -tbpieces 4", file.display());
        let tables = Tournament::of_fastchess(&shlex::split(&line).unwrap()).unwrap().tables.unwrap();
        assert_eq!((tables.folders, tables.pieces), (vec!["a".into(), "b".into()], 4));
    }

    #[test]
    fn what_is_not_honoured_in_a_file_is_refused() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("config.json");
        for (setting, other, said) in [
            ("\"compress\": false", "\"compress\": true", "log, compress"),
            ("\"notation\": 2", "\"notation\": 1", "pgn, notation"),
        ] {
            assert!(WRITTEN_BY_FASTCHESS.contains(setting), "{setting}");
            fs::write(&file, WRITTEN_BY_FASTCHESS.replacen(setting, other, 1)).unwrap();
            let message = format!("{:#}", read(&file).unwrap_err());
            assert!(message.contains(&format!("config.json: {said}: expected")), "{message}");
        }
    }

    #[test]
    fn a_file_of_something_else_is_refused_by_its_place() {
        let folder = tempfile::TempDir::new().unwrap();
        let file = folder.path().join("config.json");
        fs::write(&file, "{\n\"resign\": 1}").unwrap();
        let message = format!("{:#}", read(&file).unwrap_err());
        assert!(message.contains("config.json") && message.contains("line 2"), "{message}");
    }
}
