//! What NVIDIA's management library (NVML) says of the machine's GPUs, as `nvidia-smi` shows it.

use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};

use libloading::Library;

use super::library::{MANAGEMENT, function};

/// One GPU now. What the card does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    pub name: String,
    /// Bytes.
    pub used: u64,
    pub total: u64,
    /// Per cent of the last moment in which kernels ran.
    pub utilisation: Option<u32>,
    /// Degrees Celsius.
    pub temperature: Option<u32>,
    /// Watts.
    pub power: Option<f64>,
    pub power_limit: Option<f64>,
    pub processes: Vec<Process>,
}

/// A program that has memory on a GPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Process {
    pub pid: u32,
    pub name: String,
    /// Bytes; `None` where the system does not say.
    pub used: Option<u64>,
}

/// The machine's GPUs, and the driver's versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Readings {
    pub driver: String,
    /// `13.0`.
    pub cuda: Option<String>,
    pub cards: Vec<Reading>,
}

type Status = c_int;
type Handle = *mut c_void;

/// `nvmlProcessInfo_t` as of its second version.
#[repr(C)]
#[derive(Clone, Copy)]
struct ProcessInfo {
    pid: c_uint,
    used: c_ulonglong,
    instance: c_uint,
    compute_instance: c_uint,
}

#[repr(C)]
#[derive(Default)]
struct Memory {
    total: c_ulonglong,
    free: c_ulonglong,
    used: c_ulonglong,
}

#[repr(C)]
#[derive(Default)]
struct Utilisation {
    gpu: c_uint,
    memory: c_uint,
}

/// Ends the library's session when it goes.
struct Session(Library);

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the type is that of NVML's header.
        if let Ok(shutdown) = unsafe { function::<unsafe extern "C" fn() -> Status>(&self.0, "nvmlShutdown") } {
            unsafe { shutdown() };
        }
    }
}

/// Asks the library; `None` where there is none, or no driver behind it.
pub fn read() -> Option<Readings> {
    let library = MANAGEMENT.load()?;
    // SAFETY (all): the types are those of NVML's header, and buffers are as long as they are said to be.
    unsafe {
        let init: unsafe extern "C" fn() -> Status = function(&library, "nvmlInit_v2").ok()?;
        if init() != 0 {
            return None;
        }
        let session = Session(library);
        let library = &session.0;
        type Text = unsafe extern "C" fn(*mut c_char, c_uint) -> Status;
        let driver = text(|to, length| function::<Text>(library, "nvmlSystemGetDriverVersion").map(|f| f(to, length)));
        let mut version: c_int = 0;
        let cuda = function::<unsafe extern "C" fn(*mut c_int) -> Status>(library, "nvmlSystemGetCudaDriverVersion_v2")
            .ok()
            .filter(|f| f(&mut version) == 0)
            .map(|_| format!("{}.{}", version / 1000, version % 1000 / 10));
        let count: unsafe extern "C" fn(*mut c_uint) -> Status = function(library, "nvmlDeviceGetCount_v2").ok()?;
        let handle: unsafe extern "C" fn(c_uint, *mut Handle) -> Status =
            function(library, "nvmlDeviceGetHandleByIndex_v2").ok()?;
        let mut n = 0;
        if count(&mut n) != 0 {
            return None;
        }
        let mut cards = Vec::new();
        for i in 0..n {
            let mut device: Handle = std::ptr::null_mut();
            if handle(i, &mut device) == 0 {
                cards.push(card(library, device));
            }
        }
        Some(Readings { driver: driver.unwrap_or_default(), cuda, cards })
    }
}

/// # Safety
/// `device` is a handle of this library.
unsafe fn card(library: &Library, device: Handle) -> Reading {
    // SAFETY (all): as in `read`.
    unsafe {
        type Named = unsafe extern "C" fn(Handle, *mut c_char, c_uint) -> Status;
        type Number = unsafe extern "C" fn(Handle, *mut c_uint) -> Status;
        let number = |name: &str| {
            let mut value = 0;
            function::<Number>(library, name).ok().filter(|f| f(device, &mut value) == 0).map(|_| value)
        };
        let mut memory = Memory::default();
        if let Ok(f) =
            function::<unsafe extern "C" fn(Handle, *mut Memory) -> Status>(library, "nvmlDeviceGetMemoryInfo")
        {
            f(device, &mut memory);
        }
        let mut utilisation = Utilisation::default();
        type Rates = unsafe extern "C" fn(Handle, *mut Utilisation) -> Status;
        let busy = function::<Rates>(library, "nvmlDeviceGetUtilizationRates")
            .ok()
            .filter(|f| f(device, &mut utilisation) == 0)
            .map(|_| utilisation.gpu);
        let mut degrees = 0;
        type Heat = unsafe extern "C" fn(Handle, c_int, *mut c_uint) -> Status;
        let temperature = function::<Heat>(library, "nvmlDeviceGetTemperature")
            .ok()
            .filter(|f| f(device, 0, &mut degrees) == 0)
            .map(|_| degrees);
        Reading {
            name: text(|to, length| function::<Named>(library, "nvmlDeviceGetName").map(|f| f(device, to, length)))
                .unwrap_or_default(),
            used: memory.used,
            total: memory.total,
            utilisation: busy,
            temperature,
            power: number("nvmlDeviceGetPowerUsage").map(|milliwatts| f64::from(milliwatts) / 1000.0),
            power_limit: number("nvmlDeviceGetEnforcedPowerLimit").map(|milliwatts| f64::from(milliwatts) / 1000.0),
            processes: processes(library, device),
        }
    }
}

/// # Safety
/// `device` is a handle of this library.
unsafe fn processes(library: &Library, device: Handle) -> Vec<Process> {
    type List = unsafe extern "C" fn(Handle, *mut c_uint, *mut ProcessInfo) -> Status;
    type Named = unsafe extern "C" fn(c_uint, *mut c_char, c_uint) -> Status;
    const ROOM: usize = 256;
    // SAFETY (all): as in `read`; the list has room for as many entries as it is said to have.
    unsafe {
        let Ok(list) = function::<List>(library, "nvmlDeviceGetComputeRunningProcesses_v3") else { return Vec::new() };
        let mut found = [ProcessInfo { pid: 0, used: 0, instance: 0, compute_instance: 0 }; ROOM];
        let mut count = ROOM as c_uint;
        if list(device, &mut count, found.as_mut_ptr()) != 0 {
            return Vec::new();
        }
        let name = |pid: u32| {
            text(|to, length| function::<Named>(library, "nvmlSystemGetProcessName").map(|f| f(pid, to, length)))
        };
        found[..(count as usize).min(ROOM)]
            .iter()
            .map(|p| Process {
                pid: p.pid,
                name: name(p.pid).unwrap_or_default(),
                used: (p.used != c_ulonglong::MAX).then_some(p.used),
            })
            .collect()
    }
}

/// A text that the library writes into a buffer.
fn text(fill: impl FnOnce(*mut c_char, c_uint) -> Result<Status, String>) -> Option<String> {
    let mut buffer = [0u8; 256];
    let status = fill(buffer.as_mut_ptr().cast(), buffer.len() as c_uint);
    if status != Ok(0) {
        return None;
    }
    Some(CStr::from_bytes_until_nul(&buffer).ok()?.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn cuda_management_answers_or_says_nothing() {
        match super::read() {
            None => println!("skipped: no NVML"),
            Some(readings) => assert!(readings.cards.iter().all(|card| card.used <= card.total), "{readings:?}"),
        }
    }
}
