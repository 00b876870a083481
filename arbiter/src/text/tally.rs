//! Counts how many things were examined, and how many were rejected for which reason.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use serde::{Deserialize, Serialize};

use super::number_text::thousands;

/// Defines an enum whose variants each have a display text.
macro_rules! labelled {
    ($(#[$meta:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $word:ident = $label:literal,)+ }) => {
        $(#[$meta])*
        $vis enum $name { $($(#[$doc])* $word,)+ }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$word => $label,)+ })
            }
        }
    };
}
pub(crate) use labelled;

/// The reasons are listed in the order of their enum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally<R: Ord> {
    #[serde(rename = "positions")]
    pub seen: u64,
    pub rejected: BTreeMap<R, u64>,
}

impl<R: Ord> Default for Tally<R> {
    fn default() -> Tally<R> {
        Tally { seen: 0, rejected: BTreeMap::new() }
    }
}

impl<R: Ord + Copy> Tally<R> {
    pub fn reject(&mut self, reason: R) {
        self.reject_many(reason, 1);
    }

    pub fn reject_many(&mut self, reason: R, count: u64) {
        if count > 0 {
            *self.rejected.entry(reason).or_default() += count;
        }
    }

    pub fn add(&mut self, other: &Tally<R>) {
        self.seen += other.seen;
        other.rejected.iter().for_each(|(&reason, &count)| self.reject_many(reason, count));
    }
}

/// `2 in check, 5 duplicates`.
impl<R: Ord + Display> Display for Tally<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = self.rejected.iter().map(|(reason, count)| format!("{} {reason}", thousands(*count)));
        f.write_str(&reasons.collect::<Vec<_>>().join(", "))
    }
}
