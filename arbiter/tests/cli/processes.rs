//! Processes as the system lists them, and interrupts of programs.

use std::process::Child;

/// Asks a program to end, as Ctrl-C does; on Windows as Ctrl-Break does, which can be sent to one program alone.
pub fn interrupt(program: &Child) {
    #[cfg(unix)]
    rustix::process::kill_process(rustix::process::Pid::from_child(program), rustix::process::Signal::INT)
        .unwrap();
    #[cfg(windows)]
    system::interrupt(program.id()).unwrap();
}

#[cfg(windows)]
pub use system::running;

#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "std lists no processes and sends no interrupts")]

    use std::collections::BTreeMap;
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, PROCESSENTRY32, Process32First, Process32Next, TH32CS_SNAPPROCESS,
    };

    /// The processes that run, but for hosts of consoles, with those that started them.
    pub fn running() -> BTreeMap<u32, u32> {
        let size = size_of::<PROCESSENTRY32>() as u32;
        let mut entry = PROCESSENTRY32 { dwSize: size, ..PROCESSENTRY32::default() };
        let mut found = BTreeMap::new();
        // SAFETY: the new handle is ours, and the entry has the size that it says.
        unsafe {
            let snapshot = OwnedHandle::from_raw_handle(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
            let mut is_there = Process32First(snapshot.as_raw_handle(), &raw mut entry);
            while is_there != 0 {
                let name = entry.szExeFile.map(|letter| letter as u8);
                if !name.starts_with(b"conhost.exe\0") {
                    found.insert(entry.th32ProcessID, entry.th32ParentProcessID);
                }
                is_there = Process32Next(snapshot.as_raw_handle(), &raw mut entry);
            }
        }
        found
    }

    pub fn interrupt(group: u32) -> io::Result<()> {
        // SAFETY: the call takes numbers.
        let sent = unsafe { GenerateConsoleCtrlEvent(CTRL_BREAK_EVENT, group) };
        if sent == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
    }
}
