//! Whether a run was played under the conditions of a list.

use super::list_file::ListFile;
use crate::text::number_text::{limits_of_run, rules_of_run};
use runner::{EngineConfig, RunConfig};

impl ListFile {
    /// What differs between a run and the list: empty if its games belong to the list.
    pub fn differences(&self, run: &RunConfig) -> Vec<String> {
        let known = |engine: &EngineConfig| self.all_engines().find(|known| known.name == engine.name);
        let of_engines = run.engines.iter().flat_map(|engine| match known(engine) {
            None => vec![format!("engine `{}`: not in the list", engine.name)],
            Some(known) => of_engine(known, engine),
        });
        of_conditions(&self.run, run).into_iter().chain(of_engines).collect()
    }
}

fn of_conditions(list: &RunConfig, run: &RunConfig) -> Vec<String> {
    let said = |is_same: bool, what: &str, text: &dyn Fn(&RunConfig) -> String| {
        (!is_same).then(|| format!("{what}: {} in the list, {} in the run", text(list), text(run)))
    };
    let alone = |config: &RunConfig| limits_of_run(&RunConfig { engines: Vec::new(), ..config.clone() });
    let book = |config: &RunConfig| {
        let hash = config.book.sha256.as_deref().unwrap_or("unknown");
        let plies = config.book.plies.map_or_else(String::new, |plies| format!(", {plies} plies"));
        format!("{} (SHA-256 {}{plies})", config.book.path.display(), hash.get(..12).unwrap_or(hash))
    };
    let cpu = |config: &RunConfig| config.made.as_ref().map_or("unknown", |made| &made.cpu).to_owned();
    let differences = [
        said(list.limits == run.limits && list.clock == run.clock, "limits", &alone),
        said(list.time_margin == run.time_margin, "timemargin", &|it| {
            format!("{} ms", it.time_margin.as_millis())
        }),
        said(list.ponder == run.ponder, "ponder", &|it| it.ponder.to_string()),
        said(list.variant == run.variant, "variant", &|it| format!("{:?}", it.variant)),
        said(list.book.sha256 == run.book.sha256 && list.book.plies == run.book.plies, "openings", &book),
        said(list.rounds == run.rounds, "games per opening", &|it| it.rounds.games.to_string()),
        said(list.adjudication == run.adjudication, "adjudication", &|it| {
            rules_of_run(it).unwrap_or_else(|| "none".to_owned())
        }),
        said(list.judged_as == run.judged_as, "rules", &|it| format!("{:?}", it.judged_as)),
        said(list.essence().scale == run.essence().scale, "scale", &|it| alone(&it.essence())),
        said(!list.depends_on_speed() || cpu(list) == cpu(run), "processor", &cpu),
    ];
    differences.into_iter().flatten().collect()
}

fn of_engine(list: &EngineConfig, run: &EngineConfig) -> Vec<String> {
    let set = |engine: &EngineConfig| {
        let words = engine.args.iter().cloned().chain(engine.options.iter().map(ToString::to_string));
        format!("`{}`", words.collect::<Vec<_>>().join(", "))
    };
    let name = &list.name;
    let differences = [
        (list.sha256 != run.sha256).then(|| format!("engine `{name}`: another program than in the list")),
        (set(list) != set(run))
            .then(|| format!("engine `{name}`: {} in the list, {} in the run", set(list), set(run))),
        (list.limits != run.limits).then(|| format!("engine `{name}`: other limits of its own")),
    ];
    differences.into_iter().flatten().collect()
}
