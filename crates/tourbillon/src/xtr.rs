//! UPPAAL's symbolic traces, `.xtr`: their steps, as edges of a model.
//!
//! The file has numbers and dots. A state has the location of each process, counted from 0 in the order of the
//! template, then clock bounds with three numbers and a dot each, then the values of variables; a dot ends each of the
//! three lists. A step has the edges of a transition: for each one the process, the edge, and the selected values.
//! Newer files end each edge with a semicolon and count edges from 0; older ones end it with the line and count from 1.
//! The file has the first state, then for each step its target state and the step itself, and a final dot.
//!
//! The file has no names, so it fits only the model that it was made with. The reader checks that the edges exist and
//! lead from location to location as the file says. It ignores bounds and variables: the steps determine them, and are
//! timed and replayed here. Variables have an order of their own in such files.

use tourbillon_base::Id;
use tourbillon_check::Fired;
use tourbillon_model::{LocationId, Model, ProcessId};

use crate::simulate::RunFileError;

type XtrResult<T> = Result<T, RunFileError>;

/// A token and its position.
#[derive(Clone, Copy, Debug)]
struct Token {
    kind: TokenKind,
    line: u32,
    column: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TokenKind {
    Number(i64),
    Dot,
    Semicolon,
    End,
}

impl Token {
    fn wrong(self, message: impl Into<String>) -> RunFileError {
        RunFileError { place: format!("line {}, column {}", self.line, self.column), message: message.into() }
    }

    fn text(self) -> String {
        match self.kind {
            TokenKind::Number(number) => format!("the number {number}"),
            TokenKind::Dot => "a dot".to_owned(),
            TokenKind::Semicolon => "a semicolon".to_owned(),
            TokenKind::End => "the end of the file".to_owned(),
        }
    }
}

/// An edge as the file gives it.
struct NamedEdge {
    token: Token,
    process: i64,
    edge: i64,
    selects: Vec<i64>,
}

/// The steps of a trace, each with the edges of its transition.
///
/// # Errors
/// If the text is no such trace, or does not fit the model; with the place.
pub(crate) fn read(model: &Model, text: &str) -> XtrResult<Vec<Vec<Fired>>> {
    let mut reader = XtrReader { model, tokens: tokens(text)?, next: 0 };
    let mut here: Vec<LocationId> = model.processes.iter().map(|process| process.initial).collect();
    reader.state(&here)?;
    let mut steps = Vec::new();
    while reader.peek().kind != TokenKind::Dot {
        // The target state of a step precedes it.
        let state = reader.next;
        reader.skip_state()?;
        let step = reader.step(&mut here)?;
        let after = std::mem::replace(&mut reader.next, state);
        reader.state(&here)?;
        reader.next = after;
        steps.push(step);
    }
    reader.dot("the trace")?;
    match reader.peek().kind {
        TokenKind::End => Ok(steps),
        _ => Err(reader.peek().wrong(format!("{} after the last dot", reader.peek().text()))),
    }
}

fn tokens(text: &str) -> XtrResult<Vec<Token>> {
    let mut tokens = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| !c.is_whitespace()) {
            rest = &rest[start..];
            let column = line[..line.len() - rest.len()].chars().count() as u32 + 1;
            let mut token = Token { kind: TokenKind::Dot, line: number, column };
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
            token.kind = match rest.chars().next() {
                Some('.') => TokenKind::Dot,
                Some(';') => TokenKind::Semicolon,
                _ => TokenKind::Number(rest[..length].parse().map_err(|_| {
                    let word = rest.split_whitespace().next().unwrap_or_default();
                    let what =
                        if length > 18 { "too long for a number" } else { "neither a number nor a dot" };
                    token.wrong(format!("`{}` is {what}", shortened(word)))
                })?),
            };
            rest = &rest[length.max(1)..];
            tokens.push(token);
        }
    }
    let line = text.lines().count().max(1) as u32;
    tokens.push(Token {
        kind: TokenKind::End,
        line,
        column: text.lines().last().map_or(1, |l| l.chars().count() as u32 + 1),
    });
    Ok(tokens)
}

/// A word, truncated if it is long.
fn shortened(word: &str) -> String {
    word.chars().take(20).collect()
}

struct XtrReader<'m> {
    model: &'m Model,
    tokens: Vec<Token>,
    next: usize,
}

