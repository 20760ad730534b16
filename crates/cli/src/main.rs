//! The command `tourbillon`.

fn main() -> std::process::ExitCode {
    tourbillon_cli::main()
}
