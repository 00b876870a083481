//! How a moment lists its modes.

/// An enum whose variants go by a name each, in the order of their listing.
macro_rules! modes {
    ($(#[$about:meta])* $kind:ident { $($(#[$what:meta])* $mode:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind {
            $($(#[$what])* $mode,)+
        }

        impl $kind {
            /// The names of all modes.
            pub const NAMES: &[&str] = &[$($name),+];

            /// The mode of that name.
            pub fn named(name: &str) -> Option<$kind> {
                match name {
                    $($name => Some($kind::$mode),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use modes;
