//! Models that are opened, examined and written, with diagnostics at their places.

use tourbillon::{
    Body, Diagnostic, Loaded, Severity, Sheet, SheetPart, SheetPlace, Span, Target, convert, explain, names,
    network,
};

use crate::answer::Refusal;
use crate::api::{
    Examined, Members, Name, Names, Network, NetworkEdge, NetworkLocation, NetworkProcess, Opened, Part,
    Place, Told, ToldLabel, Write, Written,
};

/// A file as it is opened.
pub(crate) fn opened(name: &str, bytes: &[u8]) -> Opened {
    let (sheet, loaded) = Sheet::open(name, bytes);
    let again = sheet.load();
    // What the sheet lacks that the file had: what is wrong with that is told now or never.
    let known = |one: &Diagnostic| {
        again.diagnostics.iter().any(|it| (it.code, &it.message) == (one.code, &one.message))
    };
    let lost: Vec<&Diagnostic> = loaded.diagnostics.iter().filter(|it| !known(it)).collect();
    let diagnostics = lost.into_iter().map(|it| told_of(&sheet, &loaded, it)).collect();
    Opened { sheet, is_file: false, stamp: String::new(), diagnostics }
}

/// What there is to say of a model.
pub(crate) fn examined(hash: String, sheet: &Sheet, loaded: &Loaded) -> Examined {
    let picture = match sheet.body {
        Body::Drawn(_) => Vec::new(),
        Body::Text { .. } => sheet.picture(loaded),
    };
    Examined {
        hash,
        diagnostics: told(sheet, loaded, &loaded.diagnostics),
        network: network(loaded).map(processes),
        picture,
        names: completions(names(loaded)),
    }
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
        place: place(sheet, loaded, diagnostic.primary),
        labels: diagnostic
            .labels
            .iter()
            .map(|(span, text)| ToldLabel { text: text.clone(), place: place(sheet, loaded, *span) })
            .collect(),
    }
}

/// A model in a language.
pub(crate) fn written(Write { sheet, to }: &Write) -> Result<Written, Refusal> {
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
        return Ok(Written { name, text: Some(sheet.text()), diagnostics: Vec::new() });
    }
    let loaded = sheet.load();
    let (text, problems) = match convert(&loaded, target) {
        Ok(converted) => (Some(converted.text), converted.diagnostics),
        Err(problems) if problems.is_empty() => (None, loaded.diagnostics.clone()),
        Err(problems) => (None, problems),
    };
    Ok(Written { name, text, diagnostics: told(sheet, &loaded, &problems) })
}

/// The processes of a model.
fn processes(network: tourbillon::Network) -> Network {
    let index = |index: usize| index as u32;
    let location =
        |it: tourbillon::NetworkLocation| NetworkLocation { name: it.name, drawn: it.drawn.map(index) };
    let edge = |it: tourbillon::NetworkEdge| NetworkEdge {
        source: index(it.source),
        target: index(it.target),
        drawn: it.drawn.into_iter().map(index).collect(),
    };
    let process = |it: tourbillon::NetworkProcess| NetworkProcess {
        name: it.name,
        template: it.template.map(index),
        locations: it.locations.into_iter().map(location).collect(),
        edges: it.edges.into_iter().map(edge).collect(),
    };
    Network {
        processes: network.processes.into_iter().map(process).collect(),
        clocks: network.clocks,
        variables: network.variables,
    }
}

fn completions(names: tourbillon::Names) -> Names {
    let name = |it: tourbillon::Name| Name { name: it.name, kind: it.kind.to_owned(), detail: it.detail };
    let list = |names: Vec<tourbillon::Name>| names.into_iter().map(name).collect();
    let members = |it: tourbillon::Members| Members { of: it.of, names: list(it.names) };
    Names {
        global: list(names.global),
        templates: names.templates.into_iter().map(list).collect(),
        members: names.members.into_iter().map(members).collect(),
    }
}

/// Where in the sheet something is.
fn place(sheet: &Sheet, loaded: &Loaded, span: Span) -> Place {
    let SheetPlace { part, from, to, line, column } = sheet.place(loaded, span);
    let part = match part {
        SheetPart::Whole => Part::Whole,
        SheetPart::Text => Part::Text,
        SheetPart::Declarations => Part::Declarations,
        SheetPart::Instantiation => Part::Instantiation,
        SheetPart::System => Part::System,
        SheetPart::TemplateName { template } => Part::TemplateName { template },
        SheetPart::Parameters { template } => Part::Parameters { template },
        SheetPart::TemplateDeclarations { template } => Part::TemplateDeclarations { template },
        SheetPart::Location { template, location, label } => Part::Location { template, location, label },
        SheetPart::Branchpoint { template, branchpoint } => Part::Branchpoint { template, branchpoint },
        SheetPart::Edge { template, edge, label } => Part::Edge { template, edge, label },
        SheetPart::Query { query } => Part::Query { query },
    };
    Place { part, from, to, line, column }
}
