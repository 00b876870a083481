//! The techniques of the search. Each is a UCI option, so that its worth can be measured (`arbiter ablate tarrasch`).

/// A technique of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Technique {
    /// Principal variation search: later moves get a zero window first.
    Pvs,
    /// Transposition table cutoffs and TT moves.
    HashTable,
    /// Aspiration windows.
    Aspiration,
    /// Null-move pruning.
    NullMove,
    /// Reverse futility pruning: nodes far above beta are cut.
    ReverseFutility,
    /// Razoring: nodes far below alpha go to quiescence.
    Razoring,
    /// Futility pruning: quiet moves far below alpha are skipped.
    Futility,
    /// Delta pruning in quiescence.
    DeltaPruning,
    /// Checks at the first ply of quiescence.
    QuiescenceChecks,
    /// Late-move pruning: late quiet moves are skipped at low depth.
    LateMovePruning,
    /// SEE pruning and history pruning of moves.
    SeePruning,
    /// Late-move reductions.
    LateMoveReductions,
    /// `ProbCut`: a capture that fails high in a shallow search cuts the node.
    ProbCut,
    /// Singular extensions: a TT move much better than all others is extended.
    SingularExtensions,
    /// Check extensions.
    CheckExtensions,
    /// Killer moves.
    Killers,
    /// History heuristics for quiet moves.
    History,
    /// Butterfly history also depends on whether origin and target are attacked.
    ThreatHistory,
    /// Move ordering by threats of lesser pieces.
    ThreatOrder,
    /// The quiet move that led to a node gets a history bonus by its result.
    PriorMoveHistory,
    /// Capture history.
    CaptureHistory,
    /// Correction history of the static evaluation.
    CorrectionHistory,
    /// The network, where there is one, in place of the hand-written evaluation.
    Network,
}

impl Technique {
    /// All of them, in the order of the options.
    pub const ALL: [Technique; 23] = [
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
        Technique::SeePruning,
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
        Technique::Network,
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
            Technique::SeePruning => "SEEPruning",
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
            Technique::Network => "Network",
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
