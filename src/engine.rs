//! The inference engine: the only file that names `ort` and `tract`, and the only one with `unsafe` code.
//!
//! One binary carries two engines. ONNX Runtime is used when its library is on the machine (about six times faster);
//! otherwise tract, which is compiled in and needs nothing installed. `ort` has one process-wide table of functions,
//! so the choice is made once, by the first [`start`], and holds for the process.

use std::ffi::CStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ndarray::{ArrayD, IxDyn};
use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::TensorRef;
use tract_onnx::prelude::{
    Framework, InferenceModelExt, IntoRunnable, Tensor, TractResult, TypedRunnableModel, tvec,
};

use crate::error::{Error, ErrorKind, Result};

/// Which engine to use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EngineChoice {
    /// ONNX Runtime when its library is found, else tract.
    #[default]
    Auto,
    /// ONNX Runtime or an error.
    OnnxRuntime,
    /// The engine that is compiled in.
    Tract,
}

/// How to start the engine.
#[derive(Debug, Clone, Default)]
pub struct EngineOptions {
    /// Which engine to use.
    pub choice: EngineChoice,
    /// The ONNX Runtime library to open instead of searching for one.
    pub library: Option<PathBuf>,
}

/// The engine that runs in this process.
#[derive(Debug, Clone)]
pub struct EngineInfo {
    /// `onnxruntime` or `tract`.
    pub name: &'static str,
    /// The engine's version, such as `1.32.0`.
    pub version: String,
    /// The library that was opened (ONNX Runtime only).
    pub library: Option<PathBuf>,
    /// Libraries that were tried in vain, each with the reason.
    pub tried: Vec<(PathBuf, String)>,
}

impl std::fmt::Display for EngineInfo {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.name, self.version)
    }
}

/// The oldest ONNX Runtime interface that holds every function `ort` is compiled for here (feature `api-24`).
const ORT_INTERFACE: u32 = ort::MINOR_VERSION;
/// The tract release that is compiled in.
const TRACT_VERSION: &str = "0.23";

struct Engine {
    info: EngineInfo,
    /// What sessions of ONNX Runtime are made in; none when tract runs.
    environment: Option<Environment>,
}

static ENGINE: OnceLock<std::result::Result<Engine, (ErrorKind, String)>> = OnceLock::new();

/// Starts the engine, once for the process; later calls return the engine that runs.
///
/// # Errors
/// [`ErrorKind::Engine`] when ONNX Runtime was demanded and no usable library was found, or when another engine than
/// the one demanded already runs in this process.
pub fn start(options: &EngineOptions) -> Result<&'static EngineInfo> {
    let engine = engine(options)?;
    let demanded = match options.choice {
        EngineChoice::Auto => return Ok(&engine.info),
        EngineChoice::OnnxRuntime => "onnxruntime",
        EngineChoice::Tract => "tract",
    };
    if demanded == engine.info.name {
        return Ok(&engine.info);
    }
    Err(Error::new(
        ErrorKind::Engine,
        format!("engine {} already runs in this process", engine.info),
    ))
}

fn engine(options: &EngineOptions) -> Result<&'static Engine> {
    ENGINE
        .get_or_init(|| choose(options).map_err(|error| (error.kind(), error.to_string())))
        .as_ref()
        .map_err(|(kind, message)| {
            Error::new(*kind, message.clone()).with_hint(
                "install ONNX Runtime 1.24 or later, or use `--engine tract`, which is built in",
            )
        })
}

fn choose(options: &EngineOptions) -> Result<Engine> {
    let mut tried = Vec::new();
    if options.choice != EngineChoice::Tract {
        let candidates = match &options.library {
            Some(library) => vec![library.clone()],
            None => library_candidates(),
        };
        for library in candidates {
            match open_onnxruntime(&library) {
                Ok(version) => return begin_onnxruntime(version, library, tried),
                Err(reason) => tried.push((library, reason)),
            }
        }
        if options.choice == EngineChoice::OnnxRuntime || options.library.is_some() {
            let reasons: Vec<String> = tried
                .iter()
                .map(|(path, why)| format!("{}: {why}", path.display()))
                .collect();
            let detail = if reasons.is_empty() {
                "none found".to_owned()
            } else {
                reasons.join("; ")
            };
            return Err(Error::new(
                ErrorKind::Engine,
                format!("no usable ONNX Runtime library: {detail}"),
            ));
        }
    }
    Ok(Engine {
        info: EngineInfo {
            name: "tract",
            version: TRACT_VERSION.to_owned(),
            library: None,
            tried,
        },
        environment: None,
    })
}

