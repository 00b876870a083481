//! Names of the engines of a run: no two are the same.

use runner::EngineConfig;

use super::limit_settings;

/// Gives every engine a different name. Two programs of one name in two folders get those in front. Otherwise an engine with
/// the name of an earlier one gets the options, limits and arguments in which it differs added to its name, and then, if the name is
/// still not unique, a number.
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
        let engine = &mut rest[0];
        if let Some(first) = earlier.iter().find(|other| other.name == engine.name) {
            let differs = engine.options.iter().filter(|option| !first.options.contains(option));
            let limits = engine.limits.as_ref().filter(|_| engine.limits != first.limits);
            let limits = limits.map(limit_settings).unwrap_or_default();
            let args = engine.args.iter().filter(|arg| !first.args.contains(arg)).cloned();
            let differences: Vec<String> =
                differs.map(ToString::to_string).chain(limits).chain(args).collect();
            if !differences.is_empty() {
                engine.name = format!("{}:{}", engine.name, differences.join(","));
            }
        }
        let base = engine.name.clone();
        for number in 2.. {
            if earlier.iter().all(|other| other.name != engine.name) {
                break;
            }
            engine.name = format!("{base}#{number}");
        }
    }
}

/// The folders of two programs that are called by their file's name, if the folders have different names.
fn different_folders(one: &EngineConfig, other: &EngineConfig) -> Option<[String; 2]> {
    let folder = |engine: &EngineConfig| {
        let is_called_so = engine.program.file_stem()? == engine.name.as_str();
        let folder = engine.program.parent()?.file_name()?.to_string_lossy().into_owned();
        is_called_so.then_some(folder)
    };
    let folders = [folder(one)?, folder(other)?];
    (folders[0] != folders[1]).then_some(folders)
}

#[cfg(test)]
mod tests {
    use runner::UciSetting;

    use super::*;

    fn engine(name: &str, hash: &str) -> EngineConfig {
        let option = UciSetting::read(&format!("Hash={hash}"));
        EngineConfig { name: name.into(), options: vec![option], ..EngineConfig::default() }
    }

    fn names(mut engines: Vec<EngineConfig>) -> Vec<String> {
        make_distinct(&mut engines);
        engines.into_iter().map(|engine| engine.name).collect()
    }

    #[test]
    fn different_names_stay() {
        assert_eq!(names(vec![engine("a", "1"), engine("b", "1")]), ["a", "b"]);
    }

    #[test]
    fn the_same_engine_gets_its_options_in_its_name() {
        assert_eq!(names(vec![engine("a", "16"), engine("a", "1")]), ["a", "a:Hash=1"]);
    }

    #[test]
    fn programs_of_one_name_have_their_folders() {
        let engine = |program: &str| EngineConfig { program: program.into(), ..engine("pico", "1") };
        assert_eq!(names(vec![engine("new/pico"), engine("old/pico")]), ["new/pico", "old/pico"]);
        assert_eq!(names(vec![engine("a/pico"), engine("./pico")]), ["pico", "pico#2"]);
        assert_eq!(names(vec![engine("x/a"), engine("y/b")]), ["pico", "pico#2"]);
    }

    #[test]
    fn arguments_tell_two_scripts_of_one_interpreter_apart() {
        let script = |arg: &str| EngineConfig { args: vec![arg.to_owned()], ..engine("python3", "1") };
        assert_eq!(names(vec![script("new.py"), script("old.py")]), ["python3", "python3:old.py"]);
    }

    #[test]
    fn the_same_engine_with_the_same_options_gets_a_number() {
        assert_eq!(names(vec![engine("a", "1"), engine("a", "1"), engine("a", "1")]), ["a", "a#2", "a#3"]);
    }
}
