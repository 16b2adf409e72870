//! What a fresh machine lacks: a Vulkan adapter, and tools of Cargo's.
//!
//! Whether an adapter is there is judged from files alone, as the Vulkan loader would find them (the loader's
//! documentation, "Driver Discovery on Linux"), so that this program needs no graphics crate.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Failure, cargo, run, shown, works};

/// The loader and Mesa's drivers, among them lavapipe, which needs no graphics card.
const PACKAGES: [&str; 2] = ["libvulkan1", "mesa-vulkan-drivers"];

/// A tool of Cargo's that is compiled where it is missing.
pub struct Tool {
    /// As in `cargo NAME`.
    name: &'static str,
    /// The newest that the pinned toolchain compiles is not known beforehand, so a version that it does compile is named.
    version: &'static str,
    purpose: &'static str,
}

pub const NEXTEST: Tool = Tool { name: "nextest", version: "0.9.143", purpose: "runs the tests" };
pub const DENY: Tool = Tool { name: "deny", version: "0.20.2", purpose: "checks licences" };

/// Makes sure that programs find a Vulkan adapter.
pub fn adapter() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        println!("setup: nothing to install: the system brings its own graphics driver");
        return Ok(());
    }
    match find_adapter(&Machine::here()) {
        Ok(driver) => {
            println!("setup: Vulkan driver {}", driver.display());
            Ok(())
        }
        // No installation mends a wrong setting.
        Err(Lack::Named) => Err(Failure::new(Lack::Named.to_string())),
        Err(lack) => {
            println!("setup: {lack}");
            install()?;
            let driver = find_adapter(&Machine::here())
                .map_err(|lack| Failure::new(format!("after the installation, {lack}")))?;
            println!("setup: Vulkan driver {}", driver.display());
            Ok(())
        }
    }
}

impl Tool {
    /// Makes sure that it is there.
    pub fn provide(&self) -> Result<(), Failure> {
        let Self { name, version, purpose } = self;
        if works(&mut cargo(&[name, "--version"])) {
            return Ok(());
        }
        println!("setup: cargo-{name}, which {purpose}, is missing; compiling it now (this takes some minutes, once)");
        run(&mut cargo(&["install", &format!("cargo-{name}"), "--locked", "--version", version]))
    }
}

fn install() -> Result<(), Failure> {
    let by_hand = format!("install a Vulkan driver by hand (on Debian and Ubuntu: {})", PACKAGES.join(" "));
    if !works(Command::new("apt-get").arg("--version")) {
        return Err(Failure::new(format!("apt-get is not there; {by_hand}, then run this again")));
    }
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if !is_root && !works(Command::new("sudo").arg("--version")) {
        return Err(Failure::new(format!(
            "this needs root, and sudo is not there; as root {by_hand}, then run this again"
        )));
    }
    let apt = |arguments: &[&str]| {
        let mut command = if is_root {
            let mut command = Command::new("apt-get");
            command.env("DEBIAN_FRONTEND", "noninteractive");
            command
        } else {
            let mut command = Command::new("sudo");
            // sudo clears the environment, so the variable is set on its far side.
            command.args(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
            command
        };
        command.args(arguments);
        println!("setup: {}", shown(&command));
        run(&mut command)
    };
    println!("setup: installing Mesa's software driver and the Vulkan loader with apt");
    // A stale list of some other source makes `update` fail though the packages can be had: the installation decides.
    if let Err(failure) = apt(&["update"]) {
        println!("setup: {}; trying the installation all the same", failure.message);
    }
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(PACKAGES);
    apt(&arguments).map_err(|failure| Failure { message: format!("{}; {by_hand}", failure.message), ..failure })
}

/// Where to look, apart from where it is looked up, so that tests can make machines up.
struct Machine {
    libraries: Vec<PathBuf>,
    /// Files named by `VK_DRIVER_FILES` or `VK_ICD_FILENAMES`: they replace the search.
    named: Option<Vec<PathBuf>>,
    manifests: Vec<PathBuf>,
    devices: PathBuf,
}

impl Machine {
    fn here() -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = variable("HOME").map(PathBuf::from).unwrap_or_default();

        let mut libraries: Vec<PathBuf> = Vec::new();
        if let Some(paths) = variable("LD_LIBRARY_PATH") {
            libraries.extend(std::env::split_paths(&paths));
        }
        libraries.push(format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH).into());
        libraries.push(format!("/lib/{}-linux-gnu", std::env::consts::ARCH).into());
        libraries.extend(["/usr/lib64", "/lib64", "/usr/lib", "/lib", "/usr/local/lib"].map(PathBuf::from));

        let mut manifests: Vec<PathBuf> = Vec::new();
        manifests.push(variable("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from));
        manifests.extend(["/etc/xdg", "/etc", "/usr/local/etc"].map(PathBuf::from));
        manifests.push(variable("XDG_DATA_HOME").map_or_else(|| home.join(".local/share"), PathBuf::from));
        let shared = variable("XDG_DATA_DIRS").unwrap_or_else(|| "/usr/local/share:/usr/share".into());
        manifests.extend(std::env::split_paths(&shared));
        for folder in &mut manifests {
            folder.push("vulkan/icd.d");
        }

        Self {
            libraries,
            named: variable("VK_DRIVER_FILES")
                .or_else(|| variable("VK_ICD_FILENAMES"))
                .map(|paths| std::env::split_paths(&paths).collect()),
            manifests,
            devices: "/dev".into(),
        }
    }
}

/// Why there is no adapter.
#[derive(Debug, PartialEq)]
enum Lack {
    Loader,
    Driver,
    Card,
    Named,
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loader => "there is no Vulkan loader (libvulkan.so.1) on this machine",
            Self::Driver => "there is no Vulkan driver on this machine",
            Self::Card => "there is neither a graphics card nor a software Vulkan driver on this machine",
            Self::Named => {
                "the driver files that VK_DRIVER_FILES or VK_ICD_FILENAMES names are not there; correct or unset it"
            }
        })
    }
}

