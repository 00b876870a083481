//! The machines that play the games of a run.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::config::{Made, RunConfig};

/// A machine that plays games of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Machine {
    /// The name; empty if it was not recorded.
    pub name: String,
    /// The model of the processor.
    pub cpu: String,
    /// The number of cores.
    pub cores: usize,
    /// The nodes of each engine's bench on this machine before the first game; empty if no bench was run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub benches: Vec<MachineBench>,
}

/// The result of an engine's bench: the nodes that it searches in a few positions to fixed depths, with one thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MachineBench {
    /// The number of nodes, which was the same in two processes.
    Nodes(u64),
    /// Two processes on one machine searched different numbers of nodes, so machines cannot be compared.
    NotTheSameTwice,
    /// The engine reports no nodes, cannot search to a depth, is too slow, or must not run beside a game.
    Unknown,
}

impl Machine {
    /// The name of this machine: `ARBITER_MACHINE`, which clusters set, or else its name in the network; empty if unknown.
    pub fn name_here() -> String {
        let named = ["ARBITER_MACHINE", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
        #[cfg(unix)]
        let named = named.or_else(|| Some(rustix::system::uname().nodename().to_string_lossy().into_owned()));
        named.unwrap_or_default()
    }

    /// The first engine whose bench node count differs on the other machine, with both counts.
    pub fn other_bench(&self, other: &Machine) -> Option<(usize, u64, u64)> {
        let benches = self.benches.iter().zip(&other.benches).enumerate();
        benches.into_iter().find_map(|(engine, benches)| match benches {
            (MachineBench::Nodes(here), MachineBench::Nodes(there)) if here != there => {
                Some((engine, *here, *there))
            }
            _ => None,
        })
    }

    /// Whether both may be the same machine: name and processor agree, as far as both are known.
    pub fn is(&self, other: &Machine) -> bool {
        let known = [(&self.name, &other.name), (&self.cpu, &other.cpu)];
        known.into_iter().all(|(one, other)| one == other || one.is_empty() || other.is_empty())
    }
}

impl Made {
    /// The machine on which the run was started.
    pub fn machine(&self) -> Machine {
        Machine { name: self.host.clone(), cpu: self.cpu.clone(), cores: self.cores, benches: Vec::new() }
    }
}

/// The machines of a run, by the numbers that its games name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machines(pub BTreeMap<u32, Machine>);

impl Machines {
    /// The machines of a run before its first event: only the machine on which it was started.
    pub fn of_run(config: &RunConfig) -> Machines {
        Machines(config.made.iter().map(|made| (0, made.machine())).collect())
    }

    /// The number of a machine; a new machine gets the next free one. A known machine gets the benches that it lacks.
    pub fn join(&mut self, machine: &Machine) -> u32 {
        let next = self.0.last_key_value().map_or(0, |(last, _)| last.saturating_add(1));
        let number = self.0.iter().find(|(_, known)| known.is(machine)).map_or(next, |(&number, _)| number);
        let known = self.0.entry(number).or_insert_with(|| machine.clone());
        if known.benches.is_empty() {
            known.benches.clone_from(&machine.benches);
        }
        number
    }
}