fn begin_onnxruntime(
    version: String,
    library: PathBuf,
    tried: Vec<(PathBuf, String)>,
) -> Result<Engine> {
    let environment = ort::init().with_telemetry(false).build().map_err(|error| {
        Error::new(
            ErrorKind::Engine,
            format!("engine onnxruntime does not start: {error}"),
        )
    })?;
    Ok(Engine {
        info: EngineInfo {
            name: "onnxruntime",
            version,
            library: Some(library),
            tried,
        },
        environment: Some(environment),
    })
}

/// Opens an ONNX Runtime library, makes `ort` use it and returns its version, or says why that cannot be.
///
/// The library stays open for the rest of the process, because `ort` keeps pointers into it.
#[allow(unsafe_code)]
fn open_onnxruntime(path: &Path) -> std::result::Result<String, String> {
    // SAFETY: opening a library runs its initialisers. The path is the user's own, or that of an installed ONNX
    // Runtime; whoever can place a file there can already run code as the user.
    let library = unsafe { libloading::Library::new(path) }.map_err(|error| error.to_string())?;
    // SAFETY: every ONNX Runtime exports `OrtGetApiBase` with this signature since its first release.
    let base = unsafe {
        let get_base = library
            .get::<unsafe extern "C" fn() -> *const ort::sys::OrtApiBase>(b"OrtGetApiBase")
            .map_err(|error| error.to_string())?;
        get_base().as_ref()
    }
    .ok_or("OrtGetApiBase gave nothing")?;
    // SAFETY: both functions are part of the base table since the first release; the version is a C string that lives
    // as long as the library; `GetApi` gives null for an interface that the library does not have.
    let (version, api) = unsafe {
        let version = CStr::from_ptr((base.GetVersionString)())
            .to_string_lossy()
            .into_owned();
        (version, (base.GetApi)(ORT_INTERFACE).as_ref())
    };
    let api =
        api.ok_or_else(|| format!("is version {version}, 1.{ORT_INTERFACE} or later is needed"))?;
    ort::set_api(api.clone());
    std::mem::forget(library);
    Ok(version)
}

/// Where an ONNX Runtime library may lie, most specific first: `ORT_DYLIB_PATH`, beside the executable, the system's
/// library folders, and the site-packages of each Python on `PATH` (its wheel carries the library in `capi/`).
fn library_candidates() -> Vec<PathBuf> {
    let mut candidates = Vec::new();
    if let Some(path) = std::env::var_os("ORT_DYLIB_PATH").filter(|path| !path.is_empty()) {
        candidates.push(PathBuf::from(path));
    }
    let mut folders = Vec::new();
    if let Some(folder) = std::env::current_exe()
        .ok()
        .as_deref()
        .and_then(Path::parent)
    {
        folders.push(folder.to_owned());
    }
    for folder in [
        "/usr/local/lib",
        "/usr/lib",
        "/usr/lib64",
        "/opt/homebrew/lib",
    ] {
        folders.push(PathBuf::from(folder));
    }
    folders.push(PathBuf::from(format!(
        "/usr/lib/{}-linux-gnu",
        std::env::consts::ARCH
    )));
    for folder in std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()) {
        folders.extend(python_library_folders(&folder));
    }
    for folder in folders {
        candidates.extend(libraries_in(&folder));
    }
    candidates.dedup();
    candidates
}

/// The `onnxruntime/capi` folders of the Pythons whose programs lie in a folder of `PATH`.
fn python_library_folders(programs: &Path) -> Vec<PathBuf> {
    let mut prefixes = Vec::new();
    if programs.ends_with("shims") {
        // pyenv puts small scripts on PATH; the Pythons themselves lie in versions/.
        prefixes.extend(children(&programs.with_file_name("versions")));
    } else if programs.join("python3").exists() {
        prefixes.extend(programs.parent().map(Path::to_owned));
    } else if programs.join("python.exe").exists() {
        return vec![programs.join("Lib/site-packages/onnxruntime/capi")];
    }
    let mut folders = Vec::new();
    for prefix in prefixes {
        for library in children(&prefix.join("lib")) {
            let name = library
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if name.starts_with("python3") {
                folders.push(library.join("site-packages/onnxruntime/capi"));
                folders.push(library.join("dist-packages/onnxruntime/capi"));
            }
        }
    }
    folders
}

/// Files in a folder that are named as ONNX Runtime's library is on this system.
fn libraries_in(folder: &Path) -> Vec<PathBuf> {
    let (start, end) = match std::env::consts::OS {
        "windows" => ("onnxruntime.dll", ""),
        "macos" => ("libonnxruntime.", "dylib"),
        _ => ("libonnxruntime.so", ""),
    };
    let mut found = children(folder);
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(start) && name.ends_with(end)
    });
    found
}

