//! `tourbillon studio`: the page in the browser, and its server.
//!
//! The browser is not started with the address of the page: the address contains the token, and every user of a machine
//! can see the arguments of all programs. It is started with a file that redirects to the page and that other users
//! cannot read. If the browser cannot read it either, it shows an error, and the user opens the printed address.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tourbillon_studio::{BUILD_COMMAND, DEFAULT_PORT, Server, Settings, has_page};

use crate::quantity::{bytes_text, time_text};
use crate::simulate::write;
use crate::{Failure, interrupt, quantity, render};

/// The arguments of `tourbillon studio`.
#[derive(clap::Args)]
#[command(
    after_help = "The server listens on this machine only, and requires the token in the printed address. Scripts can use the \
                        same interface: docs/studio-api.md. Ctrl-C stops the server.\n\n\
                        Exit status: 0 ended by Ctrl-C; 2 the input is wrong; 4 internal error."
)]
pub(crate) struct StudioArguments {
    /// Model to open, the only file that is read and written: .xml, .xta or .ta (UPPAAL), or .tck (TChecker)
    model: Option<PathBuf>,
    /// Port to listen on, 0 for any [default: 7423, or any if that is taken]
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address to listen on; a public address admits everyone who knows the token [default: this machine only]
    #[arg(long, value_name = "ADDRESS")]
    host: Option<String>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Number of concurrent runs; others wait
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    runs: Option<u32>,
    /// Time limit of a run, such as 60s or 2h [default: 10m]
    #[arg(long, value_parser = quantity::time, value_name = "TIME")]
    run_time: Option<Duration>,
    /// Memory limit of the stored states of a run, such as 500M or 4G [default: 2G]
    #[arg(long, value_parser = quantity::bytes, value_name = "BYTES")]
    run_memory: Option<u64>,
}

/// The maximum delay of the reaction to Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);

/// Serves the page until Ctrl-C.
pub(crate) fn run(arguments: &StudioArguments) -> Result<(String, u8), Failure> {
    let settings = settings(arguments);
    let limits = settings.limits.clone();
    let stop = interrupt::flag();
    let server = Server::start(settings).map_err(|error| cannot_start(arguments, &error))?;
    tell(arguments, &server);
    let (time, memory) = (time_text(Duration::from_secs(limits.run_seconds)), bytes_text(limits.run_bytes));
    let runs = match limits.runs {
        1 => "1 run".to_owned(),
        runs => format!("{runs} runs"),
    };
    let text = format!(
        "Tourbillon's studio is at\n\n  {}\n\nLimits: {runs} at a time, {time} and {memory} for each. Ctrl-C stops the server.\n",
        server.link()
    );
    write(&text)?;
    // Kept until the end: the browser may read it late.
    let redirect =
        (!arguments.no_open && has_page()).then(|| RedirectPage::new(&server.link())).and_then(Result::ok);
    if let Some(redirect) = &redirect {
        redirect.open();
    }
    while !stop.load(Ordering::Relaxed) {
        std::thread::sleep(PATIENCE);
    }
    server.stop();
    drop(redirect);
    Ok((String::new(), 0))
}

fn settings(arguments: &StudioArguments) -> Settings {
    let mut settings = Settings {
        file: arguments.model.clone(),
        host: arguments.host.clone(),
        port: arguments.port,
        ..Settings::default()
    };
    let limits = &mut settings.limits;
    limits.runs = arguments.runs.unwrap_or(limits.runs);
    limits.run_seconds = arguments.run_time.map_or(limits.run_seconds, |time| time.as_secs().max(1));
    limits.run_bytes = arguments.run_memory.unwrap_or(limits.run_bytes);
    settings
}

fn cannot_start(arguments: &StudioArguments, error: &tourbillon_studio::StartError) -> Failure {
    use tourbillon_studio::StartError;
    let message = match (error, &arguments.model) {
        (StartError::File(error), Some(path)) => format!("{}: {error}", path.display()),
        _ => error.to_string(),
    };
    Failure::Message(message)
}

/// Writes notes and warnings about unusual settings.
fn tell(arguments: &StudioArguments, server: &Server) {
    let port = server.address().port();
    if arguments.port.is_none() && port != DEFAULT_PORT {
        render::say(&format!(
            "note: port {DEFAULT_PORT} is taken, using {port}; unsaved work in the browser stays with port {DEFAULT_PORT}\n"
        ));
    }
    if server.is_public() {
        render::say(
            "warning: other machines can connect; everyone who knows the token can use this machine's processor and change \
             the model; the connection is not encrypted\n",
        );
    }
    if !has_page() {
        render::say(&format!(
            "note: this program was built without the page: run `{BUILD_COMMAND}`, then build the program again\n"
        ));
    }
}

/// A file that redirects to the page, in a folder of its own. Both are removed on drop.
struct RedirectPage {
    folder: PathBuf,
}

impl RedirectPage {
    /// Writes the file for an address.
    ///
    /// # Errors
    /// If it cannot be written.
    fn new(link: &str) -> io::Result<Self> {
        let moment = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = format!("tourbillon-studio-{}-{moment}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        // Fails if the name exists, even as a link.
        private_folder().create(&folder)?;
        let redirect = Self { folder };
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; url={link}\">\n\
             <title>Tourbillon</title>\n<a href=\"{link}\">Tourbillon's studio</a>\n"
        );
        private_file().open(redirect.file())?.write_all(page.as_bytes())?;
        Ok(redirect)
    }

    fn file(&self) -> PathBuf {
        self.folder.join("studio.html")
    }

    /// Opens the browser. If there is none, the printed address remains.
    fn open(&self) {
        let opener: (&str, &[&str]) = if cfg!(target_os = "macos") {
            ("open", &[])
        } else if cfg!(windows) {
            ("cmd", &["/c", "start", ""])
        } else {
            ("xdg-open", &[])
        };
        let mut command = Command::new(opener.0);
        command.args(opener.1).arg(self.file());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(mut child) = command.spawn() {
            // The child process must be waited for.
            std::thread::spawn(move || child.wait());
        }
    }
}

impl Drop for RedirectPage {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.file());
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Creates folders that other users cannot read. Outside Unix, temporary folders belong to each user.
fn private_folder() -> DirBuilder {
    #[allow(unused_mut, reason = "modes are Unix's")]
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Creates files that other users cannot read.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn nobody_else_can_read_where_the_page_is() {
        let link = "http://127.0.0.1:7423/#token=0f1e2d3c";
        let redirect = RedirectPage::new(link).expect("a file");
        let (folder, file) = (redirect.folder.clone(), redirect.file());
        let mode = |path: &PathBuf| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
        assert!(!file.to_string_lossy().contains("0f1e2d3c"), "what programs are started with can be seen");
        let page = fs::read_to_string(&file).expect("text");
        assert!(page.contains(&format!("url={link}\"")), "{page}");
        drop(redirect);
        assert!(!folder.exists());
    }
}
