//! What can be switched on and off, to see what each part of the algorithm gains (§4.2).

/// A technique of the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// §2.1.4: moves after the first are searched with a zero window at first.
    Pvs,
    /// §2.2: positions that were searched before are not searched again.
    TranspositionTable,
    /// §2.3.1: who stands well even after passing stands well.
    NullMove,
    /// §2.3.3: quiet moves near the horizon of a side that is far behind are searched less deeply.
    Futility,
    /// §2.3.2: captures that cannot make good what is missing are left out of quiescence.
    DeltaPruning,
    /// §1.2.2: forcing moves are searched more deeply.
    Extensions,
    /// §1.2.1: only quiet positions are evaluated.
    Quiescence,
    /// §2.1.3: captures are ordered by the exchange they begin.
    SeeOrdering,
}

impl Technique {
    /// All of them: those of the document's table in its order, then the others.
    pub const ALL: [Technique; 8] = [
        Technique::Pvs,
        Technique::TranspositionTable,
        Technique::NullMove,
        Technique::Futility,
        Technique::DeltaPruning,
        Technique::Extensions,
        Technique::Quiescence,
        Technique::SeeOrdering,
    ];

    /// The name of the UCI option that switches it.
    pub const fn option_name(self) -> &'static str {
        match self {
            Technique::Pvs => "PVS",
            Technique::TranspositionTable => "TranspositionTable",
            Technique::NullMove => "NullMove",
            Technique::Futility => "Futility",
            Technique::DeltaPruning => "DeltaPruning",
            Technique::Extensions => "Extensions",
            Technique::Quiescence => "Quiescence",
            Technique::SeeOrdering => "SEEOrdering",
        }
    }

    /// The technique that this UCI option switches.
    pub fn from_option_name(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|technique| technique.option_name() == name)
    }
}

/// Which techniques are switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques([bool; Technique::ALL.len()]);

impl Techniques {
    /// The engine as it plays.
    pub const EVERY: Techniques = Techniques([true; Technique::ALL.len()]);
    /// Alpha-beta alone.
    #[cfg(test)]
    pub const NONE: Techniques = Techniques([false; Technique::ALL.len()]);

    /// Whether a technique is on.
    pub const fn has(self, technique: Technique) -> bool {
        self.0[technique as usize]
    }

    /// Switches a technique.
    pub const fn set(&mut self, technique: Technique, is_on: bool) {
        self.0[technique as usize] = is_on;
    }

    /// These and some more.
    #[cfg(test)]
    #[must_use]
    pub fn with(mut self, more: &[Technique]) -> Techniques {
        for &technique in more {
            self.set(technique, true);
        }
        self
    }
}
