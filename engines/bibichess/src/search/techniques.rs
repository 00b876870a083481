//! The techniques that can be switched on and off, to measure what each part of the algorithm gains (§4.2).

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Technique {
    /// §2.1.4: moves after the first are searched with a zero window first.
    Pvs,
    /// §2.2: positions that were searched before are not searched again.
    TranspositionTable,
    /// §2.3.1: a position that is good enough even after passing is cut off.
    NullMove,
    /// §2.3.3: if a side is far behind, its quiet moves near the horizon are searched less deeply.
    Futility,
    /// §2.3.2: quiescence skips captures that cannot make up the deficit.
    DeltaPruning,
    /// §1.2.2: forcing moves are searched more deeply.
    Extensions,
    /// §1.2.1: only quiet positions are evaluated.
    Quiescence,
    /// §2.1.3: captures are ordered by static exchange evaluation.
    SeeOrdering,
}

impl Technique {
    /// All techniques: first those in the document's table, in its order, then the others.
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

    pub fn from_option_name(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|technique| technique.option_name() == name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques([bool; Technique::ALL.len()]);

impl Techniques {
    pub const EVERY: Techniques = Techniques([true; Technique::ALL.len()]);
    #[cfg(test)]
    pub const NONE: Techniques = Techniques([false; Technique::ALL.len()]);

    pub const fn has(self, technique: Technique) -> bool {
        self.0[technique as usize]
    }

    pub const fn set(&mut self, technique: Technique, is_on: bool) {
        self.0[technique as usize] = is_on;
    }

    /// These techniques and the given ones.
    #[cfg(test)]
    #[must_use]
    pub fn with(mut self, more: &[Technique]) -> Techniques {
        for &technique in more {
            self.set(technique, true);
        }
        self
    }
}
