//! The network that is part of the program. `build.rs` chooses its file.

use std::sync::{Arc, LazyLock};

use super::Network;

static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    let network = Network::from_bytes(include_bytes!(env!("TARRASCH_NETWORK")));
    Arc::new(network.unwrap_or_else(|error| panic!("the network of this build: {error}")))
});

impl Network {
    /// The network that is part of the program.
    ///
    /// # Panics
    /// The file that the program was built with is damaged.
    pub fn shipped() -> Arc<Network> {
        Arc::clone(&SHIPPED)
    }
}
