//! The shape of the tree as nested lists, without spans: for tests, for looking at a tree, and as the measure of
//! whether two trees are equal.
//!
//! Chains are shown as the binary operations that they stand for: `a - b + c` is `(+ (- a b) c)`. A chain of any
//! length is written without recursion: first all operators from the last to the first, then the operands.

use crate::tree::{
    Binder, Block, ChainLink, ChannelRef, Comment, Decl, DeclaredName, Dimension, Direction, Edge,
    Expectation, ExprId, ExprKind, Gantt, Item, Location, Model, Name, Param, Progress, Query, QueryFile,
    QueryKind, Stmt, StmtKind, Symbol, Sync, Template, Tree, Type, TypeKind, UnaryOp, Variables,
};

/// A model, an item on each line.
#[must_use]
pub fn model(tree: &Tree, model: &Model) -> String {
    let lines = model.items.iter().map(|item| write(tree, |w| w.item(item)) + "\n");
    lines.collect()
}

/// Declarations, one on each line.
#[must_use]
pub fn declarations(tree: &Tree, declarations: &[Decl]) -> String {
    let lines = declarations.iter().map(|declaration| write(tree, |w| w.declaration(declaration)) + "\n");
    lines.collect()
}

#[must_use]
pub fn expr(tree: &Tree, expr: ExprId) -> String {
    write(tree, |w| w.expr(expr))
}

#[must_use]
pub fn parameters(tree: &Tree, params: &[Param]) -> String {
    write(tree, |w| w.list("params", |w| w.all(params, Writer::param)))
}

/// Binders: a select label.
#[must_use]
pub fn binders(tree: &Tree, binders: &[Binder]) -> String {
    write(tree, |w| w.list("select", |w| w.all(binders, Writer::binder)))
}

#[must_use]
pub fn sync(tree: &Tree, sync: &Sync) -> String {
    write(tree, |w| w.sync(sync))
}

#[must_use]
pub fn query(tree: &Tree, query: &Query) -> String {
    write(tree, |w| w.query(query))
}

/// A `.q` file: comments, expectations and queries, each on a line.
#[must_use]
pub fn query_file(tree: &Tree, file: &QueryFile) -> String {
    let mut out = String::new();
    for entry in &file.entries {
        comments(tree, &entry.comments, &mut out);
        if let Some(expect) = &entry.expect {
            let Expectation { outcome, time_ms, memory_bytes, .. } = expect;
            out += &format!("(expect {outcome:?} {time_ms:?} {memory_bytes:?})\n");
        }
        out += &write(tree, |w| w.query(&entry.query));
        out.push('\n');
    }
    comments(tree, &file.trailing, &mut out);
    out
}

fn comments(tree: &Tree, comments: &[Comment], out: &mut String) {
    for comment in comments {
        *out += &format!("(comment {:?})\n", tree.text(comment.text));
    }
}

fn write(tree: &Tree, body: impl FnOnce(&mut Writer<'_>)) -> String {
    let mut writer = Writer { tree, out: String::new() };
    body(&mut writer);
    writer.out
}

struct Writer<'a> {
    tree: &'a Tree,
    out: String,
}

