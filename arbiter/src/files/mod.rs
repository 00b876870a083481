//! Files and folders that commands read and write.

pub mod new_file;
pub mod recorded;
mod state_file;
pub mod suite_files;
mod whole_file;

pub use new_file::NewFile;
pub use state_file::StateFile;
pub use whole_file::{DRAFT, forget_drafts, is_device, write_named, write_whole};