/// The entries of a folder in name order; none when it cannot be read.
fn children(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    paths
}

/// A network ready to run, from any number of threads at once.
pub struct Network {
    name: &'static str,
    bytes: &'static [u8],
    program: OnceLock<Program>,
}

enum Program {
    OnnxRuntime(SessionPool),
    Tract(Arc<TypedRunnableModel>),
}

/// Sessions with one thread each, because a session runs one input at a time; as many as have run at once.
struct SessionPool {
    environment: &'static Environment,
    bytes: &'static [u8],
    free: Mutex<Vec<Session>>,
}

impl std::fmt::Debug for Network {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Network")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Loads an ONNX network with one input and one output of fixed shape. Starts the engine when none runs yet.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the engine does not accept the network; [`ErrorKind::Engine`] as [`start`].
    pub fn load(name: &'static str, bytes: &'static [u8]) -> Result<Self> {
        let network = Self::when_needed(name, bytes);
        network.program()?;
        Ok(network)
    }

    /// A network that is loaded when it first runs, for one that many processes never run.
    #[must_use]
    pub fn when_needed(name: &'static str, bytes: &'static [u8]) -> Self {
        Self {
            name,
            bytes,
            program: OnceLock::new(),
        }
    }

    /// The loaded network. Threads that need it first at the same time may each load it; one of them stays.
    fn program(&self) -> Result<&Program> {
        if let Some(program) = self.program.get() {
            return Ok(program);
        }
        let loaded = match &engine(&EngineOptions::default())?.environment {
            Some(environment) => SessionPool::new(environment, self.bytes)
                .map(Program::OnnxRuntime)
                .map_err(|error| failure(self.name, error))?,
            None => tract_plan(self.bytes)
                .map(Program::Tract)
                .map_err(|error| failure(self.name, error))?,
        };
        Ok(self.program.get_or_init(|| loaded))
    }

    /// Runs the network on one input of exactly its shape and returns its output.
    ///
    /// # Errors
    /// [`ErrorKind::Model`] when the shape does not fit or the engine fails, also as [`load`](Self::load) when this is the
    /// first run of a network [`when_needed`](Self::when_needed).
    pub fn run(&self, input: &ArrayD<f32>) -> Result<ArrayD<f32>> {
        let (shape, values) = match self.program()? {
            Program::OnnxRuntime(pool) => {
                pool.run(input).map_err(|error| failure(self.name, error))
            }
            Program::Tract(plan) => {
                run_tract(plan, input).map_err(|error| failure(self.name, error))
            }
        }?;
        ArrayD::from_shape_vec(IxDyn(&shape), values).map_err(|error| failure(self.name, error))
    }
}

fn failure(network: &str, cause: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Model, format!("network `{network}`: {cause}"))
}

/// A tensor as its shape and its values.
type Values = (Vec<usize>, Vec<f32>);

impl SessionPool {
    fn new(environment: &'static Environment, bytes: &'static [u8]) -> ort::Result<Self> {
        let pool = Self {
            environment,
            bytes,
            free: Mutex::new(Vec::new()),
        };
        let session = pool.open()?;
        pool.give_back(session);
        Ok(pool)
    }

    fn open(&self) -> ort::Result<Session> {
        Session::builder(self.environment)?
            .with_optimization_level(GraphOptimizationLevel::Level3)?
            .with_intra_threads(1)?
            .commit_from_memory(self.bytes)
    }

    fn take(&self) -> Option<Session> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop()
    }

    fn give_back(&self, session: Session) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(session);
    }

    fn run(&self, input: &ArrayD<f32>) -> ort::Result<Values> {
        let mut session = self.take().map_or_else(|| self.open(), Ok)?;
        let tensor = TensorRef::from_array_view(input.view())?;
        let values = {
            let outputs = session.run(ort::inputs![tensor])?;
            let (shape, values) = outputs[0].try_extract_tensor::<f32>()?;
            let shape = shape.iter().map(|&side| side as usize).collect();
            (shape, values.to_vec())
        };
        self.give_back(session);
        Ok(values)
    }
}

fn tract_plan(mut bytes: &[u8]) -> TractResult<Arc<TypedRunnableModel>> {
    tract_onnx::onnx()
        .model_for_read(&mut bytes)?
        .into_optimized()?
        .into_runnable()
}

fn run_tract(plan: &Arc<TypedRunnableModel>, input: &ArrayD<f32>) -> TractResult<Values> {
    let input = Tensor::from(input.clone());
    let outputs = plan.run(tvec!(input.into()))?;
    let output = outputs[0].view();
    Ok((output.shape().to_vec(), output.as_slice::<f32>()?.to_vec()))
}
