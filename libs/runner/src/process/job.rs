//! Job objects on Windows: a job holds an engine and all that it starts, ends them together, and ends with this process,
//! whatever ends it. Also the cores of an engine, and the CPU time of any process.
//!
//! A core is numbered by its group and its place there, `64 · group + place`; a machine with up to 64 cores has one group
//! (learn.microsoft.com, "Processor Groups").

#![expect(
    unsafe_code,
    reason = "no library in use here wraps job objects, and std cannot start a suspended process"
)]

use std::cell::RefCell;
use std::io;
use std::mem::size_of;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr::null;
use std::sync::LazyLock;
use std::time::Duration;

use windows_sys::Win32::Foundation::{ERROR_INVALID_PARAMETER, FILETIME, HANDLE, STILL_ACTIVE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_BREAKAWAY_OK,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectExtendedLimitInformation, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::SystemInformation::GROUP_AFFINITY;
use windows_sys::Win32::System::Threading::{
    CREATE_BREAKAWAY_FROM_JOB, CREATE_NO_WINDOW, CREATE_SUSPENDED, GetActiveProcessorCount,
    GetActiveProcessorGroupCount, GetCurrentProcess, GetExitCodeProcess, GetProcessAffinityMask,
    GetProcessTimes, OpenProcess, OpenThread, PROCESS_QUERY_LIMITED_INFORMATION, ResumeThread,
    SetThreadGroupAffinity, THREAD_SET_INFORMATION, THREAD_SUSPEND_RESUME,
};

/// The creation flag for a process that is to outlive this one.
pub const TO_LIVE_ON: u32 = CREATE_BREAKAWAY_FROM_JOB;

/// The creation flags that [`Job::run`] needs. The process gets an invisible console, so that Ctrl-C, Ctrl-Break and the
/// end of this process's console do not reach it.
pub(super) fn flags() -> u32 {
    /// The job of this process, which ends with it. Without it, if this process were killed before a suspended process is
    /// in its job, that process would be left forever.
    static OURS: LazyLock<io::Result<Job>> = LazyLock::new(|| {
        let job = Job::new(JOB_OBJECT_LIMIT_BREAKAWAY_OK)?;
        // SAFETY: the handle of the job is open, and the pseudo handle of this process is always valid.
        check(unsafe { AssignProcessToJobObject(job.handle(), GetCurrentProcess()) })?;
        Ok(job)
    });
    // Windows versions before 8 have no nested jobs.
    let _ = LazyLock::force(&OURS);
    CREATE_SUSPENDED | CREATE_NO_WINDOW
}

const CORES_OF_A_GROUP: usize = 64;

thread_local! {
    /// The cores for the processes that this thread starts.
    static CORES: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

/// A job object. Dropping it kills the processes in it.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    pub(super) fn run(process: HANDLE, id: u32) -> io::Result<Job> {
        let job = Job::new(0)?;
        // SAFETY: both handles are open.
        check(unsafe { AssignProcessToJobObject(job.handle(), process) })?;
        for thread in threads_of(id)? {
            CORES.with_borrow(|cores| bind(&thread, cores))?;
            // SAFETY: the handle is open and may be used for this.
            if unsafe { ResumeThread(thread.as_raw_handle()) } == u32::MAX {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(job)
    }

    fn new(more_limits: u32) -> io::Result<Job> {
        // SAFETY: without attributes and a name nothing is read, and only this function has the new handle.
        let job = Job(owned(unsafe { CreateJobObjectW(null(), null()) })?);
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | more_limits;
        let size = size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32;
        // SAFETY: the call reads `size` bytes of the limits, which outlive it.
        check(unsafe {
            let limits = (&raw const limits).cast();
            SetInformationJobObject(job.handle(), JobObjectExtendedLimitInformation, limits, size)
        })?;
        Ok(job)
    }

    pub(super) fn kill(&self) {
        // SAFETY: the handle is open. A job without processes is no error.
        unsafe { TerminateJobObject(self.handle(), 1) };
    }

    fn handle(&self) -> HANDLE {
        self.0.as_raw_handle()
    }
}

/// Binds the processes that this thread starts from now on to these cores, all of one group.
pub(crate) fn bind_children(cores: &[usize]) {
    CORES.set(cores.to_vec());
}

/// The cores that this process may use: if there is one group, the cores of its affinity mask; otherwise all cores, since
/// the mask covers only one group.
pub(crate) fn allowed_cores() -> io::Result<Vec<usize>> {
    // SAFETY: the calls take no pointers.
    let groups = unsafe { GetActiveProcessorGroupCount() };
    if groups == 1 {
        let (mut ours, mut all) = (0, 0);
        // SAFETY: the call writes to both variables, which outlive it.
        check(unsafe { GetProcessAffinityMask(GetCurrentProcess(), &raw mut ours, &raw mut all) })?;
        return Ok((0..CORES_OF_A_GROUP).filter(|core| ours >> core & 1 == 1).collect());
    }
    let of_group = |group: u16| {
        // SAFETY: the call takes a number.
        let count = unsafe { GetActiveProcessorCount(group) } as usize;
        (0..count).map(move |core| CORES_OF_A_GROUP * usize::from(group) + core)
    };
    Ok((0..groups).flat_map(of_group).collect())
}

pub(super) fn cpu_time(process: u32) -> Option<Duration> {
    // SAFETY: the call takes numbers, and only this function has the new handle.
    let process = owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process) }).ok()?;
    let [mut began, mut ended, mut system, mut user] = [FILETIME::default(); 4];
    // SAFETY: the call writes to the four variables, which outlive it.
    let read = unsafe {
        GetProcessTimes(
            process.as_raw_handle(),
            &raw mut began,
            &raw mut ended,
            &raw mut system,
            &raw mut user,
        )
    };
    let time = |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    // The times are in units of 100 nanoseconds.
    (read != 0).then(|| Duration::from_nanos(100 * (time(system) + time(user))))
}

