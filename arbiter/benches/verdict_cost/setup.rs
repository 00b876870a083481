//! The set-ups that are compared.

use arbiter::options::ADJUDICATION_OF_SPRT;
use runner::{Adjudication, DrawRule, ResignRule};
use stats::{InvalidSprt, Sprt, SprtModel};

/// Which book a set-up plays from.
#[derive(Clone, Copy, Debug)]
pub enum BookOf {
    /// That of fastchess's users.
    Usual,
    /// That of `arbiter match --sprt`.
    Ours,
}

/// A book, rules of adjudication and bounds.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// What it is called in the table.
    pub name: &'static str,
    /// The book.
    pub book: BookOf,
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    bounds: (f64, f64),
    mixture: bool,
}

/// fastchess's manual.
const USUAL_DRAW: DrawRule = DrawRule { from_move: 34, count: 8, score: 20 };
const USUAL_RESIGN: ResignRule = ResignRule { count: 3, score: 600, two_sided: false };
const USUAL_BOUNDS: (f64, f64) = (0.0, 2.0);

const USUAL: Setup = Setup {
    name: "usual",
    book: BookOf::Usual,
    draw: Some(USUAL_DRAW),
    resign: Some(USUAL_RESIGN),
    bounds: USUAL_BOUNDS,
    mixture: false,
};

const OURS: Setup = Setup {
    name: "our book and adjudication",
    book: BookOf::Ours,
    draw: ADJUDICATION_OF_SPRT.draw,
    resign: ADJUDICATION_OF_SPRT.resign,
    ..USUAL
};

/// fastchess's usual set-up, what each of our choices changes in it, and all of them together.
pub const SETUPS: &[Setup] = &[
    USUAL,
    Setup { name: "played out", draw: None, resign: None, ..USUAL },
    Setup { name: "our adjudication", book: BookOf::Usual, ..OURS },
    Setup { name: "our book", book: BookOf::Ours, ..USUAL },
    OURS,
    Setup { name: "bounds 0 5", bounds: (0.0, 5.0), ..USUAL },
    Setup { name: "mixture", mixture: true, ..USUAL },
    Setup { name: "all ours with mixture", mixture: true, ..OURS },
    Setup { name: "all ours with mixture and bounds 0 5", mixture: true, bounds: (0.0, 5.0), ..OURS },
];

impl Setup {
    /// The test, with the usual 5% for both errors.
    pub fn test(&self) -> Result<Sprt, InvalidSprt> {
        let (elo0, elo1) = self.bounds;
        let test = Sprt::new(elo0, elo1, Sprt::DEFAULT_ALPHA, Sprt::DEFAULT_BETA, SprtModel::Normalized)?;
        Ok(test.with_mixture(self.mixture))
    }

    /// The rules of adjudication.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, ..Adjudication::default() }
    }
}
