//! Models that are opened, examined and written, with diagnostics at their places.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use tourbillon::{Body, Diagnostic, Loaded, Severity, Sheet, Target, convert_until, explain, names, network};

use crate::answer::Refusal;
use crate::api::{Examined, Opened, Told, ToldLabel, Write, Written};

/// A file as it is opened; nothing if it was stopped.
pub(crate) fn opened(name: &str, bytes: &[u8], stop: &AtomicBool) -> Option<Opened> {
    let (sheet, loaded) = Sheet::open_until(name, bytes, stop)?;
    let again = sheet.load();
    // What the sheet lacks that the file had: what is wrong with that is told now or never.
    let known: HashSet<(&str, &str)> =
        again.diagnostics.iter().map(|it| (it.code.name(), it.message.as_str())).collect();
    let lost = loaded.diagnostics.iter().filter(|it| !known.contains(&(it.code.name(), it.message.as_str())));
    let diagnostics = lost.map(|it| told_of(&sheet, &loaded, it)).collect();
    Some(Opened { sheet, is_file: false, stamp: String::new(), diagnostics })
}

/// The diagnostics, network and names of a model; of many names the first. `None` if it was stopped.
pub(crate) fn examined(
    hash: String,
    sheet: &Sheet,
    loaded: &Loaded,
    names_max: usize,
    stop: &AtomicBool,
) -> Option<Examined> {
    let picture = match sheet.body {
        Body::Drawn(_) => Vec::new(),
        Body::Text { .. } => sheet.picture_until(loaded, stop)?,
    };
    let (mut network, mut names) = (network(loaded), names(loaded));
    network.iter_mut().for_each(|network| network.limit_variables(names_max));
    names.limit(names_max);
    let diagnostics = told(sheet, loaded, &loaded.diagnostics);
    Some(Examined { hash, diagnostics, network, picture, names })
}

/// Diagnostics, errors first.
pub(crate) fn told<'d>(
    sheet: &Sheet,
    loaded: &Loaded,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
) -> Vec<Told> {
    let mut all: Vec<&Diagnostic> = diagnostics.into_iter().collect();
    all.sort_by_key(|it| std::cmp::Reverse(it.severity));
    all.into_iter().map(|it| told_of(sheet, loaded, it)).collect()
}

fn told_of(sheet: &Sheet, loaded: &Loaded, diagnostic: &Diagnostic) -> Told {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let code = diagnostic.code.name();
    Told {
        severity: severity.to_owned(),
        code: code.to_owned(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        explanation: explain(code).map_or_else(String::new, |entry| entry.explanation.to_owned()),
        place: sheet.place(loaded, diagnostic.primary),
        labels: diagnostic
            .labels
            .iter()
            .map(|(span, text)| ToldLabel { text: text.clone(), place: sheet.place(loaded, *span) })
            .collect(),
    }
}

/// A model in a language; nothing if it was stopped.
pub(crate) fn written(Write { sheet, to }: &Write, stop: &AtomicBool) -> Result<Option<Written>, Refusal> {
    let target = match to.as_str() {
        "xml" => Target::Xml,
        "xta" => Target::Xta,
        "tck" => Target::Tck,
        _ => return Err(Refusal::bad("a model can be written as xml, xta or tck")),
    };
    let file = sheet.name.rsplit(['/', '\\']).next().unwrap_or_default();
    let (stem, own) = file.rsplit_once('.').unwrap_or((file, ""));
    let name = format!("{}.{to}", if stem.is_empty() { "model" } else { stem });
    let drawn = matches!(sheet.body, Body::Drawn(_));
    // In its own language it can be written whatever it means.
    if (drawn && target == Target::Xml) || (!drawn && own.eq_ignore_ascii_case(to)) {
        return Ok(Some(Written { name, text: Some(sheet.text()), diagnostics: Vec::new() }));
    }
    let loaded = sheet.load();
    let Some(converted) = convert_until(&loaded, target, stop) else { return Ok(None) };
    let (text, problems) = match converted {
        Ok(converted) => (Some(converted.text), converted.diagnostics),
        Err(problems) if problems.is_empty() => (None, loaded.diagnostics.clone()),
        Err(problems) => (None, problems),
    };
    Ok(Some(Written { name, text, diagnostics: told(sheet, &loaded, &problems) }))
}
