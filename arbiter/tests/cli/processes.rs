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
pub use system::{Identity, identity, running};

#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "std lists no processes and sends no interrupts")]

    use std::collections::BTreeMap;
    use std::io;
    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Console::{CTRL_BREAK_EVENT, GenerateConsoleCtrlEvent};
    use windows_sys::Win32::System::Diagnostics::ToolHelp::{
        CreateToolhelp32Snapshot, PROCESSENTRY32, Process32First, Process32Next, TH32CS_SNAPPROCESS,
    };
    use windows_sys::Win32::System::Threading::{
        GetProcessTimes, OpenProcess, PROCESS_QUERY_LIMITED_INFORMATION,
    };

    /// A process by its number, which another one may have later, and the time of its start.
    pub type Identity = (u32, u64);

    /// When a process was started, if it runs.
    pub fn identity(id: u32) -> Option<Identity> {
        let [mut began, mut ended, mut system, mut user] = [FILETIME::default(); 4];
        // SAFETY: the new handle is ours, and the call writes to the four variables, which outlive it.
        let is_read = unsafe {
            let process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, id);
            if process.is_null() {
                return None;
            }
            let process = OwnedHandle::from_raw_handle(process);
            let times = (&raw mut began, &raw mut ended, &raw mut system, &raw mut user);
            GetProcessTimes(process.as_raw_handle(), times.0, times.1, times.2, times.3)
        };
        let time = u64::from(began.dwHighDateTime) << 32 | u64::from(began.dwLowDateTime);
        (is_read != 0 && ended.dwLowDateTime == 0).then_some((id, time))
    }

    /// The processes that run, but for hosts of consoles, with the numbers of those that started them.
    pub fn running() -> BTreeMap<Identity, u32> {
        let size = size_of::<PROCESSENTRY32>() as u32;
        let mut entry = PROCESSENTRY32 { dwSize: size, ..PROCESSENTRY32::default() };
        let mut found = BTreeMap::new();
        // SAFETY: the new handle is ours, and the entry has the size that it says.
        unsafe {
            let snapshot = OwnedHandle::from_raw_handle(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
            let mut is_there = Process32First(snapshot.as_raw_handle(), &raw mut entry);
            while is_there != 0 {
                let name = entry.szExeFile.map(|letter| letter as u8);
                if !name.starts_with(b"conhost.exe\0")
                    && let Some(process) = identity(entry.th32ProcessID)
                {
                    found.insert(process, entry.th32ParentProcessID);
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