impl Writer<'_> {
    /// Starts an element: with a space unless it is the first.
    fn gap(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('(') {
            self.out.push(' ');
        }
    }

    fn atom(&mut self, text: &str) {
        self.gap();
        self.out.push_str(text);
    }

    fn list(&mut self, head: &str, body: impl FnOnce(&mut Self)) {
        self.gap();
        self.out.push('(');
        self.out.push_str(head);
        body(self);
        self.out.push(')');
    }

    fn all<T>(&mut self, items: &[T], write: fn(&mut Self, &T)) {
        items.iter().for_each(|item| write(self, item));
    }

    /// A named list, left out if it is empty.
    fn part<T>(&mut self, head: &str, items: &[T], write: fn(&mut Self, &T)) {
        if !items.is_empty() {
            self.list(head, |w| w.all(items, write));
        }
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.atom(self.tree.text(symbol));
    }

    fn name(&mut self, name: &Name) {
        self.symbol(name.symbol);
    }

    fn string(&mut self, symbol: Symbol) {
        self.atom(&format!("\"{}\"", self.tree.text(symbol)));
    }

    fn expr(&mut self, expr: ExprId) {
        let tree = self.tree;
        match &tree[expr].kind {
            ExprKind::Error => self.atom("<error>"),
            ExprKind::Int(value) => self.atom(&value.to_string()),
            ExprKind::Bool(value) => self.atom(&value.to_string()),
            ExprKind::Float(symbol) | ExprKind::Name(symbol) => self.symbol(*symbol),
            ExprKind::Str(symbol) => self.string(*symbol),
            ExprKind::Deadlock => self.atom("<deadlock>"),
            ExprKind::Unary { op, operand } => self.list(unary_head(*op), |w| w.expr(*operand)),
            ExprKind::Chain { first, links } => self.chain(*first, links),
            ExprKind::Conditional(inner) => {
                self.list("?:", |w| w.exprs(&[inner.condition, inner.yes, inner.no]));
            }
            ExprKind::Assign { op, target, value } => self.list(op.text(), |w| w.exprs(&[*target, *value])),
            ExprKind::Index { array, index } => self.list("index", |w| w.exprs(&[*array, *index])),
            ExprKind::Field { record, field } => self.list("field", |w| {
                w.expr(*record);
                w.symbol(*field);
            }),
            ExprKind::Call { callee, args } => self.list("call", |w| {
                w.expr(*callee);
                w.exprs(args);
            }),
            ExprKind::Quantifier(inner) => self.list(inner.op.text(), |w| {
                w.binder(&inner.binder);
                w.expr(inner.body);
            }),
            ExprKind::List(items) => self.list("list", |w| {
                for item in items {
                    match &item.field {
                        Some(field) => w.list(":", |w| {
                            w.name(field);
                            w.expr(item.value);
                        }),
                        None => w.expr(item.value),
                    }
                }
            }),
            ExprKind::Spawn(inner) => self.list("spawn", |w| {
                w.name(&inner.template);
                w.exprs(&inner.args);
            }),
            ExprKind::Exit => self.atom("<exit>"),
            ExprKind::NumOf(template) => self.list("numOf", |w| w.symbol(*template)),
        }
    }

    fn exprs(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|&expr| self.expr(expr));
    }

    fn chain(&mut self, first: ExprId, links: &[ChainLink]) {
        for link in links.iter().rev() {
            self.gap();
            self.out.push('(');
            self.out.push_str(link.op.text());
        }
        self.expr(first);
        for link in links {
            self.expr(link.operand);
            self.out.push(')');
        }
    }

    fn binder(&mut self, binder: &Binder) {
        self.list(":", |w| {
            w.name(&binder.name);
            w.ty(&binder.ty);
        });
    }

    fn ty(&mut self, ty: &Type) {
        let prefix = ty.prefix;
        let words = [
            (prefix.constant, "const"),
            (prefix.meta, "meta"),
            (prefix.urgent, "urgent"),
            (prefix.broadcast, "broadcast"),
            (prefix.hybrid, "hybrid"),
        ];
        let mut open = 0;
        for (_, word) in words.into_iter().filter(|&(present, _)| present) {
            self.gap();
            self.out.push('(');
            self.out.push_str(word);
            open += 1;
        }
        self.type_kind(&ty.kind);
        (0..open).for_each(|_| self.out.push(')'));
    }

    fn type_kind(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Error => self.atom("<error>"),
            TypeKind::Int(None) => self.atom("int"),
            TypeKind::Int(Some((lower, upper))) => self.list("int", |w| w.exprs(&[*lower, *upper])),
            TypeKind::Bool => self.atom("bool"),
            TypeKind::Clock => self.atom("clock"),
            TypeKind::Chan => self.atom("chan"),
            TypeKind::Double => self.atom("double"),
            TypeKind::Str => self.atom("string"),
            TypeKind::Void => self.atom("void"),
            TypeKind::Scalar(size) => self.list("scalar", |w| w.expr(*size)),
            TypeKind::Struct(fields) => self.list("struct", |w| w.all(fields, Self::variables)),
            TypeKind::Named(symbol) => self.symbol(*symbol),
        }
    }

    fn variables(&mut self, variables: &Variables) {
        self.list("var", |w| w.typed_names(variables));
    }

    fn typed_names(&mut self, variables: &Variables) {
        self.ty(&variables.ty);
        self.all(&variables.names, Self::declared);
    }

    fn declared(&mut self, declared: &DeclaredName) {
        if declared.dimensions.is_empty() && declared.init.is_none() {
            return self.name(&declared.name);
        }
        self.list("", |w| {
            w.name(&declared.name);
            w.all(&declared.dimensions, Self::dimension);
            if let Some(init) = declared.init {
                w.atom("=");
                w.expr(init);
            }
        });
    }

    fn dimension(&mut self, dimension: &Dimension) {
        self.list("[]", |w| match dimension {
            Dimension::Size(size) => w.expr(*size),
            Dimension::Type(ty) => w.list("type", |w| w.ty(ty)),
        });
    }

    fn param(&mut self, param: &Param) {
        self.list(if param.by_reference { "ref" } else { "val" }, |w| {
            w.ty(&param.ty);
            w.name(&param.name);
            w.all(&param.dimensions, Self::dimension);
        });
    }

    fn declaration(&mut self, declaration: &Decl) {
        match declaration {
            Decl::Variables(variables) => self.variables(variables),
            Decl::Typedef(variables) => self.list("typedef", |w| w.typed_names(variables)),
            Decl::Function(function) => self.list("function", |w| {
                w.name(&function.name);
                w.list("params", |w| w.all(&function.params, Self::param));
                w.ty(&function.returns);
                w.block(&function.body);
            }),
            Decl::ChannelPriority(priority) => self.list("chan-priority", |w| {
                priority.groups.iter().for_each(|group| w.list("", |w| w.all(group, Self::channel_ref)));
            }),
            Decl::BeforeUpdate(hook) => self.list("before_update", |w| w.exprs(&hook.updates)),
            Decl::AfterUpdate(hook) => self.list("after_update", |w| w.exprs(&hook.updates)),
            Decl::Import(import) => self.list("import", |w| {
                w.string(import.library.symbol);
                for function in &import.functions {
                    w.list("function", |w| {
                        w.name(&function.name);
                        w.part("as", function.alias.as_slice(), Self::name);
                        w.list("params", |w| w.all(&function.params, Self::param));
                        w.ty(&function.returns);
                    });
                }
            }),
            Decl::Dynamic(template) => self.list("dynamic", |w| {
                w.name(&template.name);
                w.list("params", |w| w.all(&template.params, Self::param));
            }),
        }
    }

    fn channel_ref(&mut self, channel: &ChannelRef) {
        match *channel {
            ChannelRef::Default(_) => self.atom("<default>"),
            ChannelRef::Channel(channel) => self.expr(channel),
        }
    }

    fn block(&mut self, block: &Block) {
        self.list("block", |w| {
            w.all(&block.declarations, Self::declaration);
            w.all(&block.statements, Self::statement);
        });
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Error => self.atom("<error>"),
            StmtKind::Empty => self.list("", |_| {}),
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { arms, otherwise } => self.list("if", |w| {
                for (condition, statement) in arms {
                    w.expr(*condition);
                    w.statement(statement);
                }
                if let Some(statement) = otherwise {
                    w.atom("else");
                    w.statement(statement);
                }
            }),
            StmtKind::While { condition, body } => self.list("while", |w| {
                w.expr(*condition);
                w.statement(body);
            }),
            StmtKind::DoWhile { body, condition } => self.list("do", |w| {
                w.statement(body);
                w.expr(*condition);
            }),
            StmtKind::For { init, condition, step, body } => self.list("for", |w| {
                w.list("", |w| w.exprs(init));
                w.list("", |w| w.exprs(condition));
                w.list("", |w| w.exprs(step));
                w.statement(body);
            }),
            StmtKind::ForEach { binder, body } => self.list("for", |w| {
                w.binder(binder);
                w.statement(body);
            }),
            StmtKind::Return(value) => self.list("return", |w| w.exprs(value.as_slice())),
            StmtKind::Assert(condition) => self.list("assert", |w| w.expr(*condition)),
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Decl(declaration) => self.declaration(declaration),
            Item::Template(template) => self.template(template),
            Item::Instance(instance) => self.list("instance", |w| {
                w.name(&instance.name);
                w.part("params", &instance.params, Self::param);
                w.name(&instance.template);
                w.exprs(&instance.args);
            }),
            Item::System(line) => self.list("system", |w| {
                line.groups.iter().for_each(|group| w.list("", |w| w.all(group, Self::name)));
            }),
            Item::Io(io) => self.list("io", |w| {
                w.name(&io.process);
                w.part("args", &io.args, |w, &expr| w.expr(expr));
                w.exprs(&io.channels);
            }),
            Item::Progress(progress) => self.progress(progress),
            Item::Gantt(gantt) => self.gantt(gantt),
            Item::Query(query) => self.list("query", |w| w.query(query)),
        }
    }

    fn template(&mut self, template: &Template) {
        self.list("process", |w| {
            w.name(&template.name);
            w.part("params", &template.params, Self::param);
            w.all(&template.declarations, Self::declaration);
            w.part("state", &template.locations, Self::location);
            w.part("branchpoint", &template.branchpoints, Self::name);
            w.part("commit", &template.committed, Self::name);
            w.part("urgent", &template.urgent, Self::name);
            w.part("init", template.init.as_slice(), Self::name);
            w.part("trans", &template.edges, Self::edge);
        });
    }

    fn location(&mut self, location: &Location) {
        if location.invariant.is_none() && location.rate.is_none() {
            return self.name(&location.name);
        }
        self.list("", |w| {
            w.name(&location.name);
            w.part("invariant", location.invariant.as_slice(), |w, &expr| w.expr(expr));
            w.part("rate", location.rate.as_slice(), |w, &expr| w.expr(expr));
        });
    }

    fn edge(&mut self, edge: &Edge) {
        self.list(if edge.controllable { "->" } else { "-u->" }, |w| {
            w.name(&edge.source);
            w.name(&edge.target);
            w.part("select", &edge.select, Self::binder);
            w.part("guard", edge.guard.as_slice(), |w, &expr| w.expr(expr));
            w.part("sync", edge.sync.as_slice(), Self::sync);
            w.part("assign", &edge.assign, |w, &expr| w.expr(expr));
            w.part("probability", edge.probability.as_slice(), |w, &expr| w.expr(expr));
        });
    }

    fn sync(&mut self, sync: &Sync) {
        let head = match sync.direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Csp => "csp",
        };
        self.list(head, |w| w.expr(sync.channel));
    }

    fn progress(&mut self, progress: &Progress) {
        self.list("progress", |w| {
            for measure in &progress.measures {
                w.list("", |w| {
                    w.exprs(measure.guard.as_slice());
                    w.expr(measure.measure);
                });
            }
        });
    }

    fn gantt(&mut self, gantt: &Gantt) {
        self.list("gantt", |w| {
            for row in &gantt.rows {
                w.list("", |w| {
                    w.name(&row.name);
                    w.part("params", &row.params, Self::binder);
                    for bar in &row.bars {
                        w.list("->", |w| {
                            w.part("for", &bar.binders, Self::binder);
                            w.exprs(&[bar.condition, bar.colour]);
                        });
                    }
                });
            }
        });
    }

    fn query(&mut self, query: &Query) {
        match &query.under {
            Some(strategy) => self.list("under", |w| {
                w.name(strategy);
                w.query_kind(&query.kind);
            }),
            None => self.query_kind(&query.kind),
        }
    }

    fn query_kind(&mut self, kind: &QueryKind) {
        match kind {
            QueryKind::Error => self.atom("<error>"),
            QueryKind::Empty => self.atom("<empty>"),
            QueryKind::Path { quantifier, predicate } => self.list(quantifier.text(), |w| w.expr(*predicate)),
            QueryKind::LeadsTo { from, to } => self.list("-->", |w| w.exprs(&[*from, *to])),
            QueryKind::Extremum { op, condition, exprs } => self.list(op.text(), |w| {
                w.part("where", condition.as_slice(), |w, &expr| w.expr(expr));
                w.exprs(exprs);
            }),
            QueryKind::Strategy { name, query } => self.list("strategy", |w| {
                w.name(name);
                w.query(query);
            }),
            QueryKind::Special { feature, text } => self.list("special", |w| {
                w.atom(&format!("{feature:?}"));
                w.string(*text);
            }),
        }
    }
}

fn unary_head(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::PreIncrement => "++_",
        UnaryOp::PreDecrement => "--_",
        UnaryOp::PostIncrement => "_++",
        UnaryOp::PostDecrement => "_--",
        UnaryOp::Negate => "-_",
        UnaryOp::Plus => "+_",
        UnaryOp::Not => "!",
        UnaryOp::Rate => "'",
    }
}
