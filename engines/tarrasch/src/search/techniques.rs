//! What the search may use: each technique can be switched off, to see what it is worth (`arbiter ablate tarrasch`).

/// A technique of the search, by its option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Technique {
    /// Late moves of a node are only asked whether they are better than the best.
    Pvs,
    /// The transposition table settles nodes and orders moves.
    HashTable,
    /// Iterations begin with a narrow window.
    Aspiration,
    /// A side that stands well even after passing need not be searched.
    NullMove,
    /// Nodes far above beta are not searched.
    ReverseFutility,
    /// Nodes far below alpha only look at captures.
    Razoring,
    /// Quiet moves far below alpha are not searched.
    Futility,
    /// Captures that cannot bring the value back to alpha are left out of quiescence.
    DeltaPruning,
    /// Quiescence begins with checks, too.
    QuiescenceChecks,
    /// After enough moves the other quiet ones are not searched.
    LateMovePruning,
    /// Moves that lose an exchange, or that the history speaks against, are not searched.
    ExchangePruning,
    /// Late moves are searched less deep.
    LateMoveReductions,
    /// A capture that is far too good in a shallow search settles the node.
    ProbCut,
    /// A hash move that is much better than all others is searched deeper.
    SingularExtensions,
    /// A side in check is searched deeper.
    CheckExtensions,
    /// Moves that refuted a neighbouring node come first.
    Killers,
    /// Quiet moves come in the order of their success.
    History,
    /// That success is told apart by whether the opponent attacks the origin and the target.
    ThreatHistory,
    /// Pieces that leave the reach of lesser ones come early, those that enter it late.
    ThreatOrder,
    /// The quiet move before a node is credited with what it led to.
    PriorMoveHistory,
    /// Captures come in the order of their success, too.
    CaptureHistory,
    /// The static evaluation learns from what the search found behind it.
    CorrectionHistory,
}

impl Technique {
    /// All of them, in the order of the options.
    pub const ALL: [Technique; 22] = [
        Technique::Pvs,
        Technique::HashTable,
        Technique::Aspiration,
        Technique::NullMove,
        Technique::ReverseFutility,
        Technique::Razoring,
        Technique::Futility,
        Technique::DeltaPruning,
        Technique::QuiescenceChecks,
        Technique::LateMovePruning,
        Technique::ExchangePruning,
        Technique::LateMoveReductions,
        Technique::ProbCut,
        Technique::SingularExtensions,
        Technique::CheckExtensions,
        Technique::Killers,
        Technique::History,
        Technique::ThreatHistory,
        Technique::ThreatOrder,
        Technique::PriorMoveHistory,
        Technique::CaptureHistory,
        Technique::CorrectionHistory,
    ];

    /// The name of the option.
    pub const fn name(self) -> &'static str {
        match self {
            Technique::Pvs => "PVS",
            Technique::HashTable => "HashTable",
            Technique::Aspiration => "Aspiration",
            Technique::NullMove => "NullMove",
            Technique::ReverseFutility => "ReverseFutility",
            Technique::Razoring => "Razoring",
            Technique::Futility => "Futility",
            Technique::DeltaPruning => "DeltaPruning",
            Technique::QuiescenceChecks => "QuiescenceChecks",
            Technique::LateMovePruning => "LateMovePruning",
            Technique::ExchangePruning => "ExchangePruning",
            Technique::LateMoveReductions => "LateMoveReductions",
            Technique::ProbCut => "ProbCut",
            Technique::SingularExtensions => "SingularExtensions",
            Technique::CheckExtensions => "CheckExtensions",
            Technique::Killers => "Killers",
            Technique::History => "History",
            Technique::ThreatHistory => "ThreatHistory",
            Technique::ThreatOrder => "ThreatOrder",
            Technique::PriorMoveHistory => "PriorMoveHistory",
            Technique::CaptureHistory => "CaptureHistory",
            Technique::CorrectionHistory => "CorrectionHistory",
        }
    }

    /// The technique with this option.
    pub fn named(name: &str) -> Option<Technique> {
        Technique::ALL.into_iter().find(|technique| technique.name() == name)
    }
}

/// The techniques that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques(u32);

impl Techniques {
    /// All of them.
    pub const ALL: Techniques = Techniques((1 << Technique::ALL.len()) - 1);

    /// Whether a technique is on.
    #[inline]
    pub const fn has(self, technique: Technique) -> bool {
        self.0 & 1 << technique as u8 != 0
    }

    /// Switches a technique on or off.
    pub fn switch(&mut self, technique: Technique, on: bool) {
        let bit = 1 << technique as u8;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_technique_is_switched_by_itself() {
        for technique in Technique::ALL {
            let mut techniques = Techniques::ALL;
            techniques.switch(technique, false);
            for other in Technique::ALL {
                assert_eq!(techniques.has(other), other != technique);
            }
            techniques.switch(technique, true);
            assert_eq!(techniques, Techniques::ALL);
            assert_eq!(Technique::named(technique.name()), Some(technique));
        }
    }
}