/// The manifest of a driver that should work, or what is lacking.
fn find_adapter(machine: &Machine) -> Result<PathBuf, Lack> {
    if !machine.libraries.iter().any(|folder| folder.join("libvulkan.so.1").exists()) {
        return Err(Lack::Loader);
    }
    if let Some(named) = &machine.named {
        // The user chose: it is not for us to say that a card is missing.
        return named.iter().find(|file| file.is_file()).cloned().ok_or(Lack::Named);
    }
    let mut drivers: Vec<PathBuf> = machine
        .manifests
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
        .filter(|path| path.extension() == Some(OsStr::new("json")) && library_exists(path))
        .collect();
    drivers.sort();
    let card = has_card(&machine.devices);
    // Mesa installs manifests for every maker's cards; without a card only a software driver gives an adapter.
    let usable = drivers.iter().find(|driver| card || is_software(driver));
    usable.cloned().ok_or(if drivers.is_empty() { Lack::Driver } else { Lack::Card })
}

/// False when the manifest names a library by its full path and the file is gone.
fn library_exists(manifest: &Path) -> bool {
    let Ok(text) = std::fs::read_to_string(manifest) else { return false };
    let Some((_, rest)) = text.split_once("\"library_path\"") else { return false };
    match rest.split('"').nth(1) {
        Some(library) if library.starts_with('/') => Path::new(library).exists(),
        // A bare name is looked up by the system's linker.
        Some(library) => !library.is_empty(),
        None => false,
    }
}

fn is_software(manifest: &Path) -> bool {
    let name = manifest.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.contains("lvp") || name.contains("swiftshader")
}

/// Whether the system shows a graphics card: a render node, NVIDIA's own device, or Windows' one under WSL.
fn has_card(devices: &Path) -> bool {
    let render_node = std::fs::read_dir(devices.join("dri"))
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("renderD")));
    render_node || devices.join("nvidia0").exists() || devices.join("dxg").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up machine in a folder of its own, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("anemone-setup-{}-{name}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn with(self, file: &str, text: &str) -> Self {
            let path = self.0.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            self
        }

        fn machine(&self) -> Machine {
            let [libraries, manifests, devices] = ["lib", "icd.d", "dev"].map(|name| self.0.join(name));
            Machine { libraries: vec![libraries], named: None, manifests: vec![manifests], devices }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const MANIFEST: &str = r#"{ "ICD": { "api_version": "1.3", "library_path": "libvulkan_x.so" } }"#;

    #[test]
    fn an_empty_machine_lacks_the_loader_then_the_driver() {
        let folder = Folder::new("empty");
        assert_eq!(find_adapter(&folder.machine()), Err(Lack::Loader));
        let folder = folder.with("lib/libvulkan.so.1", "");
        assert_eq!(find_adapter(&folder.machine()), Err(Lack::Driver));
    }

    #[test]
    fn a_driver_for_a_card_needs_a_card() {
        let folder = Folder::new("card").with("lib/libvulkan.so.1", "").with("icd.d/radeon_icd.x86_64.json", MANIFEST);
        assert_eq!(find_adapter(&folder.machine()), Err(Lack::Card));
        let folder = folder.with("dev/dri/renderD128", "");
        assert!(find_adapter(&folder.machine()).unwrap().ends_with("icd.d/radeon_icd.x86_64.json"));
    }

    #[test]
    fn the_software_driver_needs_none_but_its_library() {
        let folder = Folder::new("soft").with("lib/libvulkan.so.1", "").with("icd.d/lvp_icd.x86_64.json", MANIFEST);
        assert!(find_adapter(&folder.machine()).is_ok());
        let gone = MANIFEST.replace("libvulkan_x.so", "/nowhere/libvulkan_lvp.so");
        let folder = folder.with("icd.d/lvp_icd.x86_64.json", &gone);
        assert!(find_adapter(&folder.machine()).is_err());
        let folder = folder.with("icd.d/lvp_icd.x86_64.json", "junk");
        assert!(find_adapter(&folder.machine()).is_err());
    }

    #[test]
    fn named_files_replace_the_search() {
        let folder = Folder::new("named").with("lib/libvulkan.so.1", "").with("icd.d/lvp_icd.json", MANIFEST);
        let mut machine = folder.machine();
        machine.named = Some(vec![folder.0.join("other.json")]);
        assert_eq!(find_adapter(&machine), Err(Lack::Named));
        machine.named = Some(vec![folder.0.join("other.json"), folder.0.join("icd.d/lvp_icd.json")]);
        assert!(find_adapter(&machine).is_ok());
    }
}