impl XtrReader<'_> {
    /// The next token; at the end, always the end token.
    fn peek(&self) -> Token {
        self.tokens[self.next.min(self.tokens.len() - 1)]
    }

    fn dot(&mut self, after: &str) -> XtrResult<()> {
        let token = self.peek();
        if token.kind != TokenKind::Dot {
            return Err(token.wrong(format!("expected a dot at the end of {after}, found {}", token.text())));
        }
        self.next += 1;
        Ok(())
    }

    fn number(&mut self) -> Option<i64> {
        let TokenKind::Number(number) = self.peek().kind else { return None };
        self.next += 1;
        Some(number)
    }

    /// Numbers up to a dot, each with its position.
    fn numbers(&mut self, what: &str) -> XtrResult<Vec<(Token, i64)>> {
        let mut numbers = Vec::new();
        loop {
            let token = self.peek();
            match self.number() {
                Some(number) => numbers.push((token, number)),
                None => break,
            }
        }
        self.dot(what)?;
        Ok(numbers)
    }

    /// Reads a state, which must have these locations.
    fn state(&mut self, here: &[LocationId]) -> XtrResult<()> {
        let start = self.peek();
        let locations = self.skip_state()?;
        if locations.len() != here.len() {
            let (count, own) = (locations.len(), here.len());
            return Err(start.wrong(format!("locations of {count} processes: the model has {own} processes")));
        }
        for ((process, (token, number)), own) in self.model.processes.iter().zip(locations).zip(here) {
            if number != own.index() as i64 {
                let named = usize::try_from(number)
                    .ok()
                    .and_then(|it| process.locations.get(LocationId::from_index(it)));
                let named = named.map_or_else(|| format!("location {number}"), |it| format!("`{}`", it.name));
                return Err(token.wrong(format!(
                    "`{}` is at {named} here, but in the model at `{}`",
                    process.name, process.locations[*own].name
                )));
            }
        }
        Ok(())
    }

    /// The locations of a state.
    fn skip_state(&mut self) -> XtrResult<Vec<(Token, i64)>> {
        let locations = self.numbers("the locations of a state")?;
        while self.peek().kind != TokenKind::Dot {
            let start = self.peek();
            let bound = self.numbers("a bound of clocks")?;
            if bound.len() != 3 {
                return Err(start.wrong(format!("a bound of clocks is three numbers, not {}", bound.len())));
            }
        }
        self.dot("the bounds of clocks")?;
        self.numbers("the values of variables")?;
        Ok(locations)
    }

    /// Reads the edges of a step, which leave these locations, and updates the locations.
    fn step(&mut self, here: &mut [LocationId]) -> XtrResult<Vec<Fired>> {
        let start = self.peek();
        let mut step = Vec::new();
        while self.peek().kind != TokenKind::Dot {
            let named = self.edge()?;
            step.push(self.resolve(&named, here)?);
        }
        self.dot("the edges of a step")?;
        if step.is_empty() {
            return Err(start.wrong("a step without edges"));
        }
        for fired in &step {
            here[fired.process.index()] = self.model.processes[fired.process].edges[fired.edge].target;
        }
        Ok(step)
    }

    /// Reads an edge: numbers up to a semicolon, or to the end of the line in older files.
    fn edge(&mut self) -> XtrResult<NamedEdge> {
        let token = self.peek();
        let mut numbers = Vec::new();
        while self.peek().line == token.line {
            let Some(number) = self.number() else { break };
            numbers.push(number);
        }
        let [process, edge, selects @ ..] = &numbers[..] else {
            return Err(
                token.wrong(format!("expected an edge (a process and an edge), found {}", token.text()))
            );
        };
        let newer = self.peek().kind == TokenKind::Semicolon;
        if newer {
            self.next += 1;
        }
        let edge = if newer { *edge } else { edge.saturating_sub(1) };
        Ok(NamedEdge { token, process: *process, edge, selects: selects.to_vec() })
    }

    fn resolve(&self, named: &NamedEdge, here: &[LocationId]) -> XtrResult<Fired> {
        let wrong = |message: String| Err(named.token.wrong(message));
        let index = usize::try_from(named.process).unwrap_or(usize::MAX);
        if index >= self.model.processes.len() {
            return wrong(format!(
                "no process {}: the model has {}",
                named.process,
                self.model.processes.len()
            ));
        }
        let id = ProcessId::from_index(index);
        let process = &self.model.processes[id];
        let index = usize::try_from(named.edge).unwrap_or(usize::MAX);
        let Some(edge) = process.edges.get(index) else {
            return wrong(format!(
                "`{}` has no edge {}, only {}",
                process.name,
                named.edge,
                process.edges.len()
            ));
        };
        if edge.source != here[id.index()] {
            let (source, own) =
                (&process.locations[edge.source].name, &process.locations[here[id.index()]].name);
            return wrong(format!(
                "`{}` is at `{own}`, and its edge {index} starts at `{source}`",
                process.name
            ));
        }
        if edge.selects.len() != named.selects.len() {
            let (count, given) = (edge.selects.len(), named.selects.len());
            return wrong(format!(
                "{given} values for {count} selections of edge {index} of `{}`",
                process.name
            ));
        }
        let value = |&value: &i64| i32::try_from(value);
        let Ok(selects) = named.selects.iter().map(value).collect() else {
            return wrong("a selection that does not fit into 32 bits".to_owned());
        };
        Ok(Fired { process: id, edge: index, selects })
    }
}
