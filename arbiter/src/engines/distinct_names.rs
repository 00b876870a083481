//! Gives the engines of a run different names.

use runner::EngineConfig;

use super::limit_settings;

/// Gives every engine a different name. Programs with the same name in two folders get the folder's name in front. Other
/// namesakes get the options, limits and arguments appended in which they differ, and then a number if a name is still not
/// unique.
pub fn make_distinct(engines: &mut [EngineConfig]) {
    for index in 1..engines.len() {
        let (earlier, rest) = engines.split_at_mut(index);
        let engine = &mut rest[0];
        if let Some(first) = earlier.iter_mut().find(|other| other.name == engine.name)
            && let Some(folders) = different_folders(first, engine)
        {
            for (engine, folder) in [first, engine].into_iter().zip(folders) {
                engine.name = format!("{folder}/{}", engine.name);
            }
        }
    }
    let known: Vec<(String, Vec<String>)> =
        engines.iter().map(|engine| (engine.name.clone(), settings(engine))).collect();
    for (engine, (name, settings)) in engines.iter_mut().zip(&known) {
        let namesakes = || known.iter().filter(|(other, _)| other == name);
        let own = |setting: &&String| !namesakes().all(|(_, theirs)| theirs.contains(setting));
        let own: Vec<&str> = settings.iter().filter(own).map(String::as_str).collect();
        if !own.is_empty() {
            engine.name = format!("{name}:{}", own.join(","));
        }
    }
    for index in 1..engines.len() {
        let (earlier, rest) = engines.split_at_mut(index);
        let engine = &mut rest[0];
        let base = engine.name.clone();
        for number in 2.. {
            if earlier.iter().all(|other| other.name != engine.name) {
                break;
            }
            engine.name = format!("{base}#{number}");
        }
    }
}

/// The options, limits and arguments of an engine.
fn settings(engine: &EngineConfig) -> Vec<String> {
    let limits = engine.limits.as_ref().map(limit_settings).unwrap_or_default();
    engine.options.iter().map(ToString::to_string).chain(limits).chain(engine.args.iter().cloned()).collect()
}

/// The names of the folders of two programs, if the names differ and both engines are named after their files.
fn different_folders(one: &EngineConfig, other: &EngineConfig) -> Option<[String; 2]> {
    let folder = |engine: &EngineConfig| {
        let is_called_so = engine.program.file_stem()? == engine.name.as_str();
        let folder = engine.program.parent()?.file_name()?.to_string_lossy().into_owned();
        is_called_so.then_some(folder)
    };
    let folders = [folder(one)?, folder(other)?];
    (folders[0] != folders[1]).then_some(folders)
}
