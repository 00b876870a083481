//! The set-ups that are compared.

use arbiter::options::ADJUDICATION_OF_SPRT;
use runner::{Adjudication, DrawRule, ResignRule};
use stats::{InvalidSprt, Sprt, SprtModel, SprtTest};

/// Which book a set-up plays from.
#[derive(Clone, Copy, Debug)]
pub enum BookOf {
    /// That of fastchess's users.
    Usual,
    /// That of `arbiter match --sprt`.
    Ours,
}

/// A book, rules of adjudication and the shape of the bounds.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// What it is called in the table.
    pub name: &'static str,
    /// The book.
    pub book: BookOf,
    draw: Option<DrawRule>,
    resign: Option<ResignRule>,
    test: SprtTest,
}

/// fastchess's manual.
const USUAL_DRAW: DrawRule = DrawRule { from_move: 34, count: 8, score: 20 };
const USUAL_RESIGN: ResignRule = ResignRule { count: 3, score: 600, two_sided: false };

/// Hypotheses of an everyday patch, in nElo.
const BOUNDS: (f64, f64) = (0.0, 5.0);

const USUAL: Setup = Setup {
    name: "usual",
    book: BookOf::Usual,
    draw: Some(USUAL_DRAW),
    resign: Some(USUAL_RESIGN),
    test: SprtTest::Wald,
};

/// fastchess's usual set-up, what each of our choices changes in it, and all of them together.
pub const SETUPS: &[Setup] = &[
    USUAL,
    Setup { name: "our test", test: SprtTest::Curved, ..USUAL },
    Setup {
        name: "our adjudication",
        draw: ADJUDICATION_OF_SPRT.draw,
        resign: ADJUDICATION_OF_SPRT.resign,
        ..USUAL
    },
    Setup { name: "our book", book: BookOf::Ours, ..USUAL },
    Setup {
        name: "ours",
        book: BookOf::Ours,
        draw: ADJUDICATION_OF_SPRT.draw,
        resign: ADJUDICATION_OF_SPRT.resign,
        test: SprtTest::Curved,
    },
];

impl Setup {
    /// The test, with the usual 5% for both errors.
    pub fn test(&self) -> Result<Sprt, InvalidSprt> {
        let (elo0, elo1) = BOUNDS;
        let test = Sprt::new(elo0, elo1, Sprt::DEFAULT_ALPHA, Sprt::DEFAULT_BETA, SprtModel::Normalized)?;
        Ok(test.with_test(self.test))
    }

    /// The rules of adjudication.
    pub fn adjudication(&self) -> Adjudication {
        Adjudication { draw: self.draw, resign: self.resign, ..Adjudication::default() }
    }
}