/// Whether there is no longer a process with this id.
pub fn is_gone(process: u32) -> bool {
    // SAFETY: the call takes numbers, and only this function has the new handle.
    match owned(unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process) }) {
        Ok(process) => {
            let mut code = 0;
            // SAFETY: the call writes to the variable, which outlives it.
            let read = unsafe { GetExitCodeProcess(process.as_raw_handle(), &raw mut code) };
            read != 0 && code != STILL_ACTIVE as u32
        }
        Err(error) => error.raw_os_error() == Some(ERROR_INVALID_PARAMETER as i32),
    }
}

fn bind(thread: &OwnedHandle, cores: &[usize]) -> io::Result<()> {
    let Some(first) = cores.first() else { return Ok(()) };
    let group = first / CORES_OF_A_GROUP;
    let of_group = cores.iter().filter(|core| *core / CORES_OF_A_GROUP == group);
    let mask = of_group.fold(0, |mask, core| mask | 1_usize << (core % CORES_OF_A_GROUP));
    let affinity = GROUP_AFFINITY { Mask: mask, Group: group as u16, Reserved: [0; 3] };
    // SAFETY: the call reads the affinity, which outlives it, and is not asked for the previous one.
    check(unsafe {
        SetThreadGroupAffinity(thread.as_raw_handle(), &raw const affinity, std::ptr::null_mut())
    })
}

/// The threads of a process. A process that was started suspended has one.
fn threads_of(process: u32) -> io::Result<Vec<OwnedHandle>> {
    // SAFETY: the call takes numbers, and only this function has the new handle.
    let snapshot = owned(unsafe { CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0) })?;
    let mut entry = THREADENTRY32 { dwSize: size_of::<THREADENTRY32>() as u32, ..THREADENTRY32::default() };
    let mut threads = Vec::new();
    // SAFETY: the handle is open, and the entry has the size that it says.
    let mut found = unsafe { Thread32First(snapshot.as_raw_handle(), &raw mut entry) };
    while found != 0 {
        if entry.th32OwnerProcessID == process {
            let access = THREAD_SUSPEND_RESUME | THREAD_SET_INFORMATION;
            // SAFETY: the call takes numbers, and only this loop has the new handle.
            threads.push(owned(unsafe { OpenThread(access, 0, entry.th32ThreadID) })?);
        }
        // SAFETY: as above.
        found = unsafe { Thread32Next(snapshot.as_raw_handle(), &raw mut entry) };
    }
    Ok(threads)
}

/// Takes over a new handle, or returns the error of the call that was to create it.
fn owned(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle as isize == -1 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the handle is open, and the caller has just received it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn check(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
