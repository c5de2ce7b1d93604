//! The img2fen command line program: a customer of the library that alone reads arguments, prints and exits.

mod args;
mod commands;
mod corrections;
mod djvu;
mod exit;
mod guard;
mod http;
mod inputs;
mod journal;
mod manifest;
mod output;
mod pdf_process;
mod position_files;
mod progress;
mod readings;
mod turn_rule;
mod ui;
mod version;

use std::process::ExitCode;

use img2fen::Recognizer;

use args::{Cli, Command, CommonArgs};
use exit::Exit;
use ui::Ui;

fn main() -> ExitCode {
    let cli = Cli::from_command_line();
    let limits = cli.common.limits();
    let ui = Ui::new(cli.common.volume());
    let result = match &cli.command {
        None if cli.version => print_version(&cli.common, &ui),
        None => commands::read::run(&cli.read, &cli.common, &ui),
        Some(Command::Read(args)) => commands::read::run(args, &cli.common, &ui),
        Some(Command::Batch(args)) => commands::batch::run(args, &cli.common, &ui),
        Some(Command::Review(args)) => commands::review::run(args, &ui),
        Some(Command::Export(args)) => commands::export::run(args, &ui),
        Some(Command::PdfWorker(args)) => commands::pdf_worker::run(args),
        Some(Command::Check(args)) => commands::check::run(args, &limits, &ui),
        Some(Command::Explain(args)) => commands::explain::run(args, &limits, &ui),
        Some(Command::Play(args)) => commands::play::run(args, &ui),
        Some(Command::Render(args)) => commands::render::run(args, &ui),
        Some(Command::Convert(args)) => commands::convert::run(args, &limits, &ui),
        Some(Command::Eval(args)) => recognizer(&cli.common, &ui)
            .and_then(|recognizer| commands::eval::run(args, &recognizer, &limits, &ui)),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            let own = error.downcast_ref::<img2fen::Error>();
            let hint = own.and_then(img2fen::Error::hint);
            ui.error(&format!("{error:#}"), hint.or_else(|| output::hint(&error)));
            Exit::of(&error).into()
        }
    }
}

fn print_version(common: &CommonArgs, ui: &Ui) -> anyhow::Result<Exit> {
    ui.print(&version::text(common))?;
    Ok(Exit::Success)
}

/// Starts the engine and loads the networks, telling on request what was tried.
fn recognizer(common: &CommonArgs, ui: &Ui) -> anyhow::Result<Recognizer> {
    let recognizer = Recognizer::builder()
        .engine(common.engine())
        .limits(common.limits())
        .build()?;
    let engine = recognizer.engine();
    for (path, reason) in &engine.tried {
        ui.detail(&format!("engine: {} was tried: {reason}", path.display()));
    }
    match &engine.library {
        Some(library) => ui.detail(&format!("engine: {engine} from {}", library.display())),
        None => ui.detail(&format!("engine: {engine}, built in")),
    }
    Ok(recognizer)
}
