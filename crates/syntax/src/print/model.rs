//! Templates, instances and the system.

use super::Printer;
use crate::operator::POSTFIX;
use crate::tree::{
    Binder, Direction, Edge, Gantt, GanttBar, Instance, Io, Item, Location, Name, Progress, Sync, SystemLine,
    Template,
};

impl Printer<'_> {
    pub(super) fn item(&mut self, item: &Item) {
        match item {
            Item::Decl(declaration) => self.declaration(declaration),
            Item::Template(template) => self.template(template),
            Item::Instance(instance) => self.instance(instance),
            Item::System(line) => self.system(line),
            Item::Io(io) => self.io(io),
            Item::Progress(progress) => self.progress(progress),
            Item::Gantt(gantt) => self.gantt(gantt),
            Item::Query(query) => {
                self.push("query { ");
                self.query(query);
                self.push(" }\n");
            }
        }
    }

    pub(super) fn template(&mut self, template: &Template) {
        self.push("\nprocess ");
        self.push(self.tree.name(template.name));
        self.bracketed_params(&template.params);
        self.push(" ");
        self.braces(|printer| {
            for declaration in &template.declarations {
                printer.declaration(declaration);
            }
            printer.section("state", &template.locations, Self::location);
            printer.section("branchpoint", &template.branchpoints, Self::name);
            printer.section("commit", &template.committed, Self::name);
            printer.section("urgent", &template.urgent, Self::name);
            printer.section("init", template.init.as_slice(), Self::name);
            printer.section("trans", &template.edges, Self::edge);
        });
        self.push("\n");
    }

    /// A section with an item on each line; nothing if there are no items.
    fn section<T>(&mut self, word: &str, items: &[T], print: fn(&mut Self, &T)) {
        if items.is_empty() {
            return;
        }
        self.line();
        self.push(word);
        self.indent += 1;
        for (index, item) in items.iter().enumerate() {
            self.push(if index > 0 { ",\n" } else { "\n" });
            self.line();
            print(self, item);
        }
        self.indent -= 1;
        self.push(";\n");
    }

    fn name(&mut self, name: &Name) {
        self.push(self.tree.name(*name));
    }

    fn location(&mut self, location: &Location) {
        self.name(&location.name);
        if location.invariant.is_none() && location.rate.is_none() {
            return;
        }
        self.push(" { ");
        if let Some(invariant) = location.invariant {
            self.expr(invariant);
        }
        if let Some(rate) = location.rate {
            self.push("; ");
            self.expr(rate);
        }
        self.push(" }");
    }

    fn edge(&mut self, edge: &Edge) {
        self.name(&edge.source);
        self.push(if edge.controllable { " -> " } else { " -u-> " });
        self.name(&edge.target);
        self.push(" { ");
        if !edge.select.is_empty() {
            self.push("select ");
            self.binders(&edge.select);
            self.push("; ");
        }
        if let Some(guard) = edge.guard {
            self.push("guard ");
            self.expr(guard);
            self.push("; ");
        }
        if let Some(sync) = &edge.sync {
            self.push("sync ");
            self.sync(sync);
            self.push("; ");
        }
        if !edge.assign.is_empty() {
            self.push("assign ");
            self.exprs(&edge.assign);
            self.push("; ");
        }
        if let Some(probability) = edge.probability {
            self.push("probability ");
            self.expr(probability);
            self.push("; ");
        }
        self.push("}");
    }

    pub(super) fn binders(&mut self, binders: &[Binder]) {
        self.separated(binders, ", ", Self::binder);
    }

    pub(super) fn sync(&mut self, sync: &Sync) {
        self.operand(sync.channel, POSTFIX, false);
        self.push(match sync.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Csp => "",
        });
    }

    fn instance(&mut self, instance: &Instance) {
        self.name(&instance.name);
        if !instance.params.is_empty() {
            self.bracketed_params(&instance.params);
        }
        self.push(" = ");
        self.name(&instance.template);
        self.arguments(&instance.args);
        self.push(";\n");
    }

    fn system(&mut self, line: &SystemLine) {
        self.push("\nsystem ");
        self.separated(&line.groups, " < ", |printer, group| printer.separated(group, ", ", Self::name));
        self.push(";\n");
    }

    fn io(&mut self, io: &Io) {
        self.push("IO ");
        self.name(&io.process);
        if !io.args.is_empty() {
            self.arguments(&io.args);
        }
        self.push(" { ");
        self.separated(&io.channels, ", ", |printer, &channel| printer.operand(channel, POSTFIX, false));
        self.push(" }\n");
    }

    fn progress(&mut self, progress: &Progress) {
        self.push("\nprogress ");
        self.braces(|printer| {
            for measure in &progress.measures {
                printer.line();
                if let Some(guard) = measure.guard {
                    printer.expr(guard);
                    printer.push(" : ");
                }
                printer.expr(measure.measure);
                printer.push(";\n");
            }
        });
        self.push("\n");
    }

    fn gantt(&mut self, gantt: &Gantt) {
        self.push("\ngantt ");
        self.braces(|printer| {
            for row in &gantt.rows {
                printer.line();
                printer.name(&row.name);
                if !row.params.is_empty() {
                    printer.push("(");
                    printer.binders(&row.params);
                    printer.push(")");
                }
                printer.push(": ");
                printer.separated(&row.bars, ", ", Self::gantt_bar);
                printer.push(";\n");
            }
        });
        self.push("\n");
    }

    fn gantt_bar(&mut self, bar: &GanttBar) {
        if !bar.binders.is_empty() {
            self.push("for (");
            self.binders(&bar.binders);
            self.push(") ");
        }
        self.expr(bar.condition);
        self.push(" -> ");
        self.expr(bar.colour);
    }
}
